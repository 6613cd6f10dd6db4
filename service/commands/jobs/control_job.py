"""Get, watch, cancel, pause and resume a job."""

from __future__ import annotations

from collections.abc import Iterator

from proofbase.service.jobs.model import Job
from proofbase.service.jobs.runner import JobRunner

__all__ = ["cancel_job", "get_job", "pause_job", "resume_job", "watch_job"]


def get_job(jobs: JobRunner, job_id: str) -> Job:
    """The job as it is now.

    Raises:
        JobNotFoundError: no such job.
    """
    return jobs.get(job_id)


def watch_job(jobs: JobRunner, job_id: str) -> Iterator[Job]:
    """The job now, then again at least twice a second while it runs; ends when the job is finished or paused.

    Raises:
        JobNotFoundError: no such job.
    """
    return jobs.watch(job_id)


def cancel_job(jobs: JobRunner, job_id: str) -> Job:
    """Ends a job for good; what it has stored stays.

    Raises:
        JobNotFoundError: no such job.
        JobStateError: it has ended already.
    """
    return jobs.cancel(job_id)


def pause_job(jobs: JobRunner, job_id: str) -> Job:
    """Stops a job so that it can be resumed.

    Raises:
        JobNotFoundError: no such job.
        JobStateError: it is not queued or running.
    """
    return jobs.pause(job_id)


def resume_job(jobs: JobRunner, job_id: str) -> Job:
    """Queues a job that is paused, or that another process left behind.

    Raises:
        JobNotFoundError: no such job.
        JobStateError: it is neither.
        QueueFullError: too many wait.
    """
    return jobs.resume(job_id)
