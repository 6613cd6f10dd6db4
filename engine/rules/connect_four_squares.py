"""Connect-four as a game on squares, for claims by a strategy (docs/strategies.md)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from proofbase.engine.rules.squares import SquareRules

__all__ = ["ConnectFourSquares"]


class ConnectFourSquares(SquareRules):
    """Square (height + 1) x column + row, both from 0, the lowest row first: its bit in the key of the game.

    The number between two columns is no square, so that no line goes on in the next column. The squares with the mark
    ANSWER are those of every second row, from the second one: who answers in the column of the last move gets these
    ("claimeven": Allis 1988, ch. 3).

    Args:
        width, height: of the board.
        win: what a win is worth, by the number of its stone.
    """

    def __init__(self, width: int, height: int, win: Callable[[int], int]) -> None:
        self._bits = height + 1
        self._columns = width
        column = (1 << height) - 1
        bottoms = sum(1 << self._bits * c for c in range(width))
        self._bottoms = bottoms
        self._steps = [(step, 2 * step, 3 * step) for step in (height, height + 1, height + 2)]
        """From a square to the next ones of a line: falling, row, rising."""
        self._win = win
        self.board = column * bottoms
        self.answers = sum(1 << row for row in range(1, height, 2)) * bottoms

    def stones(self, position: Sequence[str]) -> tuple[int, int]:
        mover = "xo"[sum(map(len, position)) % 2]
        own = other = 0
        for column, stones in enumerate(position):
            for row, stone in enumerate(stones):
                bit = 1 << column * self._bits + row
                if stone == mover:
                    own |= bit
                else:
                    other |= bit
        return own, other

    def open_squares(self, taken: int) -> int:
        return (taken + self._bottoms) & self.board

    def completing(self, own: int, taken: int) -> int:
        winning = own << 1 & own << 2 & own << 3  # only the square above a row of three is ever empty
        for one, two, three in self._steps:
            right, left = own << one, own >> one
            winning |= right & own << two & (own << three | left) | left & own >> two & (own >> three | right)
        return winning & self.board & ~taken

    def win(self, stones: int) -> int:
        return self._win(stones)

    def square(self, move: int, taken: int) -> int:
        column = ((1 << self._bits) - 1) << move * self._bits
        return self.open_squares(taken) & column

    def place(self, square: int) -> int:
        column, row = divmod(square, self._bits)
        return (self._bits - 2 - row) * (self._columns + 1) + column

    def oriented(self, position: Sequence[str], canonical: Sequence[str]) -> list[int]:
        squares = range(self._columns * self._bits)
        if position == canonical:
            return list(squares)
        return [(self._columns - 1 - square // self._bits) * self._bits + square % self._bits for square in squares]
