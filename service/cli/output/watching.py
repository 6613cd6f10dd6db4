"""Waiting for a job, showing its progress."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from proofbase.service.cli import screen
from proofbase.service.cli.output.hints import hint, own_files
from proofbase.service.cli.output.progress import showing_progress
from proofbase.service.errors import JobStateError, ServiceFailedError, ServiceUnavailableError, rebuild_error
from proofbase.service.jobs.model import Job

if TYPE_CHECKING:
    from proofbase.service.client.contract import Service

__all__ = ["progress_text", "run_job", "watch_job"]


def run_job(
    client: Service, job: Job, *, on_state: Callable[[Job], None] | None = None, interrupted: str | None = None
) -> Job:
    """Waits for the end of a job and returns it with its result.

    Args:
        client: the service.
        job: the job.
        on_state: called with every state of the job.
        interrupted: what is said of a job that ends when the user interrupts it; None: the job can be resumed.

    Raises:
        ServiceError, StoreError, EngineError: the job failed; the type is the one of its reason.
    """
    try:
        job = watch_job(client, job, on_state=on_state)
    except KeyboardInterrupt:
        if interrupted is None:
            interrupted = f"job {job.id} {_after_interruption(client, job)}"
        else:
            with suppress(JobStateError):  # it has ended just now
                client.cancel(job.id)
        screen.note(f"proofbase: {interrupted}")
        raise
    if job.state == "failed":
        raise rebuild_error(job.error_reason or "INTERNAL", job.error or "the job failed", {})
    if job.result is None:
        raise ServiceFailedError(f"job {job.id} is {job.state}: it has no result")
    return job


def _after_interruption(client: Service, job: Job) -> str:
    """What becomes of a job that the user does not wait for any longer: in this process it is paused.

    A second Ctrl-C does not wait for that: then the store keeps the job as it was saved last.
    """
    if client.is_remote:
        return f"goes on at the server; {hint(client, 'jobs', 'cancel', job.id)} ends it"
    try:
        job = client.pause(job.id)
    except JobStateError:  # it has ended just now
        job = client.job(job.id)
    if job.state != "paused":
        return f"is {job.state}"
    if client.is_temporary:
        return "ends with its store, which was in memory"
    return f"is paused; {hint(client, 'jobs', 'resume', job.id, *own_files(client))} goes on with it"


def watch_job(client: Service, job: Job, *, on_state: Callable[[Job], None] | None = None) -> Job:
    """Follows a job until it is finished or paused, and returns its last state; calls `on_state` with each.

    Raises:
        ServiceUnavailableError: the server has gone away; the message says how to watch the job when it is back.
    """
    try:
        return _watch_job(client, job, on_state)
    except ServiceUnavailableError as error:
        if not client.is_remote:
            raise
        command = hint(client, "jobs", "watch", job.id)
        raise ServiceUnavailableError(
            f"{error}; job {job.id} goes on when the server is back, and {command} follows it"
        ) from None


def _watch_job(client: Service, job: Job, on_state: Callable[[Job], None] | None) -> Job:
    with showing_progress(job.spec.action) as show:
        for state in client.watch(job.id):
            job = state
            done, total = (None if job.progress is None else job.progress.share) or (0, None)
            show(progress_text(job), done, total)
            if on_state is not None:
                on_state(job)
    return job


def progress_text(job: Job) -> str:
    """How far a job is, in one line."""
    return job.message or (job.progress.text if job.progress is not None else None) or job.state
