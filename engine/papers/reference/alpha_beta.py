"""Alpha-beta by iterative deepening as Allis, van der Meulen, van den Herik (1994), 6.3, describe it.

An iteration leaves "a window of the remaining possible values". So it searches twice: positions at the depth count as
the worst value for the side to move at the root, which gives a lower bound, and as the best, which gives an upper one.
A table has what was found for a position, and serves where that search went at least as deep; of two positions with the
same entry the one that was searched more deeply stays. The paper does not say how repetitions on other paths are kept
out of it, and they are not. Captures come first, in the order of the rules where they are equal; the paper does not say
which comes first among equals, on which much depends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar
from zlib import crc32

from proofbase.engine.rules.game import Game

__all__ = ["AlphaBetaSearch"]

P = TypeVar("P")
Moves = Sequence[tuple[int, P, bytes]]
"""The reward of each move, the position after it, and its key."""


ENTRIES = 250_000


class Entry(NamedTuple):
    """What was found for a position."""

    key: bytes
    depth: int
    low: int
    high: int


class AlphaBetaSearch(Generic[P]):
    """Searches for exact values.

    Attributes:
        nodes: those at depth i of the searches to depth i (6.4).
        table: the filled entries, by their numbers; None without a table.
    """

    def __init__(
        self,
        game: Game[P],
        known: Callable[[P], int | None] = lambda position: None,
        *,
        with_table: bool = False,
        entries: int = ENTRIES,
    ) -> None:
        """Creates a search.

        Args:
            known: values of positions that need no search.
            with_table: whether there is a transposition table.
            entries: of the table, an even number: half of them for each of the two searches of an iteration.
        """
        self.nodes = 0
        self._game = game
        self._known = known
        self.table: dict[int, Entry] | None = {} if with_table else None
        self._entries = entries
        self._moves_of: dict[bytes, Moves[P]] = {}
        self._value_of: dict[bytes, int | None] = {}
        self._on_path = Counter[tuple[bytes, int]]()
        self._depth = 0
        self._line: Sequence[bytes] = ()

    def value(self, root: P, most_nodes: int | None = None) -> int | None:
        """The value of a position, or None where it takes more nodes."""
        key = self._game.key(root)
        lower, upper = -self._game.limit(root), self._game.limit(root)
        while lower < upper:
            if most_nodes is not None and self.nodes > most_nodes:
                return None
            lines = []
            for optimistic in (False, True):
                found, line = self._search(root, key, lower, upper, 0, self._line, optimistic)
                lower, upper = (lower, min(upper, found)) if optimistic else (max(lower, found), upper)
                lines.append(line)
            self._line = lines[0] or lines[1]
            self._depth += 1
        return lower

    def _search(
        self, position: P, key: bytes, alpha: int, beta: int, ply: int, line: Sequence[bytes], optimistic: bool
    ) -> tuple[int, Sequence[bytes]]:
        """A value in the window or a bound outside of it, and the keys of the best line.

        Args:
            line: the rest of the last iteration's best line, where it leads here.
            optimistic: whether positions at the depth count as the best for the side to move here.
        """
        depth = self._depth - ply
        self.nodes += depth == 0
        settled = self._settled(position, key, ply)
        if settled is not None:
            return settled, ()
        limit = self._game.limit(position)
        if depth == 0:
            return limit if optimistic else -limit, ()
        alpha, beta = max(alpha, -limit), min(beta, limit)
        slot = crc32(key) % (self._entries // 2) * 2 + optimistic
        entry = None if self.table is None or ply == 0 else self.table.get(slot)
        if entry is not None and entry.key != key:
            entry = None
        if entry is not None and entry.depth >= depth:
            alpha, beta = max(alpha, entry.low), min(beta, entry.high)
        if alpha >= beta:
            return (entry.low if entry is not None and entry.low == entry.high else alpha), ()
        best = -limit - 1
        best_line: Sequence[bytes] = ()
        self._on_path[key, ply % 2] += 1
        for reward, child, child_key in self._moves(position, key, line):
            rest = line[1:] if line and line[0] == child_key else ()
            found, after = self._search(
                child, child_key, reward - beta, reward - max(alpha, best), ply + 1, rest, not optimistic
            )
            if reward - found > best:
                best, best_line = reward - found, (child_key, *after)
            if best >= beta:
                break
        self._on_path[key, ply % 2] -= 1
        if self.table is not None and (slot not in self.table or self.table[slot].depth <= depth):
            low, high = best if best > alpha else -limit, best if best < beta else limit
            self.table[slot] = Entry(key, depth, low, high)
        return best, best_line

    def _settled(self, position: P, key: bytes, ply: int) -> int | None:
        """The value of an end, of a known position, and of one that is on the path."""
        if key not in self._value_of:
            end = self._game.terminal(position)
            self._value_of[key] = self._known(position) if end is None else end
        value = self._value_of[key]
        if value is None and self._on_path[key, ply % 2]:
            return self._game.repetition(position)
        return value

    def _moves(self, position: P, key: bytes, line: Sequence[bytes]) -> Moves[P]:
        """The largest captures first, but before them the move of the line."""
        moves = self._moves_of.get(key)
        if moves is None:
            after = [(m, self._game.play(position, m)) for m in self._game.moves(position)]
            listed = [(self._game.reward(position, m), child, self._game.key(child)) for m, child in after]
            moves = self._moves_of[key] = sorted(listed, key=lambda move: -move[0])
        return sorted(moves, key=lambda move: move[2] != line[0]) if line else moves
