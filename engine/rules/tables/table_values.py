"""Values from table files (docs/tables.md), read by plain Python and held against the rules of the game.

The checker of certificates reads tables with this class where it is told to (`--tables`). The engine and the native
core have readers of their own.

An entry of a table of plies says how a position ends, and when. 0: a draw. 1: no position has this number. From 2 on:
the game ends in (entry - 2) plies if both sides play for that, the winner for the soonest end and the loser for the
latest. Who wins follows from the plies, as the sides take turns. With `Game.tables_to_resets` an entry from 2 on is 2,
twice the plies to the next reset, and 1 where the side to move wins.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from proofbase.engine.rules.game import Game
from proofbase.engine.rules.tables.table_header import TableLayout, header_of

__all__ = ["MATED", "TableValues", "has_value", "plies_of_entry", "value_by_entry", "value_of_entry"]

FINISHED = 2
"""The entry of a finished game that is not drawn."""
MATED = -1
"""What a finished game is worth there where tables hold plies to a reset."""


class TableValues:
    """Values from the table files of a directory, by the game's own numbering; none without a directory."""

    def __init__(self, game: Game[Any], directory: Path | None) -> None:
        self.game, self.directory = game, directory
        self.files, self.headers = dict[str, bytes | None](), dict[str, bytes]()
        self.layouts, self.blocks = dict[str, TableLayout](), dict[tuple[str, int], bytes]()

    def of(self, position: Any, bound: int, upper: bool) -> tuple[int, int] | None:
        """The exact value of a position that is not finished, and the rank that it gives a bound (docs/fact-model.md).

        The rank is the plies to the end where the table holds them and the bound says who wins, else 0.

        Args:
            position: the position.
            bound: what the value is compared with.
            upper: whether that is an upper bound.

        Raises:
            ValueError: the table is damaged.
        """
        entry = None if self.directory is None else self.game.table_entry(position)
        if self.directory is None or entry is None:
            return None
        (name, number), path = entry, self.directory / f"{entry[0].replace(':', '_')}.table"
        if name not in self.files:
            self.files[name] = data = path.read_bytes() if path.exists() else None
            self.headers[name] = header_of(self.game.table_game, name, data or b"")
        if (data := self.files[name]) is None:
            return None
        try:
            table_entry = self._entry(name, number, data)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        found = value_by_entry(self.game, position, table_entry)
        if found is None:
            return None
        value, plies = found
        return value, (plies or 0) if value and (bound < 0 if upper else bound > 0) else 0

    def _entry(self, name: str, number: int, data: bytes) -> int:
        """What the table holds; ValueError if it is damaged."""
        if not self.headers[name] or data[:256] != self.headers[name]:
            raise ValueError("it is damaged, or not the table of this name by these rules")
        if name not in self.layouts:
            layout = TableLayout(data)
            layout.read_directory(data[256 : layout.start], len(data))
            self.layouts[name] = layout
        layout = self.layouts[name]
        block, index = divmod(number, layout.block_entries)
        if (name, block) not in self.blocks:
            start, end = layout.place(block)
            self.blocks[name, block] = layout.read_block(block, data[start:end])
        return layout.value(self.blocks[name, block], index)


def value_by_entry(game: Game[Any], position: Any, entry: int) -> tuple[int, int | None] | None:
    """The value of a position, and the plies to the end of the game; None where its table has no value.

    The plies are 0 for draws, and None where the table holds none to the end.

    Args:
        game: the rules.
        position: a position that is not finished.
        entry: what the table of `game.table_game` holds for it.
    """
    tables_of, end_value = game.table_game, game.table_game.table_end_value
    if tables_of.tables_to_resets:
        return game.table_value(position, value_of_entry(entry, MATED), max(entry - FINISHED, 0) // 2), None
    if not has_value(tables_of, entry, end_value):
        return None
    plies = plies_of_entry(entry, end_value)
    value = game.table_value(position, value_of_entry(entry, end_value), plies)
    return value, plies if value or plies is None else 0


def has_value(game: Game[Any], entry: int, end_value: int | None) -> bool:
    """Whether a table has a value at an entry: tables of values may have one more than the game's highest elsewhere.

    Args:
        game: the game of the table.
        entry: what the table holds.
        end_value: the game's `table_end_value`.
    """
    return end_value is not None or entry <= game.highest_value


def value_of_entry(entry: int, end_value: int | None) -> int:
    """The value for the side to move; the entry itself in a table of values.

    Args:
        entry: what the table holds.
        end_value: the game's `table_end_value`.
    """
    if end_value is None:
        return entry
    if entry < FINISHED:
        return 0
    return -end_value if entry % 2 else end_value


def plies_of_entry(entry: int, end_value: int | None) -> int | None:
    """Plies to the end of the game, 0 for draws; None in a table of values."""
    return None if end_value is None else max(entry - FINISHED, 0)
