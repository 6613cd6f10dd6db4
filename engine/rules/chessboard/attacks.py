"""Where men can go from a square, and what the other side attacks."""

from __future__ import annotations

__all__ = ["DIAGONALS", "KING", "KNIGHT", "STRAIGHTS", "is_attacked", "lined_up"]


def _ray(square: int, right: int, up: int, most: int = 7) -> tuple[int, ...]:
    """The squares in one direction, from the nearest one to the edge of the board."""
    file, rank = square % 8, square // 8
    squares = []
    for _ in range(most):
        file, rank = file + right, rank + up
        if not (0 <= file < 8 and 0 <= rank < 8):
            break
        squares.append(file + 8 * rank)
    return tuple(squares)


def _leaps(square: int, steps: list[tuple[int, int]]) -> tuple[int, ...]:
    return tuple(sorted(to for right, up in steps for to in _ray(square, right, up, 1)))


DIAGONAL_STEPS = [(-1, -1), (1, -1), (-1, 1), (1, 1)]
STRAIGHT_STEPS = [(0, -1), (-1, 0), (1, 0), (0, 1)]
KNIGHT_STEPS = [(right, up) for right in (-2, -1, 1, 2) for up in (-2, -1, 1, 2) if abs(right) != abs(up)]

DIAGONALS = [tuple(_ray(square, *step) for step in DIAGONAL_STEPS) for square in range(64)]
STRAIGHTS = [tuple(_ray(square, *step) for step in STRAIGHT_STEPS) for square in range(64)]
KNIGHT = [_leaps(square, KNIGHT_STEPS) for square in range(64)]
KING = [_leaps(square, DIAGONAL_STEPS + STRAIGHT_STEPS) for square in range(64)]
PAWNS_ABOVE = [_leaps(square, [(-1, 1), (1, 1)]) for square in range(64)]
"""Where a pawn of the other side stands that attacks the square."""
LINED_UP = [
    frozenset(to for ray in DIAGONALS[square] + STRAIGHTS[square] for to in ray) | {square} for square in range(64)
]


def is_attacked(men: str, square: int) -> bool:
    """Whether a man of the other side (a small letter) attacks the square."""
    for at in KNIGHT[square]:
        if men[at] == "n":
            return True
    for at in PAWNS_ABOVE[square]:
        if men[at] == "p":
            return True
    for at in KING[square]:
        if men[at] == "k":
            return True
    return _slider_sees(men, DIAGONALS[square], "bq") or _slider_sees(men, STRAIGHTS[square], "rq")


def _slider_sees(men: str, rays: tuple[tuple[int, ...], ...], sliders: str) -> bool:
    for ray in rays:
        for at in ray:
            man = men[at]
            if man != ".":
                if man in sliders:
                    return True
                break
    return False


def lined_up(square: int, other: int) -> bool:
    """Whether two squares are the same, or on one rank, file or diagonal."""
    return other in LINED_UP[square]
