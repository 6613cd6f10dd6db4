"""Tables of values of whole classes of positions: build, compress, list, verify, count."""

from __future__ import annotations

import errno
import threading
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import typer

from proofbase.service.cli.exits import Exit, UsageError
from proofbase.service.cli.options import GameName, Json, OptionalGame, Server, Store, byte_count
from proofbase.service.cli.options import Tables as Directory

if TYPE_CHECKING:
    from proofbase.engine._core import TableEntry, Tables, TableWork
    from proofbase.service.jobs.model import Job
    from proofbase.service.jobs.table import TableResult

__all__ = ["program"]

program = typer.Typer(help="Build, compress, list, verify and count tables of values.", no_args_is_help=True)

T = TypeVar("T")
REPORT_SECONDS = 0.1

Size = Annotated[
    int,
    typer.Option(
        "--stones", "--men", min=0, max=48, help="All classes of so many stones (men of both sides), at most."
    ),
]
Threads = Annotated[int, typer.Option("--threads", min=0, max=256, help="0: one for every processor.")]


@program.command("list")
def list_tables(game: OptionalGame = None, store: Store = None, tables: Directory = None, json: Json = False) -> int:
    """List the tables of a directory. Exit status 3: some are damaged."""
    from proofbase.engine.tables import games_with_tables, table_files
    from proofbase.service.cli import documents, screen
    from proofbase.service.resources.native import open_tables

    directory = _directory(store, tables)
    rows, damaged = list[dict[str, Any]](), dict[str, str]()
    for name in [game] if game else games_with_tables(directory):
        opened = open_tables(_game(name), directory)
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
    elif not damaged:
        screen.say(f"no tables in {directory}")
    if not json:
        for message in damaged.values():
            screen.say(message)
    return Exit.FAILED if damaged else Exit.POSITIVE


def _listed(entry: TableEntry) -> dict[str, Any]:
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
    size: Size,
    level: Annotated[int, typer.Option("--level", min=1, max=22, help="Of zstd: higher is smaller and slower.")] = 12,
    block: Annotated[
        int, typer.Option("--block", min=1024, max=1 << 20, help="Entries of a block: a power of two.")
    ] = 8192,
    plain: Annotated[bool, typer.Option("--plain", help="Write the plain form again.")] = False,
    threads: Threads = 0,
    store: Store = None,
    tables: Directory = None,
    json: Json = False,
) -> int:
    """Compress the tables that there are, block by block; those that have blocks of this size stay as they are."""
    from proofbase.service.cli import documents, screen

    if block & (block - 1):
        raise UsageError(f"--block {block} is no power of two")
    directory = _directory(store, tables)
    work = _work(game, directory, size, threads)
    before = {entry.name: entry for entry in work.plan() if entry.present}
    if not before:
        raise UsageError(f"no such tables in {directory}: `proofbase tables build` makes them")
    started = time.monotonic()
    finished = _run_with_progress(work, "compress", lambda: work.rewrite(None if plain else level, block))
    seconds = time.monotonic() - started
    after = [entry for entry in work.plan() if entry.present]
    rows = [_listed(entry) for entry in after]
    sums = [sum(entry.bytes for entry in before.values()), sum(entry.bytes for entry in after)]
    if json:
        document = {"game": _game(game).name, "directory": str(directory), "seconds": seconds, "finished": finished}
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
    size: Size,
    threads: Threads = 0,
    memory: Annotated[
        int | None, typer.Option(metavar="BYTES", parser=byte_count, help="Begin only if no class needs more.")
    ] = None,
    disk: Annotated[
        int | None, typer.Option(metavar="BYTES", parser=byte_count, help="Begin only if the files need no more.")
    ] = None,
    store: Store = None,
    server: Server = None,
    tables: Directory = None,
    json: Json = False,
) -> int:
    """Build the tables that are missing, by retrograde analysis. Interrupted or killed, it goes on the next time."""
    from proofbase.service.cli import documents, screen
    from proofbase.service.cli.session import store_url

    if server is not None:
        if memory is not None or disk is not None:
            raise UsageError("--memory and --disk are for builds without --server")
        return _build_on_server(game, size, threads, store, server, tables, json)
    directory = _directory(store, tables)
    work = _work(game, directory, size, threads)
    missing = [entry for entry in work.plan() if not entry.present]
    if missing:
        _say_needs(missing, memory, disk)
    if tables is None:
        _make_store(store_url(store))
    started = time.monotonic()
    if not _run_with_progress(work, "build", work.build):
        screen.note(f"proofbase: stopped; the same command goes on with it in {directory}")
        return Exit.NEGATIVE
    seconds, entries = time.monotonic() - started, sum(entry.entries for entry in missing)
    if json:
        document = {"game": _game(game).name, "directory": str(directory), "size": size, "seconds": seconds}
        documents.print_document({**document, "built": [entry.name for entry in missing], "entries": entries})
    else:
        screen.say(f"built {screen.amount(len(missing), 'table')} with {entries:,} entries in {seconds:.1f} s")
    return Exit.POSITIVE


def _say_needs(missing: list[TableEntry], memory: int | None, disk: int | None) -> None:
    """Says what a build needs; UsageError if that is more than it was given. Then nothing has been written."""
    from proofbase.service.cli import screen
    from proofbase.service.words.amounts import bytes_text

    largest = max(missing, key=lambda entry: entry.build_memory)
    needed = sum(entry.build_file for entry in missing) + max(entry.build_checkpoint for entry in missing)
    in_memory, on_disk = bytes_text(largest.build_memory), bytes_text(needed)
    if memory is not None and largest.build_memory > memory:
        raise UsageError(f"table {largest.name} needs {in_memory} of memory, more than --memory {bytes_text(memory)}")
    if disk is not None and needed > disk:
        raise UsageError(f"the files need up to {on_disk}, more than --disk {bytes_text(disk)}")
    entries = sum(entry.entries for entry in missing)
    screen.note(
        f"proofbase: {screen.amount(len(missing), 'table')} with {entries:,} entries: up to {in_memory} of memory "
        f"({largest.name}), up to {on_disk} on the disk"
    )


@program.command("verify")
def verify(
    game: GameName,
    size: Size,
    threads: Threads = 0,
    store: Store = None,
    server: Server = None,
    tables: Directory = None,
    json: Json = False,
) -> int:
    """Verify every entry of the tables by the rules: the moves give its value, and a line of play realises it.

    Interrupted or killed, it goes on the next time, if the tables are the same.
    """
    if server is not None:
        job, result = _run_on_server("verify", game, size, threads, store, server, tables)
        spec = job.spec
        columns = [{**asdict(entry), "seconds": round(entry.seconds, 3)} for entry in result.tables]
        return _print_verified(spec.game or "", columns, [asdict(found) for found in result.findings], json, job.id)
    from proofbase.service.cli import screen
    from proofbase.service.resources.verified_tables import VerifiedTables

    opened, directory = _game(game), _directory(store, tables)
    work = _work(game, directory, size, threads)
    plan = work.plan()
    for entry in plan:
        if not entry.present:
            raise UsageError(f"table {entry.name} is not there: `proofbase tables build` makes it")
    verified = VerifiedTables(directory, opened.name, {entry.name: entry.checksum for entry in plan})
    if verified.outcomes:
        screen.note(f"proofbase: {screen.amount(len(verified.outcomes), 'table')} verified before, going on")
    for entry in plan:
        if entry.name in verified.outcomes:
            continue
        started = time.monotonic()
        report = _run_with_progress(work, "verify", lambda table=entry.table_class: work.verify(table))  # type: ignore[misc]
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
def stats(game: GameName, store: Store = None, tables: Directory = None, json: Json = False) -> int:
    """Count the entries of each value, table by table."""
    from proofbase.service.cli import documents, screen
    from proofbase.service.resources.native import open_tables

    opened: Tables | None = open_tables(_game(game), directory := _directory(store, tables))
    if opened is None:
        raise UsageError(f"{_game(game).name} has no tables")
    rows = list[dict[str, Any]]()
    for entry in opened.entries():
        counts = opened.histogram(entry.table_class)
        signs = {"win": range(1, 256), "draw": range(1), "loss": range(-255, 0)}
        sums = {name: sum(counts.get(value, 0) for value in span) for name, span in signs.items()}
        rows.append({"table": entry.name, "entries": entry.entries, **sums, "values": counts})
    if json:
        documents.print_document({"game": _game(game).name, "directory": str(directory), "tables": rows})
    elif rows:
        columns = ("table", "entries", "win", "draw", "loss", "lowest", "highest")
        cells = [[*list(row.values())[:5], min(row["values"]), max(row["values"])] for row in rows]
        screen.print_table(columns, cells, right=columns[1:])
    else:
        screen.say(f"no tables of {_game(game).name} in {directory}")
    return Exit.POSITIVE


def _run_on_server(
    action: Literal["build", "verify"],
    game: str,
    size: int,
    threads: int,
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
        job = run_job(client, client.start_table(game, size, action=action, threads=threads))
    assert isinstance(job.result, TableResult)
    return job, job.result


def _build_on_server(
    game: str, size: int, threads: int, store: str | None, server: str, tables: Path | None, json: bool
) -> int:
    from proofbase.service.cli import documents, screen

    job, result = _run_on_server("build", game, size, threads, store, server, tables)
    if json:
        document = {"game": job.spec.game, "size": size, "seconds": result.seconds, "entries": result.entries}
        documents.print_document({**document, "built": [entry.table for entry in result.tables], "job": job.id})
    else:
        count = screen.amount(len(result.tables), "table")
        screen.say(f"built {count} with {result.entries:,} entries in {result.seconds:.1f} s")
    return Exit.POSITIVE if job.state == "done" else Exit.NEGATIVE


def _game(name: str) -> Any:
    from proofbase.engine.games import open_game

    return open_game(name)


def _directory(store: str | None, tables: Path | None) -> Path:
    from proofbase.service.cli.session import store_url, usage_errors_of_urls
    from proofbase.storage import shown_url, store_directory, tables_directory

    if tables is not None:
        return tables
    with usage_errors_of_urls():
        directory = store_directory(store_url(store))
    if directory is None:
        raise UsageError(
            f"--store {shown_url(store_url(store))} is no directory: say with --tables where the tables are"
        )
    return tables_directory(directory)


def _make_store(url: str) -> None:
    """Makes the store beside which tables are to be built: a directory with tables and nothing else is none."""
    from proofbase.storage import StoreNotFoundError, open_store

    try:
        open_store(url, read_only=True, create=False).close()
    except StoreNotFoundError:
        open_store(url).close()


def _work(game: str, directory: Path, size: int, threads: int) -> TableWork:
    from proofbase.engine._core import TableWork

    return TableWork(_game(game), str(directory), size, threads)


def _run_with_progress(work: TableWork, what: str, call: Callable[[], T]) -> T:
    """Makes a call in a thread, with a progress bar on a terminal. Ctrl-C cancels it."""
    from proofbase.service.cli.watching import table_progress

    outcome, failure = list[T](), list[BaseException]()

    def run() -> None:
        try:
            outcome.append(call())
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=run, name="tables")
    thread.start()
    with table_progress(what) as show:
        try:
            while thread.is_alive():
                thread.join(REPORT_SECONDS)
                show(work)
        except KeyboardInterrupt:
            work.cancel()
            thread.join()
    if failure:
        if type(failure[0]) is RuntimeError:  # somebody else builds in that directory
            raise BlockingIOError(errno.EAGAIN, str(failure[0]))
        raise failure[0]
    return outcome[0]
