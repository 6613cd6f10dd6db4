"""The boards of men's morris: squares one inside the other, with their lines."""

from __future__ import annotations

import re

from proofbase.service.pictures.boards.board import Board, Drawing, Target, badge, stone, target_group, text
from proofbase.service.pictures.markup import Markup, joined, tag

__all__ = ["draw"]

STEP = 58.0
EDGE = 40.0
_TEXT = re.compile(r"([.xo/]+):([xo])(?::([0-9]),([0-9]))?")
_MOVE = re.compile(r"(?:([a-g][1-7])-)?([a-g][1-7])(?:x([a-g][1-7]))?")


def draw(board: Board) -> Drawing | None:
    """`ROWS:SIDE:HANDS`: the points row by row from the top."""
    found = _TEXT.fullmatch(board.position)
    if found is None:
        return None
    rows = found[1].split("/")
    size, squares = len(rows), len(rows) // 2
    places = [(column, row) for row in range(size) for column in _columns(row, size)]
    side = EDGE * 2 + STEP * (size - 1)
    parts = [tag("rect", class_="paper", x=0, y=0, width=side, height=side, rx=8)]
    for distance in range(1, squares + 1):
        first, length = EDGE + (squares - distance) * STEP, 2 * distance * STEP
        parts.append(tag("rect", class_="grid", x=first, y=first, width=length, height=length, fill="none"))
    parts += _lines_between(size)
    last = _MOVE.fullmatch(board.last or "")
    for (column, row), mark in zip(places, "".join(rows), strict=True):
        x, y = EDGE + column * STEP, EDGE + row * STEP
        parts.append(tag("circle", class_="seed", cx=x, cy=y, r=4))
        if mark != ".":
            moved = last is not None and last[2] == _name(column, row, size)
            parts.append(stone(x, y, STEP * 0.32, "xo".index(mark), last=moved))
    for number in range(size):
        parts.append(text(EDGE + number * STEP, side - 11, "abcdefg"[number], 13, "label"))
        parts.append(text(12, EDGE + number * STEP, str(size - number), 13, "label"))
    parts += [_target(target, size) for target in board.targets]
    hands = f" In hand: x {found[3]}, o {found[4]}." if found[3] else ""
    parts.append(text(side / 2, side + 16, f"{found[2]} is to move.{hands}", 13, "label"))
    description = f"Rows of points from the top: {', '.join(rows)}.{hands} {found[2]} is to move"
    return Drawing(side, side + 28, description, joined(*parts))


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


def _target(target: Target, size: int) -> Markup:
    """A move is where its man arrives, drawn a little towards where he comes from and towards the man that is taken."""
    found = _MOVE.fullmatch(target.move)
    assert found is not None
    start, end, taken = (_place(name, size) if name else None for name in found.groups())
    assert end is not None
    x, y = end
    for other, share in ((start, 0.3), (taken, 0.25)):
        if other is not None:
            x, y = x + share * (other[0] - x), y + share * (other[1] - y)
    area = tag("circle", class_="area", cx=x, cy=y, r=STEP * (0.4 if start is None and taken is None else 0.2))
    ring = tag("circle", class_="spot", cx=x, cy=y, r=STEP * 0.2)
    return target_group(target, area, ring, badge(target, x, y, 15))


def _place(name: str, size: int) -> tuple[float, float]:
    return EDGE + "abcdefg".index(name[0]) * STEP, EDGE + (size - int(name[1])) * STEP
