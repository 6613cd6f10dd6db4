"""An export that is broken off ends its read transaction at once, so that the store does not keep old pages for it."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from lmdb_stores import ENVIRONMENT
from services import MakeService, serving

from proofbase.service.application import Application
from proofbase.service.client import Client, Exported
from proofbase.storage import open_store
from proofbase.storage.lmdb import LmdbStore

GAME = "connect-four:5x4"

pytestmark = pytest.mark.usefixtures("whole_solutions")


def open_transactions(store: object) -> int:
    """Transactions of this process."""
    assert isinstance(store, LmdbStore)
    return store._environment._open_transactions


def begun(client: Client, number: int, position: str | None = None) -> list[Exported]:
    exports = [client.export(GAME, position, form="jsonl") for _ in range(number)]
    for export in exports:
        assert next(export)
    return exports


def wait_for_none(store: object, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while open_transactions(store) and time.monotonic() < end:
        time.sleep(0.01)
    assert open_transactions(store) == 0


def test_a_closed_export_ends_its_transaction(make_service: MakeService, tmp_path: Path) -> None:
    service = make_service(str(tmp_path))
    service.client.solve(GAME)
    exports = begun(service.client, 5)
    assert open_transactions(service.store) == 5
    for export in exports:
        export.close()
        assert list(export) == []
        assert export.summary is None
    wait_for_none(service.store)
    with begun(service.client, 1)[0] as export:
        assert open_transactions(service.store) == 1
        assert next(export)
    wait_for_none(service.store)
    with service.client.export(GAME, form="csv") as complete:
        assert sum(map(len, complete)) > 1 << 18
        assert complete.summary is not None
    wait_for_none(service.store)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, LmdbStore]]:
    with open_store(str(tmp_path)) as store, Application(store) as app, serving(app) as address:
        assert isinstance(store, LmdbStore)
        yield address, store


def test_exports_of_a_killed_client_end(served: tuple[str, LmdbStore]) -> None:
    address, store = served
    code = (
        "import sys, time\nfrom proofbase.service.client import connect\n"
        "client = connect(sys.argv[1])\nclient.solve(sys.argv[2])\n"
        "exports = [client.export(sys.argv[2], form='jsonl') for _ in range(5)]\n"
        "for export in exports: next(export)\nprint('reading', flush=True)\ntime.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, address, GAME], stdout=subprocess.PIPE, env=ENVIRONMENT
    ) as client:
        assert client.stdout is not None
        assert client.stdout.readline() == b"reading\n"
        assert open_transactions(store) == 5
        client.kill()
    wait_for_none(store)
