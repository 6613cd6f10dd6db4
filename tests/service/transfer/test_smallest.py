"""`export --smallest` keeps to its time."""

from __future__ import annotations

import threading
import time
from typing import Any, cast

import pytest
from services import Service

from proofbase.engine._core import RecordTable, StopFlag
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.errors import SearchCancelledError
from proofbase.service.commands.transfer import smallest as command
from proofbase.service.commands.transfer import supporting_records
from proofbase.service.commands.transfer.smallest import smallest
from proofbase.service.errors import CallCancelledError
from proofbase.service.resources.stop_signal import StopSignal


class Trimmed:
    """A table that gets smaller in every round; the first one is over at once, the others when they are stopped."""

    def __init__(self, records: int = 100) -> None:
        self.records = records
        self.asked = list[float]()

    def __len__(self) -> int:
        return self.records

    def trimmed(
        self, root: bytes, visits: int | None = None, *, strategy_seconds: float = 0.0, stop: StopFlag
    ) -> Trimmed:
        if visits is None:
            return Trimmed(self.records - 1)
        self.asked.append(strategy_seconds)
        while not stop.is_set:
            time.sleep(0.001)
        raise SearchCancelledError("stopped")


@pytest.fixture(autouse=True)
def no_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "drop_needless_parts", lambda table, stop: 0)


def test_a_round_that_the_time_ends_leaves_what_the_rounds_before_it_found() -> None:
    began = time.monotonic()
    found = cast("Any", smallest(cast("RecordTable", Trimmed()), b"", 0.2, StopSignal()))
    assert 0.2 <= time.monotonic() - began < 5
    # The second round was broken off, and no search for strategies began after it.
    assert (len(found), found.asked) == (99, [0.0])


def test_a_caller_who_leaves_ends_a_round() -> None:
    stop, began = StopSignal(), time.monotonic()
    threading.Timer(0.1, stop.set).start()
    with pytest.raises(CallCancelledError):
        smallest(cast("RecordTable", Trimmed()), b"", 60, stop)
    assert time.monotonic() - began < 5


def test_a_caller_who_leaves_ends_the_search_for_needless_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """It tells nobody why it was stopped."""
    stop = StopSignal()
    monkeypatch.setattr(command, "drop_needless_parts", lambda table, over: stop.set())
    with pytest.raises(CallCancelledError):
        smallest(cast("RecordTable", Trimmed()), b"", 0.1, stop)


def test_two_proofs_in_one_certificate_share_the_time(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    given = list[float]()

    def timed(table: RecordTable, root: bytes, seconds: float, stop: StopSignal) -> RecordTable:
        given.append(seconds)
        return smallest(table, root, 0.01, stop)

    monkeypatch.setattr(supporting_records, "smallest", timed)
    won = service.client.solve("tic-tac-toe", "xo./.../...", shortest=True, most_plies=9)
    assert won.plies == 5
    data = b"".join(service.client.export("within:5:tic-tac-toe", "xo./.../... plies=5", strategy_seconds=8))
    assert given == [4, 4] and check_certificate(data).no_win_within == 3


def test_without_any_time_left_it_is_the_usual_certificate(service: Service) -> None:
    service.client.solve("connect-four:4x4", at_least=0)
    usual = b"".join(service.client.export("connect-four:4x4", "-"))
    data = b"".join(service.client.export("connect-four:4x4", "-", strategy_seconds=1e-9))
    assert data == usual and check_certificate(data).valid
