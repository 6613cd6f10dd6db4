"""The boards of men's morris: squares one inside the other, with their lines."""

from __future__ import annotations

import re

from proofbase.service.pictures.boards.board import Board, Drawing, arrow, picks, ring, stone, text, turned
from proofbase.service.pictures.boards.steps import Path, Step, steps_of
from proofbase.service.pictures.markup import Markup, joined, tag

__all__ = ["draw"]

STEP = 58.0
EDGE = 40.0
_TEXT = re.compile(r"([.xo/]+):([xo])(?::([0-9]),([0-9]))?")
_MOVE = re.compile(r"(?:([a-g][1-7])-)?([a-g][1-7])(?:x([a-g][1-7]))?")


def draw(board: Board) -> Drawing | None:
    """`ROWS:SIDE:HANDS`: the points row by row from the top."""
    fields = _TEXT.fullmatch(board.position)
    if fields is None:
        return None
    rows = fields[1].split("/")
    size, squares = len(rows), len(rows) // 2
    places = [(column, row) for row in range(size) for column in _columns(row, size)]
    side = EDGE * 2 + STEP * (size - 1)
    parts = [tag("rect", class_="paper", x=0, y=0, width=side, height=side, rx=8)]
    for distance in range(1, squares + 1):
        first, length = EDGE + (squares - distance) * STEP, 2 * distance * STEP
        parts.append(tag("rect", class_="grid", x=first, y=first, width=length, height=length, fill="none"))
    parts += _lines_between(size)
    last = _MOVE.fullmatch(board.last or "")
    men = {}
    for (column, row), mark in zip(places, "".join(rows), strict=True):
        name = _name(column, row, size)
        x, y = _place(name, size, board.turns)
        parts.append(tag("circle", class_="seed", cx=x, cy=y, r=4))
        if mark != ".":
            men[name] = mark
            moved = last is not None and last[2] == name
            figure = stone(x, y, STEP * 0.32, "xo".index(mark), last=moved)
            parts.append(tag("g", figure, class_="man-at", data_man=name))
    for number in range(size):
        file, rank = "abcdefg"[number], str(size - number)
        parts.append(text(*_beside(number, size - 0.5, size, board.turns), file, 13, "label"))
        parts.append(text(*_beside(-0.5, number, size, board.turns), rank, 13, "label"))
    paths = [(_steps(target.move), target) for target in board.targets]
    best = next((path for path, target in paths if target.best), None)
    if best is not None and best[0] in men:
        parts.append(arrow(_place(best[0], size, board.turns), _place(best[1], size, board.turns), 8))
    elif best is not None:
        parts.append(ring(*_place(best[0], size, board.turns), STEP * 0.34))

    def drawn(path: Path) -> Step:
        x, y = _place(path[-1], size, board.turns)
        man = path[-1] in men
        name = f"take {path[-1]}" if man and len(path) > 1 else f"man {path[-1]}" if man else path[-1]
        return Step(x, y, STEP * 0.8, name, (x + STEP * 0.28, y - STEP * 0.28, 16) if man else (x, y, 20))

    parts.append(steps_of(board, paths, drawn))
    names = [_name(column, row, size) for column, row in places]
    parts.append(picks(board, [(name, *_place(name, size, board.turns)) for name in names], STEP * 0.8))
    mover = "White" if fields[2] == "x" else "Black"
    hands = f" In hand: White {fields[3]}, Black {fields[4]}." if fields[3] else ""
    parts.append(text(side / 2, side + 16, f"{mover} is to move.{hands}", 13, "label"))
    description = f"Rows of points from the top, x for White: {', '.join(rows)}.{hands} {mover} is to move"
    return Drawing(side, side + 28, description, joined(*parts))


def _steps(move: str) -> Path:
    """The man that moves, where he goes, the man that is taken."""
    points = _MOVE.fullmatch(move)
    assert points is not None
    return tuple(name for name in points.groups() if name)


def _columns(row: int, size: int) -> list[int]:
    """The columns in which a row has points: corners and middles of its square."""
    middle = size // 2
    distance = abs(row - middle)
    if distance == 0:
        return [column for column in range(size) if column != middle or size == 3]
    return [middle - distance, middle, middle + distance]


def _name(column: int, row: int, size: int) -> str:
    return f"{'abcdefg'[column]}{size - row}"


def _lines_between(size: int) -> list[Markup]:
    """The lines that join the squares; on the smallest board those through the centre."""
    low, middle, high = EDGE, EDGE + size // 2 * STEP, EDGE + (size - 1) * STEP
    if size == 3:
        ends = [
            (low, middle, high, middle),
            (middle, low, middle, high),
            (low, low, high, high),
            (low, high, high, low),
        ]
    else:
        reach = (size // 2 - 1) * STEP
        ends = [(low, middle, low + reach, middle), (high, middle, high - reach, middle)]
        ends += [(middle, low, middle, low + reach), (middle, high, middle, high - reach)]
    return [tag("line", class_="grid", x1=x1, y1=y1, x2=x2, y2=y2) for x1, y1, x2, y2 in ends]


def _place(name: str, size: int, turns: int) -> tuple[float, float]:
    column, row = turned("abcdefg".index(name[0]), size - int(name[1:]), size, turns)
    return EDGE + column * STEP, EDGE + row * STEP


def _beside(column: float, row: float, size: int, turns: int) -> tuple[float, float]:
    """Where the name of a file or a rank stands."""
    x, y = turned(column, row, size, turns)
    return EDGE + x * STEP, EDGE + y * STEP
