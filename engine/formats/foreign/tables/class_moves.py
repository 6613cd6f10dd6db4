"""The numbered positions of a game and their moves, in columns: by the native core, or by rules in Python."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np

from proofbase.engine.errors import BrokenGameError
from proofbase.engine.rules.game import Game
from proofbase.engine.tables.numbered import NO_CLASS, NumberedGame

__all__ = ["GOES_ON", "NO_POSITION", "ClassMoves", "Moves", "Positions", "TableOfClass", "class_moves_of"]

GOES_ON, NO_POSITION = 32767, 32766
"""In place of the value of a finished game."""
NUMBER_BITS = 48
LARGEST_SIZE = 48


class TableOfClass(NamedTuple):
    """A class of positions."""

    name: str
    number: int
    entries: int
    needs: tuple[int, ...]
    """Numbers of the other classes that moves lead to."""


class Moves(NamedTuple):
    """Positions of a class and their moves, in columns."""

    ends: Any
    """Of each position the value if it is finished; GOES_ON; or NO_POSITION."""
    counts: Any
    """Of each position its moves."""
    classes: Any
    """Of each move the class of the position after it; NO_CLASS for a finished one in no table."""
    numbers: Any
    """Of each move the number of the position after it; its value for a finished one in no table."""
    rewards: Any
    """Of each move."""


class Positions(Sequence[str]):
    """Positions of which a reader says the values: their texts, made when they are asked for.

    Attributes:
        table: the name that our table of their class has.
        numbers: theirs in it.
        objects: the positions themselves: bytes in native games.
    """

    def __init__(self, game: Game[Any], table: str, numbers: Any, objects: list[Any] | bytes) -> None:
        self._game, self._given = game, objects
        self.table, self.numbers = table, numbers

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, index: Any) -> Any:
        objects = self.objects[index]
        return list(map(self._game.text, objects)) if isinstance(index, slice) else self._game.text(objects)

    @cached_property
    def objects(self) -> list[Any]:
        """The positions."""
        if isinstance(self._given, bytes):
            size = len(self._given) // max(len(self), 1)
            return [self._given[start : start + size] for start in range(0, len(self._given), size)] if size else []
        return self._given

    @property
    def packed(self) -> Any:
        """The bytes of the positions of a native game, one row for each."""
        return np.frombuffer(bytes(self._given), np.uint8).reshape(len(self), -1)


class ClassMoves(Protocol):
    """The classes of a game. A column of positions is asked for by their numbers."""

    def classes(self, size: int | None) -> list[TableOfClass]:
        """The classes of a size, in an order in which tables can be built."""

    def positions(self, table: TableOfClass, numbers: Any) -> tuple[Any, Positions]:
        """What `Moves.ends` has of them, and the positions that go on."""

    def moves(self, table: TableOfClass, numbers: Any) -> Moves:
        """The positions with their moves. Raises BrokenGameError."""


def class_moves_of(game: Game[Any]) -> ClassMoves:
    """Those of a game.

    Raises:
        NoTablesError: it has no numbered classes.
        NativeCoreMissingError: it was opened without the core.
    """
    if not getattr(game, "key_size", 0):
        return _InPython(game)
    from proofbase.engine._core import ClassMoves as NativeClassMoves

    return _Native(game, NativeClassMoves(game.name))


class _Native:
    def __init__(self, game: Game[Any], native: Any) -> None:
        self._game, self._native = game, native

    def classes(self, size: int | None) -> list[TableOfClass]:
        family = self._game.name.replace(":", "_")
        rows = self._native.classes(LARGEST_SIZE if size is None else size)
        return [
            TableOfClass(f"{family}-{name}", number, entries, tuple(needs)) for number, name, entries, needs in rows
        ]

    def positions(self, table: TableOfClass, numbers: Any) -> tuple[Any, Positions]:
        columns = self._native.list(table.number, numbers.astype(np.uint64).tobytes(), moves=False)
        ends = np.frombuffer(columns[0], np.int16)
        return ends, Positions(self._game, table.name, numbers[ends == GOES_ON], columns[1])

    def moves(self, table: TableOfClass, numbers: Any) -> Moves:
        columns = self._native.list(table.number, numbers.astype(np.uint64).tobytes(), moves=True)
        return _moves(columns[0], *columns[2:])


def _moves(ends: Any, starts: Any, children: Any, rewards: Any) -> Moves:
    places = np.frombuffer(children, np.uint64)
    classes = (places >> NUMBER_BITS).astype(np.int64)
    numbers = (places & ((1 << NUMBER_BITS) - 1)).astype(np.int64)
    numbers = np.where(classes == NO_CLASS, numbers - GOES_ON, numbers)
    counts = np.diff(np.frombuffer(starts, np.uint32), append=len(places))
    return Moves(np.frombuffer(ends, np.int16), counts, classes, numbers, np.frombuffer(rewards, np.int16))


class _InPython:
    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self._numbered = NumberedGame(game, LARGEST_SIZE)

    def classes(self, size: int | None) -> list[TableOfClass]:
        numbered = self._numbered if size is None else NumberedGame(self._game, size)
        earlier, out = list[int](), list[TableOfClass]()
        for name, number, _, entries in numbered.tables:
            out.append(TableOfClass(name, number, entries, tuple(earlier)))
            earlier.append(number)
        return out

    def positions(self, table: TableOfClass, numbers: Any) -> tuple[Any, Positions]:
        ends, objects = list[int](), list[Any]()
        for number in numbers.tolist():
            position = self._game.table_position(table.name, number)
            end = NO_POSITION if position is None else self._game.terminal(position)
            ends.append(GOES_ON if end is None else end)
            if end is None:
                objects.append(position)
        column = np.array(ends, np.int16)
        return column, Positions(self._game, table.name, numbers[column == GOES_ON], objects)

    def moves(self, table: TableOfClass, numbers: Any) -> Moves:
        ends, starts, children, rewards = list[int](), list[int](), list[int](), list[int]()
        for number in numbers.tolist():
            starts.append(len(children))
            successors = self._numbered.successors(table.name, number)
            if isinstance(successors, list):
                if not successors:
                    raise BrokenGameError(f"table {table.name}, entry {number}: a game that goes on without a move")
                ends.append(GOES_ON)
                for reward, of_class, child in successors:
                    children.append((of_class << NUMBER_BITS) + child + (GOES_ON if of_class == NO_CLASS else 0))
                    rewards.append(reward)
            else:
                ends.append(NO_POSITION if successors is None else successors)
        return _moves(*(np.array(c, t) for c, t in zip((ends, starts, children, rewards), "hIQh", strict=True)))
