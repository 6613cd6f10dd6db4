"""How men move, whether or not it is legal, and what becomes of the board.

A move is a number: from + 64 * to + 4096 * (number of the kind that a pawn becomes, 0 if it stays one), squares as the
side to move sees them. Castling is the king's move, a capture in passing the pawn's.

The order of the moves: knights; bishops and queens on diagonals; rooks and queens on files and ranks; pawns that
capture to the left, to the right, one step, two steps, in passing; kings; castling on the king's side, on the queen's
side. Within each group by the square that the man leaves, then by its target; a pawn becomes a queen, rook, bishop,
knight (or king, in giveaway) in this order.
"""

from __future__ import annotations

from collections.abc import Iterator

from proofbase.engine.rules.chessboard.attacks import DIAGONALS, KING, KNIGHT, STRAIGHTS
from proofbase.engine.rules.chessboard.position import KINDS, ChessPosition, turned

__all__ = ["after", "candidates", "number_of", "origin", "promotion", "target"]


def number_of(start: int, to: int, kind: int = 0) -> int:
    """The number of a move."""
    return start + 64 * to + 4096 * kind


def origin(move: int) -> int:
    """The square that the man leaves."""
    return move % 64


def target(move: int) -> int:
    """The square that it goes to."""
    return move // 64 % 64


def promotion(move: int) -> int:
    """The kind that a pawn becomes, 0 for none."""
    return move // 4096


def candidates(position: ChessPosition, promotions: str) -> Iterator[int]:
    """The moves of all men, but castling, without a look at kings. `promotions`: what a pawn may become, in order."""
    men = position.men
    for square in range(64):
        if men[square] == "N":
            yield from _leaps(men, square, KNIGHT[square])
    for sliders, rays in (("BQ", DIAGONALS), ("RQ", STRAIGHTS)):
        for square in range(64):
            if men[square] in sliders:
                yield from _slides(men, square, rays[square])
    kinds = [KINDS.index(kind) for kind in promotions]
    for start, to in _pawn_moves(position):
        if to < 56:
            yield number_of(start, to)
        else:
            for kind in kinds:
                yield number_of(start, to, kind)
    for square in range(64):
        if men[square] == "K":
            yield from _leaps(men, square, KING[square])


def _leaps(men: str, square: int, targets: tuple[int, ...]) -> Iterator[int]:
    for to in targets:
        if not men[to].isupper():
            yield number_of(square, to)


def _slides(men: str, square: int, rays: tuple[tuple[int, ...], ...]) -> list[int]:
    targets = []
    for ray in rays:
        for to in ray:
            man = men[to]
            if man == ".":
                targets.append(to)
                continue
            if man.islower():
                targets.append(to)
            break
    return [number_of(square, to) for to in sorted(targets)]


def _pawn_moves(position: ChessPosition) -> Iterator[tuple[int, int]]:
    men, passed = position.men, position.en_passant
    pawns = [square for square in range(64) if men[square] == "P"]
    left = [(pawn, pawn + 7) for pawn in pawns if pawn % 8 > 0]
    right = [(pawn, pawn + 9) for pawn in pawns if pawn % 8 < 7]
    one_step = [(pawn, pawn + 8) for pawn in pawns if men[pawn + 8] == "."]
    for start, to in left + right:
        if men[to].islower():
            yield start, to
    yield from one_step
    for start, to in one_step:
        if start < 16 and men[to + 8] == ".":
            yield start, to + 8
    for start, to in right + left:
        if passed and to == passed:
            yield start, to


def after(position: ChessPosition, move: int) -> ChessPosition:
    """The position after a move, without a square of en passant, and the other side to move."""
    start, to, kind = origin(move), target(move), promotion(move)
    men = list(position.men)
    man = men[start]
    men[start] = "."
    men[to] = KINDS[kind] if kind else man
    if man == "P" and to == position.en_passant != 0:
        men[to - 8] = "."
    if man == "K" and start == 4 and to in (2, 6):  # castling: other steps of kings are of one file
        rook, beside = (7, 5) if to == 6 else (0, 3)
        men[rook], men[beside] = ".", "R"
    castling = position.castling
    for square, lost in ((4, "KQ"), (7, "K"), (0, "Q"), (60, "kq"), (63, "k"), (56, "q")):
        if square in (start, to):
            castling = "".join([right for right in castling if right not in lost])
    return turned(ChessPosition("".join(men), castling, 0, position.black))
