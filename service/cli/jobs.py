"""Jobs: list, show, watch, cancel, pause, resume."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

import typer

from proofbase.service.cli.exits import Exit
from proofbase.service.cli.options import Json, Plugins, Server, Store
from proofbase.service.cli.session import opened

__all__ = ["program"]

program = typer.Typer(help="List, watch, pause, resume and cancel jobs.", no_args_is_help=True)

JobId = Annotated[str, typer.Argument(metavar="ID", help="A job; `proofbase jobs list` shows them.")]


class State(StrEnum):
    """A state of jobs to list."""

    QUEUED = "queued"
    RUNNING = "running"
    PAUSED = "paused"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


States = Annotated[
    list[State] | None,
    typer.Option("--state", help="Only jobs in this state. May be given several times.", show_default=False),
]


@program.command("list")
def list_jobs(
    state: States = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Show at most so many, newest first.")] = 100,
    after: Annotated[
        str | None, typer.Option(metavar="TOKEN", help="Go on behind an earlier list that was cut.", show_default=False)
    ] = None,
    store: Store = None,
    server: Server = None,
    json: Json = False,
) -> int:
    """List jobs, newest first."""
    from proofbase.service.cli import documents, screen

    with opened(store, server, None, read_only=True) as client:
        found, cut = client.jobs(state or (), limit=limit, continuation=after)
    if json:
        documents.print_document({"jobs": [documents.job_document(job) for job in found], "cut": cut})
        return Exit.POSITIVE
    rows = [
        (
            job.id,
            job.kind,
            job.state,
            datetime.fromtimestamp(job.created).astimezone().isoformat(" ", "seconds"),
            job.spec.subject,
            job.error or "",
        )
        for job in found
    ]
    screen.print_table(("job", "kind", "state", "created", "what", "error"), rows)
    if cut is not None:
        screen.note(f"cut: {cut.message}: --after {cut.continuation}")
    return Exit.POSITIVE


@program.command("watch")
def watch(job: JobId, store: Store = None, server: Server = None, plugin: Plugins = None, json: Json = False) -> int:
    """Follow a job until it ends or pauses. With --json one JSON line for every report."""
    from proofbase.service.cli import documents, screen
    from proofbase.service.cli.watching import watch_job

    with opened(store, server, plugin, read_only=True) as client:
        if json:
            last = client.job(job)
            for last in client.watch(job):
                documents.print_document(documents.job_document(last))
        else:
            last = watch_job(client, client.job(job))
            screen.say(f"{last.id} {last.state}{': ' + last.error if last.error else ''}")
    return Exit.POSITIVE if last.state == "done" else Exit.NEGATIVE


@program.command("prune")
def prune(
    days: Annotated[
        float | None,
        typer.Option(min=0, help="Only jobs that ended so many days ago. [default: as the limit kept_job_days]"),
    ] = None,
    keep: Annotated[
        int | None,
        typer.Option(min=0, help="The newest finished jobs that stay anyhow. [default: as the limit kept_jobs]"),
    ] = None,
    store: Store = None,
    server: Server = None,
    json: Json = False,
) -> int:
    """Forget old finished jobs. What they have stored stays stored."""
    from proofbase.service.cli import documents, screen

    with opened(store, server, None, create=False) as client:
        removed = client.prune_jobs(older_than=None if days is None else days * 86_400, keep=keep)
    if json:
        documents.print_document({"removed": removed})
    else:
        screen.say(f"{removed:,} finished jobs were forgotten")
    return Exit.POSITIVE


@program.command("cancel")
def cancel(job: JobId, store: Store = None, server: Server = None, json: Json = False) -> int:
    """End a job for good. What it has stored stays stored."""
    return _control("cancel", job, store, server, None, json)


@program.command("pause")
def pause(job: JobId, store: Store = None, server: Server = None, json: Json = False) -> int:
    """Stop a job so that it can be resumed."""
    return _control("pause", job, store, server, None, json)


@program.command("resume")
def resume(job: JobId, store: Store = None, server: Server = None, plugin: Plugins = None, json: Json = False) -> int:
    """Go on with a paused job. On a store it runs here, to its end; on a server it is queued there."""
    return _control("resume", job, store, server, plugin, json)


def _control(
    action: Literal["cancel", "pause", "resume"],
    job_id: str,
    store: str | None,
    server: str | None,
    plugin: list[str] | None,
    json: bool,
) -> int:
    from proofbase.service.cli import documents, screen
    from proofbase.service.cli.watching import run_job

    with opened(store, server, plugin, create=False) as client:
        call = {"cancel": client.cancel, "pause": client.pause, "resume": client.resume}[action]
        job = call(job_id)
        if action == "resume" and server is None:
            job = run_job(client, job)
    if json:
        documents.print_document(documents.job_document(job))
    else:
        screen.say(f"{job.id} {job.state}")
    return Exit.POSITIVE
