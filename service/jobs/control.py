"""The interface between the runner of jobs and the work of one job."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal, Protocol, TypeVar

from proofbase.service.jobs.model import Job, Progress, Result
from proofbase.service.jobs.store_retries import backoff_seconds
from proofbase.storage import TransientStoreError

__all__ = ["STOP_SECONDS", "JobControl", "StopReason", "Stopped", "Work"]

T = TypeVar("T")

StopReason = Literal["cancel", "pause", "shutdown", "turn"]
"""`turn`: the job has had its turn, and another client's job waits for a slot."""
STOP_SECONDS = 10.0
"""Work that does not stop within this time is left alone: a user's game may hang."""


class Stopped(Exception):
    """Raised by work that was asked to stop, after it has saved what it needs to go on."""

    def __init__(self, result: Result | None = None) -> None:
        super().__init__("stopped")
        self.result = result


class Work(Protocol):
    """The work of one job. `run` is called once, in a thread of its own; `progress` from any thread."""

    def run(self) -> Result:
        """Does the work, and returns what it has found.

        Raises:
            Stopped: the work was asked to stop.
            Exception: the job failed.
        """

    def progress(self) -> Progress:
        """How far the work is."""


class JobControl:
    """What the work of a running job gets from the runner.

    Args:
        job: the job as it was when its work began.
        private: JSON values that the work kept before a pause or a restart.
        save: stores the progress and the private values; False if the job is no longer this process's.
        wait: tells watchers that the store does not answer, and waits; raises `Stopped` if the work has to stop.

    Attributes:
        job, private: as above; the work changes `private`, and `save` stores it.
        reason: why the work has to stop; None while it may run.
        stopping: set when `reason` is.
        waited: seconds that the job has waited for its store since its work began.
        least_turn: seconds that the work needs in one piece to get anywhere.
    """

    def __init__(
        self,
        job: Job,
        private: dict[str, Any],
        save: Callable[[Progress, dict[str, Any]], bool],
        wait: Callable[[TransientStoreError, float], None],
    ) -> None:
        self.job = job
        self.private = private
        self.reason: StopReason | None = None
        self._asked = 0.0
        self.stopping = threading.Event()
        self.waited = 0.0
        self.least_turn = 0.0
        self._made = time.monotonic()
        self._turn_began: float | None = None
        self._gives_way = False
        self._save = save
        self._wait = wait
        self._stop: Callable[[], None] | None = None
        self._lock = threading.Lock()

    def save(self, progress: Progress) -> bool:
        """Stores the progress and `private` durably; False if the job is no longer this process's.

        Raises:
            Stopped: the store does not answer, and the work was asked to stop meanwhile.
        """
        return self.with_retries(lambda: self._save(progress, self.private))

    def with_retries(self, call: Callable[[], T]) -> T:
        """What `call` returns; while the store has no room or does not answer, waits and calls again.

        `call` may be called after a try of which nobody knows whether it was stored: it has to bear that.

        Raises:
            Stopped: the store does not answer, and the work was asked to stop meanwhile.
        """
        for seconds in backoff_seconds():
            try:
                return call()
            except TransientStoreError as error:
                self.wait(error, seconds)
        raise AssertionError("there is always another try")

    def wait(self, error: TransientStoreError, seconds: float) -> None:
        """Waits for the store, which has just failed.

        Raises:
            Stopped: the work was asked to stop.
        """
        began = time.monotonic()
        try:
            self._wait(error, seconds)
        finally:
            self.waited += time.monotonic() - began

    # Turns

    def begin_work(self) -> None:
        """The work is prepared, and keeps from now on what it does: its turn begins. Called again it does nothing."""
        if self._turn_began is None:
            self._turn_began = time.monotonic()

    def begin_again(self) -> None:
        """The work is made anew from what was saved last: it has to be prepared once more."""
        self.waited, self.least_turn = 0.0, 0.0
        self._made, self._turn_began = time.monotonic(), None

    @contextmanager
    def giving_way(self) -> Iterator[None]:
        """While the work may be asked to stop with the reason `turn`: it loses little by that, and goes on later."""
        self._gives_way = True
        try:
            yield
        finally:
            self._gives_way = False

    def turn_began(self, seconds: float) -> float | None:
        """When the turn began, on the monotonic clock, if it is over and the work may give way; None if it is not.

        A turn is at least as long as its preparation: a search that was brought to its checkpoint for a minute gets a
        minute.

        Args:
            seconds: of a turn.
        """
        began = self._turn_began
        if began is None or not self._gives_way or self.reason is not None:
            return None
        length = max(seconds, began - self._made, self.least_turn)
        return began if time.monotonic() - began >= length else None

    @property
    def gives_way(self) -> bool:
        """Whether the work was asked to stop just now: its slot will soon be free. Rules of users' games may hang."""
        return self.reason is not None and time.monotonic() - self._asked < STOP_SECONDS

    def on_stop(self, stop: Callable[[], None] | None) -> None:
        """Sets what ends the call that the work is about to make; called at once if the work has to stop already."""
        with self._lock:
            self._stop = stop
            stopped = self.reason is not None
        if stopped and stop is not None:
            stop()

    def request_stop(self, reason: StopReason) -> None:
        """Called by the runner: ends the work soon. A cancellation overrides the other reasons, all override a turn."""
        with self._lock:
            if self.reason is None or (self.reason != "cancel" and reason != "turn"):
                self.reason, self._asked = reason, time.monotonic()
            stop = self._stop
        self.stopping.set()
        if stop is not None:
            stop()
