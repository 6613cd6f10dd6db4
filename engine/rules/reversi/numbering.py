"""Numbers of the positions of Othello on small boards, for tables (docs/tables.md).

Sets of squares are numbers: square s, counted row by row from the top left, is worth 2^s. Positions are turned by the
symmetries of the board such that their taken squares are the smallest set; where several images have it, the one with
the smallest set of own discs counts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from itertools import combinations

__all__ = ["OthelloNumbering"]

LOW_BITS = 12
"""Images are looked up by the low bits of a set, and by those above."""


class OthelloNumbering:
    """The numbers on one board.

    Args:
        squares: of the board, at most 24.
        middle: the squares that are always taken.
        symmetries: for each of them, and each square of the image, the square that it comes from.
    """

    def __init__(self, squares: int, middle: Sequence[int], symmetries: Sequence[Sequence[int]]) -> None:
        self._squares = squares
        self._middle = middle
        self._symmetries = symmetries
        self._taken = dict[int, list[int]]()

    @cached_property
    def _halves(self) -> list[tuple[list[int], list[int]]]:
        """For each symmetry the images of all sets of the low squares, and of those above."""
        halves = []
        for symmetry in self._symmetries:
            place = {square: 1 << target for target, square in enumerate(symmetry)}
            images = []
            for first, count in ((0, LOW_BITS), (LOW_BITS, max(0, self._squares - LOW_BITS))):
                images_of_half = [0]
                for square in range(first, first + count):
                    images_of_half += [image | place[square] for image in images_of_half]
                images.append(images_of_half)
            halves.append((images[0], images[1]))
        return halves

    def _images(self, squares: int) -> list[int]:
        low, high = squares & (1 << LOW_BITS) - 1, squares >> LOW_BITS
        return [images[low] | more[high] for images, more in self._halves]

    def _smallest_taken(self, discs: int) -> list[int]:
        """The sets of taken squares that are the smallest of their images, ascending."""
        if discs not in self._taken:
            always = sum(1 << square for square in self._middle)
            free = [1 << square for square in range(self._squares) if square not in self._middle]
            sets = (always + sum(chosen) for chosen in combinations(free, discs - len(self._middle)))
            self._taken[discs] = sorted(taken for taken in sets if taken == min(self._images(taken)))
        return self._taken[discs]

    def count(self, discs: int) -> int:
        """How many numbers there are for positions with so many discs."""
        return len(self._smallest_taken(discs)) << discs

    def number(self, own: int, taken: int) -> int:
        """The number of a position, of its own and of all discs."""
        images = list(zip(self._images(taken), self._images(own), strict=True))
        smallest, own = min(images)
        discs, number = taken.bit_count(), 0
        for bit, square in enumerate(_members(smallest)):
            number |= (own >> square & 1) << bit
        return bisect_left(self._smallest_taken(discs), smallest) << discs | number

    def discs(self, discs: int, number: int) -> tuple[int, int] | None:
        """The own and all discs with a number, as sets; None where no position has the number."""
        taken = self._smallest_taken(discs)[number >> discs]
        own = sum(1 << square for bit, square in enumerate(_members(taken)) if number >> bit & 1)
        return (own, taken) if self.number(own, taken) == number else None


def _members(squares: int) -> list[int]:
    return [square for square in range(squares.bit_length()) if squares >> square & 1]
