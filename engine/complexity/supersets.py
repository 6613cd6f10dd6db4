"""Supersets of the positions of a game: how many there are, and one of them at random.

Allis (1994), section 6.2.4: a superset of the legal positions with a known size, and a test whether one of its members
is legal, give an estimate of the number of legal positions. A superset is sharper the more of its members are legal.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from math import comb, prod
from typing import Any, NamedTuple

from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.rules import Game
from proofbase.engine.rules.awari import STONES, Awari, AwariPosition
from proofbase.engine.rules.checkers import Checkers, CheckersPosition
from proofbase.engine.rules.connect_four import Columns, ConnectFour
from proofbase.engine.rules.gomoku import Gomoku
from proofbase.engine.rules.mens_morris import MensMorris, MorrisPosition
from proofbase.engine.rules.othello import DISCS, Othello, OthelloPosition
from proofbase.engine.rules.qubic import Qubic
from proofbase.engine.rules.tic_tac_toe import TicTacToe

__all__ = ["Superset", "supersets_of"]


Draw = Callable[[random.Random], "Any | None"]
"""A member at random, all with the same chance: the position that it is, or None where it is none that can arise."""


class Part(NamedTuple):
    """A part of a superset, from which as many samples are drawn as from every other part."""

    size: int
    draw: Draw


@dataclass(frozen=True, slots=True)
class Superset:
    """A set that contains every legal position of a game.

    Attributes:
        description: what its members are.
        parts: of the set: no member is in two of them.
        exact: whether exactly the positions that can arise in play are told from the others; else some members that
            cannot arise count as legal, and an estimate is one of an upper bound.
    """

    description: str
    parts: Sequence[Part]
    exact: bool = True

    @property
    def size(self) -> int:
        """How many members it has."""
        return sum(part.size for part in self.parts)


def supersets_of(game: Game[Any]) -> Sequence[Superset]:
    """The supersets that are stated for a game, the sharpest last; none for games that have none.

    Args:
        game: in the Python rules (`open_game(name, "python")`).
    """
    if isinstance(game, TicTacToe | Gomoku | Qubic):
        return _stones_on_squares(game)
    if isinstance(game, ConnectFour):
        return _columns(game)
    if isinstance(game, Awari):
        return _stones_in_pits()
    if isinstance(game, MensMorris):
        return _men_on_points(game)
    if isinstance(game, Othello):
        return _discs(game)
    if isinstance(game, Checkers):
        return _pieces()
    return ()


def _stones_on_squares(game: Game[Any]) -> Sequence[Superset]:
    """Games whose moves put a stone on any empty square: until a line stands, any order of the stones will do."""
    empty = game.text(game.initial())
    squares = [place for place, letter in enumerate(empty) if letter == "."]
    number = len(squares)

    def board(letters: dict[int, str]) -> Any | None:
        text = "".join([letters.get(place, letter) for place, letter in enumerate(empty)])
        try:
            return game.parse(text)
        except InvalidPositionError:
            return None

    def any_stones(source: random.Random) -> Any | None:
        return board({square: source.choice(".xo") for square in squares})

    def so_many(stones: int) -> Part:
        def draw(source: random.Random) -> Any | None:
            taken = source.sample(squares, stones)
            return board({square: "xo"[index % 2] for index, square in enumerate(taken)})

        return Part(comb(number, stones) * comb(stones, stones // 2), draw)

    return (
        Superset(f"{number} squares that are empty, x or o", (Part(3**number, any_stones),)),
        Superset("as many x as o, or one more", [so_many(stones) for stones in range(number + 1)]),
    )


def _columns(game: ConnectFour) -> Sequence[Superset]:
    """Connect-four: stones lie in each column from the bottom up."""
    width, height = game.width, game.height
    top = 1 << height + 1

    def any_columns(source: random.Random) -> Columns | None:
        # The digits after the first one of a number below 2^(height+1): each column of 0 to `height` stones once.
        digits = [f"{source.randrange(1, top):b}"[1:] for _ in range(width)]
        columns = tuple([column.replace("0", "o").replace("1", "x") for column in digits])
        lead = sum(column.count("x") - column.count("o") for column in columns)
        return columns if lead in (0, 1) and _can_arise(game, columns) else None

    @cache
    def ways(columns: int, x: int, o: int) -> int:
        """In how many ways so many x and o lie in so many columns."""
        if columns == 0:
            return x == o == 0
        return sum(number for *_, number in choices(columns, x, o))

    @cache
    def choices(columns: int, x: int, o: int) -> list[tuple[int, int, int]]:
        """The x and o of the last of so many columns, with the number of ways for it and those before it."""
        return [
            (a, b, comb(a + b, a) * ways(columns - 1, x - a, o - b))
            for a in range(min(x, height) + 1)
            for b in range(min(o, height - a) + 1)
        ]

    def so_many(stones: int) -> Part:
        def draw(source: random.Random) -> Columns | None:
            x, o, drawn = (stones + 1) // 2, stones // 2, list[str]()
            for columns in range(width, 0, -1):
                a, b, _ = one_of(choices(columns, x, o), source)
                x, o = x - a, o - b
                drawn.append("".join(source.sample("x" * a + "o" * b, a + b)))
            columns_drawn = tuple(drawn)
            return columns_drawn if _can_arise(game, columns_drawn) else None

        return Part(ways(width, (stones + 1) // 2, stones // 2), draw)

    def one_of(weighted: list[tuple[int, int, int]], source: random.Random) -> tuple[int, int, int]:
        weight_left = source.randrange(sum(number for *_, number in weighted))
        for choice in weighted:
            weight_left -= choice[2]
            if weight_left < 0:
                break
        return choice

    return (
        Superset(f"{width} columns of 0 to {height} stones", (Part((top - 1) ** width, any_columns),)),
        Superset("columns with as many x as o, or one more", [so_many(stones) for stones in range(width * height + 1)]),
    )


def _can_arise(game: ConnectFour, columns: Columns) -> bool:
    """Whether some order of moves leads there: the last stone is taken off, then the others in turn.

    Only the last stone can have made a line. Where none is left without it, any order in which x and o take turns will
    do, since fewer stones have no lines either.
    """
    stones = sum(map(len, columns))
    mover, last = "xo" if stones % 2 == 0 else "ox"
    if game.has_line(columns, mover):
        return False
    if not game.has_line(columns, last):
        return _in_turns(columns)
    before = [
        (*columns[:move], column[:-1], *columns[move + 1 :])
        for move, column in enumerate(columns)
        if column.endswith(last)
    ]
    return any(not game.has_line(board, last) and _in_turns(board) for board in before)


def _in_turns(columns: Columns) -> bool:
    """Whether the stones can be taken off from the top in turn, first one of the side that has moved last."""
    seen = set()
    waiting = [tuple(map(len, columns))]
    while waiting:
        heights = waiting.pop()
        if not any(heights):
            return True
        last = "ox"[sum(heights) % 2]
        for move, height in enumerate(heights):
            if height and columns[move][height - 1] == last:
                below = (*heights[:move], height - 1, *heights[move + 1 :])
                if below not in seen:
                    seen.add(below)
                    waiting.append(below)
    return False


def _stones_in_pits() -> Sequence[Superset]:
    """Awari: the stones on the board in twelve pits."""
    pits = 12

    def so_many(stones: int) -> Part:
        def draw(source: random.Random) -> AwariPosition | None:
            # Stones and bars between the pits in a row.
            bars = sorted(source.sample(range(stones + pits - 1), pits - 1))
            inside = [after - before - 1 for before, after in pairwise((-1, *bars, stones + pits - 1))]
            own, other = tuple(inside[:6]), tuple(inside[6:])
            # Who has just moved has emptied a pit; a capture takes two stones or more.
            return AwariPosition(own, other, STONES - stones) if 0 in other and stones != STONES - 1 else None

        return Part(comb(stones + pits - 1, pits - 1), draw)

    parts = [so_many(stones) for stones in range(STONES + 1)]
    return (Superset(f"{STONES} stones or fewer in {pits} pits", parts, exact=False),)


def _men_on_points(game: MensMorris) -> Sequence[Superset]:
    """Men's morris: so many men of each side on the board and in hand as can be there."""
    points = game.board.all.bit_count()

    def so_many(own: int, other: int, in_hand: int, side: int) -> Part:
        def draw(source: random.Random) -> MorrisPosition:
            men = source.sample(range(points), own + other)
            first, second = (sum(1 << point for point in part) for part in (men[:own], men[own:]))
            return MorrisPosition(first, second, in_hand, side)

        return Part(comb(points, own) * comb(points - own, other), draw)

    parts = [
        so_many(own, other, in_hand, side)
        for in_hand in range(2 * game.men + 1)
        for side in ((in_hand % 2,) if in_hand else (0, 1))  # men in hand say whose move it is
        for own in range(game.men + 1)
        for other in range(game.men + 1)
        if game.men_defect(own, other, in_hand) is None
    ]
    return (Superset(f"men on {points} points and in hand, as many as can be there", parts, exact=False),)


def _discs(game: Othello) -> Sequence[Superset]:
    """Othello: the middle is taken, and every disc was put beside another one (Allis 1994, 6.3.6)."""
    width, squares = game.width, range(game.squares_of_board)
    middle = [square for square in squares if game.initial().cells[square] != "-"]
    others = [square for square in squares if square not in middle]
    places = [divmod(square, width) for square in squares]
    beside = [
        [square for square in squares if max(abs(places[square][0] - row), abs(places[square][1] - column)) == 1]
        for row, column in places
    ]

    def so_many(discs: int, side: int) -> Part:
        def draw(source: random.Random) -> OthelloPosition | None:
            taken = {*middle, *source.sample(others, discs - len(middle))}
            reached, waiting = set(middle), list(middle)
            while waiting:
                more = [square for square in beside[waiting.pop()] if square in taken and square not in reached]
                reached.update(more)
                waiting += more
            cells = "".join([source.choice(DISCS) if square in taken else "-" for square in squares])
            return OthelloPosition(cells, side) if reached == taken else None

        return Part(comb(len(others), discs - len(middle)) * 2**discs, draw)

    parts = [so_many(discs, side) for discs in range(len(middle), len(squares) + 1) for side in (0, 1)]
    return (Superset("discs on the middle and on any other squares, either side to move", parts, exact=False),)


def _pieces() -> Sequence[Superset]:
    """Checkers: at most twelve pieces of a side, men and kings, on 32 squares; the side that moved has one at least."""
    squares, rows = range(32), (28, 0)  # the first squares of the last row, for each side as the mover sees it

    def so_many(men: tuple[int, int], kings: tuple[int, int], side: int) -> Part:
        groups = (*men, *kings)
        ends = list(accumulate(groups, initial=0))

        def draw(source: random.Random) -> CheckersPosition | None:
            drawn = source.sample(squares, ends[-1])
            own, other, *crowned = (drawn[first:end] for first, end in pairwise(ends))
            if any(
                row <= square < row + 4 for row, men_of in zip(rows, (own, other), strict=True) for square in men_of
            ):
                return None  # a man there is a king
            sets = [sum(1 << square for square in group) for group in (own, other, *crowned)]
            return CheckersPosition(sets[0] | sets[2], sets[1] | sets[3], sets[2] | sets[3], side)

        ways = (comb(32 - first, number) for first, number in zip(ends, groups, strict=False))
        return Part(prod(ways), draw)

    parts = [
        so_many((own_men, other_men), (own - own_men, other - other_men), side)
        for own in range(13)
        for other in range(1, 13)
        for own_men in range(own + 1)
        for other_men in range(other + 1)
        for side in (0, 1)
    ]
    return (Superset("at most twelve men and kings of a side on 32 squares, either side to move", parts, exact=False),)
