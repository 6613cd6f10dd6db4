"""The tables of endgames: their classes and the numbers of their positions (docs/endgame-tables.md).

Slow, as the specification. A side is written as its men from the most valuable one on, such as `kqp`; the table `kq-kr`
has the positions with these two sides, first those in which the larger side is to move, then the others.

Men of one side and kind form a group. The leading men (both kings in chess; else the first group of one man, else the
first group) count up to the symmetries of the board: all eight without pawns, else the mirror image left for right. The
other groups count in their order as the digits of a number, each by its set of squares. A symmetry that brings the
leading men into their smallest place is applied to all men; if several do, the smallest number counts.

A pawn that may be captured in passing counts as one on the first rank of its file, where no pawn stands. Rights to
castle are in no table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations, pairwise, permutations, product
from math import comb, prod
from typing import NamedTuple

from proofbase.engine.rules.chessboard.position import KINDS, ChessPosition

__all__ = ["EndgameTables"]

MOST_MEN_OF_CHESS = 5
MOST_MEN = 4
"""Of games in which a side may have several kings, or none."""
LETTERS = KINDS.lower()
SMALLER_SIDES = 83
"""Sides of up to three men: the smaller one of a class is one of them."""
SIDES = [
    "".join(LETTERS[kind] for kind in kinds)
    for count in (1, 2, 3, 4)
    for kinds in product(range(len(KINDS)), repeat=count)
    if all(kind >= after for kind, after in pairwise(kinds))
    and (count < 4 or LETTERS[kinds[0]] == "k" != LETTERS[kinds[1]])
]
"""Sides by their numbers: by how many men they have, then from pawns to kings. Those of four men have one king."""

Squares = tuple[int, ...]


class Group(NamedTuple):
    """Equal men of one side."""

    first: int
    """Number of its first man: the men of the side to move first, each side's from the most valuable one on."""
    men: int
    squares: range
    """Where numbers let them stand."""

    @property
    def places(self) -> int:
        """In how many ways they can stand."""
        return comb(len(self.squares), self.men)


class EndgameTables:
    """The tables of chess or giveaway chess.

    Args:
        one_king: each side has exactly one king, and kings stand apart.
        in_passing: pawns may capture in passing.
    """

    def __init__(self, *, one_king: bool, in_passing: bool) -> None:
        self._one_king = one_king
        self._numbering = lru_cache(None)(lambda own, other: _Numbering(own, other, one_king, in_passing))

    def entry(self, position: ChessPosition) -> tuple[str, int] | None:
        """The class of a position and its number there; None for positions in no table."""
        own, other = _side(position.men, upper=True), _side(position.men, upper=False)
        if position.castling or not self._is_class(own, other):
            return None
        numbering = self._numbering(own, other)
        passed = position.en_passant - 8 if position.en_passant else None
        number = numbering.number(_men(position.men, own, other, passed))
        if SIDES.index(own) < SIDES.index(other):
            return f"{other}-{own}", self._numbering(other, own).size + number
        return f"{own}-{other}", number

    def table(self, name: str) -> tuple[int, int] | None:
        """The number of the class with this name, and how many numbers its positions have."""
        larger, _, smaller = name.partition("-")
        if not self._is_class(larger, smaller) or SIDES.index(larger) < SIDES.index(smaller):
            return None
        size = self._numbering(larger, smaller).size
        if larger != smaller:
            size += self._numbering(smaller, larger).size
        return SMALLER_SIDES * SIDES.index(larger) + SIDES.index(smaller), size

    def position(self, name: str, number: int) -> ChessPosition | None:
        """The men of a number of a class, with White to move; None where no men have it.

        Whether the position is legal the rules have to say.
        """
        own, _, other = name.partition("-")
        size = self._numbering(own, other).size
        if number >= size:
            own, other, number = other, own, number - size
        numbering = self._numbering(own, other)
        squares = numbering.squares(number)
        board, passed = ["."] * 64, [0]
        for man, square, is_own in zip(own + other, squares, [True] * len(own) + [False] * len(other), strict=True):
            if man == "p" and square < 8:
                square += 32
                passed.append(square + 8)
            if board[square] != ".":
                return None
            board[square] = man.upper() if is_own else man
        if len(passed) > 2 or numbering.number(squares) != number:
            return None
        return ChessPosition("".join(board), "", passed[-1])

    def _is_class(self, side: str, other: str) -> bool:
        sides = (side, other)
        most = MOST_MEN_OF_CHESS if self._one_king else MOST_MEN
        if not all(men in SIDES for men in sides) or len(side + other) > most:
            return False
        return not self._one_king or all(men.count("k") == 1 for men in sides)


class _Numbering:
    """The numbers of the positions in which the side to move and the other side have these men."""

    def __init__(self, own: str, other: str, one_king: bool, in_passing: bool) -> None:
        pawns, passed = "p" in own + other, in_passing and "p" in own and "p" in other
        groups = list[Group]()
        for side, first in ((own, 0), (other, len(own))):
            for man in dict.fromkeys(side):
                squares = range(0 if passed and first else 8, 56) if man == "p" else range(64)
                groups.append(Group(first + side.index(man), side.count(man), squares))
        self._maps = _MAPS[:2] if pawns else _MAPS
        if one_king:
            self._leading = [group for group in groups if (own + other)[group.first] == "k"]
        else:
            self._leading = [group for group in groups if group.men == 1][:1] or groups[:1]
        self._others = [group for group in groups if group not in self._leading]
        self._men = len(own + other)
        self._first_places = self._find_first_places()
        self._orbits = {place: orbit for orbit, place in enumerate(self._first_places)}
        self._rest = prod(group.places for group in self._others)
        self.size = len(self._first_places) * self._rest

    def number(self, squares: Sequence[int]) -> int:
        """The number of men on squares, in the order of the men."""
        images = [[squares_after[square] for square in squares] for squares_after in self._maps]
        first = min(self._place(image) for image in images)
        rests = [self._number_of_others(image) for image in images if self._place(image) == first]
        return self._orbits[first] * self._rest + min(rests)

    def squares(self, number: int) -> list[int]:
        """The squares that a number stands for, in the order of the men."""
        orbit, number = divmod(number, self._rest)
        squares = [0] * self._men
        lead = [man for group in self._leading for man in range(group.first, group.first + group.men)]
        for man, square in zip(lead, self._first_places[orbit], strict=True):
            squares[man] = square
        for group in reversed(self._others):
            number, place = divmod(number, group.places)
            for count in range(group.men, 0, -1):
                at = max(at for at in range(len(group.squares)) if comb(at, count) <= place)
                place -= comb(at, count)
                squares[group.first + count - 1] = group.squares[at]
        return squares

    def _place(self, squares: Sequence[int]) -> Squares:
        """Where the leading men stand, equal men in the order of their squares."""
        return tuple(
            square for group in self._leading for square in sorted(squares[group.first : group.first + group.men])
        )

    def _number_of_others(self, squares: Sequence[int]) -> int:
        number = 0
        for group in self._others:
            places = sorted(group.squares.index(square) for square in squares[group.first : group.first + group.men])
            number = number * group.places + sum(comb(at, before + 1) for before, at in enumerate(places))
        return number

    def _find_first_places(self) -> list[Squares]:
        """The smallest of each set of places of the leading men that are the same up to symmetry."""
        places: Iterable[Squares]
        if len(self._leading) == 2:
            places = (place for place in permutations(range(64), 2) if _apart(*place))
        else:
            places = combinations(self._leading[0].squares, self._leading[0].men)
        pairs = len(self._leading) == 1

        def image(place: Squares, squares_after: Squares) -> Squares:
            turned = [squares_after[square] for square in place]
            return tuple(sorted(turned) if pairs else turned)

        return sorted(place for place in places if all(image(place, after) >= place for after in self._maps))


def _symmetry(number: int) -> Squares:
    """Where each square goes: bit 0 left for right, bit 1 rank 1 for rank 8, then bit 2 files for ranks."""
    after = []
    for square in range(64):
        to = square ^ (7 if number & 1 else 0) ^ (56 if number & 2 else 0)
        after.append(to % 8 * 8 + to // 8 if number & 4 else to)
    return tuple(after)


_MAPS = tuple(_symmetry(number) for number in range(8))


def _apart(a: int, b: int) -> bool:
    """Whether two kings can stand on these squares."""
    return max(abs(a % 8 - b % 8), abs(a // 8 - b // 8)) > 1


def _side(men: str, *, upper: bool) -> str:
    """The men of one side from the most valuable one on."""
    mine = [man for man in men if man.isupper() is upper and man != "."]
    return "".join(sorted(mine, key=KINDS.index if upper else LETTERS.index, reverse=True)).lower()


def _men(men: str, own: str, other: str, passed: int | None) -> list[int]:
    """The square of each man; a pawn that may be captured in passing counts on the first rank."""
    squares = list[int]()
    for man in own.upper() + other:
        square = next(square for square in range(64) if men[square] == man and square not in squares)
        squares.append(square)
    return [square % 8 if square == passed else square for square in squares]
