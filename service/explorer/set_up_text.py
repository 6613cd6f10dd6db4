"""Texts of positions that are set up by clicks: what a click with a man of the palette makes of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from math import isqrt
from typing import Protocol, Self

from proofbase.engine.rules.set_up import SET_UP
from proofbase.service.errors import InvalidRequestError
from proofbase.service.explorer.set_up_draughts import read_dark_squares

__all__ = ["EMPTY", "SIDES", "Discs", "Pits", "SetUpText", "Squares", "read"]

EMPTY = "."
MOST_STONES = 48
"""Stones of awari."""
SIDES = {
    "awari": ("S", "N"),
    "checkers": ("B", "W"),
    "chess": ("w", "b"),
    "giveaway": ("w", "b"),
    "mens-morris": ("x", "o"),
    "othello": ("X", "O"),
}
"""The signs of the sides where the number of men does not say who is to move."""
MARKS = ("x", "o")
"""The signs of the sides in the games in which a position with other numbers of stones names its side to move."""
_PITS = re.compile(
    r"(?:[0-9]{1,2}:)?([0-9]{1,2}(?:,[0-9]{1,2}){5})/([0-9]{1,2}(?:,[0-9]{1,2}){5})(?::[0-9]{1,2})?/([SN])"
)


class SetUpText(Protocol):
    """A position that need not be legal yet."""

    @property
    def side(self) -> str | None:
        """The sign of the side to move; None where nothing says it."""

    @property
    def sides(self) -> tuple[str, str] | None:
        """The signs of both sides; None where the number of men alone says who is to move."""

    @property
    def shape(self) -> tuple[int, ...]:
        """How many squares its rows have."""

    def after(self, place: int, man: str) -> Self:
        """The same after a click.

        Args:
            place: what was clicked: a square or a pit from the top left on, or a column.
            man: a sign of the palette, or `EMPTY`.
        """

    def cleared(self) -> Self:
        """The same without men."""

    def with_side(self, side: str) -> Self:
        """The same with another side to move."""

    def mirrored(self) -> Self | None:
        """The mirror image, left for right; None where the board has none."""

    def swapped(self) -> Self | None:
        """The same with the men of each side in place of the other's; None where their number says who is to move."""

    def written(self) -> str:
        """The text."""


@dataclass(frozen=True, slots=True)
class Squares:
    """A board of squares, each of which holds a man or none.

    Attributes:
        family: of the game.
        rows: the signs of the squares, row by row from the top; empty rows stand between layers.
        rest: what follows the rows.
    """

    family: str
    rows: tuple[str, ...]
    rest: str

    @property
    def side(self) -> str | None:
        if self.rest or self.family not in SET_UP:
            return self.rest.lstrip(" :")[:1] if self.sides else None
        stones = [sum(row.count(sign) for row in self.rows) for sign in MARKS]
        return MARKS[stones[0] - stones[1]] if stones[0] - stones[1] in (0, 1) else None

    @property
    def sides(self) -> tuple[str, str] | None:
        return MARKS if self.family in SET_UP else SIDES.get(self.family)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(row) for row in self.rows)

    def after(self, place: int, man: str) -> Self:
        cells = "".join(self.rows)
        if self.family == "connect-four":
            place = self._top(place, taken=man == EMPTY)
        if not 0 <= place < len(cells):
            return self
        cells = cells[:place] + man + cells[place + 1 :]
        rows, start = [], 0
        for length in self.shape:
            rows.append(cells[start : start + length])
            start += length
        return replace(self, rows=tuple(rows), rest=without_rights(self.rest))

    def _top(self, column: int, *, taken: bool) -> int:
        """The square of the highest stone of a column, or the one above it; -1 where there is none."""
        height = next((row for row, cells in enumerate(self.rows) if cells[column] != EMPTY), len(self.rows))
        row = height if taken else height - 1
        return row * len(self.rows[0]) + column if 0 <= row < len(self.rows) else -1

    def cleared(self) -> Self:
        rest = "" if self.family in SET_UP else without_rights(self.rest)
        return replace(self, rows=tuple(EMPTY * length for length in self.shape), rest=rest)

    def with_side(self, side: str) -> Self:
        if self.family in SET_UP:
            return replace(self, rest=f" {side}")
        return replace(self, rest=f":{side}" if self.family == "mens-morris" else f" {side} - - 0 1")

    def mirrored(self) -> Self | None:
        return replace(self, rows=tuple(row[::-1] for row in self.rows), rest=without_rights(self.rest))

    def swapped(self) -> Self | None:
        if self.sides is None:
            return None
        signs = str.maketrans("xo", "ox") if "x" in self.sides else None
        rows = (row.translate(signs) if signs else row.swapcase() for row in self.rows)
        rest = f" {self.side}" if self.family in SET_UP and self.side else without_rights(self.rest)
        return replace(self, rows=tuple(rows), rest=rest)

    def written(self) -> str:
        rows = self.rows
        if self.family in ("chess", "giveaway"):
            rows = tuple(re.sub(r"\.+", lambda empty: str(len(empty[0])), row) for row in rows)
        return "/".join(rows) + self.rest


@dataclass(frozen=True, slots=True)
class Pits:
    """The two rows of pits of awari; the stores are empty.

    Attributes:
        stones: in each pit, North's from the left, then South's from the left.
        side: `S` or `N`.
    """

    stones: tuple[int, ...]
    side: str

    @property
    def sides(self) -> tuple[str, str]:
        return SIDES["awari"]

    @property
    def shape(self) -> tuple[int, ...]:
        return (6, 6)

    @property
    def full(self) -> bool:
        """Whether all stones of the game are in the pits."""
        return sum(self.stones) >= MOST_STONES

    def after(self, place: int, man: str) -> Self:
        stones_in_pit = {"+": self.stones[place] + 1, "-": max(0, self.stones[place] - 1)}.get(man, 0)
        stones = (*self.stones[:place], stones_in_pit, *self.stones[place + 1 :])
        return replace(self, stones=stones) if sum(stones) <= MOST_STONES else self

    def cleared(self) -> Self:
        return replace(self, stones=(0,) * 12)

    def with_side(self, side: str) -> Self:
        return replace(self, side=side)

    def mirrored(self) -> Self | None:
        return None

    def swapped(self) -> Self | None:
        return replace(self, stones=self.stones[:5:-1] + self.stones[5::-1])

    def written(self) -> str:
        north, south = (",".join(map(str, row)) for row in (self.stones[:6], self.stones[6:]))
        return f"{north}/{south}/{self.side}"


@dataclass(frozen=True, slots=True)
class Discs:
    """The squares of Othello in one row.

    Attributes:
        cells: `X`, `O` or `-`, row by row from a1.
        side: `X` or `O`.
    """

    cells: str
    side: str

    @property
    def sides(self) -> tuple[str, str]:
        return SIDES["othello"]

    @property
    def shape(self) -> tuple[int, ...]:
        return (len(self.cells),)

    def after(self, place: int, man: str) -> Self:
        sign = "-" if man == EMPTY else man
        inside = 0 <= place < len(self.cells)
        return replace(self, cells=self.cells[:place] + sign + self.cells[place + 1 :]) if inside else self

    def cleared(self) -> Self:
        return replace(self, cells="-" * len(self.cells))

    def with_side(self, side: str) -> Self:
        return replace(self, side=side)

    def mirrored(self) -> Self | None:
        width = isqrt(len(self.cells))
        if width * width != len(self.cells):  # the text does not say how wide the board is
            return None
        rows = (self.cells[start : start + width][::-1] for start in range(0, len(self.cells), width))
        return replace(self, cells="".join(rows))

    def swapped(self) -> Self | None:
        return replace(self, cells=self.cells.translate(str.maketrans("XO", "OX")))

    def written(self) -> str:
        return f"{self.cells} {self.side}"


def without_rights(rest: str) -> str:
    """What follows the board of a FEN, without rights to castle or to capture in passing: the men may have moved."""
    fields = rest.split()
    return f" {fields[0]} - - 0 1" if len(fields) > 1 else rest


def read(family: str, text: str) -> SetUpText:
    """A position's text in its parts.

    Raises:
        InvalidRequestError: it has another form.
    """
    if family == "awari":
        pits = _PITS.fullmatch(text)
        if pits is None:
            raise _no_board(text)
        return Pits(tuple(map(int, f"{pits[1]},{pits[2]}".split(","))), pits[3])
    if family == "othello":
        discs = re.fullmatch("([-XO]+) ([XO])", text)
        if discs is None:
            raise _no_board(text)
        return Discs(discs[1], discs[2])
    if family == "checkers":
        squares = read_dark_squares(text)
        if squares is None:
            raise _no_board(text)
        return squares
    chess = family in ("chess", "giveaway")
    side_pattern = " [xo]" if family in SET_UP else ":[xo].*"
    fields = re.fullmatch(r"([A-Za-z1-8./]+)([ :].*)?" if chess else rf"([.xo/]+)({side_pattern})?", text)
    if fields is None:
        raise _no_board(text)
    rows = fields[1].split("/")
    if chess:
        rows = [re.sub("[1-8]", lambda count: EMPTY * int(count[0]), row) for row in rows]
    rest = fields[2] or ""
    # In morris games with men in hand a position that is set up has all of its men on the board.
    return Squares(family, tuple(rows), rest[:2] if family == "mens-morris" else rest)


def _no_board(text: str) -> InvalidRequestError:
    return InvalidRequestError(f"{text[:60]!r} is no board", field="position")
