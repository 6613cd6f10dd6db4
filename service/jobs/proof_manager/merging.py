"""Results of workers on their way into the store: checked in parallel, stored many at a time, beside the manager.

While results are checked and stored the manager hands out tasks. Checks are native and run outside of the interpreter's
lock, so several threads make them. One thread stores: all results that have passed while it was busy share its next
transaction.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Protocol

__all__ = ["CheckedResult", "MergesResults", "Merging", "MergingThreads"]

Item = tuple[bytes, bytes]
Merged = tuple[int, BaseException | None]
"""The number of a task, and why its records could not be stored."""


@dataclass(frozen=True, slots=True)
class CheckedResult:
    """What a worker proved.

    Attributes:
        number: of the task.
        position: of its question.
        at_least: the question.
        answer: of the worker.
        records: of its solution, which have passed the local check once they are to be stored.
        algorithm: of its search.
    """

    number: int
    position: object
    at_least: int
    answer: bool
    records: Sequence[Item]
    algorithm: str


class MergesResults(Protocol):
    """Checks and stores (`StoredKnowledge`), from several threads."""

    def check_result(self, result: CheckedResult) -> None:
        """Raises what is wrong with a result; nothing of it is stored."""

    def store_results(self, results: Sequence[CheckedResult]) -> None:
        """Stores results that have been checked."""


class Merging(Protocol):
    """What a manager asks of it."""

    def submit(self, result: CheckedResult) -> None:
        """Begins to check and to store a result."""

    def next_merged(self) -> Merged | None:
        """The number of a task whose result is stored now, or cannot be; None if there is none at the moment."""

    def take_seconds(self) -> float:
        """Seconds since the last call in which what is slowest of it was busy: that limits how much can be merged."""

    def close(self) -> None:
        """Waits for what is being checked and stored; what has not begun is dropped."""


class MergingThreads:
    """Checks and stores in threads of its own.

    Args:
        knowledge: checks and stores.
        checkers: threads that check.
        wake: called whenever a result has been stored, or cannot be.
    """

    def __init__(self, knowledge: MergesResults, checkers: int, wake: Callable[[], None]) -> None:
        self._knowledge = knowledge
        self._wake = wake
        self._checks = ThreadPoolExecutor(checkers, thread_name_prefix="proof check")
        self._stores = ThreadPoolExecutor(1, thread_name_prefix="proof merge")
        self._passed: deque[CheckedResult] = deque()
        self._merged: SimpleQueue[Merged] = SimpleQueue()
        self._closing = threading.Event()
        self._checkers = checkers
        self._counting = threading.Lock()
        self._check_seconds = self._store_seconds = 0.0

    def submit(self, result: CheckedResult) -> None:
        """As in `Merging`."""
        self._checks.submit(self._check, result)

    def next_merged(self) -> Merged | None:
        """As in `Merging`."""
        try:
            return self._merged.get_nowait()
        except Empty:
            return None

    def take_seconds(self) -> float:
        """As in `Merging`."""
        with self._counting:
            seconds = max(self._check_seconds / self._checkers, self._store_seconds)
            self._check_seconds = self._store_seconds = 0.0
        return seconds

    def close(self) -> None:
        """As in `Merging`."""
        self._closing.set()
        self._checks.shutdown(wait=True, cancel_futures=True)
        self._stores.shutdown(wait=True, cancel_futures=True)

    def _check(self, result: CheckedResult) -> None:
        began = time.perf_counter()
        try:
            self._knowledge.check_result(result)
        except BaseException as error:
            self._done([result], error)
            return
        with self._counting:
            self._check_seconds += time.perf_counter() - began
        self._passed.append(result)
        if not self._closing.is_set():
            self._stores.submit(self._store)

    def _store(self) -> None:
        """Stores what has passed by now. Often a call before has taken it already."""
        results = list[CheckedResult]()
        while self._passed:
            results.append(self._passed.popleft())
        if not results:
            return
        error: BaseException | None = None
        began = time.perf_counter()
        try:
            self._knowledge.store_results(results)
        except BaseException as caught:
            error = caught
        with self._counting:
            self._store_seconds += time.perf_counter() - began
        self._done(results, error)

    def _done(self, results: Sequence[CheckedResult], error: BaseException | None) -> None:
        for result in results:
            self._merged.put((result.number, error))
        self._wake()
