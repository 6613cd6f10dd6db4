"""A server that knows all of tic-tac-toe, over both gRPC and HTTP."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from services import fill_tic_tac_toe, serving_both

from proofbase.service.application import Application
from proofbase.storage import open_store


class Both(NamedTuple):
    """A server on its two ports."""

    app: Application
    grpc: str
    http: str


@pytest.fixture(scope="module")
def both() -> Iterator[Both]:
    with Application(open_store("memory:")) as app:
        fill_tic_tac_toe(app.resources.store)
        with serving_both(app) as (grpc, http):
            yield Both(app, grpc, http)
