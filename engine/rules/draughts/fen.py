"""Texts of positions of draughts: the FEN of PDN, the Portable Draughts Notation, such as `B:W18,K27:B3,K10`.

It has the side to move, the squares of White's men and those of Black's; K stands before the square of a king.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from proofbase.engine.rules.draughts.board import HOME_ROW, KING_ROW, squares_of

__all__ = ["Men", "defect", "draw", "fen", "read_fen"]

_FEN = re.compile(r"([BW]):W((?:K?[0-9]{1,2},)*K?[0-9]{1,2})?:B((?:K?[0-9]{1,2},)*K?[0-9]{1,2})?", re.ASCII)
MOST_MEN = 12


class Men(NamedTuple):
    """The men on the board as Black sees it: sets of squares, and whose turn it is, 0 for Black."""

    black: int
    white: int
    kings: int
    side: int


def fen(men: Men) -> str:
    """The squares in rising order, White's first."""
    parts = []
    for sign, side in (("W", men.white), ("B", men.black)):
        squares = (f"{'K' * (men.kings >> square & 1)}{square + 1}" for square in squares_of(side))
        parts.append(sign + ",".join(squares))
    return ":".join(("BW"[men.side], *parts))


def read_fen(text: str) -> Men:
    """The men of a text as `fen` writes it, with the squares of a side in any order.

    Raises:
        ValueError: it has another form; the message says which.
    """
    fields = _FEN.fullmatch(text)
    if not fields:
        raise ValueError("it is not the side to move, White's squares and Black's, such as B:W18,K27:B3,K10")
    sides, kings, taken = [0, 0], 0, 0
    for number, words in enumerate((fields[3], fields[2])):
        for word in (words or "").split(",") if words else ():
            square = int(word.removeprefix("K"))
            if not 1 <= square <= 32 or word.removeprefix("K") != str(square):
                raise ValueError("squares are 1 to 32")
            square_bit = 1 << (square - 1)
            if taken & square_bit:
                raise ValueError(f"two men stand on square {square}")
            taken |= square_bit
            sides[number] |= square_bit
            kings |= square_bit if word[0] == "K" else 0
    return Men(sides[0], sides[1], kings, "BW".index(fields[1]))


def defect(own: int, other: int, kings: int) -> str | None:
    """Why no position has these men, as the side to move sees them."""
    if own & other or kings & ~(own | other):
        return "two men stand on a square, or a king is no man"
    if max(own.bit_count(), other.bit_count()) > MOST_MEN:
        return "a side has more than 12 men"
    if not other:
        return "the side that has just moved has no men"
    if (own & KING_ROW | other & HOME_ROW) & ~kings:
        return "a man on the last row is a king"
    return None


def draw(men: Men) -> str:
    """The board from White's side: b and w for men, B and W for kings, dots for free dark squares."""
    lines = []
    for row in range(8):
        marks = []
        for square in range(row * 4, row * 4 + 4):
            square_bit = 1 << square
            mark = "b" if men.black & square_bit else "w" if men.white & square_bit else "."
            marks.append(mark.upper() if men.kings & square_bit else mark)
        shifted = " " if row % 2 else "   "
        lines.append(f"{row * 4 + 1:2}{shifted}{'   '.join(marks)}{'   ' if row % 2 else ' '}{row * 4 + 4:2}")
    return "\n".join(lines)
