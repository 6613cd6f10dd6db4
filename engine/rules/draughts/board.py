"""The 32 dark squares of a board of 8x8 and their neighbours, as Black sees them.

Square n of the usual numbering (1 to 32, row by row from the top) is bit n - 1 of a set of squares. Black begins on
the squares 1 to 12 and moves down. White's view is the board turned by half: its square n is square 33 - n.
"""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["ALL", "FORWARD", "HOME_ROW", "KING_ROW", "NEIGHBOURS", "squares_of", "turned"]

ALL = (1 << 32) - 1
HOME_ROW = 0xF
"""The first row: where men of the other side become kings."""
KING_ROW = 0xF << 28
"""The last row: where men become kings."""
FORWARD = 2
"""The first so many directions are those of men: down to the left, down to the right, up to the left, up to the
right."""


def _neighbours() -> tuple[tuple[int | None, ...], ...]:
    by_square = []
    for square in range(32):
        row, column = square // 4, square % 4 * 2 + (square // 4 + 1) % 2
        neighbours = list[int | None]()
        for down, right in ((1, -1), (1, 1), (-1, -1), (-1, 1)):
            to_row, to_column = row + down, column + right
            inside = 0 <= to_row < 8 and 0 <= to_column < 8
            neighbours.append(to_row * 4 + to_column // 2 if inside else None)
        by_square.append(tuple(neighbours))
    return tuple(by_square)


NEIGHBOURS = _neighbours()
"""By square, the neighbour in each of the four directions; None beyond the board."""


def squares_of(squares: int) -> Iterator[int]:
    """The numbers of the bits of a set, in rising order."""
    while squares:
        lowest = squares & -squares
        yield lowest.bit_length() - 1
        squares ^= lowest


def turned(squares: int) -> int:
    """A set of squares as the other side sees it."""
    return int(f"{squares:032b}"[::-1], 2)
