"""Watchers: functions that are called with each change of a job."""

from __future__ import annotations

import logging
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator

from proofbase.service.jobs.model import Job

__all__ = ["Watcher", "Watchers", "updates_of"]

_log = logging.getLogger(__name__)

Watcher = Callable[[Job], None]


class Watchers:
    """The watchers of all jobs. Thread-safe."""

    def __init__(self) -> None:
        self._watchers: defaultdict[str, list[Watcher]] = defaultdict(list)
        self._lock = threading.Lock()

    def add(self, job_id: str, watcher: Watcher) -> Callable[[], None]:
        """Has `watcher` called with each change of a job, from any thread.

        Returns:
            A function that ends it.
        """
        with self._lock:
            self._watchers[job_id].append(watcher)

        def end() -> None:
            with self._lock:
                watchers = self._watchers.get(job_id, [])
                if watcher in watchers:
                    watchers.remove(watcher)
                if not watchers:
                    self._watchers.pop(job_id, None)

        return end

    def publish(self, job: Job) -> None:
        """Calls the watchers of a job with the job as it is now."""
        with self._lock:
            watchers = list(self._watchers.get(job.id, ()))
        for watcher in watchers:
            try:
                watcher(job)
            except Exception:  # a watcher that fails must not fail the job
                _log.exception("a watcher of job %s fails", job.id)


def updates_of(subscribe: Callable[[Watcher], Callable[[], None]]) -> Iterator[Job]:
    """What a watcher is called with, as an iterator that ends when the job is finished or paused.

    A slow reader misses states in between, never the last one.

    Args:
        subscribe: begins to call a watcher, and returns a function that ends it.
    """
    changed = threading.Condition()
    latest: list[Job] = []

    def keep_latest(job: Job) -> None:
        with changed:
            latest[:] = [job]
            changed.notify()

    end = subscribe(keep_latest)
    try:
        while True:
            with changed:
                while not latest:
                    changed.wait()
                job = latest.pop()
            yield job
            if job.resting:
                return
    finally:
        end()
