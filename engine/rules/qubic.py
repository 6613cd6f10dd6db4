"""Qubic, tic-tac-toe on a board of 4 x 4 x 4, from its rules (Allis 1994, 4.2.1; his words and numbers).

1. The board is a cube of 4 x 4 x 4 small cubes, empty at first. The first player (White) has x, the second (Black) o;
   x begins; they move in turn.
2. A move occupies one empty cube.
3. Who first has four cubes of his own in a straight line, in one, two or three dimensions, wins.
4. A full board without such a line is a draw.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

from proofbase.engine.errors import InvalidKeyError, InvalidMoveError, InvalidPositionError, quoted
from proofbase.engine.rules.game import Game
from proofbase.engine.rules.lines import Line, LineRules
from proofbase.engine.rules.set_up import WRONG_NUMBERS, Exchanged, like, mark, split_mark

__all__ = ["AUTOMORPHISMS", "LINES", "Qubic", "QubicPosition", "layers"]

# Cube (x, y, z) has the number x + 4 y + 16 z (Fig. 4.4): four layers of 16, each row by row from the top left.
CUBES = [(x, y, z) for z, y, x in product(range(4), repeat=3)]


def _number(x: int, y: int, z: int) -> int:
    return x + 4 * y + 16 * z


def _lines() -> tuple[tuple[int, ...], ...]:
    """Rule 3: four steps in one direction that stay on the board."""
    steps = [step for step in product((-1, 0, 1), repeat=3) if step > (0, 0, 0)]  # the other half goes back
    ends = [((x, y, z), (x + 3 * i, y + 3 * j, z + 3 * k)) for x, y, z in CUBES for i, j, k in steps]
    first_and_last = [sorted((_number(*one), _number(*other))) for one, other in ends if set(other) <= set(range(4))]
    return tuple(sorted(tuple(range(first, last + 1, (last - first) // 3)) for first, last in first_and_last))


LINES = _lines()
"""The 76 lines, called groups in the thesis: 48 in one dimension, 24 in two, 4 in three."""


def _automorphisms() -> tuple[tuple[int, ...], ...]:
    """All permutations of the cubes that the generators make: each maps lines to lines (4.2.3)."""
    inner_exchanged = (0, 2, 1, 3)
    generators = [
        [_number(y, z, x) for x, y, z in CUBES],  # a turn about a space diagonal
        [_number(y, x, z) for x, y, z in CUBES],  # a reflection
        [_number(3 - x, y, z) for x, y, z in CUBES],  # another
        [_number(x ^ 1, y ^ 1, z ^ 1) for x, y, z in CUBES],  # inside out: planes 0 and 1, 2 and 3 change places
        [_number(*(inner_exchanged[a] for a in cube)) for cube in CUBES],  # the two inner planes change places
    ]
    tables = [bytes(generator).ljust(256) for generator in generators]
    images = {bytes(range(64)): None}  # a dictionary keeps the order
    waiting = list(images)
    for image in waiting:  # grows while it is walked
        for table in tables:
            further = image.translate(table)
            if further not in images:
                images[further] = None
                waiting.append(further)
    return tuple(map(tuple, images))


AUTOMORPHISMS = _automorphisms()
"""The 192 automorphisms: for each cube, the cube that it goes to. The identity comes first."""

_BITS = tuple(tuple(1 << cube for cube in image) for image in AUTOMORPHISMS)

# Checks of certificates spend their time in play, terminal and moves, so these three are a few operations each.
QubicPosition = tuple[int, int, bytes]
"""The stones of the side to move, those of the other side, and the empty cubes, ascending.

The stones of a side are one number. Bit c is cube c. The bits from 64 on, three for each of the 76 lines, count the
side's stones on the line. So to place a stone is to add `_STONE[c]`, and the highest of three bits says four in a line.
"""
_STONE = tuple(
    (1 << cube) + sum(1 << 64 + 3 * number for number, line in enumerate(LINES) if cube in line) for cube in range(64)
)
_FOUR_IN_A_LINE = sum(0b100 << 64 + 3 * number for number in range(len(LINES)))
_CUBE = tuple(bytes([cube]) for cube in range(64))


class Qubic(Game[QubicPosition]):
    """The game on the 4 x 4 x 4 board. Move m occupies cube m; its text is the number of the cube, 0 to 63."""

    name = "qubic"
    wins_by_own_move = True

    def initial(self) -> QubicPosition:
        return 0, 0, bytes(range(64))

    def side(self, position: QubicPosition) -> int:
        return _parity(position) ^ (type(position) is Exchanged)

    def terminal(self, position: QubicPosition) -> int | None:
        _, other, empty = position
        if other & _FOUR_IN_A_LINE:  # rule 3: only the last mover can have completed a line
            return -1
        return None if empty else 0  # rule 4

    def moves(self, position: QubicPosition) -> Sequence[int]:
        _, other, empty = position
        return b"" if other & _FOUR_IN_A_LINE else empty  # rule 2

    def play(self, position: QubicPosition, move: int) -> QubicPosition:
        mover, other, empty = position
        if not 0 <= move < 64 or move not in empty:
            raise InvalidMoveError(f"{move} is not an empty cube of {self.text(position)}")
        after = other, mover + _STONE[move], empty.replace(_CUBE[move], b"")
        return after if type(position) is tuple else like(position, after)

    # Key: 16 bytes, two 64-bit sets of cubes, first that of x, then that of o, each big-endian; cube c is the bit of
    # value 2^c. The smallest under the 192 automorphisms, so of two images the one with the smaller x set.

    def key(self, position: QubicPosition) -> bytes:
        cubes = _cubes(position, _parity(position))
        first, second = ([cube for cube in range(64) if cubes[cube] == stone] for stone in "xo")
        images = [sum(map(bits.__getitem__, first)) for bits in _BITS]
        smallest = min(images)
        other = min(sum(map(bits.__getitem__, second)) for bits, n in zip(_BITS, images, strict=True) if n == smallest)
        return smallest.to_bytes(8, "big") + other.to_bytes(8, "big")

    def position(self, key: bytes) -> QubicPosition:
        if len(key) != 16:
            raise InvalidKeyError(f"a qubic key has 16 bytes, not {len(key)}")
        first, second = int.from_bytes(key[:8], "big"), int.from_bytes(key[8:], "big")
        if first & second:
            raise InvalidKeyError(f"{key.hex()} is not a qubic key: a cube is occupied by both sides")
        try:
            position = _legal("".join(".xo"[(first >> cube & 1) + 2 * (second >> cube & 1)] for cube in range(64)))
        except InvalidPositionError as error:
            raise InvalidKeyError(f"{key.hex()} is not a qubic key: {error}") from None
        if (canonical := self.key(position)) != key:
            raise InvalidKeyError(f"{key.hex()} is not canonical: the key of this position is {canonical.hex()}")
        return position

    # Text: the four layers z = 0 to 3, separated by "//", each of four rows, separated by "/".

    def text(self, position: QubicPosition) -> str:
        cubes = self._shown(position)
        return layers(cubes) + mark(cubes.count("x"), cubes.count("o"), self.side(position))

    def parse(self, text: str) -> QubicPosition:
        """The layers; behind those of a position that is set up, with any numbers of stones, the side to move."""
        board, side = split_mark(text)
        layers = [layer.split("/") for layer in board.split("//")]
        if len(layers) != 4 or any(len(layer) != 4 or any(len(row) != 4 for row in layer) for layer in layers):
            raise InvalidPositionError(
                f"{quoted(text, 90)} is not 4 layers, separated by '//', of 4 rows of 4 cubes, separated by '/'"
            )
        cubes = "".join(row for layer in layers for row in layer)
        for number, cube in enumerate(cubes):
            if cube not in ".xo":
                place = f"row {number // 4 % 4 + 1} of layer {number // 16 + 1}"
                raise InvalidPositionError(f"illegal character {cube!r} in {place}: cubes are '.', 'x', 'o'")
        first, second = cubes.count("x"), cubes.count("o")
        if side is None and first - second not in (0, 1):
            raise InvalidPositionError(WRONG_NUMBERS.format(first=first, second=second))
        if side is None or side == (first + second) % 2:
            return _legal(cubes)
        exchanged: QubicPosition = Exchanged(_legal(cubes, 1))
        return exchanged

    def line_rules(self) -> LineRules:
        return _LINE_RULES

    def draw(self, position: QubicPosition) -> str:
        """The four layers side by side. A cube's number is the sum of those above, left of and below it."""
        cubes = self._shown(position)
        lines = ["".join([" " * 4, *(f"{16 * layer:<10}" for layer in range(4))])]
        for row in range(0, 16, 4):
            layers = [" ".join(cubes[16 * layer + row : 16 * layer + row + 4]) for layer in range(4)]
            lines.append(f"{row:>2}  " + "   ".join(layers))
        lines.append(" " * 4 + "   ".join(["0 1 2 3"] * 4))
        return "\n".join(line.rstrip() for line in lines)

    def _shown(self, position: QubicPosition) -> str:
        return _cubes(position, self.side(position))

    def men_on_board(self, position: QubicPosition) -> int:
        return 64 - len(position[2])

    def move_text(self, position: QubicPosition, move: int) -> str:
        return str(move)

    def parse_move(self, position: QubicPosition, text: str) -> int:
        if not re.fullmatch("0|[1-9][0-9]?", text) or int(text) > 63:
            raise InvalidMoveError(f"{quoted(text)} is not a cube: cubes are 0 to 63")
        if self.terminal(position) is not None:
            raise InvalidMoveError(f"no move {text}: the game is over in {self.text(position)}")
        if int(text) not in position[2]:
            raise InvalidMoveError(f"cube {text} is taken in {self.text(position)}")
        return int(text)


class _Cubes(LineRules):
    """Square s is cube s."""

    lines = tuple(Line(sum(1 << cube for cube in line)) for line in LINES)

    def stones(self, position: QubicPosition) -> tuple[int, int]:
        return position[0] & _ALL_CUBES, position[1] & _ALL_CUBES

    def place(self, square: int) -> int:
        return square + square // 4 + square // 16  # behind each row a sign, behind each layer one more

    def oriented(self, position: QubicPosition, canonical: QubicPosition) -> list[int]:
        wanted, given = (_cubes(one, _parity(one)) for one in (position, canonical))
        for image in AUTOMORPHISMS:
            if all(wanted[there] == given[here] for here, there in enumerate(image)):
                return list(image)
        raise ValueError("the positions have different keys")


_ALL_CUBES = (1 << 64) - 1
_LINE_RULES = _Cubes()


def layers(cubes: str) -> str:
    """The text of 64 cubes, each `.`, `x` or `o`."""
    rows = [cubes[row : row + 4] for row in range(0, 64, 4)]
    return "//".join("/".join(rows[layer : layer + 4]) for layer in range(0, 16, 4))


def _parity(position: QubicPosition) -> int:
    return len(position[2]) % 2  # rule 1: o is to move when the number of stones is odd


def _cubes(position: QubicPosition, side: int) -> str:
    """The 64 cubes, "." empty, "x", "o", where this side is to move."""
    mover, other, _ = position
    first, second = (other, mover) if side else (mover, other)
    return "".join(".xo"[(first >> cube & 1) + 2 * (second >> cube & 1)] for cube in range(64))


def _legal(cubes: str, exchanged: int = 0) -> QubicPosition:
    """The position of 64 cubes; refuses what rule 3 does not let go on.

    Args:
        exchanged: 1 if not the side moves that the number of stones gives, but the other one.
    """
    mover, last = "xo" if (64 - cubes.count(".") + exchanged) % 2 == 0 else "ox"
    stones, last_stones = (sum(_STONE[cube] for cube in range(64) if cubes[cube] == stone) for stone in (mover, last))
    if stones & _FOUR_IN_A_LINE:
        if last_stones & _FOUR_IN_A_LINE:
            raise InvalidPositionError("both sides have four in a line")
        raise InvalidPositionError(f"{mover} has four in a line, but {last} made the last move")
    if last_stones & _FOUR_IN_A_LINE and not any(
        cubes[cube] == last and not last_stones - _STONE[cube] & _FOUR_IN_A_LINE for cube in range(64)
    ):
        raise InvalidPositionError(f"no last move of {last} can have completed all its lines of four")
    return stones, last_stones, bytes(cube for cube in range(64) if cubes[cube] == ".")
