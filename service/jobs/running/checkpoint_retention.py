"""The checkpoints of solves that their budget ended: the newest ones are kept, so that no store fills with them."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import Any, cast

from proofbase.service.errors import JobStateError
from proofbase.service.jobs.running.ledger import JobLedger
from proofbase.storage import JobNotFoundError

__all__ = ["CheckpointRetention", "drop_old_checkpoints"]

PAGE = 100
PAUSE_SECONDS = 0.005
"""Between two pages: there may be a hundred thousand jobs."""
BETWEEN_SECONDS = 60.0
"""From one search for old checkpoints to the next at least: it reads every job that is done."""
UPKEEP_SECONDS = 2.0
"""So long the upkeep drops checkpoints at a time: it has other tasks, and each changed job waits for the disk."""


class CheckpointRetention:
    """Sees to it that only the newest solves of a store keep their checkpoints. Thread-safe.

    Args:
        ledger: the jobs.
        keep: how many keep their checkpoints.
    """

    def __init__(self, ledger: JobLedger, keep: int) -> None:
        self._ledger = ledger
        self._keep = keep
        self._asked = threading.Event()
        self._dropping = threading.Lock()
        self._began = float("-inf")
        """When old checkpoints were dropped last, on the monotonic clock."""

    def ask(self) -> None:
        """Has the upkeep drop old checkpoints soon. A call must not wait for it, and would keep others waiting."""
        self._asked.set()

    def drop_if_asked(self) -> None:
        """Drops old checkpoints if somebody has asked. What is left after `UPKEEP_SECONDS` is dropped the next time."""
        if self._asked.is_set():
            self.drop(UPKEEP_SECONDS)

    def drop(self, seconds: float = float("inf")) -> None:
        """Drops old checkpoints for so long, unless that was done a short time ago or another thread is at it."""
        if not self._dropping.acquire(blocking=False):
            return
        try:
            if time.monotonic() - self._began > BETWEEN_SECONDS:
                self._began = time.monotonic()
                self._asked.clear()
                if not drop_old_checkpoints(self._ledger, self._keep, time.monotonic() + seconds):
                    self._asked.set()
        finally:
            self._dropping.release()


def drop_old_checkpoints(ledger: JobLedger, keep: int, deadline: float) -> bool:
    """Drops the checkpoints of done jobs that could be resumed, but for the newest ones; their results then say so.

    Args:
        ledger: the jobs.
        keep: how many keep their checkpoints.
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
