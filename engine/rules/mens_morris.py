"""Men's morris with three, six or nine men a side, from its rules.

1. x and o have 3, 6 or 9 men each. Their board has 9, 16 or 24 points: a square of 3 x 3 points with its rows, columns
   and diagonals; two squares one inside the other; three squares (morris/board.py). x begins; they move in turn.
2. While a side has men in hand it puts one of them on a free point.
3. After that it moves a man along a line to a neighbouring free point; with three men left it may move a man to any
   free point (it flies). With three men a side from the start nobody flies. The variants `flying` and `no-flying` say
   the contrary.
4. Three men of a side on a line are a mill. A move that closes a mill, or two at once, takes one man of the other side
   off the board: one that stands in no mill, or any man if all stand in mills.
5. A side with fewer than three men, those in hand included, has lost; so has a side that is to move and cannot.
6. Endless play is worth nothing to either side.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from proofbase.engine.errors import (
    InvalidKeyError,
    InvalidMoveError,
    InvalidParametersError,
    InvalidPositionError,
    quoted,
)
from proofbase.engine.rules.game import Game, TableClass
from proofbase.engine.rules.morris.board import MorrisBoard, points_of
from proofbase.engine.rules.morris.numbering import MorrisNumbering

__all__ = ["MensMorris", "MorrisPosition"]

NOWHERE = 31
SET = (1 << 24) - 1


class MorrisPosition(NamedTuple):
    """Men as the side to move sees them."""

    own: int
    """Points with men of the side to move: point p is worth 2**p."""
    other: int
    in_hand: int
    """Men in hand of both sides together. They are put in turn: the side to move has half of them, rounded up."""
    side: int
    """0: x is to move."""


class MensMorris(Game[MorrisPosition]):
    """The game of these parameters.

    Move numbers: where the man comes from, where he goes, and where a man is taken, five bits each from the high end;
    31 for nowhere. Moves are in ascending order of their numbers.

    Args:
        parameters: `3`, `6` or `9`, with `,flying` or `,no-flying` behind it; None for nine men.

    Raises:
        InvalidParametersError: other parameters.
    """

    acyclic = False
    table_size_unit = "men"
    plies_end_value = -1
    wins_by_own_move = True

    def __init__(self, parameters: str | None = None) -> None:
        fields = re.fullmatch("([369])(,flying|,no-flying)?", "9" if parameters is None else parameters)
        if not fields:
            raise InvalidParametersError(
                f"mens-morris: {quoted(parameters or '')} is not 3, 6 or 9, perhaps with ,flying or ,no-flying behind"
            )
        self.men = int(fields[1])
        usual = self.men > 3
        self.flying = usual if fields[2] is None else fields[2] == ",flying"
        variant = "" if self.flying == usual else ",flying" if self.flying else ",no-flying"
        self.name = f"mens-morris:{self.men}{variant}"
        self.board = MorrisBoard(self.men)
        self._moves_of = lru_cache(256)(self._legal)
        self._numbering = lru_cache(None)(self._make_numbering)

    def initial(self) -> MorrisPosition:
        return MorrisPosition(0, 0, 2 * self.men, 0)

    def side(self, position: MorrisPosition) -> int:
        return position.side

    def repetition(self, position: MorrisPosition) -> int:
        return 0  # rule 6

    def terminal(self, position: MorrisPosition) -> int | None:
        if _men(position)[0] >= 3 and self._moves_of(position):
            return None
        return -1  # rule 5

    def moves(self, position: MorrisPosition) -> Sequence[int]:
        return list(self._moves_of(position)) if _men(position)[0] >= 3 else ()

    def play(self, position: MorrisPosition, move: int) -> MorrisPosition:
        if move not in self._moves_of(position):
            raise InvalidMoveError(f"{move} is not a legal move in {self.text(position)}")
        start, end, taken = move >> 10, move >> 5 & 31, move & 31
        own, other = position.own | 1 << end, position.other
        if start != NOWHERE:
            own &= ~(1 << start)
        if taken != NOWHERE:
            other &= ~(1 << taken)
        return MorrisPosition(other, own, position.in_hand - (start == NOWHERE), 1 - position.side)

    def _legal(self, position: MorrisPosition) -> tuple[int, ...]:
        """Rules 2 to 4."""
        free = self.board.all & ~position.own & ~position.other
        if position.in_hand:
            steps = [(NOWHERE, end) for end in points_of(free)]
        else:
            flies = self.flying and position.own.bit_count() == 3
            steps = [
                (start, end)
                for start in points_of(position.own)
                for end in points_of(free if flies else free & self.board.neighbours[start])
            ]
        exposed = position.other & ~self.board.in_mills(position.other) or position.other
        moves = list[int]()
        for start, end in steps:
            others = position.own & ~(1 << start)
            closes = self.board.in_mills(others | 1 << end) >> end & 1
            moves += [start << 10 | end << 5 | taken for taken in (points_of(exposed) if closes else (NOWHERE,))]
        return tuple(moves)

    # Key: the men in hand (5 bits), the own men, the other men (24 bits each), the smallest under the symmetries.

    def key(self, position: MorrisPosition) -> bytes:
        maps = self.board.mill_maps if self._only_mills_matter(position) else self.board.board_maps
        own, other = min((image(position.own), image(position.other)) for image in maps)
        return (position.in_hand << 48 | own << 24 | other).to_bytes(7, "big")

    def position(self, key: bytes) -> MorrisPosition:
        if len(key) != 7:
            raise InvalidKeyError(f"a {self.name} key has 7 bytes, not {len(key)}")
        number = int.from_bytes(key, "big")
        in_hand = number >> 48
        position = MorrisPosition(number >> 24 & SET, number & SET, in_hand, in_hand % 2)
        if (defect := self._defect(position)) is not None:
            raise InvalidKeyError(f"{key.hex()} is no {self.name} key: {defect}")
        if (canonical := self.key(position)) != key:
            raise InvalidKeyError(f"{key.hex()} is not canonical: the key of this position is {canonical.hex()}")
        return position

    def _only_mills_matter(self, position: MorrisPosition) -> bool:
        """Both sides have three men at most, and fly or will fly: which points are neighbours does not matter."""
        return self.flying and max(_men(position)) <= 3

    def _defect(self, position: MorrisPosition) -> str | None:
        """Why there is no such position."""
        if position.own & position.other or (position.own | position.other) & ~self.board.all:
            return "the men do not stand on the board"
        return self.men_defect(position.own.bit_count(), position.other.bit_count(), position.in_hand)

    def men_defect(self, own: int, other: int, in_hand: int) -> str | None:
        """Why no position has so many men."""
        own_hand, other_hand = (in_hand + 1) // 2, in_hand // 2
        own_lost, other_lost = self.men - own_hand - own, self.men - other_hand - other
        if own_lost < 0 or other_lost < 0:
            return "a side has too many men"
        if self.men - other_lost < 3:
            return "the side that has just moved has fewer than three men"
        if self.men - own_lost < 2:
            return "the side to move has fewer than two men"
        # A man is taken by the third man that the other side puts on the board, at the earliest.
        if in_hand and own_lost > max(0, self.men - other_hand - 2):
            return "the side to move has too few men"
        if in_hand and other_lost > max(0, self.men - own_hand - 2):
            return "the other side has too few men"
        return None

    # Tables: "lost" has the positions of a side with fewer than three men, as one entry. While there are t men in hand
    # the table a-b-hand-t has the positions with a men of the side to move and b of the other on the board. After that
    # a-b, a >= b, has those with a and b men, followed by those with b and a.

    def table_entry(self, position: MorrisPosition) -> tuple[str, int]:
        if _men(position)[0] < 3:
            return self._table_name("lost"), 0
        own, other, in_hand = position.own.bit_count(), position.other.bit_count(), position.in_hand
        number = self._numbers(own, other, in_hand).number(position.own, position.other)
        if in_hand:
            return self._table_name(f"{own}-{other}-hand-{in_hand}"), number
        if own < other:
            own, other = other, own
            number += self._numbers(own, other, 0).size
        return self._table_name(f"{own}-{other}"), number

    def table_class(self, name: str) -> TableClass | None:
        if name == self._table_name("lost"):
            return TableClass(0, "lost", 1)
        men = self._men_of_table(name)
        if men is None:
            return None
        own, other, in_hand = men
        size = self._numbers(own, other, in_hand).size
        if not in_hand and own > other:
            size += self._numbers(other, own, in_hand).size
        return TableClass(100 * in_hand + 10 * own + other, name[len(self._table_name("")) :], size)

    def table_position(self, name: str, entry: int) -> MorrisPosition:
        men = self._men_of_table(name)
        if men is None:
            return MorrisPosition(0b11000, 0b00111, 0, 0)
        own, other, in_hand = men
        size = self._numbers(own, other, in_hand).size
        if entry >= size:
            own, other, entry = other, own, entry - size
        return MorrisPosition(*self._numbers(own, other, in_hand).position(entry), in_hand, in_hand % 2)

    def _table_name(self, end: str) -> str:
        return f"{self.name.replace(':', '_')}-{end}"

    def _men_of_table(self, name: str) -> tuple[int, int, int] | None:
        """Men on the board, of the side to move and of the other, and men in hand. None for another name."""
        fields = re.fullmatch(f"{self._table_name('')}([0-9])-([0-9])(?:-hand-([1-9]|1[0-8]))?", name)
        if not fields:
            return None
        own, other, in_hand = int(fields[1]), int(fields[2]), int(fields[3] or 0)
        if own + (in_hand + 1) // 2 < 3 or (not in_hand and own < other) or self.men_defect(own, other, in_hand):
            return None
        return own, other, in_hand

    def _numbers(self, own: int, other: int, in_hand: int) -> MorrisNumbering:
        few = max(own + (in_hand + 1) // 2, other + in_hand // 2) <= 3
        return self._numbering(own, other, self.flying and few)

    def _make_numbering(self, own: int, other: int, mills_only: bool) -> MorrisNumbering:
        return MorrisNumbering(self.board, own, other, self.board.mill_maps if mills_only else self.board.board_maps)

    # Text: the rows of points from the top, the side to move, and the men in hand of x and o if there are any:
    # x.o/.../...:x:2,2

    def text(self, position: MorrisPosition) -> str:
        marks = _marks(position)
        rows = "/".join("".join(marks.get(point, ".") for point in row) for row in self.board.rows)
        hands = _hands(position)
        return f"{rows}:{'xo'[position.side]}" + (f":{hands[0]},{hands[1]}" if position.in_hand else "")

    def parse(self, text: str) -> MorrisPosition:
        rows = "/".join(f"[.xo]{{{len(row)}}}" for row in self.board.rows)
        fields = re.fullmatch(f"({rows}):([xo])(?::([0-9]),([0-9]))?", text, re.ASCII)
        if not fields or (fields[3] == fields[4] == "0"):
            empty = "/".join("." * len(row) for row in self.board.rows)
            raise InvalidPositionError(
                f"{quoted(text, 60)} is not the rows of points from the top, the side to move, and the men in hand of "
                f"x and o if there are any, such as {empty}:x:{self.men},{self.men}"
            )
        hands, side = (int(fields[3] or 0), int(fields[4] or 0)), "xo".index(fields[2])
        if any(hands) and hands[1] - hands[0] != side:
            raise InvalidPositionError(
                f"{quoted(text, 60)}: the sides put their men in turn: x is to move with as many men in hand as o, o "
                "with one more"
            )
        points = [point for row in self.board.rows for point in row]
        marks = list(zip(points, fields[1].replace("/", ""), strict=True))
        x, o = (sum(1 << point for point, mark in marks if mark == side_mark) for side_mark in "xo")
        position = MorrisPosition(o, x, sum(hands), 1) if side else MorrisPosition(x, o, sum(hands), 0)
        if (defect := self._defect(position)) is not None:
            raise InvalidPositionError(f"{quoted(text, 60)}: {defect}")
        return position

    def draw(self, position: MorrisPosition) -> str:
        """The board with its lines, rows and columns named as in chess."""
        width = 2 * self.board.size - 1
        places = [(ord(name[0]) - ord("a"), int(name[1]) - 1) for name in self.board.names]
        canvas = [[" "] * width for _ in range(width)]
        for start, (column, row) in enumerate(places):
            for end in points_of(self.board.neighbours[start]):
                across, up = places[end][0] - column, places[end][1] - row
                length = max(abs(across), abs(up))
                across, up = across // length, up // length
                for step in range(1, 2 * length):
                    line = "-" if not up else "|" if not across else "/" if across == up else "\\"
                    canvas[2 * row + up * step][2 * column + across * step] = line
        marks = _marks(position)
        for point, (column, row) in enumerate(places):
            canvas[2 * row][2 * column] = marks.get(point, ".")
        lines = [
            f"{' ' if row % 2 else row // 2 + 1} {''.join(canvas[row])}".rstrip() for row in range(width - 1, -1, -1)
        ]
        lines.append("  " + " ".join(chr(ord("a") + column) for column in range(self.board.size)))
        if position.in_hand:
            lines.append("in hand: x {}, o {}".format(*_hands(position)))
        return "\n".join(lines)

    def men_on_board(self, position: MorrisPosition) -> int:
        return position.own.bit_count() + position.other.bit_count()

    def move_text(self, position: MorrisPosition, move: int) -> str:
        names = self.board.names
        start, end, taken = move >> 10, move >> 5 & 31, move & 31
        from_text = "" if start == NOWHERE else f"{names[start]}-"
        return from_text + names[end] + ("" if taken == NOWHERE else f"x{names[taken]}")

    def parse_move(self, position: MorrisPosition, text: str) -> int:
        fields = re.fullmatch("(?:([a-g][1-7])-)?([a-g][1-7])(?:x([a-g][1-7]))?", text)
        legal = self.moves(position)
        if fields and all(name is None or name in self.board.numbers for name in fields.groups()):
            start, end, taken = (NOWHERE if name is None else self.board.numbers[name] for name in fields.groups())
            move = start << 10 | end << 5 | taken
            if move in legal:
                return move
            if taken == NOWHERE and any(other >> 5 == move >> 5 for other in legal):
                raise InvalidMoveError(f"{quoted(text)} closes a mill: say which man it takes, as in d6xa1")
        raise InvalidMoveError(
            f"{quoted(text)} is not a legal move in {self.text(position)}; moves are d6, d6-d5 or d6-d5xa1"
        )


def _men(position: MorrisPosition) -> tuple[int, int]:
    """The men of the side to move and of the other side, those in hand included."""
    return (
        position.own.bit_count() + (position.in_hand + 1) // 2,
        position.other.bit_count() + position.in_hand // 2,
    )


def _marks(position: MorrisPosition) -> dict[int, str]:
    """The men by point."""
    own_sign, other_sign = "xo"[position.side], "xo"[1 - position.side]
    return dict.fromkeys(points_of(position.own), own_sign) | dict.fromkeys(points_of(position.other), other_sign)


def _hands(position: MorrisPosition) -> tuple[int, int]:
    """Men in hand of x and of o."""
    own, other = (position.in_hand + 1) // 2, position.in_hand // 2
    return (other, own) if position.side else (own, other)
