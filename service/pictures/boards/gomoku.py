"""The board of go-moku and renju: stones on the crossings of lines, letters below, numbers at the left.

In the opening of renju squares on offer are circles, `swap` and `pass` stand below the board, and an answer to an offer
is made in two steps.
"""

from __future__ import annotations

import re

from proofbase.service.pictures.boards.board import (
    Board,
    Drawing,
    Target,
    badge,
    picks,
    ring,
    stone,
    target_group,
    text,
    turned,
)
from proofbase.service.pictures.boards.steps import Path, Step, steps_of
from proofbase.service.pictures.markup import Markup, joined, tag

__all__ = ["draw"]

SPACING = 28.0
EDGE = 36.0


FILES = "abcdefghijklmnopqrs"
WORDS = ("swap", "pass")
SQUARE = re.compile(r"[a-s][0-9]+")
MOVE = re.compile(f"{SQUARE.pattern}(:{SQUARE.pattern})?|{'|'.join(WORDS)}")


def draw(board: Board) -> Drawing | None:
    """Rows from the top, separated by `/`. None where a move has another form."""
    cells_of_rows = board.position.partition(" ")[0]
    if not all(MOVE.fullmatch(target.move) for target in board.targets) or not set(cells_of_rows) <= set(".xo?/"):
        return None
    rows = cells_of_rows.split("/")
    width, height = len(rows[0]), len(rows)
    turns = board.turns % 4 if width == height else board.turns // 2 % 2 * 2

    def place(column: float, row: float) -> tuple[float, float]:
        if width == height:
            column, row = turned(column, row, width, turns)
        elif turns:
            column, row = width - 1 - column, height - 1 - row
        return EDGE + column * SPACING, EDGE + row * SPACING

    right, bottom = EDGE + (width - 1) * SPACING, EDGE + (height - 1) * SPACING
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
            square, (x, y) = f"{FILES[column]}{height - row}", place(column, row)
            if cell == "?":
                parts.append(tag("circle", class_="grid", cx=x, cy=y, r=SPACING * 0.44, fill="none"))
            elif cell != ".":
                parts.append(
                    stone(x, y, SPACING * 0.44, "xo".index(cell), last=square in (board.last or "").split(":"))
                )

    def place_of(square: str) -> tuple[float, float]:
        return place(FILES.index(square[0]), height - int(square[1:]))

    words = [target for target in board.targets if target.move in WORDS]
    parts += [_word(target, right / 2 + EDGE / 2, bottom + EDGE + 15) for target in words]
    answers = [(tuple(target.move.split(":")), target) for target in board.targets if ":" in target.move]
    if answers:
        parts.append(steps_of(board, answers, lambda path: _step(path, *place_of(path[-1]))))
    parts += [_square(target, *place_of(target.move)) for target in board.targets if SQUARE.fullmatch(target.move)]
    names = [
        (f"{FILES[column]}{height - row}", *place(column, row)) for row in range(height) for column in range(width)
    ]
    parts.append(picks(board, names, SPACING))
    stones = board.position.count("x") + board.position.count("o")
    kept = [f"row {height - row}: {cells}" for row, cells in enumerate(rows) if set(cells) != {"."}]
    description = f"{width} columns and {height} rows, {stones} stones. {'; '.join(kept) or 'The board is empty'}"
    return Drawing(right + EDGE, bottom + EDGE + 30 * bool(words), description, joined(*parts))


def _square(target: Target, x: float, y: float) -> Markup:
    """A stone on an empty square."""
    area = tag("rect", class_="area", x=x - SPACING / 2, y=y - SPACING / 2, width=SPACING, height=SPACING)
    spot = tag("circle", class_="spot", cx=x, cy=y, r=SPACING * 0.4)
    target_badge = badge(target, x, y, 19) if target.sign != "?" else None
    best = ring(x, y, SPACING * 0.46) if target.best else None
    return target_group(target, area, spot, best, target_badge)  # a ring above a long sign would cross it


def _word(target: Target, x: float, y: float) -> Markup:
    """A move that is no square, below the board."""
    area = tag("rect", class_="area", x=x - 60, y=y - 14, width=120, height=28)
    label = text(x - 20, y, target.move, 14, "label")
    return target_group(target, area, label, badge(target, x + 24, y, 22))


def _step(path: Path, x: float, y: float) -> Step:
    """A stone of an answer to an offer."""
    return Step(x, y, SPACING, f"stone of {'Black' if len(path) == 1 else 'White'} on {path[-1]}", (x, y, 19))


def _stars(width: int, height: int) -> list[tuple[int, int]]:
    """The points that are marked on boards of 15 and 19 lines."""
    if width != height or width not in (15, 19):
        return []
    return [(column, row) for column in (3, width // 2, width - 4) for row in (3, width // 2, width - 4)]
