"""What the tests of certificates share."""

from __future__ import annotations

import pytest
from certificates import ending_certificate

from proofbase.engine import open_rules
from proofbase.engine.rules import Game


@pytest.fixture(scope="module")
def game() -> Game[str]:
    return open_rules("tic-tac-toe")


@pytest.fixture(scope="module")
def ending(game: Game[str]) -> bytes:
    """A certificate with evidence by children and by search."""
    return ending_certificate(game)
