"""Tic-tac-toe, connect-four, go-moku and awari, written from docs/other-checkers.md and docs/games.md alone."""

from __future__ import annotations

import re


class Wrong(Exception):
    """The certificate is not valid."""


def need(condition: object, what: str) -> None:
    if not condition:
        raise Wrong(what)


def board_value(cells, lines, mover):
    """Of a game of placement: -1 when the side that moved last has a line, 0 for a full board, else None."""
    last = "o" if mover == "x" else "x"
    if any(all(cells[c] == last for c in line) for line in lines):
        return -1
    return None if "." in cells else 0


def mover_of(cells):
    return "xo"[(len(cells) - cells.count(".")) % 2]


def need_usual_numbers(cells):
    need(cells.count("x") - cells.count("o") in (0, 1), "as many x as o, or one more")


def board_of_text(text, height, width, sets_up):
    """The cells row by row from the bottom; with the colours exchanged where the other side moves by the mark."""
    mark = text[-2:] if sets_up and text[-2:] in (" x", " o") else ""
    rows = text.removesuffix(mark).split("/")
    need(len(rows) == height and all(re.fullmatch(f"[.xo]{{{width}}}", row) for row in rows), "rows of cells")
    cells = "".join(reversed(rows))
    if not mark:
        need_usual_numbers(cells)
    return cells.translate(str.maketrans("xo", "ox")) if mark and mark[1] != mover_of(cells) else cells


class WithoutRewards:
    limit_value, rho = 1, None

    def reward(self, position, move):
        return 0

    def limit(self, position):
        return 1


class TicTacToe(WithoutRewards):
    lines = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

    def legal(self, cells):
        need_usual_numbers(cells)
        mover = mover_of(cells)
        need(not any(all(cells[c] == mover for c in line) for line in self.lines), "the side to move has a line")
        return cells

    def parse(self, text):
        need(re.fullmatch("[.xo]{3}/[.xo]{3}/[.xo]{3}", text), "three rows of three")
        return self.legal(text.replace("/", ""))

    def images(self, cells):
        for _ in range(4):
            cells = "".join(cells[3 * (2 - column) + row] for row in range(3) for column in range(3))
            yield cells
            yield "".join(cells[3 * row : 3 * row + 3][::-1] for row in range(3))

    def key(self, cells):
        return min(int(image.translate(str.maketrans(".xo", "012")), 3) for image in self.images(cells)).to_bytes(
            2, "big"
        )

    def position(self, key):
        number = int.from_bytes(key, "big")
        need(len(key) == 2 and number < 3**9, "a key of two bytes")
        return self.legal("".join(".xo"[number // 3 ** (8 - cell) % 3] for cell in range(9)))

    def terminal(self, cells):
        return board_value(cells, self.lines, mover_of(cells))

    def moves(self, cells):
        return [cell for cell in range(9) if cells[cell] == "."]

    def play(self, cells, move):
        return cells[:move] + mover_of(cells) + cells[move + 1 :]

    def square(self, cells, move):
        return move

    def usual_mark(self, square):
        return 4

    def lines_of_mover(self, cells):
        """The lines that the side to move can still fill, as moves."""
        return [line for line in self.lines if all(cells[cell] in (".", mover_of(cells)) for cell in line)]


class ConnectFour(WithoutRewards):
    """A position is the cells row by row from the bottom, left to right."""

    def __init__(self, width, height, score=False):
        self.width, self.height, self.score = width, height, score
        self.lines = [
            tuple((x + i * dx) + (y + i * dy) * width for i in range(4))
            for x in range(width)
            for y in range(height)
            for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1))
            if 0 <= x + 3 * dx < width and y + 3 * dy < height
        ]

    def column(self, cells, x):
        return "".join(cells[x :: self.width]).rstrip(".")

    def has_line(self, cells, stone):
        return any(all(cells[c] == stone for c in line) for line in self.lines)

    def legal(self, cells):
        need(all("." not in self.column(cells, x) for x in range(self.width)), "a stone floats")
        if self.score:
            need_usual_numbers(cells)
        mover = mover_of(cells)
        last = "o" if mover == "x" else "x"
        need(not self.has_line(cells, mover), "the side to move has a line")
        tops = [x + self.width * (len(self.column(cells, x)) - 1) for x in range(self.width) if self.column(cells, x)]
        before = [cells[:c] + "." + cells[c + 1 :] for c in tops if cells[c] == last]
        need(not self.has_line(cells, last) or any(not self.has_line(b, last) for b in before), "no last move")
        return cells

    def parse(self, text):
        return self.legal(board_of_text(text, self.height, self.width, not self.score))

    def number(self, cells, columns):
        mover, number = mover_of(cells), 0
        for place, x in enumerate(columns):
            stones = self.column(cells, x)
            bits = sum((stone == mover) << i for i, stone in enumerate(stones)) + (1 << len(stones))
            number += bits << place * (self.height + 1)
        return number

    def key(self, cells):
        columns = range(self.width)
        smallest = min(self.number(cells, columns), self.number(cells, columns[::-1]))
        return smallest.to_bytes(((self.height + 1) * self.width + 7) // 8, "big")

    def position(self, key):
        number, size = int.from_bytes(key, "big"), self.height + 1
        need(len(key) == (size * self.width + 7) // 8 and number < 1 << size * self.width, "the size of a key")
        columns = [number >> x * size & (1 << size) - 1 for x in range(self.width)]
        need(all(columns), "a column without a mark")
        stones = sum(column.bit_length() - 1 for column in columns)
        mover, other = "ox" if stones % 2 else "xo"
        marked = ["".join(mover if c >> i & 1 else other for i in range(c.bit_length() - 1)) for c in columns]
        return self.legal("".join(marked[x][y : y + 1] or "." for y in range(self.height) for x in range(self.width)))

    def terminal(self, cells):
        value = board_value(cells, self.lines, mover_of(cells))
        if value == -1 and self.score:
            return -((len(cells) + 2 - (len(cells) - cells.count("."))) // 2)
        return value

    def limit(self, cells):
        if not self.score:
            return 1
        return max(1, min((len(cells) - 5) // 2, (len(cells) + 1 - (len(cells) - cells.count("."))) // 2))

    def moves(self, cells):
        return [x for x in range(self.width) if len(self.column(cells, x)) < self.height]

    def play(self, cells, move):
        place = move + self.width * len(self.column(cells, move))
        return cells[:place] + mover_of(cells) + cells[place + 1 :]

    def square(self, cells, move):
        return move * (self.height + 1) + len(self.column(cells, move))

    def usual_mark(self, square):
        return 2 if square % (self.height + 1) % 2 else 4


class Gomoku(WithoutRewards):
    """A position is the cells row by row from the bottom, left to right."""

    def __init__(self, width, height, length, standard, professional=False):
        self.width, self.height, self.length, self.standard = width, height, length, standard
        centre = width // 2, height // 2
        away = {c + width * r: max(abs(c - centre[0]), abs(r - centre[1])) for r in range(height) for c in range(width)}
        self.opening = [
            {place for place, distance in away.items() if distance in allowed} for allowed in ((0,), (1,), range(3, 19))
        ]
        self.opening = self.opening if professional else []
        squares = [(c, r) for r in range(height) for c in range(width)]
        squares.sort(key=lambda s: (max(abs(2 * s[0] - (width - 1)), abs(2 * s[1] - (height - 1))), s[1], s[0]))
        self.places = [c + width * r for c, r in squares]
        self.lines = [
            [(c + i * dc, r + i * dr) for i in range(-1, length + 1)]
            for c, r in squares
            for dc, dr in ((1, 0), (0, 1), (1, 1), (-1, 1))
        ]

    def opens(self, cells):
        stones = len(cells) - cells.count(".")
        return all(any(cells[p] == s for p in places) for s, places in zip("xox"[:stones], self.opening, strict=False))

    def has_row(self, cells, stone):
        def has(c, r):
            return 0 <= c < self.width and 0 <= r < self.height and cells[c + self.width * r] == stone

        return any(
            all(has(c, r) for c, r in line[1:-1]) and not (self.standard and (has(*line[0]) or has(*line[-1])))
            for line in self.lines
        )

    def legal(self, cells):
        if self.opening:
            need_usual_numbers(cells)
        mover = mover_of(cells)
        last = "o" if mover == "x" else "x"
        need(not self.has_row(cells, mover), "the side to move has a winning row")
        before = [cells[:place] + "." + cells[place + 1 :] for place, cell in enumerate(cells) if cell == last]
        before = [b for b in before if not self.has_row(b, last) and self.opens(b)]
        need(self.opens(cells) and (before or not self.has_row(cells, last)), "an opening and a last move")
        return cells

    def parse(self, text):
        return self.legal(board_of_text(text, self.height, self.width, not self.opening))

    def key(self, cells):
        rows = [cells[start : start + self.width] for start in range(0, len(cells), self.width)]
        boards = [rows]
        if self.width == self.height:
            boards.append(["".join(column) for column in zip(*rows, strict=True)])
        boards += [board[::-1] for board in boards]
        boards += [[row[::-1] for row in board] for board in boards]
        return min(self.encoded("".join(board)) for board in boards)

    def encoded(self, cells):
        digits = cells.translate(str.maketrans(".xo", "012"))
        return bytes(int(digits[i : i + 5].ljust(5, "0"), 3) for i in range(0, len(digits), 5))

    def position(self, key):
        need(len(key) == (self.width * self.height + 4) // 5 and max(key) < 3**5, "bytes of five digits")
        cells = "".join(".xo"[byte // 3**i % 3] for byte in key for i in (4, 3, 2, 1, 0))
        need(not cells[self.width * self.height :].strip("."), "zeros behind the last square")
        return self.legal(cells[: self.width * self.height])

    def lines_of_mover(self, cells):
        """The rows that the side to move can still fill, as moves."""
        need(not self.opening, "a stone may be put on every empty square")
        mover = mover_of(cells)
        numbers = {place: number for number, place in enumerate(self.places)}
        for before, *line, behind in self.lines:
            signs = [
                "#" if not (0 <= c < self.width and 0 <= r < self.height) else cells[c + self.width * r]
                for c, r in (before, *line, behind)
            ]
            too_long = self.standard and mover in (signs[0], signs[-1])
            if all(sign in (".", mover) for sign in signs[1:-1]) and not too_long:
                yield [numbers[c + self.width * r] for c, r in line]

    def terminal(self, cells):
        if self.has_row(cells, "o" if mover_of(cells) == "x" else "x"):
            return -1
        return None if "." in cells else 0

    def moves(self, cells):
        stones = len(cells) - cells.count(".")
        allowed = self.opening[stones] if stones < len(self.opening) else self.places
        return [number for number, place in enumerate(self.places) if cells[place] == "." and place in allowed]

    def play(self, cells, move):
        place = self.places[move]
        return cells[:place] + mover_of(cells) + cells[place + 1 :]


class Awari:
    """A position is the twelve pits from the mover's first one, in the order of sowing."""

    rho = 0

    def parse(self, text):
        number, row = "(0|[1-9][0-9]?)", r"((?:0|[1-9][0-9]?)(?:,(?:0|[1-9][0-9]?)){5})"
        found = re.fullmatch(f"(?:{number}:)?{row}/{row}(?::{number})?/([SN])", text)
        need(found and (found[1] is None) == (found[4] is None), "two rows of six pits")
        need(found[1] is None or int(found[1]) + int(found[4]), "stores are written when there is something in them")
        north, south = ([int(stones) for stones in row.split(",")] for row in (found[2], found[3]))
        need(sum(north) + sum(south) + int(found[1] or 0) + int(found[4] or 0) <= 48, "at most 48 stones")
        rows = (north[::-1], south) if found[5] == "N" else (south, north[::-1])
        return tuple(rows[0] + rows[1])

    def key(self, pits):
        bits = "".join("1" * stones + "0" for stones in pits)
        return int(bits[::-1], 2).to_bytes(8, "big")

    def position(self, key):
        need(len(key) == 8, "a key of eight bytes")
        bits = f"{int.from_bytes(key, 'big'):064b}"[::-1]
        found = re.fullmatch("".join(["(1*)0"] * 12) + "0*", bits)
        need(found, "twelve pits and nothing above")
        pits = tuple(len(ones) for ones in found.groups())
        need(sum(pits) <= 48, "at most 48 stones")
        return pits

    def terminal(self, pits):
        return None if any(pits[:6]) else -sum(pits[6:])

    def limit(self, pits):
        return sum(pits)

    def sown(self, pits, move):
        after = list(pits)
        stones, after[move], place = after[move], 0, move
        while stones:
            place = (place + 1) % 12
            if place != move:
                after[place] += 1
                stones -= 1
        while place > 5 and after[place] in (2, 3):
            after[place] = 0
            place -= 1
        return after

    def moves(self, pits):
        moves = [move for move in range(6) if pits[move]]
        return [move for move in moves if any(self.sown(pits, move)[6:])] or moves

    def play(self, pits, move):
        after = self.sown(pits, move)
        return tuple(after[6:] + after[:6])

    def reward(self, pits, move):
        return sum(pits) - sum(self.sown(pits, move))


def open_game(name):
    if name in ("tic-tac-toe", "awari"):
        return TicTacToe() if name == "tic-tac-toe" else Awari()
    if name == "connect-four":
        return ConnectFour(7, 6)
    if name.startswith("gomoku"):
        return open_gomoku(name)
    size = re.fullmatch("connect-four:([1-9][0-9]{,2})x([1-9][0-9]{,2})(,score)?", name)
    need(size and name != "connect-four:7x6", "a canonical name of a game that is known here")
    width, height = int(size[1]), int(size[2])
    need((height + 1) * width <= 128, "a board that fits")
    return ConnectFour(width, height, size[3] is not None)


def open_gomoku(name):
    if name in ("gomoku", "gomoku:standard", "gomoku:professional", "gomoku:standard,professional"):
        return Gomoku(15, 15, 5, "standard" in name, "professional" in name)
    found = re.fullmatch("gomoku:([1-9][0-9]?)x([1-9][0-9]?)(?:-([1-9][0-9]?))?(,standard)?(,professional)?", name)
    need(found and found[3] != "5", "a canonical name of a game that is known here")
    width, height, length = int(found[1]), int(found[2]), int(found[3] or 5)
    need((width, height, length) != (15, 15, 5), "15x15 has no size in its name")
    need(min(width, height) >= 3 and max(width, height) <= 19 and 3 <= length <= max(width, height), "sizes")
    need(not found[5] or (width % 2 and height % 2 and min(width, height) >= 7 and length == 5), "a board to open on")
    return Gomoku(width, height, length, found[4] is not None, found[5] is not None)
