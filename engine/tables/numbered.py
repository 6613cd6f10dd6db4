"""A user's own game as the native core builds and verifies its tables: by the numbers of positions."""

from __future__ import annotations

from typing import Any

from proofbase.engine.errors import BrokenGameError, NoTablesError
from proofbase.engine.rules.game import Game
from proofbase.engine.rules.tables.table_header import class_of_table, rules_fingerprint

__all__ = ["NO_CLASS", "NumberedGame"]

NO_CLASS = 0xFFFF
"""In place of the class of a finished position that is in no table."""


class NumberedGame:
    """The classes of a game, and where their moves lead to.

    Args:
        game: the rules in Python.
        size: what the game means by it.

    Attributes:
        tables: name, number of the class, its name and its entries, in an order in which tables can be built.
        table_end_value: as `Game` says; None where the tables hold values.

    Raises:
        NoTablesError: the game has none.
        BrokenGameError: it breaks what `Game` says of tables.
    """

    def __init__(self, game: Game[Any], size: int) -> None:
        self._game = game
        self.name, self.rules_version, self.acyclic = game.name, game.rules_version, game.acyclic
        self.highest_value, self.table_end_value = game.highest_value, game.table_end_value
        self.tables = [self._table(name) for name in game.table_names(size)]
        self._numbers = {name: number for name, number, _, _ in self.tables}
        self._entries = {name: entries for name, _, _, entries in self.tables}
        self._order = {name: place for place, name in enumerate(self._numbers)}
        if not self.tables:
            raise NoTablesError(f"{game.name} has no tables")
        if len(set(self._numbers.values())) < len(self.tables):
            raise BrokenGameError(f"{game.name} has two tables of one number")
        plies = self.table_end_value is not None
        if plies and game.table_end_value not in (-1, 1):
            raise BrokenGameError(f"{game.name}: the value of a finished game with plies is -1 or 1")
        if plies and game.has_rewards():
            raise BrokenGameError(f"{game.name} has rewards: its tables cannot hold plies")
        if not 1 <= game.highest_value <= 120:
            raise BrokenGameError(f"{game.name} has values up to {game.highest_value}: tables hold -120 to 120")

    def _table(self, name: str) -> tuple[str, int, str, int]:
        class_and_plies = class_of_table(self._game, name)
        if class_and_plies is None:
            raise BrokenGameError(f"{self.name} names the table {name}, and does not know it")
        (number, class_name, entries), _ = class_and_plies
        if not 0 <= number < NO_CLASS:
            raise BrokenGameError(f"table {name} has the number {number}: numbers are from 0 to {NO_CLASS - 1}")
        if not 1 <= entries < 1 << 48:
            raise BrokenGameError(f"table {name} has {entries} entries")
        return name, number, class_name, entries

    def fingerprint(self, name: str) -> int:
        """The fingerprint of the rules and of the numbering of a table."""
        return rules_fingerprint(self._game, name)

    def successors(self, name: str, number: int) -> list[tuple[int, int, int]] | int | None:
        """Where the moves of a position lead to.

        Returns:
            Of each move the reward, and class and number of the position after it: NO_CLASS and its value for a
            finished one in no other table. The value of a finished game. None where no position has the number.

        Raises:
            BrokenGameError: the numbers and the rules do not fit together.
        """
        game, position = self._game, self._game.table_position(name, number)
        if position is None:
            if self.table_end_value is None:
                raise BrokenGameError(f"table {name}: no position has the number {number}")
            return None
        if game.table_entry(position) != (name, number):
            raise BrokenGameError(f"table {name}: the position of number {number} has another number")
        value = self._end(position)
        if value is not None:
            return value
        if not game.acyclic and game.repetition(position) != 0:
            raise BrokenGameError(f"{game.name}: endless play has to be worth 0 where there are tables")
        return [self._place(name, position, move) for move in game.moves(position)]

    def _end(self, position: Any) -> int | None:
        """The value of a finished game."""
        value = self._game.terminal(position)
        if value is not None and self.table_end_value is not None and value not in (0, self.table_end_value):
            raise BrokenGameError(f"{self._game.text(position)} is finished and worth {value}, so it has no plies")
        return value

    def _place(self, name: str, position: Any, move: int) -> tuple[int, int, int]:
        """The reward of a move, and where the position after it is."""
        game = self._game
        child, reward = game.play(position, move), game.reward(position, move)
        place = game.table_entry(child)
        if place is None or place[0] != name:
            value = self._end(child)
            if value is not None:
                return reward, NO_CLASS, value
        elif reward != 0:
            raise BrokenGameError(f"{game.text(position)}: a move with a reward stays in table {name}")
        if place is None or self._order.get(place[0], len(self._order)) > self._order[name]:
            where = "no table" if place is None else f"table {place[0]}, which is not built before {name}"
            raise BrokenGameError(f"{game.text(position)}: the move {game.move_text(position, move)} leads to {where}")
        if not 0 <= place[1] < self._entries[place[0]]:
            raise BrokenGameError(f"table {place[0]} has no entry {place[1]}")
        return reward, self._numbers[place[0]], place[1]
