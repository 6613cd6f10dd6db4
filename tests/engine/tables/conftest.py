"""What the tests of tables share."""

from __future__ import annotations

from pathlib import Path

import pytest
from awari_tables import GAME, STONES

from proofbase.engine._core import TableWork


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of up to nine stones."""
    directory = tmp_path_factory.mktemp("tables")
    assert TableWork(GAME, str(directory), STONES, threads=2).build()
    return directory
