"""Tables of values that the store itself holds, such as those of a package: read block by block, by Python rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from proofbase.engine.errors import DamagedTableError
from proofbase.engine.games import open_game
from proofbase.engine.rules import Game, is_built_in
from proofbase.engine.rules.guarded import GuardedGame
from proofbase.engine.tables import PackedPythonTables
from proofbase.storage import StoreDamagedError
from proofbase.storage.table_blocks import TableBlocks, TableDescription

__all__ = ["StoredTables"]


class StoredTables:
    """The tables of a game, for positions of whatever rules the game was opened by. Thread-safe.

    Args:
        game: the game; the positions are its own.
        blocks: where the blocks are read.
    """

    def __init__(self, game: Game[Any], blocks: TableBlocks) -> None:
        rules: Game[Any] = open_game(game.name, "python")
        self._game = game
        self._rules = rules if is_built_in(game.name) else GuardedGame(rules)
        self._blocks = blocks
        self._tables = PackedPythonTables(self._rules, _Sound(blocks))

    def value(self, position: Any) -> int | None:
        """See `ValueTables`, as for the methods below."""
        return self._tables.value(self._own(position))

    def plies(self, position: Any) -> int | None:
        """Plies to the end of the game."""
        return self._tables.plies(self._own(position))

    def own_plies(self, position: Any) -> int | None:
        """Plies by the table of the position itself."""
        return self._tables.own_plies(self._own(position))

    def hold_values_alone(self) -> bool:
        """Whether there are tables, and their own entries are no plies to the end of the game."""
        return self._tables.hold_values_alone()

    def name(self, position: Any) -> str | None:
        """Name of the table that the position belongs in."""
        return self._tables.name(self._own(position))

    def damaged(self) -> list[tuple[str, str]]:
        """Tables of which something was found to be damaged."""
        return self._tables.damaged()

    def changed(self) -> bool:
        """Never: what is published anew is found to be damaged."""
        return False

    def read_ahead(self, positions: Iterable[Any]) -> None:
        """Reads the blocks of some positions by as few requests as possible."""
        places = (self._rules.table_entry(self._own(position)) for position in positions)
        try:
            self._blocks.read_ahead([place for place in places if place is not None])
        except StoreDamagedError:
            return  # whoever asks for the positions one by one is told

    def _own(self, position: Any) -> Any:
        """The position by the rules in plain Python; its value is that of every position of the same key."""
        return self._rules.position(self._game.key(position))


class _Sound:
    """The blocks, of which damaged ones raise what tables raise."""

    def __init__(self, blocks: TableBlocks) -> None:
        self._blocks = blocks

    @property
    def tables(self) -> Mapping[str, TableDescription]:
        return self._blocks.tables

    def block(self, name: str, number: int) -> bytes:
        try:
            return self._blocks.block(name, number)
        except StoreDamagedError as error:
            raise DamagedTableError(str(error)) from None
