"""Professional renju: renju on 15x15 with its opening (Allis 1994, 5.2.1).

1. The first player puts the first stone, Black's, in the centre. The second puts White's on a square next to it. The
   first puts Black's second stone on one of twelve squares for each of the two cases that symmetry leaves: those of the
   5x5 squares around the centre, without the farthest corner from White's stone (13D and 13I of the later 26 openings).
2. The second player chooses the colour to go on with: he takes Black (`swap`), or keeps White and puts White's second
   stone.
3. After White's second stone Black offers two squares for the third stone of Black's; they may not be the same by a
   symmetry of the board. White chooses one of them, where that stone is put, and puts White's third stone.
4. From there it is renju.

The players move in turn all the time: that a player chooses and then moves is one move here. Black offers one square;
White passes; Black offers the other one. Pairs of squares are so two moves of some 200 each, not one of 24,310.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from proofbase.engine.errors import InvalidKeyError, InvalidMoveError, InvalidPositionError, quoted
from proofbase.engine.rules.game import Game
from proofbase.engine.rules.gomoku import GomokuStones, stones_of
from proofbase.engine.rules.renju import Renju

__all__ = ["ProfessionalRenju", "RenjuOpening"]

SIDE = 15
SQUARES = SIDE * SIDE
CENTRE = 7
SWAP = SQUARES
"""The move by which the second player takes Black."""
PASS = SWAP + 1
"""White's only move between the two offers. The answers to them are numbered behind it."""
FIRST_ANSWER = PASS + 1
WORDS = {SWAP: "swap", PASS: "pass"}
SWAPPED, PASSED = " swapped", " passed"


class RenjuOpening(NamedTuple):
    """A position.

    Attributes:
        stones: of the side to move, and of the other side, as in renju.
        swapped: whether the colours were chosen, and White has not moved since. Only with three stones.
        offered: the one or two squares that Black offers so far, as a set; 0 for none. Only with four stones.
        passed: whether White has passed since. Only with one square that is offered.
    """

    stones: GomokuStones
    swapped: bool = False
    offered: int = 0
    passed: bool = False


class ProfessionalRenju(Game[RenjuOpening]):
    """The sides are the colours.

    Moves are written as squares, also of offers, `swap`, `pass`, and `h9:i5` for Black's stone on h9, chosen of the
    squares that are offered, and White's on i5.

    The text of a position is that of renju, with `?` for the squares that are offered. Behind it stands ` swapped`
    where the colours were chosen just now, and ` passed` where Black is to offer the second square.
    """

    name = "renju:professional"
    rules_version = 2
    wins_by_own_move = True
    width = height = SIDE

    def __init__(self) -> None:
        self._renju = Renju()
        empty = self._renju.initial()
        self._set = [self._renju.play(empty, move)[1] for move in range(SQUARES)]  # by move, its square
        self._move = {square: move for move, square in enumerate(self._set)}
        places = [self._renju.move_text(empty, move) for move in range(SQUARES)]
        # Who plays all moves asks for them at each.
        self._last_moves = lru_cache(maxsize=4)(self._moves)
        self._place = [(ord(text[0]) - ord("a"), int(text[1:]) - 1) for text in places]  # column and row

    def initial(self) -> RenjuOpening:
        return RenjuOpening(self._renju.initial())

    def side(self, position: RenjuOpening) -> int:
        """The colour to move: after an offer it is White, though White's stones are as many as Black's."""
        return 1 if position.offered and not position.passed else self._renju.side(position.stones)

    def terminal(self, position: RenjuOpening) -> int | None:
        return None if position.offered else self._renju.terminal(position.stones)

    def moves(self, position: RenjuOpening) -> Sequence[int]:
        return self._last_moves(position)

    def _moves(self, position: RenjuOpening) -> Sequence[int]:
        stones, swapped, offered, passed = position
        count = self.men_on_board(position)
        if offered and not passed:
            if offered.bit_count() == 1:
                return [PASS]
            empty = [move for move in range(SQUARES) if not (stones[0] | stones[1]) & self._set[move]]
            chosen = [self._move[square] for square in stones_of(offered)]
            return [_answer(black, white) for black in sorted(chosen) for white in empty if white != black]
        if count < 3:
            return [move for move in range(SQUARES) if self._may_open(stones, move)]
        squares = self._renju.moves(stones)
        if count == 3:
            return [*squares, *([] if swapped else [SWAP])]
        return [move for move in squares if self._is_other(stones, offered, move)] if passed else squares

    def _is_other(self, stones: GomokuStones, offered: int, move: int) -> bool:
        """Whether a square is neither the offered one nor the same by a symmetry of the board."""
        one, two = (self._renju.play(stones, square) for square in (self._move[offered], move))
        return self._renju.key(one) != self._renju.key(two)

    def play(self, position: RenjuOpening, move: int) -> RenjuOpening:
        if not self._is_legal(position, move):
            raise InvalidMoveError(f"{self.name}: there is no move with the number {move} here")
        stones = position.stones
        if move == SWAP:
            return RenjuOpening(stones, swapped=True)
        if move == PASS:
            return RenjuOpening(stones[::-1], offered=position.offered, passed=True)
        if move < SQUARES:
            if self.men_on_board(position) == 4:
                return RenjuOpening(stones[::-1], offered=position.offered | self._set[move])
            return RenjuOpening(self._renju.play(stones, move))
        one, two = _pair(move)
        white, black = stones
        return RenjuOpening((black | self._set[one], white | self._set[two]))

    def men_on_board(self, position: RenjuOpening) -> int:
        return self._renju.men_on_board(position.stones)

    # Key: 1 if the colours were chosen just now, 2 if White passed, else 0; a byte for each square, row by row from
    # row 1, each row from column a: 0 empty, 1 x, 2 o, 3 offered. The smallest of the 8 images.

    def key(self, position: RenjuOpening) -> bytes:
        cells = [self._cells(position)[SIDE * row : SIDE * (row + 1)] for row in range(SIDE)]
        boards = [cells, [list(column) for column in zip(*cells, strict=True)]]
        boards += [board[::-1] for board in boards]
        boards += [[row[::-1] for row in board] for board in boards]
        images = (bytes(cell for row in board for cell in row) for board in boards)
        return bytes([position.swapped + 2 * position.passed]) + min(images)

    def position(self, key: bytes) -> RenjuOpening:
        if len(key) != 1 + SQUARES or key[0] > 2 or max(key[1:]) > 3:
            raise InvalidKeyError(f"a {self.name} key has 226 bytes: 0 to 2, then 0 to 3 for each square")
        try:
            position = self._of_cells(list(key[1:]), key[0] == 1, key[0] == 2)
        except InvalidPositionError as error:
            raise InvalidKeyError(f"{key.hex()} is not a {self.name} key: {error}") from None
        if self.key(position) != key:
            raise InvalidKeyError(f"{key.hex()} is not canonical: the key of this position is another one")
        return position

    def text(self, position: RenjuOpening) -> str:
        cells = "".join(".xo?"[cell] for cell in self._cells(position))
        rows = [cells[SIDE * row : SIDE * (row + 1)] for row in reversed(range(SIDE))]
        return "/".join(rows) + (SWAPPED if position.swapped else PASSED if position.passed else "")

    def parse(self, text: str) -> RenjuOpening:
        swapped, passed = text.endswith(SWAPPED), text.endswith(PASSED)
        rows = text.removesuffix(SWAPPED if swapped else PASSED).split("/")
        if len(rows) != SIDE or any(len(row) != SIDE or row.strip(".xo?") for row in rows):
            raise InvalidPositionError(
                f"{quoted(text)} is not {SIDE} rows of {SIDE} squares '.', 'x', 'o', '?' separated by '/'"
            )
        cells = [".xo?".index(cell) for row in reversed(rows) for cell in row]
        return self._of_cells(cells, swapped, passed)

    def draw(self, position: RenjuOpening) -> str:
        """The board, with `?` for the squares that are offered."""
        cells = self._cells(position)
        rows = [" ".join(".xo?"[cell] for cell in cells[SIDE * row : SIDE * (row + 1)]) for row in range(SIDE)]
        lines = [f"{row + 1:>2} {rows[row]}" for row in reversed(range(SIDE))]
        lines.append("   " + " ".join("abcdefghijklmno"))
        remark = "the colours were chosen: White is to move" if position.swapped else ""
        return "\n".join([*lines, *filter(None, [remark, self._offers(position)])])

    def _offers(self, position: RenjuOpening) -> str:
        """What the offer has come to, in words."""
        if not position.offered:
            return ""
        if position.passed:
            return "Black is to offer the second square"
        return "White passes: Black offers one more" if position.offered.bit_count() == 1 else "White is to choose"

    def move_text(self, position: RenjuOpening, move: int) -> str:
        if move in WORDS:
            return WORDS[move]
        squares = _pair(move) if move >= FIRST_ANSWER else (move,)
        return ":".join(self._renju.move_text(self._renju.initial(), square) for square in squares)

    def parse_move(self, position: RenjuOpening, text: str) -> int:
        if self.terminal(position) is not None:
            raise InvalidMoveError(f"no move {text}: the game is over")
        word = next((move for move, word in WORDS.items() if word == text), None)
        if word is not None:
            move = word
        else:
            squares = [self._renju.parse_move(self._renju.initial(), part) for part in text.split(":")]
            if len(squares) > 2:
                raise InvalidMoveError(f"{quoted(text)} is not a move: moves are h8, swap, pass or h9:i5")
            move = squares[0] if len(squares) == 1 else _answer(*squares)
        if not self._is_legal(position, move):
            raise InvalidMoveError(f"{quoted(text)} is not a move here: {self._asked(position)}")
        return move

    def _asked(self, position: RenjuOpening) -> str:
        """What the side to move has to do, in words."""
        if position.passed:
            return "Black offers a second square, not symmetric to the first one"
        if position.offered.bit_count() == 1:
            return "White passes, with pass: Black offers two squares, one after the other"
        if position.offered:
            return "White takes one of the two squares for Black's stone, and a square of its own, as in h9:i5"
        count = self.men_on_board(position)
        swap = "" if position.swapped else ", or the second player takes Black: swap"
        opening = (
            "the first stone is put in the centre",
            "the second stone is put next to the centre",
            "the third stone is put into the 5x5 squares around the centre, not in the corner farthest from White's",
            f"White puts a stone on an empty square{swap}",
            "Black offers two empty squares that are not symmetric, one after the other",
        )
        return opening[count] if count < len(opening) else "the square is taken, or forbidden to x"

    def _may_open(self, stones: GomokuStones, move: int) -> bool:
        """Rule 1."""
        if (stones[0] | stones[1]) & self._set[move]:
            return False
        away = self._away(move)
        count = (stones[0] | stones[1]).bit_count()
        if count < 2:
            return max(map(abs, away)) == count
        white = self._away(self._move[stones[1]])
        # In a case of symmetry White's stone is above the centre (direct), or above and to its right (indirect).
        far = all(own == -2 * other if other else abs(own) == 2 for own, other in zip(away, white, strict=True))
        return max(map(abs, away)) <= 2 and not far

    def _away(self, move: int) -> tuple[int, int]:
        column, row = self._place[move]
        return column - CENTRE, row - CENTRE

    def _is_legal(self, position: RenjuOpening, move: int) -> bool:
        stones, swapped, offered, passed = position
        count = self.men_on_board(position)
        if move == SWAP:
            return count == 3 and not swapped
        if not offered or passed:
            legal = self._renju.moves(stones) if count > 2 else [m for m in range(SQUARES) if self._may_open(stones, m)]
            return move in legal and (not passed or self._is_other(stones, offered, move))
        if offered.bit_count() == 1:
            return move == PASS
        if not FIRST_ANSWER <= move < FIRST_ANSWER + SQUARES * SQUARES:
            return False
        one, two = _pair(move)
        both = self._set[one] | self._set[two]
        return one != two and not both & (stones[0] | stones[1]) and bool(self._set[one] & offered)

    def _cells(self, position: RenjuOpening) -> list[int]:
        """By square, row by row from row 1: 0 empty, 1 x, 2 o, 3 offered."""
        own, other = position.stones
        first, second = (own, other) if self.side(position) == 0 else (other, own)
        cells = [0] * SQUARES
        for cell, squares in ((1, first), (2, second), (3, position.offered)):
            for square in stones_of(squares):
                column, row = self._place[self._move[square]]
                cells[column + SIDE * row] = cell
        return cells

    def _of_cells(self, cells: Sequence[int], swapped: bool, passed: bool) -> RenjuOpening:
        """The position; refuses what cannot arise by rules 1 to 4."""
        board = "/".join(
            "".join(".xo."[cell] for cell in cells[SIDE * row : SIDE * (row + 1)]) for row in reversed(range(SIDE))
        )
        stones = self._renju.parse(board)
        squares = {column + SIDE * row: self._set[move] for move, (column, row) in enumerate(self._place)}
        offered = sum(squares[place] for place, cell in enumerate(cells) if cell == 3)
        count = self._renju.men_on_board(stones)
        if swapped and (count != 3 or offered):
            raise InvalidPositionError("the colours are chosen when there are three stones")
        if not self._has_opened(stones):
            raise InvalidPositionError("the first three stones do not fit the opening of professional renju")
        number = offered.bit_count()
        if passed and number != 1:
            raise InvalidPositionError("White passes when Black has offered one square")
        if not offered:
            return RenjuOpening(stones, swapped)
        one, *other = [self._move[square] for square in stones_of(offered)]
        if count != 4 or number > 2 or (other and not self._is_other(stones, self._set[one], other[0])):
            raise InvalidPositionError("Black offers two squares, not symmetric ones, when there are four stones")
        return RenjuOpening(stones if passed else stones[::-1], offered=offered, passed=passed)

    def _has_opened(self, stones: GomokuStones) -> bool:
        """Whether some order of the stones begins by rule 1."""
        first, second = stones if self._renju.side(stones) == 0 else stones[::-1]
        count = (first | second).bit_count()
        centre = self._set[0]
        if count and not first & centre:
            return False
        replies = [reply for reply in stones_of(second) if self._may_open((0, centre), self._move[reply])]
        if count < 2:
            return True
        if count == 2:
            return bool(replies)
        others = [self._move[square] for square in stones_of(first ^ centre)]
        return any(self._may_open((centre, reply), other) for reply in replies for other in others)


def _answer(black: int, white: int) -> int:
    return FIRST_ANSWER + SQUARES * black + white


def _pair(move: int) -> tuple[int, int]:
    """The squares of an answer: Black's stone, White's."""
    return divmod(move - FIRST_ANSWER, SQUARES)
