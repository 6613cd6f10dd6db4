"""The board of Othello: discs on squares, letters above, numbers at the left, a1 at the top left."""

from __future__ import annotations

from math import isqrt

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

CELL = 46.0
EDGE = 24.0
FILES = "abcdefgh"


def draw(board: Board) -> Drawing | None:
    """Squares row by row from a1, then the side to move."""
    cells = board.position.partition(" ")[0]
    width, height = _size(board.game, len(cells))
    turns = board.turns % 4 if width == height else board.turns // 2 % 2 * 2

    def place(column: float, row: float) -> tuple[float, float]:
        """The middle of a square."""
        if width == height:
            column, row = turned(column, row, width, turns)
        elif turns:
            column, row = width - 1 - column, height - 1 - row
        return EDGE + (column + 0.5) * CELL, EDGE + (row + 0.5) * CELL

    parts, squares = [], list[tuple[str, float, float]]()
    for row in range(height):
        for column in range(width):
            number = row * width + column
            x, y = place(column, row)
            name = f"{FILES[column]}{row + 1}"
            squares.append((name, x, y))
            parts.append(tag("rect", class_="felt", x=x - CELL / 2, y=y - CELL / 2, width=CELL, height=CELL))
            if cells[number] != "-":
                parts.append(stone(x, y, CELL * 0.4, "XO".index(cells[number]), last=name == board.last))
    parts += [text(*place(column, -0.75), FILES[column], 12, "label") for column in range(width)]
    parts += [text(*place(-0.75, row), str(row + 1), 12, "label") for row in range(height)]
    right, bottom = 2 * EDGE + width * CELL, 2 * EDGE + height * CELL
    if board.last == "pass":
        parts.append(tag("rect", class_="area last-cell", x=right / 2 - 80, y=bottom, width=160, height=26))
        parts.append(text(right / 2, bottom + 13, "the other side passed", 13, "label"))
    for target in board.targets:
        if target.move == "pass":
            x, y = right / 2, bottom + 14
            area = tag("rect", class_="area", x=x - 60, y=y - 14, width=120, height=28)
            label = text(x - 34, y, "pass", 13, "label")
            parts.append(target_group(target, area, label, badge(target, x + 14, y, 24)))
            continue
        x, y = place(FILES.index(target.move[0]), int(target.move[1:]) - 1)
        area = tag("rect", class_="area", x=x - CELL / 2, y=y - CELL / 2, width=CELL, height=CELL)
        spot = tag("circle", class_="spot", cx=x, cy=y, r=CELL * 0.38)
        best = ring(x, y, CELL * 0.44) if target.best else None
        parts.append(target_group(target, area, spot, badge(target, x, y, 24), best))
    parts.append(picks(board, squares, CELL))
    rows = [cells[row * width : (row + 1) * width] for row in range(height)]
    kept = [f"row {number}: {row}" for number, row in enumerate(rows, 1) if set(row) != {"-"}]
    counts = f"{cells.count('X')} black and {cells.count('O')} white discs"
    description = f"{width} columns and {height} rows, {counts}. {'; '.join(kept)}"
    return Drawing(right, bottom + 30, description, joined(*parts))


def _size(game: str, squares: int) -> tuple[int, int]:
    """Width and height: boards of other forms than squares have them in the game's name."""
    side = isqrt(squares)
    if side * side == squares:
        return side, side
    width, _, height = game.partition(":")[2].partition(",")[0].partition("x")
    return int(width), int(height)
