"""Tables of values of whole classes of positions: build, compress, list, verify, count."""

from __future__ import annotations

import time
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from proofbase.service.cli.exits import Exit, UsageError
from proofbase.service.cli.options import GameName, Json, OptionalGame, Plugins, Server, Store, byte_count
from proofbase.service.cli.options import Tables as Directory
from proofbase.service.cli.plugins import load_plugins
from proofbase.service.cli.tables.needs import say_build_needs, say_verification_needs
from proofbase.service.cli.tables.working import directory_of, game_of, make_store, new_work, run_with_progress, size_of

if TYPE_CHECKING:
    from proofbase.engine._core import TableEntry, Tables
    from proofbase.engine.tables import PythonTables, TableInfo
    from proofbase.service.jobs.model import Job
    from proofbase.service.jobs.table import TableResult

__all__ = ["program"]

program = typer.Typer(help="Build, compress, list, verify and count tables of values.", no_args_is_help=True)

Size = Annotated[
    int | None,
    typer.Option(
        "--stones",
        "--men",
        "--size",
        min=0,
        max=48,
        help="All classes of so many stones (men of both sides), at most. A game of one's own may do without.",
    ),
]
Threads = Annotated[int, typer.Option("--threads", min=0, max=256, help="0: one for every processor.")]
Disk = Annotated[
    int | None, typer.Option(metavar="BYTES", parser=byte_count, help="Begin only if the files need no more.")
]


@program.command("list")
def list_tables(
    game: OptionalGame = None,
    store: Store = None,
    tables: Directory = None,
    plugins: Plugins = None,
    json: Json = False,
) -> int:
    """List the tables of a directory. Exit status 3: some are damaged."""
    load_plugins(plugins)
    from proofbase.engine.errors import UnknownGameError
    from proofbase.engine.tables import games_with_tables, table_files
    from proofbase.service.cli import documents, screen
    from proofbase.service.resources.native import open_tables

    directory = directory_of(store, tables)
    rows, damaged, unknown = list[dict[str, Any]](), dict[str, str](), list[str]()
    for name in [game] if game else games_with_tables(directory):
        try:
            opened = open_tables(game_of(name), directory)
        except UnknownGameError:
            if game:
                raise
            unknown.append(f"{name}: tables of a game that is not known here; --plugin loads one of your own")
            continue
        for entry in opened.entries() if opened else ():
            rows.append(_listed(entry))
        damaged |= dict(opened.damaged() if opened else ())
    for file in table_files(directory):
        if file.game is None:
            damaged.setdefault(file.name, f"table {directory / file.name}.table: it is no table of proofbase")
    if json:
        documents.print_document({"directory": str(directory), "tables": rows, "damaged": damaged})
    elif rows:
        _print_listed(rows)
    elif not damaged and not unknown:
        screen.say(f"no tables in {directory}")
    if not json:
        for message in [*unknown, *damaged.values()]:
            screen.say(message)
    return Exit.FAILED if damaged else Exit.POSITIVE


def _listed(entry: TableEntry | TableInfo) -> dict[str, Any]:
    form = f"zstd, {entry.block:,} a block" if entry.block else "plain"
    sizes = {"bytes": entry.bytes, "plain_bytes": entry.plain_bytes}
    return {"table": entry.name, "entries": entry.entries, "bits": entry.bits, **sizes, "form": form}


def _print_listed(rows: list[dict[str, Any]]) -> None:
    from proofbase.service.cli import screen

    cells = [[f"{cell:,}" if isinstance(cell, int) else cell for cell in row.values()] for row in rows]
    columns = ["table", "entries", "bits", "bytes", "plain bytes", "form"]
    screen.print_table(columns, cells, right=columns[1:5])
    size, plain = (sum(row[name] for row in rows) for name in ("bytes", "plain_bytes"))
    if size != plain:
        screen.say(f"{size:,} bytes, {size / plain:.0%} of the plain form")


@program.command("compress")
def compress(
    game: GameName,
    size: Size = None,
    level: Annotated[int, typer.Option("--level", min=1, max=22, help="Of zstd: higher is smaller and slower.")] = 12,
    block: Annotated[
        int, typer.Option("--block", min=1024, max=1 << 20, help="Entries of a block: a power of two.")
    ] = 8192,
    plain: Annotated[bool, typer.Option("--plain", help="Write the plain form again.")] = False,
    threads: Threads = 0,
    store: Store = None,
    tables: Directory = None,
    plugins: Plugins = None,
    json: Json = False,
) -> int:
    """Compress the tables that there are, block by block; those that have blocks of this size stay as they are."""
    load_plugins(plugins)
    from proofbase.service.cli import documents, screen

    if block & (block - 1):
        raise UsageError(f"--block {block} is no power of two")
    directory = directory_of(store, tables)
    work = new_work(game, directory, size_of(game, size), threads)
    plan = work.plan()
    before = {entry.name: entry for entry in plan if entry.present}
    if not before:
        raise UsageError(f"no such tables in {directory}: `proofbase tables build` makes them")
    started = time.monotonic()
    finished = run_with_progress(work, plan, "compress", lambda: work.rewrite(None if plain else level, block))
    seconds = time.monotonic() - started
    after = [entry for entry in work.plan() if entry.present]
    rows = [_listed(entry) for entry in after]
    sums = [sum(entry.bytes for entry in before.values()), sum(entry.bytes for entry in after)]
    if json:
        document = {"game": game_of(game).name, "directory": str(directory), "seconds": seconds, "finished": finished}
        documents.print_document({**document, "bytes_before": sums[0], "bytes": sums[1], "tables": rows})
    else:
        changed = sum(before[entry.name].block != entry.block for entry in after)
        screen.say(
            f"{screen.amount(changed, 'table')} written, {sums[0]:,} bytes are now {sums[1]:,} "
            f"({sums[1] / sums[0]:.0%}), in {seconds:.1f} s"
        )
        if not finished:
            screen.note("proofbase: stopped; the same command goes on with the next table")
    return Exit.POSITIVE if finished else Exit.NEGATIVE


@program.command("build")
def build(
    game: GameName,
    size: Size = None,
    distances: Annotated[
        bool, typer.Option("--distances", help="Build tables of plies to the end beside those of values, too.")
    ] = False,
    threads: Threads = 0,
    memory: Annotated[
        int | None,
        typer.Option(metavar="BYTES", parser=byte_count, help="Build a class that needs more in parts, with so much."),
    ] = None,
    disk: Disk = None,
    store: Store = None,
    server: Server = None,
    tables: Directory = None,
    plugins: Plugins = None,
    json: Json = False,
) -> int:
    """Build the tables that are missing, by retrograde analysis. Interrupted or killed, it goes on the next time."""
    load_plugins(plugins)
    from proofbase.service.cli import documents, screen
    from proofbase.service.cli.session import store_url

    size = size_of(game, size)
    if server is not None:
        if memory is not None or disk is not None:
            raise UsageError("--memory and --disk are for builds without --server")
        return _build_on_server(game, size, threads, distances, store, server, tables, json)
    directory = directory_of(store, tables)
    work = new_work(game, directory, size, threads, distances)
    plan = work.plan(memory)
    missing = [entry for entry in plan if not entry.present]
    if missing:
        say_build_needs(missing, memory, disk)
    if tables is None:
        make_store(store_url(store))
    started = time.monotonic()
    if not run_with_progress(work, plan, "build", lambda: work.build(memory=memory)):
        screen.note(f"proofbase: stopped; the same command goes on with it in {directory}")
        return Exit.NEGATIVE
    seconds, entries = time.monotonic() - started, sum(entry.entries for entry in missing)
    if json:
        document = {"game": game_of(game).name, "directory": str(directory), "size": size, "seconds": seconds}
        documents.print_document({**document, "built": [entry.name for entry in missing], "entries": entries})
    else:
        screen.say(f"built {screen.amount(len(missing), 'table')} with {entries:,} entries in {seconds:.1f} s")
    return Exit.POSITIVE


@program.command("verify")
def verify(
    game: GameName,
    size: Size = None,
    threads: Threads = 0,
    memory: Annotated[
        int | None,
        typer.Option(metavar="BYTES", parser=byte_count, help="Verify a class that needs more in parts, with so much."),
    ] = None,
    disk: Disk = None,
    store: Store = None,
    server: Server = None,
    tables: Directory = None,
    plugins: Plugins = None,
    json: Json = False,
) -> int:
    """Verify every entry of the tables by the rules: the moves give its value, and a line of play realises it.

    Interrupted or killed, it goes on the next time, if the tables are the same.
    """
    load_plugins(plugins)
    size = size_of(game, size)
    if server is not None:
        if memory is not None or disk is not None:
            raise UsageError("--memory and --disk are for verifications without --server")
        job, result = _run_on_server("verify", game, size, threads, False, store, server, tables)
        spec = job.spec
        columns = [{**asdict(entry), "seconds": round(entry.seconds, 3)} for entry in result.tables]
        return _print_verified(spec.game or "", columns, [asdict(found) for found in result.findings], json, job.id)
    from proofbase.service.cli import screen
    from proofbase.service.resources.verified_tables import VerifiedTables

    opened, directory = game_of(game), directory_of(store, tables)
    work = new_work(game, directory, size, threads)
    plan = work.plan(memory)
    for entry in plan:
        if not entry.present:
            raise UsageError(f"table {entry.name} is not there: `proofbase tables build` makes it")
    verified = VerifiedTables(directory, opened.name, {entry.name: entry.checksum for entry in plan})
    if verified.outcomes:
        screen.note(f"proofbase: {screen.amount(len(verified.outcomes), 'table')} verified before, going on")
    if unverified := [entry for entry in plan if entry.name not in verified.outcomes]:
        say_verification_needs(unverified, memory, disk)
    for entry in plan:
        if entry.name in verified.outcomes:
            continue
        started = time.monotonic()
        call = partial(work.verify, entry.table_class, memory=memory)
        report = run_with_progress(work, plan, "verify", call)
        if report is None:
            screen.note("proofbase: stopped; the same command goes on with it")
            return Exit.NEGATIVE
        row = {"table": entry.name, "entries": report.checked, "failed": report.failed, "longest": report.longest}
        names = ("entry", "value", "rule", "detail")
        found = [{"table": entry.name, **{name: getattr(one, name) for name in names}} for one in report.findings]
        verified.add(entry.name, {"row": {**row, "seconds": round(time.monotonic() - started, 3)}, "findings": found})
    outcomes = [verified.outcomes[entry.name] for entry in plan]
    verified.forget()
    rows, findings = (
        [outcome["row"] for outcome in outcomes],
        [one for outcome in outcomes for one in outcome["findings"]],
    )
    return _print_verified(opened.name, rows, findings, json)


def _print_verified(
    game: str, rows: list[dict[str, Any]], findings: list[dict[str, Any]], json: bool, job: str | None = None
) -> int:
    from proofbase.service.cli import documents, screen

    failed = sum(row["failed"] for row in rows)
    if json:
        document = {"game": game, "tables": rows, "failed": failed, "findings": findings}
        documents.print_document(document if job is None else {**document, "job": job})
    else:
        screen.print_table(list(rows[0]), [list(row.values()) for row in rows], right=list(rows[0])[1:])
        for finding in findings[:20]:
            screen.say("{table} entry {entry}, value {value}: {rule}: {detail}".format_map(finding))
        screen.say("valid" if failed == 0 else f"not valid: {failed:,} findings")
    return Exit.POSITIVE if failed == 0 else Exit.NEGATIVE


@program.command("stats")
def stats(
    game: GameName,
    store: Store = None,
    tables: Directory = None,
    plugins: Plugins = None,
    json: Json = False,
) -> int:
    """Count the entries of each value, table by table."""
    load_plugins(plugins)
    from proofbase.service.cli import documents, screen
    from proofbase.service.resources.native import open_tables

    opened: Tables | PythonTables | None = open_tables(game_of(game), directory := directory_of(store, tables))
    if opened is None:
        raise UsageError(f"{game_of(game).name} has no tables")
    rows = list[dict[str, Any]]()
    for entry in opened.entries():
        counts = opened.histogram(entry.table_class)
        signs = {"win": range(1, 256), "draw": range(1), "loss": range(-255, 0)}
        sums = {name: sum(counts.get(value, 0) for value in span) for name, span in signs.items()}
        rows.append({"table": entry.name, "entries": entry.entries, **sums, "values": counts})
    if json:
        documents.print_document({"game": game_of(game).name, "directory": str(directory), "tables": rows})
    elif rows:
        columns = ("table", "entries", "win", "draw", "loss", "lowest", "highest")
        cells = [[*list(row.values())[:5], min(row["values"]), max(row["values"])] for row in rows]
        screen.print_table(columns, cells, right=columns[1:])
    else:
        screen.say(f"no tables of {game_of(game).name} in {directory}")
    return Exit.POSITIVE


def _run_on_server(
    action: Literal["build", "verify"],
    game: str,
    size: int,
    threads: int,
    distances: bool,
    store: str | None,
    server: str,
    tables: Path | None,
) -> tuple[Job, TableResult]:
    """Runs a job on a server and waits for its end."""
    from proofbase.service.cli.session import opened
    from proofbase.service.cli.watching import run_job
    from proofbase.service.jobs.table import TableResult

    if tables is not None:
        raise UsageError("--tables and --server exclude each other: a server has its tables beside its store")
    with opened(store, server, None) as client:
        job = run_job(client, client.start_table(game, size, action=action, threads=threads, distances=distances))
    assert isinstance(job.result, TableResult)
    return job, job.result


def _build_on_server(
    game: str, size: int, threads: int, distances: bool, store: str | None, server: str, tables: Path | None, json: bool
) -> int:
    from proofbase.service.cli import documents, screen

    job, result = _run_on_server("build", game, size, threads, distances, store, server, tables)
    if json:
        document = {"game": job.spec.game, "size": size, "seconds": result.seconds, "entries": result.entries}
        documents.print_document({**document, "built": [entry.table for entry in result.tables], "job": job.id})
    else:
        count = screen.amount(len(result.tables), "table")
        screen.say(f"built {count} with {result.entries:,} entries in {result.seconds:.1f} s")
    return Exit.POSITIVE if job.state == "done" else Exit.NEGATIVE
