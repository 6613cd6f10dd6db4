"""The numbers of the positions of morris games in their tables: slow, as the specification (docs/tables.md).

The positions with so many men of the side to move and of the other side come in ascending order of (own men, other
men); positions that are the same up to the maps of a group are one, the smallest of them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import comb

from proofbase.engine.rules.morris.board import MorrisBoard, SetMap, points_of

__all__ = ["MorrisNumbering"]


class MorrisNumbering:
    """The numbers of positions with so many men.

    Args:
        board: the board.
        own: men of the side to move on the board.
        other: men of the other side.
        maps: the group.
    """

    def __init__(self, board: MorrisBoard, own: int, other: int, maps: Sequence[SetMap]) -> None:
        self._board, self._own, self._other, self._maps = board, own, other, maps
        self._smallest, self._first = list[int](), [0]
        self._others = lru_cache(64)(self._list_others)

    @property
    def size(self) -> int:
        """Positions up to symmetry: the mean number of positions that a map keeps in place (Burnside)."""
        return sum(
            _fixed_placements(self._board.all, symmetry, self._own, self._other) for symmetry in self._maps
        ) // len(self._maps)

    def number(self, own: int, other: int) -> int:
        """The number of a position, from 0."""
        own, other = min((symmetry(own), symmetry(other)) for symmetry in self._maps)
        self._fill()
        at = bisect_right(self._smallest, own) - 1
        left = self._board.all & ~own
        if len(self._stabilizer(own)) == 1:
            return self._first[at] + sum(
                comb((left & (1 << point) - 1).bit_count(), before + 1) for before, point in enumerate(points_of(other))
            )
        return self._first[at] + bisect_right(self._others(own), other) - 1

    def position(self, number: int) -> tuple[int, int]:
        """The position with a number: men of the side to move, men of the other side."""
        self._fill()
        at = bisect_right(self._first, number) - 1
        own, number = self._smallest[at], number - self._first[at]
        if len(self._stabilizer(own)) > 1:
            return own, self._others(own)[number]
        free, other = points_of(self._board.all & ~own), 0
        for men in range(self._other, 0, -1):
            place = max(place for place in range(len(free)) if comb(place, men) <= number)
            number -= comb(place, men)
            other |= 1 << free[place]
        return own, other

    def _stabilizer(self, own: int) -> list[SetMap]:
        """The maps that keep a set in place."""
        return [symmetry for symmetry in self._maps if symmetry(own) == own]

    def _fill(self) -> None:
        """Lists the smallest sets of own men, with the first numbers of their positions."""
        if self._smallest:
            return
        smallest, first = list[int](), [0]
        for own in _sets(len(self._board.names), self._own):
            if any(symmetry(own) < own for symmetry in self._maps):
                continue
            stabilizer = self._stabilizer(own)
            left = self._board.all & ~own
            ways = sum(_fixed_placements(left, symmetry, 0, self._other) for symmetry in stabilizer) // len(stabilizer)
            smallest.append(own)
            first.append(first[-1] + ways)
        self._first, self._smallest = first, smallest

    def _list_others(self, own: int) -> list[int]:
        """Sets of the other side's men that are the smallest under the maps that keep `own` in place."""
        free, stabilizer = points_of(self._board.all & ~own), self._stabilizer(own)
        ways = (sum(1 << free[place] for place in points_of(way)) for way in _sets(len(free), self._other))
        return [other for other in ways if all(symmetry(other) >= other for symmetry in stabilizer)]


def _sets(points: int, men: int) -> Iterator[int]:
    """All sets of so many of the first points, in ascending order."""
    at, end = (1 << men) - 1, 1 << points
    while at < end:
        yield at
        if not at:
            return
        lowest = at & -at
        ripple = at + lowest
        at = ripple | (at ^ ripple) // lowest >> 2


def _fixed_placements(points: int, symmetry: SetMap, own: int, other: int) -> int:
    """In how many ways men can stand on a set of points so that a map keeps them all in place.

    A cycle of points has own men only, other men only, or none.
    """
    ways = {(0, 0): 1}
    while points:
        start = points & -points
        length, at = 0, start
        while points & at:
            points &= ~at
            length, at = length + 1, symmetry(at)
        more = dict(ways)
        for (a, b), count in ways.items():
            for key in ((a + length, b), (a, b + length)):
                if key[0] <= own and key[1] <= other:
                    more[key] = more.get(key, 0) + count
        ways = more
    return ways.get((own, other), 0)
