"""A position on the chessboard, as its side to move sees it.

The squares are numbered from 0 (a1), 1 (b1) to 63 (h8). When Black is to move the board is turned upside down, so that
the pawns of the side to move always go up: square 0 is then a8, and files stay what they are.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["KINDS", "ChessPosition", "mirrored", "square_name", "turned", "whites_view"]

KINDS = "PNBRQK"
"""The kinds of men by their numbers in keys and moves: pawn, knight, bishop, rook, queen, king."""


class ChessPosition(NamedTuple):
    """Men, side to move, and what the men do not show."""

    men: str
    """64 characters by square: `PNBRQK` the men of the side to move, `pnbrqk` those of the other side, `.` empty."""
    castling: str = ""
    """Rights to castle: of `KQ` for the king's and the queen's side of the side to move, `kq` for the other side."""
    en_passant: int = 0
    """Where the side to move may legally capture a pawn that has passed; 0 where it may not."""
    black: bool = False
    """Whether Black is to move."""
    counter: int = 0
    """Plies since the last capture or move of a pawn, in the game with the fifty-move rule; 0 in others."""


def turned(position: ChessPosition) -> ChessPosition:
    """The same men as the other side sees them, with the other side to move."""
    men = "".join([position.men[rank : rank + 8] for rank in range(56, -1, -8)]).swapcase()
    castling = "".join([right for right in "KQkq" if right.swapcase() in position.castling])
    return ChessPosition(men, castling, position.en_passant, not position.black)


def mirrored(position: ChessPosition) -> ChessPosition:
    """The mirror image, left for right. It is played alike where nobody can castle."""
    men = "".join([position.men[rank : rank + 8][::-1] for rank in range(0, 64, 8)])
    return position._replace(men=men, en_passant=position.en_passant and position.en_passant ^ 7)


def whites_view(position: ChessPosition) -> ChessPosition:
    """Men and rights with White at the bottom and in capital letters."""
    return turned(position) if position.black else position


def square_name(square: int, black: bool) -> str:
    """`e4`, of a square as the side to move sees it."""
    if black:
        square ^= 56
    return "abcdefgh"[square % 8] + "12345678"[square // 8]
