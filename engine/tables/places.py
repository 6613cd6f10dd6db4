"""Where the moves of a position lead to, as tables number positions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from proofbase.engine.errors import BrokenGameError
from proofbase.engine.rules.game import Game
from proofbase.engine.rules.tables.table_header import class_of_table

__all__ = ["Known", "Places", "Successors"]

Known = Callable[[str, int], int | None]
"""What the table of a name holds for a number; None where there is no such table."""


class Successors(NamedTuple):
    """The moves of a position of a class.

    Attributes:
        finished: its value where the game is over; then there are no moves.
        inside: numbers of the positions in the class that moves lead to, once a move.
        outside: of each other move the reward, and the entry of the position after it: in a table of values its value,
            in one of plies its code.
    """

    finished: int | None
    inside: list[int]
    outside: list[tuple[int, int]]


class Places:
    """The positions of a class and their moves, by the rules and the numbers of a game in Python.

    Args:
        game: the rules.
        name: of the table.
        known: the tables that were built before.

    Raises:
        BrokenGameError: the game has no such table, or breaks what `Game` says of tables.
    """

    def __init__(self, game: Game[Any], name: str, known: Known) -> None:
        found = class_of_table(game, name)
        if found is None:
            raise BrokenGameError(f"{game.name} names the table {name}, and does not know it")
        self.game, self.name = game, name
        self.table_class, self.plies = found
        self._known = known
        if not 1 <= self.table_class.entries < 1 << 48:
            raise BrokenGameError(f"table {name} has {self.table_class.entries} entries")
        if self.plies and game.table_end_value not in (-1, 1):
            raise BrokenGameError(f"{game.name}: the value of a finished game with plies is -1 or 1")
        if self.plies and game.has_rewards():
            raise BrokenGameError(f"{game.name} has rewards: its tables cannot hold plies")
        if not 1 <= game.highest_value <= 120:
            raise BrokenGameError(f"{game.name} has values up to {game.highest_value}: tables hold -120 to 120")

    def successors(self, number: int) -> Successors | None:
        """The moves of the position with a number; None where no position has it.

        Raises:
            BrokenGameError: the numbers and the rules do not fit together.
        """
        game, position = self.game, self.game.table_position(self.name, number)
        if position is None:
            if not self.plies:
                raise BrokenGameError(f"table {self.name}: no position has the number {number}")
            return None
        if game.table_entry(position) != (self.name, number):
            raise BrokenGameError(f"table {self.name}: the position of number {number} has another number")
        value = game.terminal(position)
        if value is not None:
            if self.plies and value not in (0, game.table_end_value):
                raise BrokenGameError(f"{game.text(position)} is finished and worth {value}, so it has no plies")
            return Successors(value, [], [])
        if not game.acyclic and game.repetition(position) != 0:
            raise BrokenGameError(f"{game.name}: endless play has to be worth 0 where there are tables")
        successors = Successors(None, [], [])
        for move in game.moves(position):
            self._add(successors, position, move)
        return successors

    def _add(self, successors: Successors, position: Any, move: int) -> None:
        game = self.game
        child, reward = game.play(position, move), game.reward(position, move)
        place = game.table_entry(child)
        if place is not None and place[0] == self.name:
            if reward != 0:
                raise BrokenGameError(f"{game.text(position)}: a move with a reward stays in table {self.name}")
            if not 0 <= place[1] < self.table_class.entries:
                raise BrokenGameError(f"table {self.name} has no entry {place[1]}")
            successors.inside.append(place[1])
            return
        value = game.terminal(child)
        if value is not None:
            if self.plies and value not in (0, game.table_end_value):
                raise BrokenGameError(f"{game.text(child)} is finished and worth {value}, so it has no plies")
            entry: int | None = value if not self.plies else 0 if value == 0 else 2
        else:
            entry = None if place is None else self._known(*place)
        if entry is None:
            where = "no table" if place is None else f"table {place[0]}, which is not built before {self.name}"
            raise BrokenGameError(f"{game.text(position)}: the move {game.move_text(position, move)} leads to {where}")
        successors.outside.append((reward, entry))
