"""What a position of go-moku seems to be worth, and the squares that are worth looking at, for players that guess.

Both count the lines of `length` squares that hold no stone of the other side, by the stones that they lack.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from proofbase.engine.rules.gomoku_threats import GomokuThreats, Lines

__all__ = ["GomokuEvaluation"]

WEIGHTS = (0.0, 0.04, 0.005)
"""The weight of a line that lacks one stone (which is not weighed), two, three."""
MOVER = 1.5
"""The side to move comes first."""
SURE, MOST = 0.98, 0.9
CANDIDATES = 12
WEIGHT_BITS = 12
"""A square's weight in bits: a line through it that lacks two stones weighs 32 (of the other side 16), one that lacks
three 4 (of the other side 2)."""
DISTANCE = 2
"""Squares so far from a stone are looked at, if no line decides."""


class GomokuEvaluation:
    """The evaluation of one board and variant.

    Args:
        threats: the lines of the game.
        steps: from a square to the next one, for each direction.
        length: of a line.
        standard: whether longer rows do not win.
    """

    def __init__(self, threats: GomokuThreats, steps: Sequence[int], length: int, standard: bool) -> None:
        self._threats = threats
        self._steps = steps
        self._length = length
        self._standard = standard

    @cached_property
    def _moves(self) -> dict[int, int]:
        return {square: move for move, square in enumerate(self._threats.squares)}

    def evaluate(self, position: tuple[int, int]) -> float:
        """For the side to move: near 1 where it wins at once, near -1 where the other side has two ways to."""
        own, other = position
        empty = self._threats.board & ~(own | other)
        mine, theirs = self._lines(own, empty), self._lines(other, empty)
        if any(lines.one for lines in mine):
            return SURE
        wins = 0
        for lines in theirs:
            wins |= self._threats.covered(lines.step, lines.one)
        wins &= empty
        if wins & (wins - 1):
            return -SURE
        worth = MOVER * _worth(mine) - _worth(theirs)
        return max(-MOST, min(MOST, worth - (0.1 if wins else 0.0)))

    def promising(self, position: tuple[int, int]) -> list[int]:
        """The moves that win, else that stop a win, else those with most to gain or to stop; at least one."""
        own, other = position
        board = self._threats.board
        empty = board & ~(own | other)
        mine, theirs = self._lines(own, empty), self._lines(other, empty)
        for side in (mine, theirs):
            wins = 0
            for lines in side:
                wins |= self._threats.covered(lines.step, lines.one)
            if wins & empty:
                return [self._moves[square] for square in _squares(wins & empty)]
        near = own | other
        for _ in range(DISTANCE):
            for step in self._steps:
                near |= (near << step | near >> step) & board
        if not near & empty:
            return [next(move for move, square in enumerate(self._threats.squares) if square & empty)]
        return self._best_squares(near & empty, mine, theirs)

    def _best_squares(self, squares: int, mine: Sequence[Lines], theirs: Sequence[Lines]) -> list[int]:
        """The moves on the squares with the largest weights of lines through them.

        The weights of all squares are counted at once: bit i of a square's weight is its bit in the set `weights[i]`.
        """
        weights = [0] * WEIGHT_BITS
        for side, place_of_two, place_of_three in ((mine, 5, 2), (theirs, 4, 1)):
            for lines in side:
                for starts, place in ((lines.two, place_of_two), (lines.three, place_of_three)):
                    for shift in range(0, self._length * lines.step, lines.step) if starts else ():
                        _add(weights, starts << shift, place)
        groups = [squares]
        for bits in reversed(weights):
            split, count = list[int](), 0
            for group in groups:
                for part in (group & bits, group & ~bits):
                    if part and count < CANDIDATES:
                        split.append(part)
                        count += part.bit_count()
            groups = split
        moves = [move for group in groups for move in sorted(self._moves[square] for square in _squares(group))]
        return moves[:CANDIDATES]

    def _lines(self, own: int, empty: int) -> list[Lines]:
        return list(self._threats.lines(own, empty, exact=self._standard))


def _worth(lines: Sequence[Lines]) -> float:
    return sum(
        WEIGHTS[1] * of_direction.two.bit_count() + WEIGHTS[2] * of_direction.three.bit_count()
        for of_direction in lines
    )


def _add(weights: list[int], squares: int, place: int) -> None:
    """Adds 2^place to the weight of each of the squares."""
    while squares and place < len(weights):
        weights[place], squares, place = weights[place] ^ squares, weights[place] & squares, place + 1


def _squares(squares: int) -> list[int]:
    single = []
    while squares:
        single.append(squares & -squares)
        squares &= squares - 1
    return single
