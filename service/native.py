"""The native core as the service uses it: tables of records and searches. Imported late, and only here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from proofbase.engine.errors import NativeCoreMissingError, NoTablesError
from proofbase.engine.rules import Game
from proofbase.engine.tables import ValueTables
from proofbase.service.errors import InvalidRequestError

if TYPE_CHECKING:
    from proofbase.engine._core import Game as NativeGame
    from proofbase.engine._core import RecordTable, Search, Tables, TableWork
    from proofbase.service.table_shelf import TableShelf

__all__ = ["attach_tables", "choose_algorithm", "is_native", "new_search", "new_table", "new_table_work", "open_tables"]


def is_native(game: Game[Any]) -> bool:
    """Whether a game has native rules, or is wrapped by the core: then tables and searches take it."""
    return getattr(game, "key_size", None) is not None


def new_table(game: Game[Any], tables: ValueTables | None = None) -> RecordTable:
    """An empty table of a game's records, with the tables of values that its users may ask.

    Raises:
        NativeCoreMissingError: the game was opened by the rules in plain Python.
    """
    from proofbase.engine._core import RecordTable

    table = RecordTable(_native(game))
    attach_tables(table, tables)
    return table


def attach_tables(table: RecordTable, tables: ValueTables | None) -> None:
    """Lets the users of a table of records ask tables of values too, where these are the core's own."""
    from proofbase.engine._core import Tables

    if isinstance(tables, Tables):
        table.attach(tables)


def choose_algorithm(game: Game[Any], *, memory_used_up: bool = False) -> tuple[str, str] | None:
    """The algorithm that `auto` stands for, and why.

    Args:
        game: its properties decide.
        memory_used_up: ask for the one to go on with when the first has used up its memory; None if there is no other.
    """
    from proofbase.engine._core import choose_algorithm as choose

    return choose(_native(game), memory_used_up=memory_used_up)


def new_search(
    game: Game[Any], position: Any, at_least: int, *, algorithm: str, known: RecordTable | None = None
) -> Search:
    """A search for the answer to one question.

    Raises:
        UnknownAlgorithmError: no such algorithm, or it cannot treat the game.
        NativeCoreMissingError: the game was opened by the rules in plain Python.
    """
    from proofbase.engine._core import Search

    return Search(_native(game), position, at_least, algorithm=algorithm, known=known)


def open_tables(game: Game[Any], directory: Path) -> Tables | None:
    """The tables of a game in a directory; None for games that have none.

    Raises:
        DamagedTableError: a file is not as it was written, or was built by other rules.
    """
    from proofbase.engine._core import Tables

    try:
        return Tables(_native(game), str(directory))
    except NoTablesError:
        return None


def new_table_work(game: Game[Any], shelf: TableShelf, size: int, threads: int) -> TableWork:
    """Work on the tables of a size in the directory of the shelf.

    Raises:
        NoTablesError: the game has none.
        InvalidRequestError: there is no directory.
        NativeCoreMissingError: the game was opened by the rules in plain Python.
    """
    from proofbase.engine._core import TableWork

    if shelf.directory is None:
        raise InvalidRequestError("tables are files beside a store in a directory, and this store is none")
    return TableWork(_native(game), str(shelf.directory), size, threads)


def _native(game: Game[Any]) -> NativeGame:
    from proofbase.engine._core import Game as NativeGame

    # Native games have the methods of rules.Game without being one: the core knows nothing of that class.
    candidate: object = game
    if isinstance(candidate, NativeGame):
        return candidate
    raise NativeCoreMissingError(f"{game.name} was opened by the Python rules, which cannot search")
