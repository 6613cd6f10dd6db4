"""Renju, go-moku in which Black is restricted, from its rules (Allis 1994, 5.2.1; the terms are those of the RIF).

1. The board has `width` columns and `height` rows of squares, empty at first. Black (x) begins; they move in turn.
2. A move puts a stone on one empty square. Black may not put one on a forbidden square (rule 5).
3. White (o) wins with five or more in an unbroken row, horizontally, vertically or diagonally. Black wins with exactly
   five; that counts before all that is forbidden.
4. A full board without such a row is a draw. If Black is to move and all empty squares are forbidden, Black has lost.
5. A square is forbidden if a stone of Black's there makes no five, and one of these:
   * an overline: six or more in an unbroken row;
   * a double four: two or more fours that the stone is part of. A four is a set of four stones which one more stone
     makes exactly five in an unbroken row; two fours may lie in one row;
   * a double three: two or more threes that the stone is part of. A three is a set of three stones which one more
     stone, on a square that makes no five and that is itself not forbidden, makes a straight four: four stones in an
     unbroken row which a stone at either end makes exactly five.

A stone on a forbidden square loses the game, so nobody who looks for the value of a position puts it there: here it is
no move.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from proofbase.engine.errors import InvalidMoveError, InvalidParametersError
from proofbase.engine.rules.gomoku import OPENING_MOVES, Gomoku, GomokuStones, stones_of

__all__ = ["Renju"]

FIVE = 5


class _Windows(NamedTuple):
    """Rows of squares through one square, as sets of squares; what is not on the board is no square.

    Attributes:
        near: all squares that matter to what a stone on the square makes.
        fives: rows of five on the board, each with the squares before and behind it.
        fours: rows of four with their two ends on the board, each with the ends and the squares beyond these.
    """

    near: int
    fives: Sequence[tuple[int, int]]
    fours: Sequence[tuple[int, int, int]]


class Renju(Gomoku):
    """The game on the board of the given size, with the texts, move numbers and keys of go-moku.

    Args:
        width: number of columns, 5 to 19.
        height: number of rows, 5 to 19.

    Raises:
        InvalidParametersError: there is no such board.
    """

    def __init__(self, width: int = 15, height: int = 15) -> None:
        if not (FIVE <= width <= 19 and FIVE <= height <= 19):
            raise InvalidParametersError(f"renju:{width}x{height}: the sides of a board are 5 to 19")
        super().__init__(width, height)
        self.takes_any_stones = False  # the rules of x and o differ
        self.name = "renju" if (width, height) == (15, 15) else f"renju:{width}x{height}"

    def terminal(self, position: GomokuStones) -> int | None:
        black_moves = self.side(position) == 0
        if self._wins(position[1], int(black_moves)):
            return -1  # rule 3
        empty = self._board & ~(position[0] | position[1])
        if not empty:
            return 0  # rule 4
        if black_moves and all(self.forbids(*position, square) for square in stones_of(empty)):
            return -1
        return None

    def moves(self, position: GomokuStones) -> Sequence[int]:
        black_moves = self.side(position) == 0
        if self._wins(position[1], int(black_moves)):
            return ()
        taken = position[0] | position[1]
        empty = [move for move, bit in enumerate(self._bits) if not taken >> bit & 1]
        if not black_moves:
            return empty
        return [move for move in empty if not self.forbids(*position, 1 << self._bits[move])]

    def play(self, position: GomokuStones, move: int) -> GomokuStones:
        after = super().play(position, move)
        if self.side(position) == 0 and (fault := self.forbids(*position, 1 << self._bits[move])):
            raise InvalidMoveError(f"{self.name}: the square with the number {move} is forbidden: it makes {fault}")
        return after

    def parse_move(self, position: GomokuStones, text: str) -> int:
        move = super().parse_move(position, text)
        if self.side(position) == 0 and (fault := self.forbids(*position, 1 << self._bits[move])):
            raise InvalidMoveError(f"the square {text} is forbidden to x: it makes {fault}")
        return move

    def line_rules(self) -> None:
        """No claim rests on a pairing: Black may not take every square."""

    def threat_rules(self) -> None:
        """None: a tree of threats says nothing of forbidden squares."""

    def promising_moves(self, position: GomokuStones) -> Sequence[int]:
        legal = self.moves(position)
        return [m for m in super().promising_moves(position) if m in legal] or legal[:OPENING_MOVES]

    def forbids(self, black: int, white: int, square: int) -> str | None:
        """What makes an empty square forbidden to Black (rule 5): `a double three`, for example. None if nothing does.

        Args:
            black: the squares with stones of Black.
            white: those with stones of White.
            square: the set of one square.
        """
        windows = self._windows[square]
        if (black & windows.near).bit_count() < FIVE - 1:  # each of the three needs at least four stones more
            return None
        after, empty = black | square, self._board & ~(black | white | square)
        if self._makes_five(after, square):
            return None
        if any(row & after == row and beside & after for row, beside in windows.fives):
            return "an overline"
        if len(self._fours(after, empty, square)) > 1:
            return "a double four"
        if len(self._threes(after, white, empty, square)) > 1:
            return "a double three"
        return None

    @cached_property
    def _windows(self) -> dict[int, _Windows]:
        return {1 << bit: self._windows_of(bit) for bit in self._bits}

    def _windows_of(self, bit: int) -> _Windows:
        near, fives, fours = 0, list[tuple[int, int]](), list[tuple[int, int, int]]()
        for step in self._steps:
            line = {k: self._at(bit + k * step) for k in range(-FIVE, FIVE + 1)}
            # Rows do not come back from the other side: what is behind a square that is none is none.
            for k in (*range(1, FIVE + 1), *range(-1, -FIVE - 1, -1)):
                line[k] = line[k] if k in (-1, 1) or line[k - 1 if k > 0 else k + 1] else 0
            near |= sum(line.values())
            for first in range(-FIVE + 1, 1):
                row = [line[first + k] for k in range(FIVE)]
                if all(row):
                    fives.append((sum(row), line[first - 1] | line[first + FIVE]))
            for first in range(-FIVE + 2, 1):
                row, ends = [line[first + k] for k in range(FIVE - 1)], (line[first - 1], line[first + FIVE - 1])
                if all(row) and all(ends):
                    fours.append((sum(row), sum(ends), line[first - 2] | line[first + FIVE]))
        return _Windows(near & ~(1 << bit), fives, fours)

    def _at(self, bit: int) -> int:
        """The set of the square with this bit; nothing where there is none."""
        return 1 << bit & self._board if bit >= 0 else 0

    def _makes_five(self, black: int, square: int) -> bool:
        """Whether a stone there is part of a row of exactly five."""
        return any(row & black == row and not beside & black for row, beside in self._windows[square].fives)

    def _fours(self, black: int, empty: int, square: int) -> set[int]:
        """The fours that the stone on a square is part of."""
        return {
            row & black
            for row, beside in self._windows[square].fives
            if (row & black).bit_count() == FIVE - 1 and row & empty and not beside & black
        }

    def _threes(self, black: int, white: int, empty: int, square: int) -> set[int]:
        """The threes that the stone on a square is part of."""
        rows = set()
        for row, ends, beyond in self._windows[square].fours:
            gap = row & empty
            if (row & black).bit_count() != FIVE - 2 or not gap or ends & empty != ends or beyond & black:
                continue
            if not self._makes_five(black | gap, gap) and not self.forbids(black, white, gap):
                rows.add(row & black)
        return rows

    def _wins(self, stones: int, player: int) -> bool:
        if player == 1:
            return self._has_line(stones)
        for step in self._steps:
            starts = stones & stones >> step & stones >> 2 * step & stones >> 3 * step & stones >> 4 * step
            if starts & ~(starts >> step | starts << step):  # a longer row has starts side by side
                return True
        return False

    def _fault(self, first: int, second: int) -> str | None:
        """Rules 3 and 5: a longer row of Black's has come about with a five, or not at all.

        Whether other forbidden moves have led to the stones cannot be seen of them.
        """
        return "x has more than five in a row" if self._has_line(first) and not self._wins(first, 0) else None
