"""What a game on squares offers to the check of claims by a strategy (docs/strategies.md), and to its pictures."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

__all__ = ["BoardSquares", "SquareRules"]


class BoardSquares(ABC):
    """Where the stones of a position are: on numbered squares, each the bit of value 2**s in a set of squares."""

    @abstractmethod
    def stones(self, position: Any) -> tuple[int, int]:
        """The squares with stones of the side to move, and those of the other side."""

    @abstractmethod
    def place(self, square: int) -> int:
        """Where the square's character stands in the text of a position."""

    @abstractmethod
    def oriented(self, position: Any, canonical: Any) -> list[int]:
        """By square of the canonical position, the number of the same square of a position with the same key."""


class SquareRules(BoardSquares):
    """A game in which each move puts a stone on an empty square, and a side wins by filling a line with its stones.

    A set of squares is a number with a bit for each of them: square s is the bit of value 2**s. The game is over when a
    side has won, or drawn when no square is left. There are no rewards, and a later win is worth no more than an
    earlier one of the same side. That the answers follow from the rules is tested
    (tests/engine/checks/test_square_rules.py).

    Attributes:
        board: all squares.
        answers: the squares that have the mark ANSWER where a diagram does not say otherwise.
    """

    board: int
    answers: int

    @abstractmethod
    def open_squares(self, taken: int) -> int:
        """The squares on which the next stone can be put, when these have stones."""

    @abstractmethod
    def completing(self, own: int, taken: int) -> int:
        """The empty squares on which a side with these stones completes a line, whether they are open or not.

        `taken` are the stones of both sides, or those of this side alone.
        """

    @abstractmethod
    def win(self, stones: int) -> int:
        """What a win is worth to the winner that comes with this stone of both sides together, counted from 1."""

    @abstractmethod
    def square(self, move: int, taken: int) -> int:
        """The square, as a set, that a legal move takes."""
