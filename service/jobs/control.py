"""What a piece of work and the runner tell each other."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Literal, Protocol

from proofbase.service.jobs.model import Job, Progress, Result

__all__ = ["JobControl", "StopReason", "Stopped", "Work"]

StopReason = Literal["cancel", "pause", "shutdown"]


class Stopped(Exception):
    """Raised by work that was asked to stop, after it has saved what it needs to go on."""

    def __init__(self, result: Result | None = None) -> None:
        super().__init__("stopped")
        self.result = result


class Work(Protocol):
    """One job's work. `run` is called once, in a thread of its own; `progress` from any thread."""

    def run(self) -> Result:
        """Does it.

        Raises:
            Stopped: it was asked to stop.
            Exception: the job failed.
        """

    def progress(self) -> Progress:
        """Where it stands."""


class JobControl:
    """The work's side of a running job.

    Attributes:
        job: as it was when it was started.
        private: JSON values that the work finds again after a pause or a restart.
        reason: why it has to stop; None while it may run.
    """

    def __init__(self, job: Job, private: dict[str, Any], save: Callable[[Progress, dict[str, Any]], bool]) -> None:
        self.job = job
        self.private = private
        self.reason: StopReason | None = None
        self._save = save
        self._stop: Callable[[], None] | None = None
        self._lock = threading.Lock()

    def save(self, progress: Progress) -> bool:
        """Stores the progress and `private` durably; False if the job is no longer this process's."""
        return self._save(progress, self.private)

    def on_stop(self, stop: Callable[[], None] | None) -> None:
        """What ends the call that the work is about to make; called at once when it has to stop already."""
        with self._lock:
            self._stop = stop
            stopped = self.reason is not None
        if stopped and stop is not None:
            stop()

    def request_stop(self, reason: StopReason) -> None:
        """From the runner: ends the work soon. A cancellation overrides the other reasons."""
        with self._lock:
            if self.reason != "cancel":
                self.reason = reason
            stop = self._stop
        if stop is not None:
            stop()
