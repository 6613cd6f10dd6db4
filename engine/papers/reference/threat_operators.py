"""The threats of qubic and of go-moku as operators of dependency-based search (Allis 1994, 4.3.2 and 5.3.2).

An attribute says who occupies a square: `(square, ATTACKER)`, `(square, DEFENDER)` or `(square, EMPTY)`. An operator
is a move of the attacker with all replies of the defender at once. Squares are numbers; on the boards of go-moku the
square in column c and row r, both from 0, is r + height * c, so that their order is that of the thesis.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from proofbase.engine.papers.reference.dependency_search import Operator, State
from proofbase.engine.rules.qubic import LINES

__all__ = [
    "ATTACKER",
    "DEFENDER",
    "EMPTY",
    "gomoku_lines",
    "gomoku_operators",
    "qubic_goals",
    "qubic_operators",
]

ATTACKER, DEFENDER, EMPTY = "attacker", "defender", "empty"
Line = tuple[int, ...]
"""Squares in a row, ascending."""


def _threat(stones: Sequence[int], move: int, replies: Sequence[int], free: Sequence[int] = ()) -> Operator:
    """Where the attacker has `stones`, and the other squares are empty: he plays `move`, the defender all `replies`."""
    changed = [move, *replies]
    return Operator(
        frozenset([*((s, ATTACKER) for s in stones), *((s, EMPTY) for s in (*changed, *free))]),
        frozenset((s, EMPTY) for s in changed),
        frozenset([(move, ATTACKER), *((s, DEFENDER) for s in replies)]),
    )


# --- Qubic ---------------------------------------------------------------------------------------------------------


def qubic_operators() -> Iterator[Operator]:
    """4.3.2: one for each order of the four cubes of a group. Two of each are equal: the first two cubes exchanged."""
    for group in LINES:
        for first, second, move, reply in permutations(group):
            yield _threat((first, second), move, (reply,))


def qubic_goals() -> Iterator[State]:
    """Three cubes of a group are the attacker's, and the fourth is empty."""
    for group in LINES:
        for empty in group:
            yield frozenset((cube, EMPTY if cube == empty else ATTACKER) for cube in group)


# --- Go-moku -------------------------------------------------------------------------------------------------------


def gomoku_lines(squares: int, width: int = 15, height: int = 15) -> list[Line]:
    """The sets G5, G6 and G7 of 5.3.2: all lines of so many squares."""
    lines = list[Line]()
    for column in range(width):
        for row in range(height):
            for columns, rows in ((1, 0), (0, 1), (1, 1), (1, -1)):
                end = column + (squares - 1) * columns, row + (squares - 1) * rows
                if 0 <= end[0] < width and 0 <= end[1] < height:
                    lines.append(tuple((row + k * rows) + height * (column + k * columns) for k in range(squares)))
    return lines


KINDS = {
    "five": (["?????"], "aaaam"),
    "straight four": (["_????_"], "aaam"),
    "four": (["?????"], "aaamr"),
    "broken three": (["r?r??r", "r??r?r"], "aam"),
    "three with two replies": (["_r???r_"], "aam"),
    "three with three replies": (["rr???r", "r???rr"], "aam"),
}
"""By kind, the lines of squares, and what goes to the squares `?` in any order: stones of the attacker (`a`), his move
(`m`), replies (`r`); `_` stays empty."""


def gomoku_operators(width: int = 15, height: int = 15) -> dict[str, list[list[Operator]]]:
    """5.3.2: by kind, for each line the ways in which its operator can be applied (its squares in another order)."""
    by_kind = dict[str, list[list[Operator]]]()
    for kind, (shapes, played) in KINDS.items():
        orders = sorted(set(permutations(played)))
        patterns = [shape.replace("?", "{}").format(*order) for shape in shapes for order in orders]
        lines = gomoku_lines(len(shapes[0]), width, height)
        by_kind[kind] = [[_applied(line, pattern) for pattern in patterns] for line in lines]
    return by_kind


def _applied(line: Line, pattern: str) -> Operator:
    stones, moves, replies, free = (
        [square for square, mark in zip(line, pattern, strict=True) if mark == wanted] for wanted in "amr_"
    )
    return _threat(stones, moves[0], replies, free)
