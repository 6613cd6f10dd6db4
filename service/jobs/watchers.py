"""Who wants to hear of jobs."""

from __future__ import annotations

import logging
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator

from proofbase.service.jobs.model import Job

__all__ = ["Watcher", "Watchers", "news_of"]

_log = logging.getLogger(__name__)

Watcher = Callable[[Job], None]


class Watchers:
    """What to call when a job changes. Thread-safe."""

    def __init__(self) -> None:
        self._watchers: defaultdict[str, list[Watcher]] = defaultdict(list)
        self._lock = threading.Lock()

    def add(self, job_id: str, watcher: Watcher) -> Callable[[], None]:
        """Has `watcher` called with each change of a job, from any thread.

        Returns:
            What ends it.
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
        """Tells the watchers of a job how it is now."""
        with self._lock:
            watchers = list(self._watchers.get(job.id, ()))
        for watcher in watchers:
            try:
                watcher(job)
            except Exception:  # a watcher that is gone must not take the job with it
                _log.exception("a watcher of job %s fails", job.id)


def news_of(subscribe: Callable[[Watcher], Callable[[], None]]) -> Iterator[Job]:
    """What a watcher hears, as an iterator, until the job does not move by itself. States in between may be missed."""
    news = threading.Condition()
    latest: list[Job] = []

    def tell(job: Job) -> None:
        with news:
            latest[:] = [job]
            news.notify()

    end = subscribe(tell)
    try:
        while True:
            with news:
                while not latest:
                    news.wait()
                job = latest.pop()
            yield job
            if job.resting:
                return
    finally:
        end()
