"""What is done at intervals while jobs run: reports to watchers, and the upkeep of the jobs in the store."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from proofbase.storage import StoreError

__all__ = ["PeriodicTask", "repeat", "start_periodic_tasks"]

_log = logging.getLogger(__name__)
TICK_SECONDS = 0.5


class PeriodicTask(NamedTuple):
    """One piece of upkeep.

    Attributes:
        name: what it does, for the log.
        seconds: between two calls.
        work: does it.
    """

    name: str
    seconds: float
    work: Callable[[], object]


def repeat(work: Callable[[], object], seconds: float, end: threading.Event, name: str) -> threading.Thread:
    """Calls `work` again and again, in a thread of its own, until `end` is set."""

    def run() -> None:
        while not end.wait(seconds):
            try:
                work()
            except Exception:
                _log.exception("%s", name)

    thread = threading.Thread(target=run, name=name, daemon=True)
    thread.start()
    return thread


def start_periodic_tasks(tasks: Sequence[PeriodicTask], end: threading.Event) -> threading.Thread:
    """Does the tasks at their intervals, in a thread of its own, until `end` is set."""
    due = {task.name: time.monotonic() + task.seconds for task in tasks}
    failing: set[str] = set()

    def tick() -> None:
        for task in tasks:
            if end.is_set() or time.monotonic() < due[task.name]:
                continue
            try:
                task.work()
                failing.discard(task.name)
            except StoreError as error:
                # Said once: a store that is out of reach for an hour need not fill the log.
                _log.log(logging.DEBUG if task.name in failing else logging.WARNING, "cannot %s: %s", task.name, error)
                failing.add(task.name)
            except Exception:
                _log.exception("cannot %s", task.name)
            due[task.name] = time.monotonic() + task.seconds

    return repeat(tick, TICK_SECONDS, end, "upkeep of jobs")
