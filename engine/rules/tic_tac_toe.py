"""Tic-tac-toe, from its rules.

1. The board has 3 x 3 cells. The first player puts x, the second o; x begins; they move in turn.
2. A move fills one empty cell.
3. Who first has three of his own in a row, column or diagonal wins.
4. A full board without such a line is a draw.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from proofbase.engine.errors import InvalidKeyError, InvalidMoveError, InvalidPositionError, quoted
from proofbase.engine.rules.game import Game
from proofbase.engine.rules.lines import Line, LineRules
from proofbase.engine.rules.squares import SquareRules

__all__ = ["TicTacToe"]

# A position is a string of nine cells, row by row from the top left: "." empty, "x", "o".
#     0 1 2
#     3 4 5
#     6 7 8
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
QUARTER_TURN = (6, 3, 0, 7, 4, 1, 8, 5, 2)
MIRROR = (2, 1, 0, 5, 4, 3, 8, 7, 6)


def _symmetries() -> tuple[tuple[int, ...], ...]:
    """The eight symmetries of the square: for each cell of the image, the cell that it comes from."""
    images = [tuple(range(9))]
    for _ in range(3):
        images.append(tuple(images[-1][cell] for cell in QUARTER_TURN))
    return (*images, *(tuple(image[cell] for cell in MIRROR) for image in images))


SYMMETRIES = _symmetries()


class TicTacToe(Game[str]):
    """The game on the 3 x 3 board. Move m fills cell m; its text is m + 1."""

    name = "tic-tac-toe"
    wins_by_own_move = True

    def initial(self) -> str:
        return "." * 9

    def side(self, position: str) -> int:
        return position.count("x") - position.count("o")  # rule 1: x is ahead by one exactly when o is to move

    def terminal(self, position: str) -> int | None:
        if _has_line(position, "xo"[1 - self.side(position)]):  # rule 3: only the last mover can have completed a line
            return -1
        return None if "." in position else 0  # rule 4

    def moves(self, position: str) -> Sequence[int]:
        if self.terminal(position) is not None:
            return ()
        return [cell for cell in range(9) if position[cell] == "."]

    def play(self, position: str, move: int) -> str:
        if not 0 <= move < 9 or position[move] != ".":
            raise InvalidMoveError(f"{move} is not an empty cell of {position}")
        return position[:move] + "xo"[self.side(position)] + position[move + 1 :]

    def key(self, position: str) -> bytes:
        """Base 3, cell 0 the most significant digit, x = 1, o = 2; the smallest of eight; 2 bytes, big-endian."""
        digits = position.translate(_TO_DIGITS)
        smallest = min("".join([digits[cell] for cell in image]) for image in SYMMETRIES)
        return int(smallest, 3).to_bytes(2, "big")

    def position(self, key: bytes) -> str:
        if len(key) != 2:
            raise InvalidKeyError(f"a tic-tac-toe key has 2 bytes, not {len(key)}")
        number = int.from_bytes(key, "big")
        if number >= 3**9:
            raise InvalidKeyError(f"{key.hex()} is not a tic-tac-toe key: {number} is not below 3^9")
        cells = "".join(".xo"[number // 3 ** (8 - cell) % 3] for cell in range(9))
        try:
            _check_legal(cells)
        except InvalidPositionError as error:
            raise InvalidKeyError(f"{key.hex()} is not a tic-tac-toe key: {error}") from None
        if self.key(cells) != key:
            raise InvalidKeyError(f"{key.hex()} is not canonical: the key of this position is {self.key(cells).hex()}")
        return cells

    def text(self, position: str) -> str:
        return "/".join((position[0:3], position[3:6], position[6:9]))

    def parse(self, text: str) -> str:
        rows = text.split("/")
        if len(rows) != 3 or any(len(row) != 3 for row in rows):
            raise InvalidPositionError(f"{quoted(text)} is not 3 rows of 3 cells separated by '/'")
        cells = "".join(rows)
        for number, cell in enumerate(cells):
            if cell not in ".xo":
                raise InvalidPositionError(
                    f"illegal character {cell!r} in row {number // 3 + 1}: cells are '.', 'x', 'o'"
                )
        _check_legal(cells)
        return cells

    def square_rules(self) -> SquareRules:
        return _SQUARES

    def line_rules(self) -> LineRules:
        return _SQUARES

    def draw(self, position: str) -> str:
        return "\n".join(" ".join(position[row : row + 3]) for row in (0, 3, 6))

    def men_on_board(self, position: str) -> int:
        return 9 - position.count(".")

    def move_text(self, position: str, move: int) -> str:
        return str(move + 1)

    def parse_move(self, position: str, text: str) -> int:
        if len(text) != 1 or text not in "123456789":
            raise InvalidMoveError(f"{quoted(text)} is not a cell: cells are 1 to 9")
        if self.terminal(position) is not None:
            raise InvalidMoveError(f"no move {text}: the game is over in {self.text(position)}")
        if position[int(text) - 1] != ".":
            raise InvalidMoveError(f"cell {text} is taken in {self.text(position)}")
        return int(text) - 1


class _Cells(SquareRules, LineRules):
    """Square s is cell s. No square has the mark ANSWER."""

    board = 0b111_111_111
    answers = 0
    lines = tuple(Line(sum(1 << cell for cell in line)) for line in LINES)

    def stones(self, position: str) -> tuple[int, int]:
        x, o = (sum(1 << cell for cell in range(9) if position[cell] == stone) for stone in "xo")
        return (x, o) if x.bit_count() == o.bit_count() else (o, x)

    def open_squares(self, taken: int) -> int:
        return self.board & ~taken

    def completing(self, own: int, taken: int) -> int:
        cells = [line & ~own for line, _ in self.lines if (line & ~own).bit_count() == 1]
        return functools.reduce(int.__or__, cells, 0) & ~taken

    def win(self, stones: int) -> int:
        return 1

    def square(self, move: int, taken: int) -> int:
        return 1 << move

    def place(self, square: int) -> int:
        return square // 3 * 4 + square % 3

    def oriented(self, position: str, canonical: str) -> list[int]:
        image = next(image for image in SYMMETRIES if "".join([position[cell] for cell in image]) == canonical)
        return list(image)


_SQUARES = _Cells()
_TO_DIGITS = str.maketrans(".xo", "012")


def _has_line(cells: str, stone: str) -> bool:
    return any(cells[a] == cells[b] == cells[c] == stone for a, b, c in LINES)


def _check_legal(cells: str) -> None:
    """Refuses what cannot arise by rules 1 to 3."""
    first, second = cells.count("x"), cells.count("o")
    if first - second not in (0, 1):
        raise InvalidPositionError(f"{first} x and {second} o: x begins, so x has as many as o or one more")
    mover, last = ("x", "o") if first == second else ("o", "x")
    if _has_line(cells, mover):
        if _has_line(cells, last):
            raise InvalidPositionError("both sides have three in a row")
        raise InvalidPositionError(f"{mover} has three in a row, but {last} made the last move")
    # Here a stone that all lines share always exists: six stones of one side do not fit rule 1.
