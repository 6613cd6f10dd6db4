"""The lines of go-moku, for claims by a pairing (docs/strategies.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from proofbase.engine.rules.lines import Line, LineRules

__all__ = ["GomokuLines"]

Square = tuple[int, int]
"""Column and row, both from 0, column a and row 1 first."""


class GomokuLines(LineRules):
    """The rows of squares that win. A square has the number of the move that puts a stone there.

    Where longer rows win nothing, a stone of the same side at an end of a line spoils it: it was put there before the
    line was filled, or fills a longer row later.

    Args:
        squares: by move.
        width, height: of the board.
        length: of a winning row.
        symmetries: what maps the board to itself: by move, the move on the image of its square.
        exact: whether longer rows win nothing.
    """

    def __init__(
        self,
        squares: Sequence[Square],
        width: int,
        height: int,
        length: int,
        symmetries: Sequence[Sequence[int]],
        *,
        exact: bool,
    ) -> None:
        self._squares = squares
        self._moves = {square: move for move, square in enumerate(squares)}
        self._width, self._height, self._length, self._exact = width, height, length, exact
        self._symmetries = symmetries
        self._bits = [column + (width + 1) * row for column, row in squares]

    @cached_property
    def lines(self) -> Sequence[Line]:  # type: ignore[override]
        return [Line(self._set_of(row), self._set_of(ends)) for row, ends in self._rows()]

    def _rows(self) -> Iterator[tuple[list[Square], list[Square]]]:
        """The rows of so many squares, each with the squares behind its ends that spoil it."""
        for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            for column, row in self._squares:
                along = [(column + i * right, row + i * up) for i in range(-1, self._length + 1)]
                before, *squares, behind = along
                if all(square in self._moves for square in squares):
                    ends = [before, behind] if self._exact else []
                    yield squares, [end for end in ends if end in self._moves]

    def _set_of(self, squares: Sequence[Square]) -> int:
        return sum(1 << self._moves[square] for square in squares)

    def stones(self, position: tuple[int, int]) -> tuple[int, int]:
        mover, other = (
            sum(1 << move for move, bit in enumerate(self._bits) if stones >> bit & 1) for stones in position
        )
        return mover, other

    def place(self, square: int) -> int:
        column, row = self._squares[square]
        return column + (self._width + 1) * (self._height - 1 - row)

    def oriented(self, position: tuple[int, int], canonical: tuple[int, int]) -> list[int]:
        wanted, given = self.stones(position), self.stones(canonical)
        for image in self._symmetries:
            if all(self._turned(stones, image) == aim for stones, aim in zip(given, wanted, strict=True)):
                return list(image)
        raise ValueError("the positions have different keys")

    def _turned(self, stones: int, image: Sequence[int]) -> int:
        return sum(1 << there for start, there in enumerate(image) if stones >> start & 1)
