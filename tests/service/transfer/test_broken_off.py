"""Imports and exports whose client breaks them off end at once, and free what they hold."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from proofbase.service.application import Application, open_application
from proofbase.service.client.local import LocalClient
from proofbase.service.commands.transfer.export import export
from proofbase.service.commands.transfer.import_records import import_records
from proofbase.service.errors import CallCancelledError
from proofbase.service.resources.stop_signal import StopSignal

GAME = "random-graph:nodes=6000,span=1,degree=1,ends=0"
AT_ONCE = 5.0


@pytest.fixture(scope="module")
def solved() -> Iterator[Application]:
    """A service that has solved a game of six thousand moves."""
    with open_application("memory:") as app:
        assert LocalClient(app, "").solve(GAME, algorithm="pn-dag").state == "done"
        yield app


@pytest.fixture(scope="module")
def certificate(solved: Application) -> bytes:
    return b"".join(export(solved.resources, GAME, "-"))


@pytest.mark.parametrize("form", ["certificate", "jsonl"])
@pytest.mark.parametrize("after", [0.0, 0.05, 0.2, "storing"])
def test_an_import_that_is_broken_off_ends(solved: Application, tmp_path: Path, form: str, after: float | str) -> None:
    data = b"".join(export(solved.resources, GAME, "-", form=form))  # type: ignore[arg-type]
    with open_application(str(tmp_path / "store")) as app:
        name = app.resources.games.open(GAME).name
        stop = StopSignal()
        ended: list[Exception | None] = []

        def run() -> None:
            try:
                import_records(app.resources, [data], form=form, stop=stop)  # type: ignore[arg-type]
                ended.append(None)
            except Exception as error:
                ended.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        if isinstance(after, float):
            time.sleep(after)
        else:
            while thread.is_alive() and not app.resources.store.count(name):
                time.sleep(0.001)
        stop.set()
        began = time.monotonic()
        thread.join(30)
        assert time.monotonic() - began < AT_ONCE
        (error,) = ended
        assert error is None or isinstance(error, CallCancelledError), error
        if error is not None:
            assert app.resources.store.count(name) < solved.resources.store.count(name)
        again = import_records(app.resources, [data], form=form)  # type: ignore[arg-type]
        assert again.records == app.resources.store.count(name), "what was left is stored by the next import"


@pytest.mark.parametrize("form", ["certificate", "jsonl", "csv"])
def test_an_export_that_is_broken_off_frees_the_store(certificate: bytes, tmp_path: Path, form: str) -> None:
    with open_application(str(tmp_path / "store")) as app:
        import_records(app.resources, [certificate])
        for wait in (0.0, 0.01, 0.1):
            parts = export(app.resources, GAME, None if form == "csv" else "-", form=form)  # type: ignore[arg-type]
            thread = threading.Thread(target=_read, args=(parts,))
            thread.start()
            time.sleep(wait)
            parts.close()
            began = time.monotonic()
            thread.join(30)
            assert time.monotonic() - began < AT_ONCE
            assert not app.resources.store._environment._open_transactions, "no read transaction is left"  # type: ignore[attr-defined]
            with pytest.raises((CallCancelledError, StopIteration)):
                next(parts)


def _read(parts: Iterator[bytes]) -> None:
    try:
        for _ in parts:
            pass
    except CallCancelledError:
        return
