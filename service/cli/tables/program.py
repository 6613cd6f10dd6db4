"""Tables of values of whole classes of positions: build, compress, list, verify, count, mine."""

from __future__ import annotations

import errno
import time
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from proofbase.engine.errors import UnknownGameError
from proofbase.engine.games import open_game
from proofbase.engine.tables import games_with_tables, table_files
from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus, UsageError
from proofbase.service.cli.options import GameName, Json, OptionalGame, Plugins, Server, Store, byte_count
from proofbase.service.cli.options import Tables as Directory
from proofbase.service.cli.output.progress import showing_progress
from proofbase.service.cli.plugins import load_plugins
from proofbase.service.cli.session import tables_directory_of
from proofbase.service.cli.tables.checking import check
from proofbase.service.cli.tables.first_position import first_position, first_position_text
from proofbase.service.cli.tables.mining import mine
from proofbase.service.cli.tables.plies import plies_of_table, print_plies
from proofbase.service.cli.tables.sizes import Size, names_of_size, size_of, size_option
from proofbase.service.cli.tables.table_job import TableRequest, run_table_job
from proofbase.service.jobs.table import USUAL_LEVEL, TableResult
from proofbase.service.resources.native import LARGEST_SIZE, new_table_work, open_tables
from proofbase.service.words.amounts import amount

if TYPE_CHECKING:
    from collections.abc import Sequence

    from proofbase.engine._core import TableEntry, Tables, TableWork
    from proofbase.engine.tables import PythonTables, TableInfo

__all__ = ["program"]

program = typer.Typer(
    help="Build, compress, list, verify and count tables of values, find problems in them, check those of others.",
    no_args_is_help=True,
)
program.command("check")(check)
program.command("mine")(mine)

REPORT_SECONDS = 0.1


Threads = Annotated[int, typer.Option("--threads", min=0, max=256, help="0: one for every processor.")]
Table = Annotated[
    str | None,
    typer.Option("--table", metavar="NAME", help="Only this table, such as chess-kr-kp, and those that it needs."),
]
Memory = Annotated[
    int | None, typer.Option(metavar="BYTES", parser=byte_count, help="Work on a class that needs more in parts.")
]
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
    directory = tables_directory_of(store, tables)
    rows, damaged, unknown = list[dict[str, Any]](), dict[str, str](), list[str]()
    for name in [game] if game else games_with_tables(directory):
        try:
            opened = open_tables(open_game(name), directory)
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
    return ExitStatus.FAILED if damaged else ExitStatus.POSITIVE


def _listed(entry: TableEntry | TableInfo) -> dict[str, Any]:
    form = f"zstd, {entry.block:,} a block" if entry.block else "plain"
    sizes = {"bytes": entry.bytes, "plain_bytes": entry.plain_bytes}
    return {"table": entry.name, "entries": entry.entries, "bits": entry.bits, **sizes, "form": form}


def _number(cell: object) -> object:
    """A count as people write it; other things as they are."""
    return f"{cell:,}" if isinstance(cell, int) else cell


def _print_listed(rows: list[dict[str, Any]]) -> None:
    cells = [[_number(cell) for cell in row.values()] for row in rows]
    columns = ["table", "entries", "bits", "bytes", "plain bytes", "form"]
    screen.print_table(columns, cells, right=columns[1:5])
    size, plain = (sum(row[name] for row in rows) for name in ("bytes", "plain_bytes"))
    if size != plain:
        screen.say(f"{size:,} bytes, {size / plain:.0%} of the plain form")


@program.command("compress")
def compress(
    game: GameName,
    size: Size = None,
    level: Annotated[
        int, typer.Option("--level", min=1, max=22, help="Of zstd: higher is smaller and slower.")
    ] = USUAL_LEVEL,
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
    if block & (block - 1):
        raise UsageError(f"--block {block} is no power of two")
    directory = tables_directory_of(store, tables)
    opened = open_game(game)
    work = new_table_work(opened, directory, size_of(game, size), threads)
    before = {entry.name: entry for entry in work.plan() if entry.present}
    if not before:
        raise UsageError(f"no such tables in {directory}: `proofbase tables build` makes them")
    started = time.monotonic()
    finished = _rewrite(work, None if plain else level, block)
    seconds = time.monotonic() - started
    after = [entry for entry in work.plan() if entry.present]
    rows = [_listed(entry) for entry in after]
    sums = [sum(entry.bytes for entry in before.values()), sum(entry.bytes for entry in after)]
    if json:
        document = {"game": opened.name, "directory": str(directory), "seconds": seconds, "finished": finished}
        documents.print_document({**document, "bytes_before": sums[0], "bytes": sums[1], "tables": rows})
    else:
        changed = sum(before[entry.name].block != entry.block for entry in after)
        screen.say(
            f"{amount(changed, 'table')} written, {sums[0]:,} bytes are now {sums[1]:,} "
            f"({sums[1] / sums[0]:.0%}), in {seconds:.1f} s"
        )
        if not finished:
            screen.note("proofbase: stopped; the same command goes on with the next table")
    return ExitStatus.POSITIVE if finished else ExitStatus.NEGATIVE


def _rewrite(work: TableWork, level: int | None, block: int) -> bool:
    """Compresses tables, with a progress bar on a terminal. False: Ctrl-C has ended it."""
    names = {entry.table_class: entry.name for entry in work.plan()}
    with ThreadPoolExecutor(1) as pool, showing_progress("compress") as show:
        finished = pool.submit(work.rewrite, level, block)
        try:
            while not wait((finished,), REPORT_SECONDS).done:
                table = names.get(work.table_class, "")
                show(f"{table}, {work.phase}: {work.done:,} of {work.size:,}", work.before, work.total or None)
        except KeyboardInterrupt:
            work.cancel()
        try:
            return finished.result()
        except RuntimeError as error:
            if type(error) is RuntimeError:  # somebody else builds in that directory
                raise BlockingIOError(errno.EAGAIN, str(error)) from None
            raise


@program.command("build")
def build(
    game: GameName,
    size: Size = None,
    table: Table = None,
    distances: Annotated[
        bool, typer.Option("--distances", help="Build tables of plies to the end beside those of values, too.")
    ] = False,
    compress: Annotated[
        bool, typer.Option("--compress", help="Compress each table before the next one, those that are there too.")
    ] = False,
    threads: Threads = 0,
    memory: Memory = None,
    disk: Disk = None,
    store: Store = None,
    server: Server = None,
    tables: Directory = None,
    plugins: Plugins = None,
    json: Json = False,
) -> int:
    """Build the tables that are missing, by retrograde analysis. Interrupted or killed, it goes on the next time."""
    load_plugins(plugins)
    size = LARGEST_SIZE if table and size is None else size_of(game, size)
    job = run_table_job(
        store,
        server,
        tables,
        game,
        size,
        TableRequest(
            "build", threads, distances=distances, memory_bytes=memory, disk_bytes=disk, table=table, compress=compress
        ),
    )
    if job is None:
        return ExitStatus.NEGATIVE
    result = job.result
    assert isinstance(result, TableResult)
    first = first_position(game, server, store, tables) if job.state == "done" else None
    if json:
        place = {"directory": str(tables_directory_of(store, tables))} if server is None else {"job": job.id}
        document = {"game": job.spec.game, **place, "size": size, "seconds": result.seconds}
        built = [entry.table for entry in result.tables]
        value = None if first is None else first.value
        documents.print_document({**document, "built": built, "entries": result.entries, "value": value})
    else:
        count = amount(len(result.tables), "table")
        screen.say(f"built {count} with {result.entries:,} entries in {result.seconds:.1f} s")
        if job.state == "done":
            screen.say(first_position_text(game, first))
    return ExitStatus.POSITIVE if job.state == "done" else ExitStatus.NEGATIVE


@program.command("verify")
def verify(
    game: GameName,
    size: Annotated[int | None, size_option("; they have to be there. Without it those that are there")] = None,
    table: Table = None,
    threads: Threads = 0,
    memory: Memory = None,
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
    request = TableRequest("verify", threads, memory_bytes=memory, disk_bytes=disk, present=size is None, table=table)
    size = LARGEST_SIZE if size is None else size_of(game, size)
    job = run_table_job(store, server, tables, game, size, request)
    if job is None:
        return ExitStatus.NEGATIVE
    result = job.result
    assert isinstance(result, TableResult)
    rows = [{**asdict(entry), "seconds": round(entry.seconds, 3)} for entry in result.tables]
    findings = [asdict(failing) for failing in result.findings]
    if json:
        document = {"game": job.spec.game, "tables": rows, "failed": result.failed, "findings": findings}
        documents.print_document(document if server is None else {**document, "job": job.id})
    else:
        layers = any(row["longest"] for row in rows)  # Othello's tables have none
        columns = ["table", "entries", "failed", *(["longest"] if layers else []), "seconds"]
        cells = [[_number(row[name]) for name in columns] for row in rows]
        screen.print_table(columns, cells, right=columns[1:])
        for finding in findings[:20]:
            screen.say("{table} entry {entry}, value {value}: {rule}: {detail}".format_map(finding))
        if result.failed:
            screen.say(f"not valid: {result.failed:,} findings")
        else:
            screen.say("valid" if job.state == "done" else f"the verification is {job.state}")
    return ExitStatus.POSITIVE if job.state == "done" and not result.failed else ExitStatus.NEGATIVE


@program.command("stats")
def stats(
    game: GameName,
    size: Annotated[int | None, size_option(". Without it all that are there")] = None,
    store: Store = None,
    tables: Directory = None,
    plugins: Plugins = None,
    json: Json = False,
) -> int:
    """Count the entries of each value, table by table; of tables of plies also those of each number of plies."""
    load_plugins(plugins)
    name = (of_game := open_game(game)).name
    opened: Tables | PythonTables | None = open_tables(of_game, directory := tables_directory_of(store, tables))
    if opened is None:
        raise UsageError(f"{name} has no tables")
    entries: Sequence[TableEntry | TableInfo] = opened.entries()
    if size is not None:
        names = names_of_size(of_game, directory, size)
        entries = [entry for entry in entries if entry.name in names]
    rows = list[dict[str, Any]]()
    for entry in entries:
        counts = opened.histogram(entry.table_class)
        signs = {"win": range(1, 256), "draw": range(1), "loss": range(-255, 0)}
        sums = {name: sum(counts.get(value, 0) for value in span) for name, span in signs.items()}
        row = {"table": entry.name, "entries": entry.entries, **sums, "values": counts}
        rows.append(row | plies_of_table(of_game, opened, entry.table_class))
    if json:
        documents.print_document({"game": name, "directory": str(directory), "tables": rows})
    elif rows:
        columns = ("table", "entries", "win", "draw", "loss", "lowest", "highest")
        cells = [[*map(_number, list(row.values())[:5]), min(row["values"]), max(row["values"])] for row in rows]
        screen.print_table(columns, cells, right=columns[1:])
        for row in rows:
            print_plies(row)
    else:
        screen.say(f"no tables of {name} in {directory}")
    return ExitStatus.POSITIVE
