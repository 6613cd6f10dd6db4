"""Games of few positions, all of which one table can hold."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from proofbase.engine.rules.game import Game, Position, TableClass

__all__ = ["EnumeratedGame"]


class EnumeratedGame(Game[Position]):
    """A game whose positions can all be listed in memory: then it has a table of their values (docs/your-own-game.md).

    A subclass of this class instead of `Game` needs nothing more. The table is called NAME-all (`:` written `_`). The
    number of a position is the place of its key among the sorted keys of all positions. They are listed when the table
    is first asked for.

    With `table_end_value` the table holds plies to the end of the game.
    """

    tables_by_size = False

    def table_positions(self) -> Iterable[Position]:
        """All positions of the table, in any order, those of one key at least once. All moves lead to such positions.

        The default is all positions that can arise from the initial one.
        """
        initial = self.initial()
        unexpanded, seen = [initial], {self.key(initial)}
        while unexpanded:
            position = unexpanded.pop()
            yield position
            if self.terminal(position) is not None:
                continue
            for move in self.moves(position):
                child = self.play(position, move)
                key = self.key(child)
                if key not in seen:
                    seen.add(key)
                    unexpanded.append(child)

    def table_names(self, size: int) -> list[str]:
        return [self._table_name]

    def table_entry(self, position: Position) -> tuple[str, int] | None:
        number = self._numbers.get(self.key(position))
        return None if number is None else (self._table_name, number)

    def table_class(self, name: str) -> TableClass | None:
        return TableClass(0, "all", len(self._numbers)) if name == self._table_name else None

    def table_position(self, name: str, entry: int) -> Position | None:
        return self.position(self._keys[entry])

    @property
    def _table_name(self) -> str:
        return f"{self.name.replace(':', '_')}-all"

    @cached_property
    def _keys(self) -> list[bytes]:
        return list(self._numbers)

    @cached_property
    def _numbers(self) -> dict[bytes, int]:
        keys = sorted({self.key(position) for position in self.table_positions()})
        return {key: number for number, key in enumerate(keys)}
