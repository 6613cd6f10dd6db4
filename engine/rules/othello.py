"""Othello, from its rules (World Othello Federation), on boards of 4, 6 or 8 squares a side, 4x6 and 6x4.

1. Black (X) and White (O) put discs on the squares of a board in turn; Black begins. At first the four squares in the
   middle are taken: seen from the top left, White and Black in the upper row, Black and White in the lower one.
2. A disc is put on an empty square such that, in one or more of the eight directions, one or more discs of the other
   side follow each other from it, and then comes a disc of the mover. All those discs of the other side are turned.
3. Who has no such square passes; who has one must not.
4. The game is over when no side has such a square.
5. The result is the number of discs of a side minus those of the other. Squares that are still empty count for the
   winner; with the parameter `discs` they count for nobody.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from proofbase.engine.errors import (
    InvalidKeyError,
    InvalidMoveError,
    InvalidParametersError,
    InvalidPositionError,
    quoted,
)
from proofbase.engine.rules.game import Game, TableClass
from proofbase.engine.rules.reversi.numbering import OthelloNumbering

__all__ = ["DISCS", "SIZES", "Othello", "OthelloPosition"]

SIZES = ((8, 8), (6, 6), (4, 4), (4, 6), (6, 4))
"""Width and height of the boards."""
DISCS = "XO"
MOST_SQUARES_OF_TABLES = 24
"""Squares of a board with tables."""


class OthelloPosition(NamedTuple):
    """The squares row by row from the top left (a1, b1, ...): `X`, `O` or `-`; and whose turn it is, 0 for Black."""

    cells: str
    side: int


class Othello(Game[OthelloPosition]):
    """The game on one board. Move m puts a disc on square m; the number behind the last square is a pass."""

    tables_by_size = False

    def __init__(self, parameters: str | None = None) -> None:
        """`parameters`: WIDTHxHEIGHT, WIDTHxHEIGHT,discs or discs; None for 8x8.

        Raises:
            InvalidParametersError: there is no such board.
        """
        fields = re.fullmatch("discs|([0-9]x[0-9])(,discs)?", "8x8" if parameters is None else parameters)
        size = fields and tuple(map(int, (fields[1] or "8x8").split("x")))
        if not fields or size not in SIZES:
            sizes = ", ".join(f"{width}x{height}" for width, height in SIZES)
            raise InvalidParametersError(f"othello: {quoted(str(parameters))} is not one of {sizes}, or with ,discs")
        self.width, self.height = size
        self.discs_only = fields[0] == "discs" or fields[2] is not None
        parts = [f"{self.width}x{self.height}"] if self.discs_only or size != (8, 8) else []
        parts += ["discs"] * self.discs_only
        self.name = "othello" + (":" if parts else "") + ",".join(parts)
        self.squares_of_board = self.width * self.height
        self.highest_value = self.squares_of_board
        self.pass_move = self.squares_of_board
        self._rays = _rays(self.width, self.height)
        self._symmetries = _symmetries(self.width, self.height)
        right, below = self.width // 2, self.height // 2
        self._middle = [row * self.width + column for row in (below - 1, below) for column in (right - 1, right)]

    def initial(self) -> OthelloPosition:
        cells = ["-"] * self.squares_of_board
        for square, disc in zip(self._middle, "OXXO", strict=True):  # rule 1
            cells[square] = disc
        return OthelloPosition("".join(cells), 0)

    def side(self, position: OthelloPosition) -> int:
        return position.side

    def _turned(self, cells: str, side: int, square: int) -> list[int]:
        """Rule 2: the squares whose discs a disc on an empty square turns; none if it may not be put there."""
        mine, other = DISCS[side], DISCS[1 - side]
        turned: list[int] = []
        for ray in self._rays[square]:
            for count, target in enumerate(ray):
                if cells[target] == mine:
                    turned += ray[:count]
                if cells[target] != other:
                    break
        return turned

    def _placements(self, cells: str, side: int) -> list[int]:
        return [square for square, disc in enumerate(cells) if disc == "-" and self._turned(cells, side, square)]

    def terminal(self, position: OthelloPosition) -> int | None:
        cells, side = position
        if self._placements(cells, side) or self._placements(cells, 1 - side):
            return None
        lead = cells.count(DISCS[side]) - cells.count(DISCS[1 - side])  # rule 5
        empty = 0 if self.discs_only else cells.count("-")
        return lead + empty if lead > 0 else lead - empty if lead < 0 else 0

    def moves(self, position: OthelloPosition) -> Sequence[int]:
        cells, side = position
        if placements := self._placements(cells, side):
            return placements
        return [self.pass_move] if self._placements(cells, 1 - side) else []  # rules 3 and 4

    def play(self, position: OthelloPosition, move: int) -> OthelloPosition:
        if move not in self.moves(position):
            raise InvalidMoveError(f"{move} is not a legal move in {self.text(position)}")
        cells, side = position
        if move == self.pass_move:
            return OthelloPosition(cells, 1 - side)
        after = list(cells)
        for square in (move, *self._turned(cells, side, move)):
            after[square] = DISCS[side]
        return OthelloPosition("".join(after), 1 - side)

    def key(self, position: OthelloPosition) -> bytes:
        """Two bits a square, the smallest of the images under the symmetries of the board; big-endian.

        First come the squares with a black disc, then those with any disc, the last square of the board as the most
        significant bit of each. The first square of the middle always has a disc: its bit of the second half is 1 where
        White is to move, else 0.
        """
        cells, side = position
        middle = self.squares_of_board - 1 - self._middle[0]
        images = []
        for symmetry in self._symmetries:
            image = "".join([cells[square] for square in reversed(symmetry)])
            taken = image.translate(_TAKEN)
            images.append(image.translate(_BLACK) + taken[:middle] + str(side) + taken[middle + 1 :])
        return int(min(images), 2).to_bytes(self.squares_of_board // 4, "big")

    def position(self, key: bytes) -> OthelloPosition:
        size = self.squares_of_board // 4
        if len(key) != size:
            raise InvalidKeyError(f"a key of {self.name} has {size} bytes, not {len(key)}")
        digits = format(int.from_bytes(key, "big"), f"0{2 * self.squares_of_board}b")
        black = digits[: self.squares_of_board][::-1]
        taken = digits[self.squares_of_board :][::-1]
        side = int(taken[self._middle[0]])
        taken = "".join("1" if square == self._middle[0] else bit for square, bit in enumerate(taken))
        if any(b > t for b, t in zip(black, taken, strict=True)):
            raise InvalidKeyError(f"{key.hex()} is no key of {self.name}: a black disc is on an empty square")
        cells = "".join("-" if t == "0" else "X" if b == "1" else "O" for b, t in zip(black, taken, strict=True))
        try:
            self._check_legal(cells)
        except InvalidPositionError as error:
            raise InvalidKeyError(f"{key.hex()} is no key of {self.name}: {error}") from None
        position = OthelloPosition(cells, side)
        if (canonical := self.key(position)) != key:
            raise InvalidKeyError(f"{key.hex()} is not canonical: the key of this position is {canonical.hex()}")
        return position

    # Tables: docs/tables.md. A position is seen by the side to move.

    @cached_property
    def _numbering(self) -> OthelloNumbering:
        return OthelloNumbering(self.squares_of_board, self._middle, self._symmetries)

    @property
    def _table_prefix(self) -> str:
        return f"{self.name.replace(':', '_')}-"

    def table_entry(self, position: OthelloPosition) -> tuple[str, int] | None:
        if self.squares_of_board > MOST_SQUARES_OF_TABLES:
            return None
        own, taken = (
            sum(1 << square for square, disc in enumerate(position.cells) if disc in discs)
            for discs in (DISCS[position.side], DISCS)
        )
        return f"{self._table_prefix}{taken.bit_count()}", self._numbering.number(own, taken)

    def table_class(self, name: str) -> TableClass | None:
        fields = re.fullmatch(rf"{self._table_prefix}([1-9][0-9]?)", name)
        if not fields or not len(self._middle) <= int(fields[1]) <= self.squares_of_board <= MOST_SQUARES_OF_TABLES:
            return None
        return TableClass(int(fields[1]), fields[1], self._numbering.count(int(fields[1])))

    def table_position(self, name: str, entry: int) -> OthelloPosition | None:
        """Inverse of `table_entry`, with Black to move."""
        discs = self._numbering.discs(int(name.rpartition("-")[2]), entry)
        if discs is None:
            return None
        own, taken = discs
        squares = range(self.squares_of_board)
        cells = ["-" if not taken >> square & 1 else DISCS[0] if own >> square & 1 else DISCS[1] for square in squares]
        return OthelloPosition("".join(cells), 0)

    def text(self, position: OthelloPosition) -> str:
        return f"{position.cells} {DISCS[position.side]}"

    def parse(self, text: str) -> OthelloPosition:
        cells, space, side = text.partition(" ")
        if len(cells) != self.squares_of_board:
            raise InvalidPositionError(
                f"{quoted(text, 100)} has {len(cells)} squares: {self.name} has {self.squares_of_board}, row by row "
                "from a1, then a space and X or O to move"
            )
        for number, cell in enumerate(cells):
            if cell not in "XO-":
                raise InvalidPositionError(
                    f"illegal character {cell!r} on {self._square_text(number)}: squares are 'X', 'O', '-'"
                )
        if not space or side not in ("X", "O"):
            raise InvalidPositionError(f"{quoted(text, 100)} does not end with a space and X or O, the side to move")
        self._check_legal(cells)
        return OthelloPosition(cells, DISCS.index(side))

    def _check_legal(self, cells: str) -> None:
        """Discs never leave the board."""
        for square in self._middle:
            if cells[square] == "-":
                raise InvalidPositionError(f"no disc is on {self._square_text(square)}, where the game begins with one")

    def draw(self, position: OthelloPosition) -> str:
        cells = position.cells.replace("-", ".")
        letters = "  " + " ".join("abcdefgh"[: self.width])
        rows = [cells[row * self.width : (row + 1) * self.width] for row in range(self.height)]
        return "\n".join([letters, *(f"{number} {' '.join(row)}" for number, row in enumerate(rows, 1))])

    def men_on_board(self, position: OthelloPosition) -> int:
        return len(position.cells) - position.cells.count("-")

    def _square_text(self, square: int) -> str:
        return f"{'abcdefgh'[square % self.width]}{square // self.width + 1}"

    def move_text(self, position: OthelloPosition, move: int) -> str:
        return "pass" if move == self.pass_move else self._square_text(move)

    def parse_move(self, position: OthelloPosition, text: str) -> int:
        moves = self.moves(position)
        if not moves:
            raise InvalidMoveError(f"no move {quoted(text)}: the game is over in {self.text(position)}")
        for move in moves:
            if self.move_text(position, move) == text.lower():
                return move
        if text.lower() == "pass":
            raise InvalidMoveError(f"who can put a disc must not pass: {self.text(position)}")
        raise InvalidMoveError(f"{quoted(text)} turns no disc in {self.text(position)}")


_BLACK = str.maketrans("-XO", "010")
_TAKEN = str.maketrans("-XO", "011")


@lru_cache
def _rays(width: int, height: int) -> list[list[list[int]]]:
    """For each square, and each of the eight directions, the squares that follow it."""
    rays: list[list[list[int]]] = []
    steps = [(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1) if x or y]
    for square in range(width * height):
        rays.append([])
        for x, y in steps:
            column, row = square % width + x, square // width + y
            ray = []
            while 0 <= column < width and 0 <= row < height:
                ray.append(row * width + column)
                column, row = column + x, row + y
            if len(ray) > 1:
                rays[-1].append(ray)
    return rays


@lru_cache
def _symmetries(width: int, height: int) -> list[list[int]]:
    """For each symmetry, and each square of the image, the square that it comes from: eight of squares, else four.

    The reflections, turns and diagonals of the board: each keeps the middle four squares where they are as a set.
    """
    images = []
    for swap in (False, True) if width == height else (False,):
        for left_right in (False, True):
            for up_down in (False, True):
                image = []
                for row in range(height):
                    for column in range(width):
                        x = width - 1 - column if left_right else column
                        y = height - 1 - row if up_down else row
                        image.append(x * width + y if swap else y * width + x)
                images.append(image)
    return images
