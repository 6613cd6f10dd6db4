"""Takes from a package, or from another store, the tables of values that this store lacks: each is verified first."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from proofbase.engine.errors import DamagedTableError, EngineError
from proofbase.engine.rules import Game
from proofbase.engine.rules.tables.table_header import PLIES
from proofbase.engine.tables import table_files
from proofbase.service.commands.packages.table_files import write_table_file
from proofbase.service.errors import InvalidRequestError
from proofbase.service.resources import Resources
from proofbase.service.resources.table_memory import TableMemory
from proofbase.service.resources.tables import OpenTables
from proofbase.storage import Report, StoreReadOnlyError
from proofbase.storage.package import PackageStore

__all__ = ["PulledTable", "pull_tables"]

LARGEST_SIZE = 48
"""More stones or men than any table has."""


@dataclass(frozen=True, slots=True)
class PulledTable:
    """A table of the other side.

    Attributes:
        game: its game.
        table: its name.
        entries: how many it has.
        taken: whether it was taken; False where a table of this name was there.
        skipped: why it was passed over; None where it was not.
    """

    game: str
    table: str
    entries: int
    taken: bool = False
    skipped: str | None = None


def pull_tables(resources: Resources, source: Resources, game_name: str | None, report: Report) -> list[PulledTable]:
    """Takes the tables that are missing here. Every entry of them is verified before they are put in their place.

    Args:
        resources: this store, in a directory.
        source: the other one: a package, or a store in a directory.
        game_name: only this game; None for all.
        report: told how far it is.

    Raises:
        InvalidRequestError: this store is no directory, or a table needs others that are on neither side.
        DamagedTableError: a table is damaged, or not what it should be; of its game none is taken.
        StoreReadOnlyError, StoreFullError: this store cannot be written.
    """
    directory = resources.tables.directory
    if directory is None:
        raise InvalidRequestError("tables are files beside a store in a directory, and this store is none")
    if resources.store.read_only:
        raise StoreReadOnlyError(f"the store {resources.store.url} is open read-only: nothing can be stored")
    wanted = None if game_name is None else resources.games.open(game_name).name
    found: list[PulledTable] = []
    for name in _games(source):
        if wanted is None or name == wanted:
            found += _pull_game(resources, source, name, directory, report)
    return found


def _games(source: Resources) -> list[str]:
    """The games of which the other side has tables."""
    if isinstance(source.store, PackageStore):
        return [name for name, solution in source.store.manifest.solutions.items() if solution.tables]
    directory = source.tables.directory
    files = [] if directory is None else table_files(directory)
    return sorted({file.game for file in files if file.game is not None})


def _pull_game(
    resources: Resources, source: Resources, name: str, directory: Path, report: Report
) -> list[PulledTable]:
    offered = dict(_offered(source, name, report))
    try:
        game, rules = resources.games.open(name), resources.games.open_python(name)
    except EngineError as error:
        return [PulledTable(name, table, entries, skipped=str(error)) for table, (entries, _) in offered.items()]
    missing = {table for table in offered if not (directory / _file_name(table)).exists()}
    if missing:
        directory.mkdir(parents=True, exist_ok=True)
        # Beside the tables: what is verified is put into its place by renaming it.
        with TemporaryDirectory(prefix=".pulled-", dir=directory) as scratch:
            new = Path(scratch)
            for path in directory.glob("*.table"):
                (new / path.name).symlink_to(path.resolve())
            for table in sorted(missing):
                offered[table][1](new, rules)
            _verify(resources, game, new, missing, report)
            for table in sorted(missing):
                (new / _file_name(table)).replace(directory / _file_name(table))
    return [PulledTable(name, table, entries, table in missing) for table, (entries, _) in sorted(offered.items())]


def _file_name(table: str) -> str:
    return f"{table.replace(':', '_')}.table"


Write = Callable[[Path, Game[Any]], object]
"""Writes a table into a directory, by the rules of its game in plain Python."""


def _offered(source: Resources, game: str, report: Report) -> Iterator[tuple[str, tuple[int, Write]]]:
    """The tables of the other side by name: their entries, and what writes them."""
    directory = source.tables.directory
    if directory is None:
        blocks = source.store.packed_tables(game)
        for table, about in () if blocks is None else blocks.tables.items():
            assert blocks is not None
            yield table, (about.entries, partial(_write_packed, about, blocks, report))
        return
    for file in table_files(directory):
        if file.game == game:
            path = directory / _file_name(file.name)
            yield file.name, (file.entries, partial(_copy, path))


def _write_packed(about: Any, blocks: Any, report: Report, directory: Path, rules: Game[Any]) -> None:
    write_table_file(directory, rules, about, blocks, report)


def _copy(path: Path, directory: Path, rules: Game[Any]) -> None:
    shutil.copyfile(path, directory / path.name)


def _verify(resources: Resources, game: Game[Any], directory: Path, new: set[str], report: Report) -> None:
    """Verifies the classes of new tables, each entry by its moves.

    Raises:
        DamagedTableError: one fails.
        InvalidRequestError: it needs smaller tables that are not there, or more memory than a job may use.
    """
    tables = OpenTables(directory, TableMemory(resources.limits.table_bytes), resources.store)
    work = tables.new_work(game, LARGEST_SIZE, 0)
    memory = resources.limits.job_memory_bytes
    plan = [entry for entry in work.plan(memory) if {entry.name, f"{entry.name}{PLIES}"} & new]
    left = new - {entry.name for entry in plan if entry.present} - {f"{entry.name}{PLIES}" for entry in plan}
    if left:
        raise DamagedTableError(f"table {min(left)}: it is no table of {game.name}, or is damaged")
    for done, entry in enumerate(plan):
        report(f"verify {entry.name}", done, len(plan), "tables")
        if not entry.present:
            raise InvalidRequestError(f"the table {entry.name}, to which plies belong, is not there")
        try:
            found = work.verify(entry.table_class, memory=memory)
        except ValueError as error:
            if type(error) is not ValueError:
                raise
            raise InvalidRequestError(f"table {entry.name}: {error}") from None
        if found is not None and found.failed:
            first = found.findings[0]
            raise DamagedTableError(
                f"table {entry.name}: {found.failed:,} entries fail, such as {first.entry} ({first.rule}: "
                f"{first.detail}); nothing of {game.name} was taken"
            )
