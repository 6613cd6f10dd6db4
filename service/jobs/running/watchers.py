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


class _Subscription:
    """One watcher. It is never told an older state after a newer one."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self._told = False
        self._lock = threading.Lock()

    def tell(self, job: Job, *, first: bool = False) -> None:
        """Calls the watcher; with `first` only if it has not been called yet."""
        with self._lock:
            if first and self._told:
                return
            self._told = True
            try:
                self._watcher(job)
            except Exception:  # a watcher that fails must not fail the job
                _log.exception("a watcher of job %s fails", job.id)


class Watchers:
    """The watchers of all jobs. Thread-safe."""

    def __init__(self) -> None:
        self._watchers: defaultdict[str, list[_Subscription]] = defaultdict(list)
        self._lock = threading.Lock()

    def add(self, job_id: str, watcher: Watcher, now: Callable[[], Job]) -> Callable[[], None]:
        """Has `watcher` called with the job as `now` gives it, and with each change, from any thread.

        Returns:
            A function that ends it.
        """
        subscription = _Subscription(watcher)
        with self._lock:
            self._watchers[job_id].append(subscription)

        def end() -> None:
            with self._lock:
                watchers = self._watchers.get(job_id, [])
                if subscription in watchers:
                    watchers.remove(subscription)
                if not watchers:
                    self._watchers.pop(job_id, None)

        try:
            subscription.tell(now(), first=True)
        except BaseException:
            end()
            raise
        return end

    def watched(self) -> list[str]:
        """The ids of the jobs that have watchers."""
        with self._lock:
            return list(self._watchers)

    def publish(self, job: Job) -> None:
        """Calls the watchers of a job with the job as it is now."""
        with self._lock:
            watchers = list(self._watchers.get(job.id, ()))
        for watcher in watchers:
            watcher.tell(job)


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
