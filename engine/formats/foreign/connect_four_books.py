"""Opening books of connect-four programs: of P. Pons's solver, and of BitBully.

**Pons** (https://github.com/PascalPons/connect4, `OpeningBook.hpp`). Six bytes: width, height, largest number of
stones, bytes of a key, bytes of a value (1), and n: the book has as many places as the smallest prime from 2^n on. Then
the keys, then the values of all places; a value of 0 is an empty place, any other is the score + width * height / 2 - 2
(rounded down). A position stands at the place that its key leaves when it is divided by the number of places, and of
the key itself only the lowest bytes are kept. Both together give the key (the Chinese remainder theorem). A key is a
number of base 3: column after column from the bottom, 1 a stone of the side to move, 2 one of the other side, 0 the end
of a column but the last; of a position and its mirror image the smaller one counts.

**BitBully** (https://github.com/MarkusThill/bitbully-databases). The book of 8 stones has three bytes a position, that
of 12 stones four, the one with distances a fifth. The bits are, column after column from the bottom, `10` a stone of
the first player, `11` one of the second, `0` the end of a column, and one bit of padding. Books without distances have
draws and losses only: the two last bits of a position are 0 for a draw and 1 for a loss of the first player, who is to
move. The fifth byte is 100 minus the plies to the end, negative for a loss, 0 for a draw.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.formats.foreign.claim import ForeignClaim, ForeignFile, refused, sampled
from proofbase.engine.rules.connect_four import ConnectFour

__all__ = ["read_bitbully_book", "read_pons_book"]

WIDTH, HEIGHT = 7, 6
"""The board of BitBully."""


# --- Pons ------------------------------------------------------------------------------------------------------------
def read_pons_book(file: Path, sample: int | None = None, seed: int = 0) -> ForeignFile:
    """The scores of a book of P. Pons's solver.

    Raises:
        InvalidPositionError: it is none, or damaged; the message names the place.
        OSError: it cannot be read.
    """
    data = file.read_bytes()
    if len(data) < 6:
        raise refused("byte 1", "a book begins with six bytes, and the file has fewer")
    width, height, depth, key_bytes, value_bytes, log_size = data[:6]
    if not (width and height and (height + 1) * width <= 64 and depth <= width * height):
        raise refused("byte 1", f"no board of {width} x {height} with books of up to {depth} stones")
    if not 1 <= key_bytes <= 8 or value_bytes != 1 or not 1 <= log_size <= 40:
        raise refused("byte 4", f"keys of {key_bytes} bytes, values of {value_bytes} and 2^{log_size} places: no book")
    size = _next_prime(1 << log_size)
    if len(data) != 6 + size * (key_bytes + 1):
        wanted = 6 + size * (key_bytes + 1)
        raise refused("the end", f"a book of {size:,} places has {wanted:,} bytes, and this file {len(data):,}")
    book = _PonsBook(ConnectFour(width, height, score=True), depth, key_bytes, size, data)
    places = [place for place, value in enumerate(memoryview(data)[6 + size * key_bytes :]) if value]
    chosen = sampled(len(places), sample, seed)
    # An entry stands for one position, or for all positions that the book takes for the same: counted as one.
    return ForeignFile(book.rules.name, len(chosen), book.claims([places[number] for number in chosen]))


class _PonsBook(NamedTuple):
    rules: ConnectFour
    depth: int
    key_bytes: int
    size: int
    data: bytes

    def claims(self, places: Sequence[int]) -> Iterator[ForeignClaim]:
        keys = 6
        values = 6 + self.size * self.key_bytes
        area = self.rules.width * self.rules.height
        modulus = 1 << 8 * self.key_bytes
        inverse = pow(modulus, -1, self.size)
        for place in places:
            start = keys + place * self.key_bytes
            low = int.from_bytes(self.data[start : start + self.key_bytes], "little")
            key = low + modulus * ((place - low) * inverse % self.size)
            score = self.data[values + place] - area // 2 + 2
            has_claims = False
            for position in self._positions(key):
                has_claims = True
                yield ForeignClaim(position, score, score, f"entry {place}")
            if not has_claims:
                raise refused(f"entry {place}", "the key is that of no position")

    def _positions(self, key: int) -> Iterator[str]:
        """The positions that the book finds in the place of a key: nearly always one."""
        beyond = 3 ** (self.depth + self.rules.width - 1)
        step = self.size << 8 * self.key_bytes
        while key < beyond:
            text = self._position(key)
            if text is not None:
                yield text
            key += step

    def _position(self, key: int) -> str | None:
        rules = self.rules
        digits, digits_left = "", key
        while digits_left:
            digits = str(digits_left % 3) + digits
            digits_left //= 3
        columns = digits.split("0")
        columns = [""] * (rules.width - len(columns)) + columns
        stones = sum(map(len, columns))
        own = "x" if stones % 2 == 0 else "o"
        other = "o" if own == "x" else "x"
        position = tuple(column.replace("1", own).replace("2", other) for column in columns)
        mirrored = sum(3**number * int(digit) for number, digit in enumerate("0".join(columns[::-1])[::-1]))
        # What is left over after all columns, or of two positions the larger key, is no position.
        if len(columns) != rules.width or stones > self.depth or mirrored < key:
            return None
        if any(len(column) > rules.height for column in columns):
            return None
        if sum(column.count("x") for column in position) != (stones + 1) // 2:
            return None
        return _text(position, rules.height) if rules.terminal(position) is None else None


def _next_prime(number: int) -> int:
    while any(number % factor == 0 for factor in range(2, int(number**0.5) + 1)):
        number += 1
    return number


def _text(columns: Sequence[str], height: int) -> str:
    rows = ("".join(column[row] if row < len(column) else "." for column in columns) for row in range(height))
    return "/".join(reversed(list(rows)))


# --- BitBully --------------------------------------------------------------------------------------------------------
class _Layout(NamedTuple):
    """How a book writes its positions."""

    stones: int
    position_bytes: int
    distances: bool

    @property
    def entry_bytes(self) -> int:
        return self.position_bytes + self.distances


_LAYOUTS = (_Layout(8, 3, False), _Layout(12, 4, False), _Layout(12, 4, True))
LOOKED_AT = 100
"""Entries at both ends of a file that must be positions of a layout: sizes alone do not tell it."""


def read_bitbully_book(file: Path, sample: int | None = None, seed: int = 0) -> ForeignFile:
    """The values of a book of BitBully: scores where it has distances, else who wins.

    Raises:
        InvalidPositionError: it is none, or damaged; the message names the place.
        OSError: it cannot be read.
    """
    data = file.read_bytes()
    layout = next((layout for layout in _LAYOUTS if _fits(layout, data)), None)
    if layout is None:
        raise refused("entry 0", "no book of BitBully: neither of 8 nor of 12 stones, with or without distances")
    chosen = sampled(len(data) // layout.entry_bytes, sample, seed)
    game = ConnectFour(WIDTH, HEIGHT, score=layout.distances).name
    remark = "wins of the side to move are in no such book: only draws and losses are claimed"
    return ForeignFile(game, len(chosen), _entries(layout, data, chosen), () if layout.distances else (remark,))


def _fits(layout: _Layout, data: bytes) -> bool:
    if not data or len(data) % layout.entry_bytes:
        return False
    count = len(data) // layout.entry_bytes
    try:
        ends = {*range(min(count, LOOKED_AT)), *range(max(0, count - LOOKED_AT), count)}
        for _ in _entries(layout, data, sorted(ends)):
            pass
    except InvalidPositionError:
        return False
    return True


def _entries(layout: _Layout, data: bytes, chosen: Sequence[int]) -> Iterator[ForeignClaim]:
    for number in chosen:
        start = number * layout.entry_bytes
        code = int.from_bytes(data[start : start + layout.position_bytes], "big")
        columns = _decoded(code >> 2 << 2, 8 * layout.position_bytes)
        if columns is None or sum(map(len, columns)) != layout.stones:
            raise refused(f"entry {number}", f"no position of {layout.stones} stones")
        if layout.distances:
            value = _score(int.from_bytes(data[start + 4 : start + 5], "big", signed=True), layout.stones)
        else:
            value = -(code & 3)
        if value is None or (code & (3 if layout.distances else 2)):
            raise refused(f"entry {number}", "no value of this book")
        yield ForeignClaim(_text(columns, HEIGHT), value, value, f"entry {number}")


def _decoded(code: int, bits: int) -> list[str] | None:
    """The columns of a position; None where the bits are none."""
    columns = [""]
    place = bits
    while place > 0:
        place -= 1
        if not code >> place & 1:
            if len(columns) == WIDTH:
                break
            columns.append("")
        elif place == 0 or len(columns[-1]) == HEIGHT:
            return None
        else:
            place -= 1
            columns[-1] += "o" if code >> place & 1 else "x"
    return columns if len(columns) == WIDTH and place <= 1 and not code & ((1 << place) - 1) else None


def _score(distance: int, stones: int) -> int | None:
    """The score of a distance, for the first player, who is to move; None where the game cannot end so."""
    if distance == 0:
        return 0
    plies = 100 - abs(distance)
    # The winner makes the last move.
    if not 1 <= plies <= WIDTH * HEIGHT - stones or plies % 2 != (distance > 0):
        return None
    score = (WIDTH * HEIGHT + 2 - stones - plies) // 2
    return score if distance > 0 else -score
