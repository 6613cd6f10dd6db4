"""The board of go-moku and renju: stones on the crossings of lines, letters below, numbers at the left."""

from __future__ import annotations

import re

from proofbase.service.pictures.boards.board import (
    Board,
    Drawing,
    badge,
    picks,
    ring,
    stone,
    target_group,
    text,
    turned,
)
from proofbase.service.pictures.markup import joined, tag

__all__ = ["draw"]

STEP = 28.0
EDGE = 36.0


FILES = "abcdefghijklmnopqrs"
SQUARE = re.compile(r"[a-s][0-9]+")


def draw(board: Board) -> Drawing | None:
    """Rows from the top, separated by `/`. None where a move is not a square, as in the opening of renju."""
    if not all(SQUARE.fullmatch(target.move) for target in board.targets) or not set(board.position) <= set(".xo/"):
        return None
    rows = board.position.split("/")
    width, height = len(rows[0]), len(rows)
    turns = board.turns % 4 if width == height else board.turns // 2 % 2 * 2

    def place(column: float, row: float) -> tuple[float, float]:
        if width == height:
            column, row = turned(column, row, width, turns)
        elif turns:
            column, row = width - 1 - column, height - 1 - row
        return EDGE + column * STEP, EDGE + row * STEP

    right, bottom = EDGE + (width - 1) * STEP, EDGE + (height - 1) * STEP
    parts = [
        tag(
            "rect",
            class_="wood pale",
            x=EDGE - 18,
            y=EDGE - 18,
            width=right - EDGE + 36,
            height=bottom - EDGE + 36,
            rx=6,
        )
    ]
    for column in range(width):
        (x1, y1), (x2, y2) = place(column, 0), place(column, height - 1)
        parts.append(tag("line", class_="grid", x1=x1, y1=y1, x2=x2, y2=y2))
        parts.append(text(*place(column, height - 0.1), FILES[column], 12, "label"))
    for row in range(height):
        (x1, y1), (x2, y2) = place(0, row), place(width - 1, row)
        parts.append(tag("line", class_="grid", x1=x1, y1=y1, x2=x2, y2=y2))
        parts.append(text(*place(-0.9, row), str(height - row), 12, "label"))
    for column, row in _stars(width, height):
        x, y = place(column, row)
        parts.append(tag("circle", class_="seed", cx=x, cy=y, r=3))
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            if cell != ".":
                square = f"{FILES[column]}{height - row}"
                x, y = place(column, row)
                parts.append(stone(x, y, STEP * 0.44, "xo".index(cell), last=square == board.last))
    for target in board.targets:
        x, y = place(FILES.index(target.move[0]), height - int(target.move[1:]))
        area = tag("rect", class_="area", x=x - STEP / 2, y=y - STEP / 2, width=STEP, height=STEP)
        spot = tag("circle", class_="spot", cx=x, cy=y, r=STEP * 0.4)
        shown = badge(target, x, y, 19) if target.sign != "?" else None
        best = ring(x, y, STEP * 0.46) if target.best else None
        parts.append(target_group(target, area, spot, best, shown))  # a ring above a long sign would cross it
    names = [
        (f"{FILES[column]}{height - row}", *place(column, row)) for row in range(height) for column in range(width)
    ]
    parts.append(picks(board, names, STEP))
    stones = board.position.count("x") + board.position.count("o")
    kept = [f"row {height - row}: {cells}" for row, cells in enumerate(rows) if set(cells) != {"."}]
    description = f"{width} columns and {height} rows, {stones} stones. {'; '.join(kept) or 'The board is empty'}"
    return Drawing(right + EDGE, bottom + EDGE, description, joined(*parts))


def _stars(width: int, height: int) -> list[tuple[int, int]]:
    """The points that are marked on boards of 15 and 19 lines."""
    if width != height or width not in (15, 19):
        return []
    return [(column, row) for column in (3, width // 2, width - 4) for row in (3, width // 2, width - 4)]
