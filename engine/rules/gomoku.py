"""Go-moku on a board of any size, in both variants, from its rules (Allis 1994, 5.1).

1. The board has `width` columns and `height` rows of squares, empty at first. The first player (Black) has x, the
   second o; x begins; they move in turn.
2. A move puts a stone on one empty square.
3. Who first has `length` or more of his own in an unbroken row, horizontally, vertically or diagonally, wins. In the
   variant `standard` the row must be exactly so long: longer ones (overlines) mean nothing.
4. A full board without such a row is a draw.
5. `professional` is an opening rule (Allis 1994, 5.2.1): x begins in the centre, o replies next to it (in one of the
   eight directions), and the second x is put outside the 5x5 squares around the centre.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from proofbase.engine.errors import (
    InvalidKeyError,
    InvalidMoveError,
    InvalidParametersError,
    InvalidPositionError,
    quoted,
)
from proofbase.engine.rules.game import Game
from proofbase.engine.rules.gomoku_evaluation import GomokuEvaluation
from proofbase.engine.rules.gomoku_lines import GomokuLines
from proofbase.engine.rules.gomoku_threats import GomokuThreats
from proofbase.engine.rules.set_up import WRONG_NUMBERS, Exchanged, like, mark, split_mark

__all__ = ["OPENING_MOVES", "Gomoku", "GomokuStones", "stones_of"]

GomokuStones = tuple[int, int]
"""A position: the stones of the side to move, and those of the other side.

The square in column c and row r, both counted from 0, column a and row 1 first, is bit c + (width + 1) * r. The bit
behind each row is no square, so that no line passes from one row to the next.
"""

Symmetry = Callable[[int, int], tuple[int, int]]
"""From a square, its column and row, to its image."""


class Gomoku(Game[GomokuStones]):
    """The game on the board of the given size. The text of a move is its square: h8 is column h, row 8 from below.

    Moves are numbered from the centre outwards: by the larger of |2c - (width - 1)| and |2r - (height - 1)|, then by
    the row r, then by the column c.

    Args:
        width: number of columns, 3 to 19.
        height: number of rows, 3 to 19.
        length: of a winning row, 3 to the longer side.
        standard: whether rows that are longer than `length` do not win (rule 3).
        professional: whether the game opens by rule 5. Then the sides are odd and at least 7, and `length` is 5.

    Raises:
        InvalidParametersError: there is no such board, or such a row does not fit.
    """

    wins_by_own_move = True

    def __init__(
        self, width: int = 15, height: int = 15, length: int = 5, standard: bool = False, professional: bool = False
    ) -> None:
        if not (3 <= width <= 19 and 3 <= height <= 19):
            raise InvalidParametersError(f"gomoku:{width}x{height}: the sides of a board are 3 to 19")
        if not 3 <= length <= max(width, height):
            raise InvalidParametersError(
                f"gomoku:{width}x{height}: the length of a winning row is 3 to {max(width, height)}, not {length}"
            )
        if professional and (width % 2 == 0 or height % 2 == 0 or min(width, height) < 7 or length != 5):
            raise InvalidParametersError(
                f"gomoku:{width}x{height}{'' if length == 5 else f'-{length}'},professional: the opening rule needs "
                "odd sides of at least 7, and rows of 5"
            )
        self.width, self.height, self.length, self.standard = width, height, length, standard
        self.professional = professional
        self.takes_any_stones = not professional  # positions that are set up (set_up.py)
        self.name = _name(width, height, length, standard, professional)
        squares = [(column, row) for row in range(height) for column in range(width)]
        bits = {(column, row): column + (width + 1) * row for column, row in squares}
        self._board = sum(1 << bit for bit in bits.values())
        self._steps = (1, width + 1, width + 2, width)
        by_number = sorted(
            squares, key=lambda s: (max(abs(2 * s[0] - width + 1), abs(2 * s[1] - height + 1)), s[1], s[0])
        )
        self._bits = [bits[square] for square in by_number]
        # Rule 5: the squares of the first moves of the game.
        centre = (width // 2, height // 2)
        away = {square: max(abs(square[0] - centre[0]), abs(square[1] - centre[1])) for square in squares}
        self._opening = [
            sum(1 << bits[square] for square in squares if away[square] in distances)
            for distances in ((0,), (1,), range(3, 19))
            if professional
        ]
        self._threats = GomokuThreats(self._bits, self._steps, length, standard)
        self._evaluation = GomokuEvaluation(self._threats, self._steps, length, standard)
        numbers = {square: move for move, square in enumerate(by_number)}
        images = [[numbers[image(*square)] for square in by_number] for image in self._symmetries()]
        self._lines = GomokuLines(by_number, width, height, length, images, exact=standard)
        self._texts = [f"{chr(ord('a') + column)}{row + 1}" for column, row in by_number]
        self._moves = {text: move for move, text in enumerate(self._texts)}
        # Key: a digit to the base 3 for each square, five in a byte, the first the most significant of its byte.
        self._key_size = (len(squares) + 4) // 5
        weights = [3 ** (4 - i % 5) << 8 * (self._key_size - 1 - i // 5) for i in range(len(squares))]
        weight = dict(zip(squares, weights, strict=True))
        self._images = [{bits[square]: weight[image(*square)] for square in squares} for image in self._symmetries()]

    def initial(self) -> GomokuStones:
        return 0, 0

    def side(self, position: GomokuStones) -> int:
        return self._parity(position) ^ (type(position) is Exchanged)

    def terminal(self, position: GomokuStones) -> int | None:
        if self._has_line(position[1]):  # rule 3: only the last mover can have completed a row
            return -1
        return None if position[0] | position[1] != self._board else 0  # rule 4

    def moves(self, position: GomokuStones) -> Sequence[int]:
        if self._has_line(position[1]):
            return ()
        free = self._free(position)
        return [move for move, bit in enumerate(self._bits) if free >> bit & 1]

    def play(self, position: GomokuStones, move: int) -> GomokuStones:
        mover, other = position
        if not 0 <= move < len(self._bits) or not self._free(position) >> self._bits[move] & 1:
            raise InvalidMoveError(f"{self.name}: there is no empty square with the number {move}")
        after = other, mover | 1 << self._bits[move]
        return after if type(position) is tuple else like(position, after)

    def threat_rules(self) -> GomokuThreats | None:
        return self._threats

    def line_rules(self) -> GomokuLines | None:
        return None if self.professional else self._lines  # by rule 5 not every empty square may be taken

    def evaluate(self, position: GomokuStones) -> float:
        return self._evaluation.evaluate(position)

    def promising_moves(self, position: GomokuStones) -> Sequence[int]:
        return self._evaluation.promising(position) if self._opened(position) else self.moves(position)[:OPENING_MOVES]

    # Key: the squares row by row from row 1, each row from column a: 0 empty, 1 x, 2 o. The smallest of all images.

    def key(self, position: GomokuStones) -> bytes:
        first, second = (list(_bits_of(stones)) for stones in self._by_player(position))
        smallest: int = min(
            sum(map(image.__getitem__, first)) + 2 * sum(map(image.__getitem__, second)) for image in self._images
        )
        return smallest.to_bytes(self._key_size, "big")

    def position(self, key: bytes) -> GomokuStones:
        if len(key) != self._key_size:
            raise InvalidKeyError(f"a {self.name} key has {self._key_size} bytes, not {len(key)}")
        digits = [byte // 3**i % 3 for byte in key for i in (4, 3, 2, 1, 0)]
        cells = self.width * self.height
        if max(key) >= 3**5 or any(digits[cells:]):
            raise InvalidKeyError(f"{key.hex()} is not a {self.name} key: a byte has no five digits to the base 3")
        rows = ["".join(".xo"[d] for d in digits[start : start + self.width]) for start in range(0, cells, self.width)]
        try:
            position = self._legal(*self._stones(rows))
        except InvalidPositionError as error:
            raise InvalidKeyError(f"{key.hex()} is not a {self.name} key: {error}") from None
        if (canonical := self.key(position)) != key:
            raise InvalidKeyError(f"{key.hex()} is not canonical: the key of this position is {canonical.hex()}")
        return position

    def text(self, position: GomokuStones) -> str:
        first, second = self._by_colour(position)
        board = "/".join(reversed(self._rows(position)))
        return board + mark(first.bit_count(), second.bit_count(), self.side(position))

    def parse(self, text: str) -> GomokuStones:
        """The rows from the top, separated by `/`, or the board as `draw` shows it, with numbers and letters or not.

        A position that is set up has any number of stones, and behind the rows the side to move: ` x` or ` o`.
        """
        board, side = split_mark(text)
        rows = self._rows_of_drawing(text) if "\n" in text else board.split("/")
        for number, row in enumerate(rows):
            for cell in row:
                if cell not in ".xo":
                    raise InvalidPositionError(
                        f"illegal character {cell!r} in row {number + 1} from the top: squares are '.', 'x', 'o'"
                    )
        if len(rows) != self.height or any(len(row) != self.width for row in rows):
            raise InvalidPositionError(
                f"{quoted(text)} is not {self.height} rows of {self.width} squares separated by '/'"
            )
        first, second = self._stones(rows[::-1])
        x, o = first.bit_count(), second.bit_count()
        if not self.takes_any_stones and side not in (None, (x + o) % 2):
            raise InvalidPositionError("the number of stones says who moves")
        if side is None and x - o not in (0, 1) and self.takes_any_stones:
            raise InvalidPositionError(WRONG_NUMBERS.format(first=x, second=o))
        if side is None or side == (x + o) % 2:
            return self._legal(first, second)
        exchanged: GomokuStones = Exchanged(self._legal(second, first, "ox"))
        return exchanged

    def draw(self, position: GomokuStones) -> str:
        rows = [f"{number:>2} {' '.join(row)}" for number, row in enumerate(self._rows(position), start=1)]
        return "\n".join([*reversed(rows), "   " + " ".join(self._letters)])

    def men_on_board(self, position: GomokuStones) -> int:
        return position[0].bit_count() + position[1].bit_count()

    def move_text(self, position: GomokuStones, move: int) -> str:
        return self._texts[move]

    def parse_move(self, position: GomokuStones, text: str) -> int:
        move = self._moves.get(text[:1].lower() + text[1:])
        if move is None or not text.isascii():
            raise InvalidMoveError(f"{quoted(text)} is not a square: squares are a1 to {self._last_square}")
        if self.terminal(position) is not None:
            raise InvalidMoveError(f"no move {text}: the game is over")
        if (position[0] | position[1]) >> self._bits[move] & 1:
            raise InvalidMoveError(f"the square {text} is taken")
        if not self._free(position) >> self._bits[move] & 1:
            raise InvalidMoveError(f"no move {text}: {OPENING_RULE[self.men_on_board(position)]}")
        return move

    def _free(self, position: GomokuStones) -> int:
        """The squares that rules 2 and 5 allow."""
        taken = position[0] | position[1]
        return (self._board if self._opened(position) else self._opening[taken.bit_count()]) & ~taken

    def _opened(self, position: GomokuStones) -> bool:
        """Whether rule 5 asks nothing more of the next move."""
        return self.men_on_board(position) >= len(self._opening)

    @property
    def _letters(self) -> str:
        return "abcdefghijklmnopqrs"[: self.width]

    @property
    def _last_square(self) -> str:
        return f"{self._letters[-1]}{self.height}"

    def _symmetries(self) -> list[Symmetry]:
        """What maps the board to itself: 8 symmetries of a square, 4 of another rectangle."""
        right, top = self.width - 1, self.height - 1
        symmetries: list[Symmetry] = [
            lambda c, r: (c, r),
            lambda c, r: (right - c, r),
            lambda c, r: (c, top - r),
            lambda c, r: (right - c, top - r),
        ]
        if right == top:
            symmetries += [
                lambda c, r: (r, c),
                lambda c, r: (right - r, c),
                lambda c, r: (r, top - c),
                lambda c, r: (right - r, top - c),
            ]
        return symmetries

    def _parity(self, position: GomokuStones) -> int:
        return (position[0] | position[1]).bit_count() % 2  # rule 1: o is to move when the number of stones is odd

    def _by_player(self, position: GomokuStones) -> GomokuStones:
        """The stones of x and those of o, as keys have them."""
        return (position[0], position[1]) if self._parity(position) == 0 else (position[1], position[0])

    def _by_colour(self, position: GomokuStones) -> GomokuStones:
        """The stones of x and those of o, as they are shown."""
        return (position[0], position[1]) if self.side(position) == 0 else (position[1], position[0])

    def _rows(self, position: GomokuStones) -> list[str]:
        """The cells of each row, from row 1."""
        first, second = self._by_colour(position)
        cells = "".join(".xo"[(first >> bit & 1) + 2 * (second >> bit & 1)] for bit in range(self._board.bit_length()))
        return [cells[start : start + self.width] for start in range(0, len(cells), self.width + 1)]

    def _rows_of_drawing(self, text: str) -> list[str]:
        rows: list[str] = []
        for line in text.split("\n"):
            cells = re.sub("[ \t\r]", "", line)
            row = cells.lstrip("0123456789")
            number = cells[: len(cells) - len(row)]
            if number and number != str(self.height - len(rows)):
                raise InvalidPositionError(f"row {quoted(number)} stands where row {self.height - len(rows)} belongs")
            if row and row != self._letters:
                rows.append(row)
        return rows

    def _has_line(self, stones: int) -> bool:
        """Rule 3."""
        for step in self._steps:
            starts, covered = stones, 1  # where so many stones in a row begin
            while covered < self.length:
                more = min(covered, self.length - covered)
                starts &= starts >> more * step
                covered += more
            if self.standard:  # a longer row has starts side by side
                starts &= ~(starts >> step | starts << step)
            if starts:
                return True
        return False

    def _stones(self, rows: list[str]) -> GomokuStones:
        """The stones of x and those of o in the cells of each row, from row 1."""
        cells = "/".join(rows)  # the cell of bit i at index i
        first, second = (sum(1 << bit for bit, cell in enumerate(cells) if cell == stone) for stone in "xo")
        return first, second

    def _legal(self, first: int, second: int, colours: str = "xo") -> GomokuStones:
        """The position of the two players' stones; refuses what rules 3 and 5 do not let go on."""
        parity = (first | second).bit_count() % 2
        mover, last = (colours[1], colours[0]) if parity else (colours[0], colours[1])
        position = (second, first) if parity else (first, second)
        if not self.takes_any_stones and first.bit_count() - second.bit_count() != parity:
            raise InvalidPositionError(
                f"{first.bit_count()} x and {second.bit_count()} o: x begins, so x has as many as o or one more"
            )
        if fault := self._fault(first, second):
            raise InvalidPositionError(fault)
        last_has_line = self._wins(position[1], 1 - parity)
        if self._wins(position[0], parity):
            if last_has_line:
                raise InvalidPositionError("both sides have a winning row")
            raise InvalidPositionError(f"{mover} has a winning row, but {last} made the last move")
        if last_has_line and not any(
            not self._wins(position[1] & ~stone, 1 - parity) and not self._fault(first & ~stone, second & ~stone)
            for stone in stones_of(position[1])
        ):
            raise InvalidPositionError(f"no last move of {last} can have completed all its winning rows")
        return position

    def _wins(self, stones: int, player: int) -> bool:
        """Whether a player has won; 0 is the first one."""
        return self._has_line(stones)

    def _fault(self, first: int, second: int) -> str | None:
        """Why stones cannot come about, apart from rows that win: they do not begin with the moves of rule 5."""
        stones = first, second, first
        taken = (first | second).bit_count()
        if all(stones[ply] & squares for ply, squares in enumerate(self._opening[:taken])):
            return None
        return "the first three stones do not fit: " + "; ".join(OPENING_RULE)


OPENING_RULE = (
    "x begins in the centre",
    "o replies on a square next to the centre",
    "the second x is outside the 5x5 squares around the centre",
)
"""Rule 5 in words, by ply."""
OPENING_MOVES = 12
"""Moves of the opening that players who guess look at: those near the centre."""


def _name(width: int, height: int, length: int, standard: bool, professional: bool) -> str:
    board = "" if (width, height, length) == (15, 15, 5) else f"{width}x{height}"
    if board and length != 5:
        board += f"-{length}"
    rules = [rule for rule, holds in (("standard", standard), ("professional", professional)) if holds]
    parameters = ",".join([*([board] if board else []), *rules])
    return f"gomoku:{parameters}" if parameters else "gomoku"


def stones_of(stones: int) -> Iterator[int]:
    """The sets of one stone each."""
    while stones:
        yield stones & -stones
        stones &= stones - 1


def _bits_of(stones: int) -> Iterator[int]:
    return (stone.bit_length() - 1 for stone in stones_of(stones))
