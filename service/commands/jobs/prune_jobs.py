"""Forget old finished jobs."""

from __future__ import annotations

from proofbase.service.errors import InvalidRequestError
from proofbase.service.jobs.runner import JobRunner

__all__ = ["prune_jobs"]


def prune_jobs(jobs: JobRunner, *, older_than: float | None = None, keep: int | None = None, wait: bool = True) -> int:
    """Forgets finished jobs, with what failed ones would need to go on. What the jobs have stored stays.

    Args:
        jobs: the runner of the jobs.
        older_than: only jobs that ended at least so many seconds ago, 0 or more; None for the limit `kept_job_days`.
        keep: so many of the newest finished jobs stay whatever their age; None for the limit `kept_jobs`.
        wait: until the work of solves that is too old to be kept is forgotten as well; otherwise that is done soon.

    Returns:
        How many jobs were forgotten.

    Raises:
        InvalidRequestError: a number is below 0.
    """
    if older_than is not None and not 0 <= older_than < float("inf"):
        raise InvalidRequestError(f"an age of {older_than} seconds: 0 or more is needed", field="older_than_seconds")
    if keep is not None and keep < 0:
        raise InvalidRequestError(f"{keep} jobs to keep: 0 or more are needed", field="keep")
    return jobs.prune(older_than, keep, wait=wait)
