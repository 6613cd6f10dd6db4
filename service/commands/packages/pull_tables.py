"""Takes from a package, or from another store, the tables of values that this store lacks: each is verified first."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

from proofbase.engine.errors import EngineError
from proofbase.engine.tables import TableFileInfo, table_files
from proofbase.service.answers import TableInfo
from proofbase.service.commands.packages.pulled import PulledTable
from proofbase.service.commands.transfer.new_tables import directory_for_tables, import_tables
from proofbase.service.commands.transfer.read_table import read_table
from proofbase.service.resources import Resources
from proofbase.storage import OnProgress

__all__ = ["pull_missing", "pull_tables"]


def pull_tables(
    resources: Resources, source: Resources, game_name: str | None, on_progress: OnProgress
) -> list[PulledTable]:
    """Takes the tables that are missing here. Every entry of them is verified before they are put in their place.

    Args:
        resources: this store, in a directory.
        source: the other one: a package, or a store in a directory.
        game_name: only this game; None for all.
        on_progress: told how far it is.

    Raises:
        InvalidRequestError: this store is no directory, or a table needs others that are on neither side.
        DamagedTableError: a table is damaged, or not what it should be; of its game none is taken.
        StoreReadOnlyError, StoreFullError: this store cannot be written.
    """
    directory = directory_for_tables(resources)
    offered: dict[str, list[TableFileInfo]] = {}
    for file, _ in source.tables.files(source.games):
        if file.game is not None:
            offered.setdefault(file.game, []).append(file)
    if game_name is not None:
        name = resources.games.open(game_name).name
        offered = {name: offered[name]} if name in offered else {}
    present = {file.name for file in table_files(directory)}
    pulled: list[PulledTable] = []
    for name, tables in offered.items():
        pulled += pull_missing(
            name,
            tables,
            present,
            open_game=resources.games.open,
            read=partial(read_table, source),
            take=partial(import_tables, resources, on_progress=on_progress),
            on_progress=on_progress,
        )
    return pulled


def pull_missing(
    game: str,
    tables: Sequence[TableFileInfo | TableInfo],
    present: Collection[str],
    *,
    open_game: Callable[[str], object],
    read: Callable[[str, str], Iterator[bytes]],
    take: Callable[[str, Iterator[tuple[str, Iterator[bytes]]]], object],
    on_progress: OnProgress,
) -> list[PulledTable]:
    """Takes the tables of a game that are missing. All are passed over where the game is not known here.

    Args:
        game: its name.
        tables: of the other side.
        present: names of the tables that are here.
        open_game: opens the game here. An `EngineError` of it says why its tables are passed over.
        read: the bytes of a table of the other side, by game and table.
        take: takes tables, each with its name; called only where one is missing.
        on_progress: told which table is read.
    """
    try:
        open_game(game)
    except EngineError as error:
        return [PulledTable(game, table.name, table.entries, skipped=str(error)) for table in tables]
    missing = [table.name for table in tables if table.name not in present]

    def each() -> Iterator[tuple[str, Iterator[bytes]]]:
        for number, table in enumerate(missing):
            on_progress(f"read {table}", number, len(missing), "tables")
            yield table, read(game, table)

    if missing:
        take(game, each())
    return [PulledTable(game, table.name, table.entries, table.name in missing) for table in tables]
