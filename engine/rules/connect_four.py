"""Connect-four on a board of any width and height, from its rules.

1. The board stands upright: `width` columns of `height` cells. The first player has x, the second o; x begins; they
   move in turn.
2. A move drops a stone into a column that is not full; it falls on the lowest empty cell.
3. Who first has four of his own in a row, horizontally, vertically or diagonally, wins.
4. A full board without such a line is a draw.
5. A win is worth 1. In the game with scores it is worth the stones that the winner has left, plus 1: the sooner, the
   more. Stones lie ready for all cells: as many for each player, one more for the first where their number is odd.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from proofbase.engine.errors import (
    InvalidKeyError,
    InvalidMoveError,
    InvalidParametersError,
    InvalidPositionError,
    quoted,
)
from proofbase.engine.rules.connect_four_squares import ConnectFourSquares
from proofbase.engine.rules.game import Game
from proofbase.engine.rules.set_up import WRONG_NUMBERS, Exchanged, like, mark, split_mark

__all__ = ["Columns", "ConnectFour"]

_EXCHANGED = str.maketrans("xo", "ox")

Columns = tuple[str, ...]
"""A position: for every column its stones ("x", "o") from the bottom up. Whose move it is follows from their number.

In an `Exchanged` position, which was set up, x stands for the stones that are shown as o, and o for those shown as x.
"""


class ConnectFour(Game[Columns]):
    """The game on a board of the given size. Move m drops into column m, counted from the left; its text is m + 1.

    Args:
        width: number of columns, at least 1.
        height: number of rows, at least 1; `(height + 1) * width <= 128`, so that every key fits 128 bits.
        score: whether the value counts how soon a win comes (rule 5).

    Raises:
        InvalidParametersError: the board does not fit.
    """

    wins_by_own_move = True

    def __init__(self, width: int = 7, height: int = 6, score: bool = False) -> None:
        if width < 1 or height < 1:
            raise InvalidParametersError(f"connect-four:{width}x{height}: a board has at least 1 column and 1 row")
        if (height + 1) * width > 128:
            raise InvalidParametersError(
                f"connect-four:{width}x{height}: too large, (height + 1) * width = {(height + 1) * width} is above 128"
            )
        self.width = width
        self.height = height
        self.with_score = score
        self.name = "connect-four" if (width, height) == (7, 6) else f"connect-four:{width}x{height}"
        if score:
            self.name = f"connect-four:{width}x{height},score"
            self.highest_value = max(1, self._win(7))  # the fourth stone of the first player is the seventh of all
        # Rule 3. `has_line` strings the columns together, each closed by a wall, so that the next cell upwards is 1
        # further on, to the right height + 1, diagonally up height + 2, down height; no line can pass a wall.
        steps = (1, height, height + 1, height + 2)
        self._line = {
            stone: re.compile("|".join(f"(?={stone}" + f".{{{step - 1}}}{stone}" * 3 + ")" for step in steps))
            for stone in "xo"
        }
        self._squares = ConnectFourSquares(width, height, self._win)

    def initial(self) -> Columns:
        return ("",) * self.width

    def side(self, position: Columns) -> int:
        return self._parity(position) ^ (type(position) is Exchanged)

    def limit(self, position: Columns) -> int:
        if not self.with_score:
            return 1
        over = self.has_line(position, "xo"[1 - self._parity(position)])
        return min(self.highest_value, self._win(self._stones(position) + (not over)))  # a win with the next stone

    def terminal(self, position: Columns) -> int | None:
        if self.has_line(position, "xo"[1 - self._parity(position)]):  # rule 3: only the last mover can have one
            return -self._win(self._stones(position))
        return 0 if all(len(column) == self.height for column in position) else None  # rule 4

    def moves(self, position: Columns) -> Sequence[int]:
        if self.terminal(position) is not None:
            return ()
        return [column for column in range(self.width) if len(position[column]) < self.height]  # rule 2

    def play(self, position: Columns, move: int) -> Columns:
        if not 0 <= move < self.width or len(position[move]) == self.height:
            raise InvalidMoveError(f"column {move} does not exist or is full in {self.text(position)}")
        after = (*position[:move], position[move] + "xo"[self._parity(position)], *position[move + 1 :])
        return after if type(position) is tuple else like(position, after)

    # Key: every column is height + 1 bits, column 0 lowest: its stones from the bottom up, 1 for a stone of the side
    # to move, 0 for the other's, and a 1 above the topmost stone. The smaller of the board and its mirror image.

    def key(self, position: Columns) -> bytes:
        return min(self._number(position), self._number(position[::-1])).to_bytes(self._key_size, "big")

    def position(self, key: bytes) -> Columns:
        if len(key) != self._key_size:
            raise InvalidKeyError(f"a {self.name} key has {self._key_size} bytes, not {len(key)}")
        number = int.from_bytes(key, "big")
        bits = self.height + 1
        fields = [f"{number >> column * bits & (1 << bits) - 1:b}" for column in range(self.width)]
        if number >> self.width * bits or "0" in fields:
            raise InvalidKeyError(f"{key.hex()} is not a {self.name} key: not every column has its top mark")
        stones = str.maketrans("10", "ox" if sum(len(field) - 1 for field in fields) % 2 else "xo")
        position = tuple(field[:0:-1].translate(stones) for field in fields)
        try:
            self._check_legal(position, self._parity(position))
        except InvalidPositionError as error:
            raise InvalidKeyError(f"{key.hex()} is not a {self.name} key: {error}") from None
        if self._number(position[::-1]) < number:
            raise InvalidKeyError(
                f"{key.hex()} is not canonical: the key of this position is {self.key(position).hex()}"
            )
        return position

    def text(self, position: Columns) -> str:
        board = self._board(position)
        return board + mark(board.count("x"), board.count("o"), self.side(position))

    def parse(self, text: str) -> Columns:
        """The rows from the top; behind those of a position that is set up, with any stones, the side to move."""
        board, side = split_mark(text)
        rows = board.split("/")
        if len(rows) != self.height or any(len(row) != self.width for row in rows):
            raise InvalidPositionError(
                f"{quoted(text)} is not {self.height} rows of {self.width} cells separated by '/'"
            )
        for number, row in enumerate(rows):
            for cell in row:
                if cell not in ".xo":
                    raise InvalidPositionError(
                        f"illegal character {cell!r} in row {number + 1} from the top: cells are '.', 'x', 'o'"
                    )
        columns = ["".join(column) for column in zip(*reversed(rows), strict=True)]
        for number, column in enumerate(columns):
            if "." in column.rstrip("."):
                raise InvalidPositionError(f"a stone floats over an empty cell in column {number + 1}")
        position = tuple(column.rstrip(".") for column in columns)
        first, second = board.count("x"), board.count("o")
        if side is None:
            side = (first + second) % 2
            if first - second != side and not self.with_score:
                raise InvalidPositionError(WRONG_NUMBERS.format(first=first, second=second))
        self._check_legal(position, side)
        if side == (first + second) % 2:
            return position
        exchanged: Columns = Exchanged(column.translate(_EXCHANGED) for column in position)
        return exchanged

    def margin_text(self, result: int, side: int, *, or_more: bool = False) -> str:
        """In the game with scores: with which of his stones the winner wins."""
        winner = side if result > 0 else 1 - side
        stones = (self.width * self.height + 1 - winner) // 2
        earlier = " or an earlier one" if or_more else ""
        return f"by the winner's stone {stones + 1 - abs(result)} of {stones}{earlier}"

    def square_rules(self) -> ConnectFourSquares:
        return self._squares

    def draw(self, position: Columns) -> str:
        rows = [" ".join(row) for row in self._board(position).split("/")]
        return "\n".join([*rows, " ".join(str((column + 1) % 10) for column in range(self.width))])

    def men_on_board(self, position: Columns) -> int:
        return sum(map(len, position))

    def move_text(self, position: Columns, move: int) -> str:
        return str(move + 1)

    def parse_move(self, position: Columns, text: str) -> int:
        if not re.fullmatch("[1-9][0-9]?", text) or int(text) > self.width:
            raise InvalidMoveError(f"{quoted(text)} is not a column: columns are 1 to {self.width}")
        if self.terminal(position) is not None:
            raise InvalidMoveError(f"no move {text}: the game is over in {self.text(position)}")
        if len(position[int(text) - 1]) == self.height:
            raise InvalidMoveError(f"column {text} is full in {self.text(position)}")
        return int(text) - 1

    def _stones(self, position: Columns) -> int:
        return sum(map(len, position))

    def _parity(self, position: Columns) -> int:
        return self._stones(position) % 2  # rule 1

    def _board(self, position: Columns) -> str:
        """The rows from the top, as they are shown."""
        rows = range(self.height - 1, -1, -1)
        board = "/".join("".join([column[row : row + 1] or "." for column in position]) for row in rows)
        return board.translate(_EXCHANGED) if type(position) is Exchanged else board

    def _win(self, stones: int) -> int:
        """Rule 5: what a win is worth that comes with this stone of both players' together, counted from 1."""
        if not self.with_score:
            return 1
        cells = self.width * self.height
        winner_has = (cells + stones % 2) // 2  # the first player, who plays the odd ones, has a half, rounded up
        return winner_has - (stones + 1) // 2 + 1

    @property
    def _key_size(self) -> int:
        return ((self.height + 1) * self.width + 7) // 8

    def _number(self, position: Columns) -> int:
        own_sign = "xo"[self._parity(position)]
        number = 0
        for column in reversed(position):
            number <<= self.height + 1
            for row, stone in enumerate(column):
                number |= (stone == own_sign) << row
            number |= 1 << len(column)
        return number

    def has_line(self, position: Columns, stone: str) -> bool:
        board = "".join([column.ljust(self.height, ".") + "/" for column in position])
        return self._line[stone].search(board) is not None

    def _check_legal(self, position: Columns, side: int) -> None:
        """Refuses what rules 3 and 5 do not let go on with this side to move."""
        first, second = (sum(column.count(stone) for column in position) for stone in "xo")
        if self.with_score and first - second != side:
            raise InvalidPositionError(f"{first} x and {second} o: with scores, x has as many as o or one more")
        mover, last = "xo" if side == 0 else "ox"
        last_has_line = self.has_line(position, last)
        if self.has_line(position, mover):
            if last_has_line:
                raise InvalidPositionError("both sides have four in a row")
            raise InvalidPositionError(f"{mover} has four in a row, but {last} made the last move")
        if last_has_line and not any(
            column.endswith(last) and not self.has_line((*position[:move], column[:-1], *position[move + 1 :]), last)
            for move, column in enumerate(position)
        ):
            raise InvalidPositionError(f"no last move of {last} can have completed all its lines of four")
