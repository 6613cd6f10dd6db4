"""The upright board of connect-four: a column is a target, with the value of the move above it."""

from __future__ import annotations

from proofbase.service.pictures.boards.board import Board, Drawing, badge, pick_link, ring, stone, target_group, text
from proofbase.service.pictures.markup import joined, tag

__all__ = ["draw"]

CELL = 40.0
TOP = 36.0


def draw(board: Board) -> Drawing | None:
    """Rows from the top, separated by `/`."""
    rows = board.position.split("/")
    width, height = len(rows[0]), len(rows)
    last = int(board.last) - 1 if board.last and board.last.isdigit() else None
    if last is not None and not 0 <= last < width:
        last = None
    right, bottom = width * CELL, TOP + height * CELL
    parts = [tag("rect", class_="wood", x=0, y=TOP, width=right, height=bottom - TOP, rx=8)]
    top_of = [next((row for row in range(height) if rows[row][c] != "."), height) for c in range(width)]
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            x, y = (column + 0.5) * CELL, TOP + (row + 0.5) * CELL
            if cell == ".":
                parts.append(tag("circle", class_="hole", cx=x, cy=y, r=CELL * 0.41))
            else:
                mark = column == last and row == top_of[column]
                parts.append(stone(x, y, CELL * 0.41, "xo".index(cell), last=mark, grooves=True))
    for target in board.targets:
        x = (target.number + 0.5) * CELL
        y = TOP + (top_of[target.number] - 0.5) * CELL
        parts.append(
            target_group(
                target,
                tag("rect", class_="area", x=x - CELL / 2, y=0, width=CELL, height=bottom + 22),
                tag("circle", class_="spot", cx=x, cy=y, r=CELL * 0.37),
                badge(target, x, TOP / 2, 24),
                ring(x, y, CELL * 0.38) if target.best else None,
            )
        )
    for column in range(width if board.pick else 0):
        area = tag("rect", class_="area", x=column * CELL, y=0, width=CELL, height=bottom + 22)
        parts.append(pick_link(board, column, f"column {column + 1}", area))
    parts += [text((column + 0.5) * CELL, bottom + 12, str(column + 1), 13, "label") for column in range(width)]
    stones = board.position.count("x") + board.position.count("o")
    description = f"{width} columns and {height} rows, {stones} stones. Rows from the top: " + ", ".join(rows)
    return Drawing(right, bottom + 22, description, joined(*parts))
