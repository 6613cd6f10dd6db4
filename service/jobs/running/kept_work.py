"""The work of solves that their budget ended: it is kept for the newest of them, so that no store fills with it."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any, cast

from proofbase.service.errors import JobStateError
from proofbase.service.jobs.running.ledger import JobLedger
from proofbase.storage import JobNotFoundError

__all__ = ["forget_old_work"]

PAGE = 100
PAUSE_SECONDS = 0.005
"""Between two pages: there may be a hundred thousand jobs, and nobody waits for this."""


def forget_old_work(ledger: JobLedger, keep: int) -> int:
    """Drops the checkpoints of done jobs that could be resumed, but for the newest ones; their results then say so.

    Args:
        ledger: the jobs.
        keep: how many keep their work.

    Returns:
        How many were forgotten.
    """
    seen = forgotten = 0
    before: str | None = None
    while True:
        try:
            page = ledger.page(["done"], PAGE, before)
        except JobNotFoundError:  # forgotten just now: the rest is looked at the next time
            return forgotten
        for job in page:
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
            forgotten += 1
        if len(page) < PAGE:
            return forgotten
        before = page[-1].id
        time.sleep(PAUSE_SECONDS)
