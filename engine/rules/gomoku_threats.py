"""The lines of go-moku, for the check of threat trees.

A line is `length` squares in a row, none with a stone of the other side; in the variant `standard` the attacker's are
without a stone of his own before or behind them. The defender wins by longer rows in that variant, too: further stones
of his then never hurt him, and what is won by these harsher rules is won by the rules of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from proofbase.engine.rules.threats import Attack, Defence, ThreatRules

__all__ = ["GomokuThreats", "Lines"]


class Lines(NamedTuple):
    """The lines of one direction, by their first square, that lack so many stones."""

    step: int
    one: int
    two: int
    three: int


class GomokuThreats(ThreatRules):
    """Sets of squares as the stones of a position.

    Args:
        squares: by move, the bit of its square.
        steps: from a square to the next one, for each direction.
        length: of a line.
        standard: whether longer rows of the attacker do not win.
    """

    def __init__(self, squares: Sequence[int], steps: Sequence[int], length: int, standard: bool) -> None:
        self.squares = [1 << bit for bit in squares]
        self.board = sum(self.squares)
        self._length = length
        self._standard = standard
        self._shapes = {step: sum(1 << step * k for k in range(length)) for step in steps}

    def stones(self, position: tuple[int, int]) -> tuple[int, int]:
        return position

    def positions_before(self, position: tuple[int, int]) -> list[tuple[int, int]]:
        own, other = position
        return [(other ^ square, own) for square in self.squares if other & square]

    def attack(self, attacker: int, defender: int) -> Attack:
        empty = self.board & ~(attacker | defender)
        of_directions = list(self.lines(attacker, empty, exact=self._standard))
        wins = 0
        for lines in of_directions:
            wins |= self.covered(lines.step, lines.one)
        if wins & empty:
            return Attack(wins & empty, ())
        partners: dict[int, int] = {}
        for lines in of_directions:
            shape, starts = self._shapes[lines.step], lines.two
            while starts:
                start = starts & -starts
                starts ^= start
                pair = shape * start & empty
                first = pair & -pair
                second = pair ^ first
                partners[first] = partners.get(first, 0) | second
                partners[second] = partners.get(second, 0) | first
        return Attack(0, [(square, wins) for square, wins in partners.items() if wins & (wins - 1)])

    def defence(self, attacker: int, defender: int) -> Defence:
        empty = self.board & ~(attacker | defender)
        one = two = three = 0
        for lines in self.lines(defender, empty, exact=False):
            one |= self.covered(lines.step, lines.one)
            two |= self.covered(lines.step, lines.two)
            three |= self.covered(lines.step, lines.three)
        return Defence(one & empty, (one | two) & empty, (one | two | three) & empty)

    def covered(self, step: int, starts: int) -> int:
        """The squares of lines that start on these squares."""
        covered, reach = starts, 1
        while starts and reach < self._length:
            more = min(reach, self._length - reach)
            covered |= covered << more * step
            reach += more
        return covered

    def lines(self, own: int, empty: int, *, exact: bool) -> Iterator[Lines]:
        """The lines without a stone of the other side that lack one to three; `exact`: where longer rows do not win."""
        usable = own | empty
        for step in self._shapes:
            lines, one, two, three, more = usable, empty, 0, 0, 0  # at least so many empty squares
            for k in range(step, self._length * step, step):
                lines &= usable >> k
                free = empty >> k
                more |= three & free
                three |= two & free
                two |= one & free
                one |= free
            if exact:
                lines &= ~(own << step | own >> self._length * step)
            if lines:
                yield Lines(step, lines & one & ~two, lines & two & ~three, lines & three & ~more)
