"""Jobs: list, show, tree, rows of positions, watch, cancel, pause, resume."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

import typer

from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus
from proofbase.service.cli.job_questions import read_job_tree
from proofbase.service.cli.options import Json, Plugins, Server, Store, Tables, byte_count, count
from proofbase.service.cli.output.hints import hint, larger_budget, rows_of_positions
from proofbase.service.cli.output.job_documents import job_document
from proofbase.service.cli.output.job_rows import find_job, print_board_looked_at, print_job, print_jobs, short_id
from proofbase.service.cli.output.job_tree import print_job_tree
from proofbase.service.cli.output.watching import run_job, watch_job
from proofbase.service.cli.session import opened
from proofbase.service.cli.solves.positions import print_outcomes
from proofbase.service.jobs.budget import Budget
from proofbase.service.words.amounts import amount

__all__ = ["program"]

program = typer.Typer(help="List, show, watch, pause, resume and cancel jobs.", no_args_is_help=True)

JobId = Annotated[
    str, typer.Argument(metavar="ID", help="A job, or the end of its id; `proofbase jobs list` shows them.")
]


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
    """List jobs, newest first: what was asked, how long it took, what was found."""
    with opened(store, server, None, read_only=True) as client:
        page, cut = client.jobs(state or (), limit=limit, continuation=after)
        states = [word for entry in state or () for word in ("--state", entry.value)]
        more = hint(client, "jobs", "list", *states, "--limit", str(limit), "--after", (cut and cut.continuation) or "")
    if json:
        rows = [job_document(job) for job in page]
        documents.print_document({"jobs": rows, "cut": cut, "unreadable": page.unreadable})
        return ExitStatus.POSITIVE
    print_jobs(page)
    if page.unreadable:
        screen.note(f"{amount(page.unreadable, 'stored job')} passed over: damaged, or of a later release")
    if cut is not None:
        screen.note(f"more jobs: {more}")
    return ExitStatus.POSITIVE


@program.command("show")
def show(job: JobId, store: Store = None, server: Server = None, plugin: Plugins = None, json: Json = False) -> int:
    """Show one job: what was asked, how far it is and what it looks at, what was found."""
    with opened(store, server, plugin, read_only=True) as client:
        shown_job = client.job(find_job(client, job))
        if json:
            documents.print_document(job_document(shown_job))
        else:
            print_job(shown_job)
            print_board_looked_at(client, shown_job)
    return ExitStatus.POSITIVE


@program.command("tree")
def tree(
    job: JobId,
    depth: Annotated[int, typer.Option(min=1, max=20, help="Levels below the question.")] = 2,
    most: Annotated[int, typer.Option(min=1, max=1000, help="Moves shown below each one: those with most work.")] = 5,
    store: Store = None,
    server: Server = None,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Show where the work of a solve goes: the tree of its question, with the estimates of what is open.

    Proof and disproof numbers, work and its share, the tasks that are searched now and the line that is worked on.
    """
    with opened(store, server, plugin, read_only=True) as client:
        read_tree = read_job_tree(client, client.job(find_job(client, job)), depth=depth, most=most)
    if json:
        documents.print_document(read_tree)
    else:
        print_job_tree(read_tree)
    return ExitStatus.POSITIVE


@program.command("positions")
def positions(
    job: JobId, store: Store = None, server: Server = None, plugin: Plugins = None, json: Json = False
) -> int:
    """Print what a job over a file of positions has found out so far: a row of CSV, or of JSON, for each position.

    Exit status 1: it has not done all positions, or some are open or disproved.
    """
    with opened(store, server, plugin, read_only=True) as client:
        job_of_positions = client.job(find_job(client, job))
        outcome = print_outcomes(client, job_of_positions, json=json)
    return outcome if job_of_positions.state == "done" else ExitStatus.NEGATIVE


@program.command("watch")
def watch(job: JobId, store: Store = None, server: Server = None, plugin: Plugins = None, json: Json = False) -> int:
    """Follow a job until it ends or pauses. With --json one JSON line for every report."""
    with opened(store, server, plugin, read_only=True) as client:
        last = now = client.job(find_job(client, job))
        if json:
            for last in client.watch(now.id):
                documents.print_document(job_document(last))
        else:
            last = watch_job(client, now)
            print_job(last)
    return ExitStatus.POSITIVE if last.state == "done" else ExitStatus.NEGATIVE


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
    with opened(store, server, None, create=False) as client:
        removed = client.prune_jobs(older_than=None if days is None else days * 86_400, keep=keep)
    if json:
        documents.print_document({"removed": removed})
    else:
        screen.say(f"{removed:,} finished jobs were forgotten")
    return ExitStatus.POSITIVE


@program.command("cancel")
def cancel(job: JobId, store: Store = None, server: Server = None, json: Json = False) -> int:
    """End a job for good. What it has stored stays stored."""
    return _control("cancel", job, store, server, json)


@program.command("pause")
def pause(job: JobId, store: Store = None, server: Server = None, json: Json = False) -> int:
    """Stop a job so that it can be resumed."""
    return _control("pause", job, store, server, json)


@program.command("resume")
def resume(
    job: JobId,
    nodes: Annotated[
        int | None, typer.Option(metavar="N", parser=count, help="A new limit of nodes, over all its work so far.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(metavar="S", help="A new limit of seconds, over all its work so far.")
    ] = None,
    memory: Annotated[
        int | None, typer.Option(metavar="BYTES", parser=byte_count, help="A new limit of bytes, such as 512M or 4G.")
    ] = None,
    store: Store = None,
    server: Server = None,
    tables: Tables = None,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Go on with a paused job, or with a solve whose budget was used up, where it ended.

    On a store it runs here, to its end; on a server it is queued there. A solve whose budget was used up needs a larger
    one. Exit status 1: the answer is still open, or there are findings.
    """
    budget = Budget(nodes, seconds, memory)
    with opened(store, server, plugin, create=False, memory=memory, tables=tables) as client:
        resumed = client.resume(find_job(client, job), budget=budget)
        if server is None:
            resumed = run_job(client, resumed)
        further = larger_budget(client, resumed) or rows_of_positions(client, resumed)
    if json:
        documents.print_document(job_document(resumed))
    elif server is not None:
        screen.say(f"{short_id(resumed.id)} {resumed.state}")
    else:
        print_job(resumed)
        if further:
            screen.note(further)
    status = getattr(resumed.result, "status", None)
    negative = any(getattr(resumed.result, name, 0) for name in ("failed", "open", "disproved"))
    return ExitStatus.NEGATIVE if negative or status in ("unknown", "disproved") else ExitStatus.POSITIVE


def _control(action: Literal["cancel", "pause"], job_id: str, store: str | None, server: str | None, json: bool) -> int:
    with opened(store, server, None, create=False) as client:
        job = {"cancel": client.cancel, "pause": client.pause}[action](find_job(client, job_id))
    if json:
        documents.print_document(job_document(job))
    else:
        screen.say(f"{short_id(job.id)} {job.state}")
    return ExitStatus.POSITIVE
