"""The work of solves that their budget ended: it is kept for the newest of them, so that no store fills with it."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import Any, cast

from proofbase.service.errors import JobStateError
from proofbase.service.jobs.running.ledger import JobLedger
from proofbase.storage import JobNotFoundError

__all__ = ["KeptWork", "forget_old_work"]

PAGE = 100
PAUSE_SECONDS = 0.005
"""Between two pages: there may be a hundred thousand jobs."""
BETWEEN_SECONDS = 60.0
"""From one look to the next at least: a look reads every job that is done."""
UPKEEP_SECONDS = 2.0
"""A look of the upkeep, which has other tasks, ends after this time: each job that it changes waits for the disk."""


class KeptWork:
    """Sees to it that only the newest solves of a store keep their work. Thread-safe.

    Args:
        ledger: the jobs.
        keep: how many keep their work.
    """

    def __init__(self, ledger: JobLedger, keep: int) -> None:
        self._ledger = ledger
        self._keep = keep
        self._asked = threading.Event()
        self._looking = threading.Lock()
        self._looked = float("-inf")
        """When the last look began, on the monotonic clock."""

    def ask(self) -> None:
        """Has the upkeep look soon (`look_if_asked`). A call must not wait for it, and would keep others waiting."""
        self._asked.set()

    def look_if_asked(self) -> None:
        """Looks if somebody has asked for it since the last look. What is left after `UPKEEP_SECONDS` is asked for."""
        if self._asked.is_set():
            self.look(UPKEEP_SECONDS)

    def look(self, seconds: float = float("inf")) -> None:
        """Forgets old work for so long, unless that was done a short time ago or another thread is at it."""
        if not self._looking.acquire(blocking=False):
            return
        try:
            if time.monotonic() - self._looked > BETWEEN_SECONDS:
                self._looked = time.monotonic()
                self._asked.clear()
                if not forget_old_work(self._ledger, self._keep, time.monotonic() + seconds):
                    self._asked.set()
        finally:
            self._looking.release()


def forget_old_work(ledger: JobLedger, keep: int, deadline: float) -> bool:
    """Drops the checkpoints of done jobs that could be resumed, but for the newest ones; their results then say so.

    Args:
        ledger: the jobs.
        keep: how many keep their work.
        deadline: when to stop, on the monotonic clock.

    Returns:
        Whether that was all.
    """
    seen = 0
    before: str | None = None
    while True:
        try:
            page = ledger.page(["done"], PAGE, before)
        except JobNotFoundError:  # forgotten just now: the rest is looked at the next time
            return True
        for job in page:
            if time.monotonic() > deadline:
                return False
            if not job.resumable:
                continue
            seen += 1
            if seen <= keep:
                continue
            try:
                ledger.change(job, result=replace(cast("Any", job.result), resumable=False))
            except (JobStateError, JobNotFoundError):
                continue  # it was resumed, or forgotten, just now
            ledger.drop_checkpoint_or_later(job.id)
        if len(page) < PAGE:
            return True
        before = page[-1].id
        time.sleep(PAUSE_SECONDS)
