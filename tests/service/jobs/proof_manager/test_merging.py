"""Results on their way into the store: what waits is stored together, and what fails its check is not stored."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

from waits import until

from proofbase.service.jobs.proof_manager.merging import CheckedResult, MergingThreads


class WatchedStore:
    """Notes what is checked and stored; stores when it may.

    Attributes:
        calls: the numbers of each call of `store_results`.
    """

    def __init__(self) -> None:
        self.may_store = threading.Event()
        self.calls: list[list[int]] = []
        self.checked: list[int] = []

    def check_result(self, result: CheckedResult) -> None:
        self.checked.append(result.number)
        if not result.records:
            raise ValueError("unsound")

    def store_results(self, results: Sequence[CheckedResult]) -> None:
        self.calls.append([result.number for result in results])
        assert self.may_store.wait(60)


def result(number: int, *, sound: bool = True) -> CheckedResult:
    return CheckedResult(number, "position", 1, True, ((b"key", b"record"),) if sound else (), "df-pn")


def take(merging: MergingThreads, count: int) -> dict[int, BaseException | None]:
    found: dict[int, BaseException | None] = {}
    deadline = time.monotonic() + 60
    while len(found) < count:
        merged = merging.next_merged()
        if merged is not None:
            found[merged[0]] = merged[1]
        assert time.monotonic() < deadline
        time.sleep(0.001)
    return found


def test_results_that_wait_are_stored_together_and_unsound_ones_are_not() -> None:
    store, woken = WatchedStore(), threading.Semaphore(0)
    merging = MergingThreads(store, 2, woken.release)
    merging.submit(result(1))
    until(lambda: store.calls)
    for number in (2, 3, 4, 5):
        merging.submit(result(number, sound=number != 4))
    until(lambda: len(store.checked) == 5)
    assert list(take(merging, 1)) == [4], "the others wait for the first one"
    store.may_store.set()
    assert take(merging, 4) == dict.fromkeys((1, 2, 3, 5))
    merging.close()
    assert store.calls[0] == [1] and all(4 not in call for call in store.calls)
    assert merging.take_seconds() > 0 == merging.take_seconds()
    assert woken.acquire(timeout=1)


def test_every_result_is_reported_once() -> None:
    store = WatchedStore()
    store.may_store.set()
    merging = MergingThreads(store, 3, lambda: None)
    for number in range(50):
        merging.submit(result(number, sound=number % 5 > 0))
    found = take(merging, 50)
    assert all((error is None) == (number % 5 > 0) for number, error in found.items())
    assert sorted(number for call in store.calls for number in call) == [n for n in range(50) if n % 5]
    assert merging.next_merged() is None
    merging.close()
