"""Checkers, also called English draughts, from its rules (World Checkers Draughts Federation).

1. Black and White have 12 men each on the 32 dark squares of a board of 8x8, numbered row by row from 1 to 32. Black's
   stand on 1 to 12 and move down, White's on 21 to 32 and move up. Black begins; they move in turn.
2. A man moves one step diagonally forward to a free square, a king in all four diagonal directions.
3. A man jumps forward, a king in any direction, over a neighbouring man of the other side to the free square behind,
   and takes it. It goes on jumping as long as it can, over no man twice. Who can jump has to, by any way that he likes.
4. A man that comes to the last row becomes a king, and its move ends there.
5. A side that is to move and cannot, because it has no men or because they are blocked, has lost.
6. Endless play is a draw.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from proofbase.engine.errors import InvalidKeyError, InvalidMoveError, InvalidPositionError, quoted
from proofbase.engine.rules.draughts import fen, tables
from proofbase.engine.rules.draughts.board import ALL, FORWARD, KING_ROW, NEIGHBOURS, squares_of, turned
from proofbase.engine.rules.game import Game, TableClass
from proofbase.engine.rules.players_words import PlayersWords

__all__ = ["Checkers", "CheckersPosition"]

WORD = (1 << 32) - 1
Path = tuple[int, ...]
"""The squares that a man comes to, the one that it leaves first, as the side to move sees them, from 0."""


class CheckersPosition(NamedTuple):
    """Men as the side to move sees them: it moves down. Sets of squares, square n as 2**(n - 1)."""

    own: int
    other: int
    kings: int
    """The kings of both sides."""
    side: int
    """0: Black is to move."""


class Checkers(Game[CheckersPosition]):
    """The game. Positions are FENs of PDN; moves are written with all squares that the man comes to.

    Move numbers: 512 x the square that the man leaves, 16 x the square that it comes to, from 0 as the side to move
    sees them, and the number of the way: 0, or more where several ways lead from the one to the other. Ways are tried
    in the order down to the left, down to the right, up to the left, up to the right. Moves are in ascending order of
    their numbers.
    """

    name = "checkers"
    acyclic = False
    wins_by_own_move = True
    table_end_value = -1
    table_size_unit = "men"
    players_words = PlayersWords("win", "loss", "move", sides=("Black", "White"), numbered_lines=True)

    def __init__(self) -> None:
        self._moves_of = lru_cache(1 << 12)(_legal)

    def initial(self) -> CheckersPosition:
        return CheckersPosition(0xFFF, 0xFFF << 20, 0, 0)  # rule 1

    def side(self, position: CheckersPosition) -> int:
        return position.side

    def repetition(self, position: CheckersPosition) -> int:
        return 0  # rule 6

    def terminal(self, position: CheckersPosition) -> int | None:
        return None if self._moves_of(position) else -1  # rule 5

    def moves(self, position: CheckersPosition) -> Sequence[int]:
        return list(self._moves_of(position))

    def play(self, position: CheckersPosition, move: int) -> CheckersPosition:
        if move not in self._moves_of(position):
            raise InvalidMoveError(f"{move} is not a legal move in {self.text(position)}")
        path = self._moves_of(position)[move]
        start, end = 1 << path[0], 1 << path[-1]
        taken = sum(1 << square for square in _jumped(path))
        is_king = position.kings & start or end & KING_ROW  # rule 4
        own, other = position.own ^ start | end, position.other & ~taken
        kings = position.kings & ~start & ~taken | (end if is_king else 0)
        return CheckersPosition(turned(other), turned(own), turned(kings), 1 - position.side)

    # Key: the men of the side to move, those of the other side, the kings, 32 bits each, as the side to move sees them.

    def key(self, position: CheckersPosition) -> bytes:
        return (position.own << 64 | position.other << 32 | position.kings).to_bytes(12, "big")

    def position(self, key: bytes) -> CheckersPosition:
        if len(key) != 12:
            raise InvalidKeyError(f"a checkers key has 12 bytes, not {len(key)}")
        number = int.from_bytes(key, "big")
        position = CheckersPosition(number >> 64, number >> 32 & WORD, number & WORD, 0)
        if (defect := fen.defect(*position[:3])) is not None:
            raise InvalidKeyError(f"{key.hex()} is no checkers key: {defect}")
        return position

    # Tables: docs/tables.md.

    def table_entry(self, position: CheckersPosition) -> tuple[str, int] | None:
        numbered = tables.table_name(*position[:3])
        if numbered is None:
            return None
        name, second = numbered
        number = tables.number_of(*position[:3])
        return f"checkers-{name}", number + (tables.numbers_of(*name.split("-")) if second else 0)

    def table_class(self, name: str) -> TableClass | None:
        end = name.removeprefix("checkers-")
        number_and_size = tables.class_of(end) if end != name else None
        return None if number_and_size is None else TableClass(number_and_size[0], end, number_and_size[1])

    def table_position(self, name: str, entry: int) -> CheckersPosition:
        own, other = name.removeprefix("checkers-").split("-")
        size = tables.numbers_of(own, other)
        if entry >= size:
            own, other, entry = other, own, entry - size
        return CheckersPosition(*tables.position_of(own, other, entry), 0)

    def men_on_board(self, position: CheckersPosition) -> int:
        return (position.own | position.other).bit_count()

    def text(self, position: CheckersPosition) -> str:
        return fen.fen(_men(position))

    def parse(self, text: str) -> CheckersPosition:
        try:
            men = fen.read_fen(text)
            own, other, kings = men[:3] if men.side == 0 else (turned(men.white), turned(men.black), turned(men.kings))
            if (defect := fen.defect(own, other, kings)) is not None:
                raise ValueError(defect)
        except ValueError as error:
            raise InvalidPositionError(f"checkers: position {quoted(text, 100)}: {error}") from None
        return CheckersPosition(own, other, kings, men.side)

    def draw(self, position: CheckersPosition) -> str:
        return fen.draw(_men(position))

    def move_text(self, position: CheckersPosition, move: int) -> str:
        path = self._moves_of(position)[move]
        return ("x" if _jumped(path) else "-").join(str(_shown(square, position.side)) for square in path)

    def parse_move(self, position: CheckersPosition, text: str) -> int:
        """The move; squares on the way of a man may be left out that are not needed to tell it."""
        core = text.rstrip("!?")
        squares = [int(word) for word in re.findall("[0-9]+", core)]
        legal = {move: [_shown(at, position.side) for at in path] for move, path in self._moves_of(position).items()}
        fitting = [move for move, path in legal.items() if squares and _is_told(squares, path)]
        if not re.fullmatch("[0-9]{1,2}([-x][0-9]{1,2}){1,9}", core, re.ASCII):
            what = "a move is written like 11-15, 22x15 or 30x23x16"
        elif not legal:
            what = "the game is over"
        elif not fitting:
            jumps = _jumped(next(iter(self._moves_of(position).values())))
            what = "there is a jump" if jumps and "x" not in text else "it is not legal"
        elif exact := [move for move in fitting if legal[move] == squares]:
            return exact[0]
        elif len({self.play(position, move) for move in fitting}) > 1:
            what = "name the squares between, there are several ways"
        else:
            return fitting[0]
        raise InvalidMoveError(f"checkers: move {quoted(text, 40)}: {what}")


def _legal(position: CheckersPosition) -> dict[int, Path]:
    """The squares that the man comes to by each move, in ascending order of the moves: rules 2 to 4."""
    jumps = dict[int, Path]()
    for square in squares_of(position.own):
        for path in _jumps_of(position, square):
            move = square << 9 | path[-1] << 4
            while move in jumps:
                move += 1
            jumps[move] = path
    if jumps:
        return dict(sorted(jumps.items()))
    free = ALL & ~position.own & ~position.other
    steps = dict[int, Path]()
    for square in squares_of(position.own):
        for to in NEIGHBOURS[square][: _directions(position, square)]:
            if to is not None and free >> to & 1:
                steps[square << 9 | to << 4] = (square, to)
    return dict(sorted(steps.items()))


def _directions(position: CheckersPosition, square: int) -> int:
    return 4 if position.kings >> square & 1 else FORWARD


def _jumps_of(position: CheckersPosition, start: int) -> Iterator[Path]:
    """The ways by which the man on a square takes others, in the order of their directions."""
    free = ALL & ~position.own & ~position.other | 1 << start
    directions = _directions(position, start)

    def go_on(path: Path, left: int) -> Iterator[Path]:
        further = False
        crowned = directions == FORWARD and 1 << path[-1] & KING_ROW  # rule 4
        for direction in range(0 if crowned else directions):
            over = NEIGHBOURS[path[-1]][direction]
            to = None if over is None else NEIGHBOURS[over][direction]
            if over is not None and to is not None and left >> over & 1 and free >> to & 1:
                further = True
                yield from go_on((*path, to), left & ~(1 << over))
        if not further and len(path) > 1:
            yield path

    return go_on((start,), position.other)


def _jumped(path: Path) -> list[int]:
    """The squares of the men that a move takes."""
    return [
        over
        for square, to in pairwise(path)
        for direction, over in enumerate(NEIGHBOURS[square])
        if over is not None and NEIGHBOURS[over][direction] == to
    ]


def _shown(square: int, side: int) -> int:
    """The number of a square that the side to move sees as this one."""
    return 32 - square if side else square + 1


def _is_told(squares: Sequence[int], path: Sequence[int]) -> bool:
    """Whether the squares are those of a path, perhaps without some between."""
    if squares[0] != path[0] or squares[-1] != path[-1]:
        return False
    squares_left = iter(path)
    return all(square in squares_left for square in squares)


def _men(position: CheckersPosition) -> fen.Men:
    own, other, kings, side = position
    if side == 0:
        return fen.Men(own, other, kings, 0)
    return fen.Men(turned(other), turned(own), turned(kings), 1)
