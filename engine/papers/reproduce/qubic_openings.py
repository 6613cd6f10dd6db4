"""The positions after four plies to which Allis (1994, 4.5.1) and Patashnik (1980) reduced qubic, from the rules alone.

White begins at a corner, cube 0. After each of Black's replies White plays another cube of seven lines in one of the
three one-dimensional lines (rows) of cube 0. These moves are chosen so that as few different positions arise as
possible; "different" is under the 192 automorphisms.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import NamedTuple

from proofbase.engine.rules.qubic import AUTOMORPHISMS, LINES, layers

__all__ = [
    "DIAGONALS",
    "ROWS",
    "Opening",
    "canonical",
    "four_plies_after",
    "four_ply_positions",
    "three_ply_sets",
    "two_ply_positions",
]

FIRST = 0
ROWS = (1, 4, 16)
DIAGONALS = (5, 17, 20)
"""Steps between the cubes of lines of cube 0, in one dimension and in two."""

_LINES_OF = [[line for line in LINES if cube in line] for cube in range(64)]


class Opening(NamedTuple):
    """Which cubes each side has occupied, ascending."""

    white: tuple[int, ...]
    black: tuple[int, ...]

    @property
    def text(self) -> str:
        """The position in the text form of the game."""
        stones = dict.fromkeys(self.white, "x") | dict.fromkeys(self.black, "o")
        return layers("".join(stones.get(cube, ".") for cube in range(64)))


def canonical(white: tuple[int, ...], black: tuple[int, ...]) -> Opening:
    """The smallest of its images."""
    return min(
        Opening(tuple(sorted(image[cube] for cube in white)), tuple(sorted(image[cube] for cube in black)))
        for image in AUTOMORPHISMS
    )


def two_ply_positions() -> list[Opening]:
    """Black's different replies to White's first move (Fig. 4.3)."""
    return sorted({canonical((FIRST,), (reply,)) for reply in range(64) if reply != FIRST})


def three_ply_sets(*, open_row: bool, steps: tuple[int, ...] = ROWS) -> list[frozenset[Opening]]:
    """The smallest sets of positions after White's second move, one for every reply of Black.

    Args:
        open_row: whether White's line must be free of Black's stone.
        steps: of the lines of White's two cubes: ROWS, or DIAGONALS, which lie in a plane.
    """
    choices = [_second_moves(opening, open_row, steps) for opening in two_ply_positions()]
    candidates = sorted(set().union(*choices))
    forced: frozenset[Opening] = frozenset().union(*(choice for choice in choices if len(choice) == 1))
    free = [opening for opening in candidates if opening not in forced]
    for more in range(len(free) + 1):
        sets = [forced | set(further) for further in combinations(free, more)]
        sets = [chosen for chosen in sets if all(chosen & choice for choice in choices)]
        if sets:
            return sets
    raise AssertionError("all candidates together answer every reply")


def _second_moves(opening: Opening, open_row: bool, steps: tuple[int, ...]) -> frozenset[Opening]:
    (first,), (reply,) = opening
    rows = [line for line in _LINES_OF[first] if line[1] - line[0] in steps]
    return frozenset(
        canonical((first, cube), (reply,))
        for row in rows
        if not (open_row and reply in row)
        for cube in row
        if cube not in (first, reply) and len(_LINES_OF[cube]) == 7
    )


def four_plies_after(three_ply: frozenset[Opening]) -> list[Opening]:
    """All positions after Black's second move."""
    return sorted(frozenset().union(*(_replies(opening) for opening in three_ply)))


@cache
def _replies(opening: Opening) -> frozenset[Opening]:
    white, black = opening
    free = [cube for cube in range(64) if cube not in white + black]
    return frozenset(canonical(white, (*black, reply)) for reply in free)


def four_ply_positions() -> list[Opening]:
    """The 195: of the smallest sets with open rows, the one that leads to the fewest positions."""
    return min((four_plies_after(chosen) for chosen in three_ply_sets(open_row=True)), key=len)
