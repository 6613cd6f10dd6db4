"""Positions of checkers that are set up by clicks on the dark squares."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Self

__all__ = ["DarkSquares", "read_dark_squares"]

SQUARES = 32
_TEXT = re.compile(r"([BW]):W([K0-9,]*):B([K0-9,]*)")


@dataclass(frozen=True, slots=True)
class DarkSquares:
    """The men on the dark squares, from the top; the text is a FEN of PDN.

    Attributes:
        men: a sign for each square: `b` and `w` for men, `B` and `W` for kings, `.` for none.
        side: `B` or `W`.
    """

    men: str
    side: str

    @property
    def sides(self) -> tuple[str, str]:
        return ("B", "W")

    @property
    def shape(self) -> tuple[int, ...]:
        return (4,) * 8

    def after(self, place: int, man: str) -> Self:
        return replace(self, men=self.men[:place] + man + self.men[place + 1 :])

    def cleared(self) -> Self:
        return replace(self, men="." * SQUARES)

    def with_side(self, side: str) -> Self:
        return replace(self, side=side)

    def mirrored(self) -> Self | None:
        return None

    def swapped(self) -> Self | None:
        """On the board turned by half."""
        return replace(self, men=self.men[::-1].translate(str.maketrans("bBwW", "wWbB")))

    def written(self) -> str:
        return f"{self.side}:W{self._listed('w')}:B{self._listed('b')}"

    def _listed(self, colour: str) -> str:
        squares = enumerate(self.men, 1)
        return ",".join(f"{'K' * man.isupper()}{square}" for square, man in squares if man.lower() == colour)


def read_dark_squares(text: str) -> DarkSquares | None:
    """The men of a text; None where it has another form."""
    fields = _TEXT.fullmatch(text)
    if fields is None:
        return None
    men = ["."] * SQUARES
    for colour, words in (("w", fields[2]), ("b", fields[3])):
        for word in words.split(",") if words else ():
            square = re.fullmatch("(K?)([1-9][0-9]?)", word)
            if square is None or int(square[2]) > SQUARES:
                return None
            men[int(square[2]) - 1] = colour.upper() if square[1] else colour
    return DarkSquares("".join(men), fields[1])
