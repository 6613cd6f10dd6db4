"""What a game of lines offers to the check of claims by a pairing (docs/strategies.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from proofbase.engine.rules.squares import BoardSquares

__all__ = ["Line", "LineRules"]


class Line(NamedTuple):
    """A line of squares that wins when a side has stones on all of them, as sets of squares."""

    squares: int
    spoilers: int = 0
    """With a stone of the same side on one of these the line wins nothing: the rows would be too long."""


class LineRules(BoardSquares):
    """A game in which each move puts a stone on any empty square, and a side wins by nothing but filling a line.

    A set of squares is a number with a bit for each of them: square s is the bit of value 2**s, and move s takes it.
    The game is over when a side has won, or drawn when no square is left. There are no rewards. That the lines follow
    from the rules is tested (tests/engine/checks/test_line_rules.py).

    Attributes:
        lines: all of them. A win fills one that no stone of its side spoils.
    """

    lines: Sequence[Line]
