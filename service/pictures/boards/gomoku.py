"""The board of go-moku: stones on the crossings of lines, letters below, numbers at the left."""

from __future__ import annotations

from proofbase.service.pictures.boards.board import Board, Drawing, badge, stone, target_group, text
from proofbase.service.pictures.markup import joined, tag

__all__ = ["draw"]

STEP = 28.0
EDGE = 34.0


def draw(board: Board) -> Drawing | None:
    """Rows from the top, separated by `/`."""
    rows = board.position.split("/")
    width, height = len(rows[0]), len(rows)
    right, bottom = EDGE + (width - 1) * STEP, 20 + (height - 1) * STEP
    parts = [tag("rect", class_="wood pale", x=EDGE - 16, y=4, width=(width - 1) * STEP + 32, height=bottom + 12, rx=6)]
    for column in range(width):
        x = EDGE + column * STEP
        parts.append(tag("line", class_="grid", x1=x, y1=20, x2=x, y2=bottom))
        parts.append(text(x, bottom + 28, "abcdefghijklmnopqrs"[column], 12, "label"))
    for row in range(height):
        y = 20 + row * STEP
        parts.append(tag("line", class_="grid", x1=EDGE, y1=y, x2=right, y2=y))
        parts.append(text(8, y, str(height - row), 12, "label"))
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            if cell != ".":
                square = f"{'abcdefghijklmnopqrs'[column]}{height - row}"
                x, y = EDGE + column * STEP, 20 + row * STEP
                parts.append(stone(x, y, STEP * 0.44, "xo".index(cell), last=square == board.last))
    for target in board.targets:
        x = EDGE + "abcdefghijklmnopqrs".index(target.move[0]) * STEP
        y = 20 + (height - int(target.move[1:])) * STEP
        area = tag("rect", class_="area", x=x - STEP / 2, y=y - STEP / 2, width=STEP, height=STEP)
        spot = tag("circle", class_="spot", cx=x, cy=y, r=STEP * 0.4)
        known = target.sign != "?"
        parts.append(target_group(target, area, spot, badge(target, x, y, 19) if known else None))
    stones = board.position.count("x") + board.position.count("o")
    kept = [f"row {height - row}: {cells}" for row, cells in enumerate(rows) if set(cells) != {"."}]
    description = f"{width} columns and {height} rows, {stones} stones. {'; '.join(kept) or 'The board is empty'}"
    return Drawing(right + 18, bottom + 40, description, joined(*parts))
