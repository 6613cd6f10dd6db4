"""Waiting for a job, with a progress bar on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from proofbase.service.errors import ServiceFailedError, rebuild_error
from proofbase.service.jobs.model import Job

if TYPE_CHECKING:
    from proofbase.engine._core import TableWork
    from proofbase.service.client import Client

__all__ = ["progress_text", "run_job", "table_bar", "watch_job"]


def run_job(client: Client, job: Job) -> Job:
    """Waits for the end of a job and returns it with its result.

    Raises:
        ServiceError, StoreError, EngineError: the job failed; the type is the one of its reason.
    """
    try:
        job = watch_job(client, job)
    except KeyboardInterrupt:
        sys.stderr.write(
            f"proofbase: job {job.id} goes on at {client.target}; `proofbase jobs cancel {job.id}` ends it\n"
            if client.is_remote
            else f"proofbase: job {job.id} stops; `proofbase jobs resume {job.id}` goes on with it\n"
        )
        raise
    if job.state == "failed":
        raise rebuild_error(job.error_reason or "INTERNAL", job.error or "the job failed", {})
    if job.result is None:
        raise ServiceFailedError(f"job {job.id} is {job.state}: it has no result")
    return job


def watch_job(client: Client, job: Job) -> Job:
    """Follows a job until it is finished or paused, and returns its last state."""
    with _progress_bar(job) as show:
        for state in client.watch(job.id):
            job = state
            show(job)
    return job


def progress_text(job: Job) -> str:
    """How far a job is, in one line."""
    return (job.progress.text if job.progress is not None else None) or job.state


@contextmanager
def _progress_bar(job: Job) -> Iterator[Callable[[Job], None]]:
    """A function that shows a job's progress: on a terminal a bar on standard error, elsewhere nothing."""
    if not sys.stderr.isatty():
        yield lambda job: None
        return
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from proofbase.service.cli import screen

    what = job.spec.action
    columns = (SpinnerColumn(), BarColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=screen.console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)

        def show(state: Job) -> None:
            share = None if state.progress is None else state.progress.share
            if share is not None:
                done, total = share
                bar.update(task, total=total, completed=done)
            bar.update(task, description=f"{what}: {progress_text(state)}")

        yield show


@contextmanager
def table_bar(what: str) -> Iterator[Callable[[TableWork], None]]:
    """A function that shows how far work on tables is: on a terminal a bar on standard error, elsewhere nothing."""
    if not sys.stderr.isatty():
        yield lambda work: None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from proofbase.service.cli import screen

    columns = (BarColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=screen.console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)

        def show(work: TableWork) -> None:
            inside = f"class {work.table_class}, {work.phase}: {work.done:,} of {work.size:,}"
            bar.update(task, total=work.total or None, completed=work.before, description=f"{what}: {inside}")

        yield show
