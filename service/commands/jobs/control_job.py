"""Get, watch, cancel, pause and resume a job."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from proofbase.service.commands.jobs.questions import check_memory
from proofbase.service.errors import InvalidRequestError
from proofbase.service.jobs.budget import Budget
from proofbase.service.jobs.model import Job
from proofbase.service.jobs.runner import JobRunner
from proofbase.service.jobs.solve.model import SolveResult, SolveSpec
from proofbase.service.resources import Resources

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


def resume_job(resources: Resources, jobs: JobRunner, job_id: str, budget: Budget | None = None) -> Job:
    """Queues a job that is paused, that another process left behind, or a solve that its budget ended.

    Args:
        resources: the store and what belongs to it.
        jobs: the runner of the jobs.
        job_id: the job.
        budget: new limits of a solve, over all its work so far; a limit that is None stays as it was. A solve that its
            budget ended needs more of what ended it.

    Raises:
        JobNotFoundError: no such job.
        JobStateError: it is none of these.
        InvalidRequestError: a budget for another job than a solve, or one that is used up already.
        LimitExceededError: more memory than a job may use.
        QueueFullError: too many wait.
    """
    job = jobs.get(job_id)
    spec = job.spec
    if budget is not None and budget.limits():
        if not isinstance(spec, SolveSpec):
            raise InvalidRequestError(f"job {job_id} is a {job.kind}: only a solve has a budget", field="budget")
        check_memory(resources, budget)
        spec = replace(spec, budget=spec.budget.changed(budget))
    if isinstance(spec, SolveSpec) and isinstance(job.result, SolveResult) and job.resumable:
        _check_that_it_goes_on(job, job.result, spec.budget)
    return jobs.resume(job_id, spec)


def _check_that_it_goes_on(job: Job, result: SolveResult, budget: Budget) -> None:
    """Refuses a budget that would end the solve at once."""
    reason = budget.used_up(result.nodes, result.seconds)
    assert isinstance(job.spec, SolveSpec)
    before = job.spec.budget.memory_bytes
    if result.unknown_reason == "memory" and budget.memory_bytes == before:
        reason = "memory"
    if reason is None:
        return
    used = {
        "nodes": f"{result.nodes} nodes",
        "seconds": f"{result.seconds:.1f} seconds",
        "memory": "the memory that it may use" if before is None else f"{before} bytes of memory",
    }[reason]
    raise InvalidRequestError(
        f"job {job.id} has used {used}: to go on it needs a larger budget of {reason}",
        field="budget.memory_bytes" if reason == "memory" else f"budget.{reason}",
    )
