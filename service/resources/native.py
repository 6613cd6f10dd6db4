"""The native core as the service uses it: tables of records, searches, tables of values.

The core is imported inside the functions, to keep start-up light: a client of a server needs no core, and neither do
the rules in plain Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from proofbase.engine.checking.checker import small_search_visits as visits_by_rules
from proofbase.engine.errors import NativeCoreMissingError, NoTablesError
from proofbase.engine.rules import Game, is_built_in
from proofbase.engine.tables import PythonTables, ValueTables
from proofbase.service.resources.own_tables import new_own_table_work, open_own_tables
from proofbase.service.resources.table_memory import TableMemory

if TYPE_CHECKING:
    from proofbase.engine._core import Game as NativeGame
    from proofbase.engine._core import RecordTable, Search, StopFlag, Tables, TableWork

__all__ = [
    "LARGEST_SIZE",
    "ChosenAlgorithm",
    "attach_tables",
    "choose_algorithm",
    "full_algorithm_name",
    "has_short_texts",
    "is_native",
    "key_size",
    "line_reaches",
    "new_record_table",
    "new_search",
    "new_stop_flag",
    "new_table_work",
    "open_tables",
    "small_search_visits",
    "winning_lines",
    "winning_threats",
]

LARGEST_SIZE = 48
"""Of tables: the stones of awari; no game has more."""


def is_native(game: Game[Any]) -> bool:
    """Whether a game has native rules, or is wrapped by the core: then tables and searches take it."""
    return getattr(game, "key_size", None) is not None


def key_size(game: object) -> int:
    """Bytes of the game's keys; 0 when they vary, or when the rules do not say."""
    return int(getattr(game, "key_size", 0))


def has_short_texts(game: object) -> bool:
    """Whether positions and moves are written by native rules: in some hundred characters at the most.

    The texts of a user's game may be of any length.
    """
    return key_size(game) > 0


def new_record_table(game: Game[Any], tables: ValueTables | None = None) -> RecordTable:
    """An empty table of records of a game.

    Args:
        game: the game.
        tables: values that searches, checks and answers with these records may use as well.

    Raises:
        NativeCoreMissingError: the game was opened by the rules in plain Python.
    """
    from proofbase.engine._core import RecordTable

    table = RecordTable(_native(game))
    attach_tables(table, tables)
    return table


def attach_tables(table: RecordTable, tables: ValueTables | None) -> None:
    """Gives a table of records the tables of values as well, if these are the core's own."""
    if tables is None:
        return
    from proofbase.engine._core import Tables

    if isinstance(tables, Tables):
        table.attach(tables)


def full_algorithm_name(game: Game[Any], name: str) -> str:
    """The name of an algorithm with all its policies. No search is made for it.

    Raises:
        UnknownAlgorithmError: no such algorithm, or it cannot treat the game.
        NativeCoreMissingError: the game was opened by the rules in plain Python.
    """
    from proofbase.engine._core import full_algorithm_name as full_name

    return full_name(_native(game), name)


class ChosenAlgorithm(NamedTuple):
    """What `auto` stands for.

    Attributes:
        name: of the algorithm.
        reason: in words for people; None for an algorithm that was asked for by name.
        nodes: how many it is tried for, before another one is chosen; None: until the end.
    """

    name: str
    reason: str | None
    nodes: int | None = None


def choose_algorithm(
    game: Game[Any], position: Any = None, *, nodes_used_up: bool = False, memory_used_up: bool = False
) -> ChosenAlgorithm:
    """The algorithm for a question that is searched by `auto`.

    Args:
        game: its properties decide.
        position: what is asked about, which may decide as well; None: not known.
        nodes_used_up: the first choice has been tried: choose the algorithm to go on with.
        memory_used_up: the first choice has used up its memory: likewise.
    """
    from proofbase.engine._core import choose_algorithm as choose

    return ChosenAlgorithm(*choose(_native(game), position, nodes_used_up=nodes_used_up, memory_used_up=memory_used_up))


def new_search(
    game: Game[Any], position: Any, at_least: int, *, algorithm: str, known: RecordTable | None = None
) -> Search:
    """A search that answers one question: is the value of the position at least `at_least`?

    Args:
        game: the game.
        position: its position.
        at_least: the threshold.
        algorithm: a family with its policies.
        known: records that the search takes as proved.

    Raises:
        UnknownAlgorithmError: no such algorithm, or it cannot treat the game.
        NativeCoreMissingError: the game was opened by the rules in plain Python.
    """
    from proofbase.engine._core import Search

    return Search(_native(game), position, at_least, algorithm=algorithm, known=known)


def small_search_visits(game: Game[Any], position: Any, bound: int, depth: int, nodes: int) -> int | None:
    """The small search of `proofbase.engine.checking.checker`, much faster where the core has the game.

    Args:
        game: the game.
        position: its position.
        bound: the search settles `value(position) <= bound`.
        depth: at most so many plies deep.
        nodes: at most so many positions are entered.

    Returns:
        The number of positions entered, or None when the bound is not settled.
    """
    from proofbase.engine._core import Game as NativeGame

    candidate: object = game
    if isinstance(candidate, NativeGame):
        return candidate.small_search_visits(position, bound, depth, nodes)
    return visits_by_rules(game, position, bound, depth, nodes)


def line_reaches(game: Game[Any], position: Any, lower: int, line: Sequence[int]) -> bool:
    """Whether a forcing line of the side to move reaches a bound against every legal reply, by the rules alone.

    False where the game is over.

    Raises:
        NativeCoreMissingError: the game was opened by the rules in plain Python.
    """
    return _native(game).line_reaches(position, lower, line)


def new_stop_flag() -> StopFlag:
    """What ends native calls that were given it."""
    from proofbase.engine._core import StopFlag

    return StopFlag()


def open_tables(game: Game[Any], directory: Path, memory: TableMemory | None = None) -> Tables | PythonTables | None:
    """The tables of a game in a directory; None for games that have none. Users' own games have them in plain Python.

    Damaged files and blocks have no values, and the tables report them.

    Args:
        game: opened by the native core.
        directory: where the files are.
        memory: takes the blocks; None if what was read is to stay in memory.
    """
    from proofbase.engine._core import Tables

    try:
        cache = None if memory is None else memory.native
        return Tables(_native(game), str(directory), tolerant=True, cache=cache)
    except NoTablesError:
        return open_own_tables(game.name, directory, None if memory is None else memory.python)


def new_table_work(game: Game[Any], directory: Path, size: int, threads: int = 0, *, plies: bool = False) -> TableWork:
    """Work on the tables of a size in a directory: to build or to verify them.

    Args:
        game: opened by the native core.
        directory: where the files are.
        size: what the game means by it.
        threads: 0 for one a processor.
        plies: tables of plies beside those of values are wanted as well.

    Raises:
        NoTablesError: the game has none.
        ValueError: it has no tables of plies beside those of values.
        BrokenGameError: a user's game breaks a requirement of `Game`.
        NativeCoreMissingError: the game was opened by the rules in plain Python.
    """
    from proofbase.engine._core import TableWork

    try:
        return TableWork(_native(game), str(directory), size, threads, plies)
    except NoTablesError:
        if is_built_in(game.name):
            raise
    return new_own_table_work(game.name, directory, size, threads, plies)


def _native(game: Game[Any]) -> NativeGame:
    from proofbase.engine._core import Game as NativeGame

    # Native games have the methods of rules.Game without being one: the core knows nothing of that class.
    candidate: object = game
    if isinstance(candidate, NativeGame):
        return candidate
    raise NativeCoreMissingError(f"{game.name} was opened by the Python rules, which cannot search")


def winning_lines(
    game: Game[Any], positions: Sequence[Any], finder: str, most_nodes: int, *, opponent: bool
) -> tuple[list[list[int] | None], int, int]:
    """Lines of threats with one reply each: the lines, the nodes, and how many searches reached the limit.

    Raises:
        ValueError: the game has no such finder.
        NativeCoreMissingError: the game was opened by the rules in plain Python.
    """
    lines, nodes, _, cut, _ = _native(game).winning_lines(positions, finder, most_nodes, opponent)
    return lines, nodes, cut


def winning_threats(
    game: Game[Any], positions: Sequence[Any], most_nodes: int, *, opponent: bool
) -> list[tuple[str, list[int] | None, int]]:
    """Trees of threes and fours: for each position the outcome, the tree and the nodes.

    Raises:
        ValueError: the game has no such threats.
        NativeCoreMissingError: the game was opened by the rules in plain Python.
    """
    return _native(game).winning_threats(positions, "threes", most_nodes, opponent)[0]
