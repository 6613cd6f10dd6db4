"""Takes from a package, or from another store, the tables of values that this store lacks: each is verified first."""

from __future__ import annotations

from collections.abc import Iterator

from proofbase.engine.errors import EngineError
from proofbase.engine.tables import TableFileInfo, table_files
from proofbase.service.commands.packages.pulled import PulledTable
from proofbase.service.commands.transfer.new_tables import import_tables
from proofbase.service.commands.transfer.read_table import read_table
from proofbase.service.errors import InvalidRequestError
from proofbase.service.resources import Resources
from proofbase.storage import Report, StoreReadOnlyError

__all__ = ["pull_tables"]


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
    offered: dict[str, list[TableFileInfo]] = {}
    for file, _ in source.tables.files(source.games):
        if file.game is not None:
            offered.setdefault(file.game, []).append(file)
    if game_name is not None:
        name = resources.games.open(game_name).name
        offered = {name: offered[name]} if name in offered else {}
    present = {file.name for file in table_files(directory)}
    found: list[PulledTable] = []
    for name, tables in offered.items():
        found += _pull_game(resources, source, name, tables, present, report)
    return found


def _pull_game(
    resources: Resources, source: Resources, name: str, tables: list[TableFileInfo], present: set[str], report: Report
) -> list[PulledTable]:
    try:
        resources.games.open(name)
    except EngineError as error:
        return [PulledTable(name, table.name, table.entries, skipped=str(error)) for table in tables]
    missing = [table.name for table in tables if table.name not in present]

    def each() -> Iterator[tuple[str, Iterator[bytes]]]:
        for number, table in enumerate(missing):
            report(f"read {table}", number, len(missing), "tables")
            yield table, read_table(source, name, table)

    if missing:
        import_tables(resources, name, each(), report)
    return [PulledTable(name, table.name, table.entries, table.name in missing) for table in tables]
