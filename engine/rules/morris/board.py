"""The boards of the morris games: points and lines by their names, and the maps of a board onto itself.

A set of points is a number in which point p is worth 2**p.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import pairwise

__all__ = ["MorrisBoard", "SetMap", "points_of"]

# By men a side: the points in the order of their numbers (ring by ring, clockwise from the top left corner), the lines
# on which three men are a mill, and the lines that only join neighbours.
_BOARDS = {
    3: ("a3 b3 c3 c2 c1 b1 a1 a2 b2", "a3b3c3 a2b2c2 a1b1c1 a1a2a3 b1b2b3 c1c2c3 a1b2c3 a3b2c1", ""),
    6: (
        "a5 c5 e5 e3 e1 c1 a1 a3  b4 c4 d4 d3 d2 c2 b2 b3",
        "a5c5e5 b4c4d4 b2c2d2 a1c1e1 a1a3a5 b2b3b4 d2d3d4 e1e3e5",
        "a3b3 d3e3 c1c2 c4c5",
    ),
    9: (
        "a7 d7 g7 g4 g1 d1 a1 a4  b6 d6 f6 f4 f2 d2 b2 b4  c5 d5 e5 e4 e3 d3 c3 c4",
        (
            "a7d7g7 b6d6f6 c5d5e5 a4b4c4 e4f4g4 c3d3e3 b2d2f2 a1d1g1 "
            "a1a4a7 b2b4b6 c3c4c5 d1d2d3 d5d6d7 e3e4e5 f2f4f6 g1g4g7"
        ),
        "",
    ),
}

SetMap = Callable[[int], int]


class MorrisBoard:
    """The board for so many men a side: 3, 6 or 9."""

    def __init__(self, men: int) -> None:
        names, mills, others = _BOARDS[men]
        self.names = tuple(names.split())
        self.numbers = {name: number for number, name in enumerate(self.names)}
        self.size = max(int(name[1]) for name in self.names)
        """Columns and rows of the grid that the board is drawn on."""
        self.all = (1 << len(self.names)) - 1
        self.mills = tuple(sum(1 << point for point in line) for line in self._lines(mills))
        neighbours = [0] * len(self.names)
        for line in (*self._lines(mills), *self._lines(others)):
            for one, two in pairwise(line):
                neighbours[one] |= 1 << two
                neighbours[two] |= 1 << one
        self.neighbours = tuple(neighbours)
        """By point: the points to which a man may go from there along a line."""
        rows = [[name for name in sorted(self.names) if name[1] == str(row)] for row in range(self.size, 0, -1)]
        self.rows = tuple(tuple(self.numbers[name] for name in row) for row in rows)
        """The points row by row, from the top left."""

    def _lines(self, names: str) -> list[list[int]]:
        return [[self.numbers[line[at : at + 2]] for at in range(0, len(line), 2)] for line in names.split()]

    def in_mills(self, men: int) -> int:
        """The men of a side that stand in mills."""
        mills = 0
        for mill in self.mills:
            if men & mill == mill:
                mills |= mill
        return mills

    @cached_property
    def board_maps(self) -> tuple[SetMap, ...]:
        """All maps of the points that keep mills and neighbours."""
        return tuple(self._maps(keep_neighbours=True))

    @cached_property
    def mill_maps(self) -> tuple[SetMap, ...]:
        """All maps of the points that keep mills."""
        return tuple(self._maps(keep_neighbours=False))

    def _maps(self, *, keep_neighbours: bool) -> Iterator[SetMap]:
        """Tries the points one by one, and follows what agrees with the points before."""
        count = len(self.names)

        def relation(one: int, two: int) -> tuple[int, bool]:
            pair = 1 << one | 1 << two
            mills = sum(pair & mill == pair for mill in self.mills)
            return mills, keep_neighbours and bool(self.neighbours[one] >> two & 1)

        relations = [[relation(one, two) for two in range(count)] for one in range(count)]
        mills = set(self.mills)
        open_images: list[tuple[int, ...]] = [()]
        while open_images:
            image = open_images.pop()
            point = len(image)
            if point == count:
                if {sum(1 << image[p] for p in points_of(mill)) for mill in mills} == mills:
                    yield _map_of_sets(image)
                continue
            for to in range(count):
                known = (*image, to)
                if to not in image and all(relations[to][known[p]] == relations[point][p] for p in range(point + 1)):
                    open_images.append(known)


def points_of(men: int) -> list[int]:
    """The points of a set, in ascending order."""
    return [point for point in range(men.bit_length()) if men >> point & 1]


def _map_of_sets(image: tuple[int, ...]) -> SetMap:
    def part(low: int) -> list[int]:
        images = [1 << to for to in image[low : low + 8]]
        return [sum(to for bit, to in enumerate(images) if men >> bit & 1) for men in range(256)]

    first, second, third = part(0), part(8), part(16)
    return lambda men: first[men & 255] | second[men >> 8 & 255] | third[men >> 16]
