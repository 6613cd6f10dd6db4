"""Many positions in one call: their values in columns, without a job, a store or a search object for each.

The values are those of the search `null-window`, and in games with cycles of the one that `auto` takes
(docs/many-positions.md). Nothing is proved by records here: `Search` and the service do that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from math import inf
from pathlib import Path
from typing import Any, Literal

from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.formats.notation import read_position
from proofbase.engine.games import open_game
from proofbase.engine.position_status import PositionStatus
from proofbase.engine.rules import Game
from proofbase.engine.values_by_questions import Columns, ValuesByQuestions

__all__ = ["PositionStatus", "SolvedPositions", "solve_positions"]

Item = str | bytes | Sequence[int]


@dataclass(frozen=True, slots=True, eq=False)
class SolvedPositions:
    """The answers about a list of positions, in columns with one item for each position.

    The columns are NumPy arrays where NumPy is installed (`pip install 'proofbase[numpy]'`), else memoryviews of the
    same items. Data frames and Arrow tables are made from `columns()`.

    Attributes:
        lower, upper: limits of the value for the side to move, both included (int32).
        best_move: the number of a move that reaches `lower` in the position's own orientation; -1 where none is known
            and where the game is over (int32).
        nodes: positions whose moves the search generated (uint64).
        status: a `PositionStatus` (uint8).
    """

    lower: Any
    upper: Any
    best_move: Any
    nodes: Any
    status: Any

    def columns(self) -> dict[str, Any]:
        """The columns by name."""
        return {name: getattr(self, name) for name in self.__slots__}

    def __len__(self) -> int:
        return len(self.status)

    def __repr__(self) -> str:
        return f"<{len(self)} solved positions>"


def solve_positions(
    game: Game[Any] | str,
    positions: Iterable[Item | Any] | bytes,
    *,
    at_least: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    total_nodes: int | None = None,
    total_seconds: float | None = None,
    table_mib: int = 256,
    threads: int = 1,
    tables: str | Path | None = None,
) -> SolvedPositions:
    """Solves positions of one game, in their order, over one transposition table (in games with cycles without one).

    Args:
        game: a game, or its name.
        positions: the positions, each as a text (the game's own form or a list of moves), as its key or the position
            itself (bytes), or as a sequence of the numbers of the moves from the initial position. Or all keys packed
            into one bytes object. A user's game has its own objects instead of these sequences; a text is read as a
            text and bytes as a key there, too.
        at_least: asks whether the value is at least this; None for the exact value.
        nodes, seconds: limits of each position.
        total_nodes, total_seconds: limits of the call. Positions that they leave open have what the rules say of them.
        table_mib: the most memory of the table, in MiB, and of each search in games with cycles. A short list uses
            little of it.
        threads: that share the table. Each solves the next position, so one position alone has one thread.
        tables: a directory with tables of the game, which settle what they have. For games with cycles.

    Raises:
        InvalidPositionError: with the index of the first item that is no position. No position is searched then.
        UnknownAlgorithmError: several threads for keys that vary in length, in a game without cycles.
        UnknownGameError: no game of that name.
        ValueError: a limit that is not positive, a threshold that is no question, or tables for a game without cycles.
        NoTablesError, DamagedTableError: the game has no tables, or one of those there is damaged.
        TypeError: an argument, or an item of the list, of another type.
        MemoryError: the table is too large, or the memory of a search is too small.
        KeyboardInterrupt: Ctrl-C, within about 50 ms.
    """
    native = _native(open_game(game) if isinstance(game, str) else game)
    if tables is not None and native.acyclic:
        raise ValueError(f"tables are for games with cycles: {native.name} has none")
    opened_tables = None if tables is None else _core().Tables(native, str(tables))

    def read(index: int, text: str) -> Any:
        try:
            return read_position(native, text)
        except InvalidPositionError as error:
            raise InvalidPositionError(f"positions[{index}]: {error}") from None

    def by_questions(read_positions: list[Any]) -> Columns:
        return ValuesByQuestions(
            game=native,
            at_least=at_least,
            nodes=nodes or inf,
            seconds=seconds or inf,
            total_nodes=total_nodes or inf,
            total_seconds=total_seconds or inf,
            memory=table_mib << 20,
            threads=threads,
            tables=opened_tables,
        ).columns(read_positions)

    if isinstance(positions, str):
        raise TypeError("positions are a list of positions, or packed keys (bytes), not a text")
    if isinstance(positions, bytearray | memoryview):
        positions = bytes(positions)
    columns = _core().solve_positions(
        native,
        positions,
        read,
        by_questions,
        at_least=at_least,
        nodes=nodes,
        seconds=seconds,
        total_nodes=total_nodes,
        total_seconds=total_seconds,
        table_mib=table_mib,
        threads=threads,
    )
    lower, upper, best_move, solved_nodes, status = columns
    numbers = (_array(lower, "i"), _array(upper, "i"), _array(best_move, "i"))
    return SolvedPositions(*numbers, _array(solved_nodes, "Q"), _array(status, "B"))


def _array(data: bytearray, kind: Literal["i", "Q", "B"]) -> Any:
    """The items of a column; `kind` as in the module `array`."""
    items = memoryview(data).cast(kind)
    return items if find_spec("numpy") is None else import_module("numpy").asarray(items)


def _native(game: Game[Any]) -> Any:
    """The game as the native core knows it; a game in plain Python is wrapped."""
    core = _core()
    return game if isinstance(game, core.Game) else core.python_game(game)


def _core() -> Any:
    return import_module("proofbase.engine._core")
