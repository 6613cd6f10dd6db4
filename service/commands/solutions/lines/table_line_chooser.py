"""Moves that make progress in positions whose values come from tables: tables hold values and no distances."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from proofbase.engine.rules import Game
from proofbase.engine.tables import ValueTables
from proofbase.service.answers import MoveAnswer

__all__ = ["TableLineChooser"]

MOST_POSITIONS = 50_000
"""Positions of one analysis, which takes about a second then."""


class TableLineChooser:
    """Chooses, among the moves that keep a value other than 0, the one that leads out of the table soonest or latest.

    Only the play that keeps the value matters here, as long as it stays in the table and brings no reward. All
    positions of this play get the layers of docs/tables.md, by retrograde analysis: plies until the side that is ahead
    has left the table, or the game is over. Layers fall along the line, so the line does not come back to a position.
    """

    def __init__(self, game: Game[Any], tables: ValueTables, most_positions: int = MOST_POSITIONS) -> None:
        self._game = game
        self._tables = tables
        self._most = most_positions
        self._layers: dict[bytes, int] = {}
        self._too_large = set[str | None]()
        """Tables in which an analysis had too many positions."""

    def choose(self, position: Any, moves: Sequence[MoveAnswer], value: int) -> MoveAnswer | None:
        """The quickest gain or the slowest loss; None where that play has too many positions, or has no cycles.

        Args:
            position: a position that a table has.
            moves: its moves with their values.
            value: its value, not 0.
        """
        game, table = self._game, self._tables.name(position)
        if game.acyclic:
            return None  # every line that keeps the value comes to its end
        if game.key(position) not in self._layers and (table in self._too_large or not self._analyse(position, value)):
            self._too_large.add(table)
            return None
        by_layer = list[tuple[int, MoveAnswer]]()
        for move in moves:
            if not move.known or move.value.lower != value:
                continue
            child = game.play(position, move.number)
            leaves = self._leaves(table, child, game.reward(position, move.number))
            layer = 0 if leaves else self._layers.get(game.key(child))
            if layer is not None:
                by_layer.append((layer, move))
        if not by_layer:
            return None
        return (min if value > 0 else max)(by_layer, key=lambda pair: pair[0])[1]

    def _leaves(self, table: str | None, child: Any, reward: int) -> bool:
        return reward != 0 or self._game.terminal(child) is not None or self._tables.name(child) != table

    def _analyse(self, start: Any, value: int) -> bool:
        """Finds the layers of the play from `start` that keeps the value; False if it has too many positions."""
        game, table = self._game, self._tables.name(start)
        first = game.key(start)
        values = {first: value}
        parents: dict[bytes, list[bytes]] = {first: []}
        unanswered: dict[bytes, int] = {}  # moves whose layer has to be known before the position gets its own
        ready = deque[tuple[bytes, int]]()  # keys with their layers, which rise
        unexpanded = [start]
        while unexpanded:
            position = unexpanded.pop()
            key = game.key(position)
            inside, leaves = self._moves_that_keep(table, position, values[key])
            if (leaves and values[key] > 0) or not inside:
                ready.append((key, 1))
                continue
            unanswered[key] = 1 if values[key] > 0 else len(inside)
            for child in inside:
                after = game.key(child)
                if after not in values:
                    values[after] = -values[key]
                    parents[after] = []
                    unexpanded.append(child)
                parents[after].append(key)
            if len(values) > self._most:
                return False
        while ready:
            key, layer = ready.popleft()
            self._layers[key] = layer
            for parent in parents[key]:
                unanswered[parent] -= 1
                if unanswered[parent] == 0:
                    ready.append((parent, layer + 1))
        return first in self._layers

    def _moves_that_keep(self, table: str | None, position: Any, value: int) -> tuple[list[Any], bool]:
        """Where the moves that keep the value lead to within the table, and whether some of them lead out of it."""
        game, inside, leaves = self._game, list[Any](), False
        for move in game.moves(position):
            child, reward = game.play(position, move), game.reward(position, move)
            after = game.terminal(child)
            if after is None:
                after = self._tables.value(child)
            if after is None or reward - after != value:
                continue
            if self._leaves(table, child, reward):
                leaves = True
            else:
                inside.append(child)
        return inside, leaves
