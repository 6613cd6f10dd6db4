"""The nine cells of tic-tac-toe."""

from __future__ import annotations

from proofbase.service.pictures.boards.board import Board, Drawing, badge, picks, ring, target_group, text, turned
from proofbase.service.pictures.markup import Markup, joined, tag

__all__ = ["draw"]

CELL = 72.0


def draw(board: Board) -> Drawing | None:
    """Three rows from the top, separated by `/`."""
    cells = board.position.replace("/", "")
    parts = []
    for number, cell in enumerate(cells):
        column, row = turned(number % 3, number // 3, 3, board.turns)
        last = " last-cell" if board.last == str(number + 1) else ""
        place = {"x": column * CELL + 2, "y": row * CELL + 2, "width": CELL - 4, "height": CELL - 4}
        parts.append(tag("rect", class_=f"cell{last}", rx=6, **place))
        parts.append(_mark((column + 0.5) * CELL, (row + 0.5) * CELL, cell))
    for target in board.targets:
        column, row = turned(target.number % 3, target.number // 3, 3, board.turns)
        x, y = (column + 0.5) * CELL, (row + 0.5) * CELL
        area = tag("rect", class_="area", x=x - CELL / 2, y=y - CELL / 2, width=CELL, height=CELL)
        label = text(x - CELL * 0.36, y - CELL * 0.32, target.move, 11, "label")
        best = ring(x, y, CELL * 0.38) if target.best else None
        parts.append(target_group(target, area, label, badge(target, x, y, 28), best))
    places = [turned(number % 3, number // 3, 3, board.turns) for number in range(9)]
    squares = [(str(n), (column + 0.5) * CELL, (row + 0.5) * CELL) for n, (column, row) in enumerate(places, 1)]
    parts.append(picks(board, squares, CELL))
    rows = ", ".join(board.position.split("/"))
    return Drawing(3 * CELL, 3 * CELL, f"Three rows from the top: {rows}", joined(*parts))


def _mark(x: float, y: float, cell: str) -> Markup:
    reach = CELL * 0.27
    if cell == "x":
        return joined(
            tag("line", class_="stroke first", x1=x - reach, y1=y - reach, x2=x + reach, y2=y + reach),
            tag("line", class_="stroke first", x1=x - reach, y1=y + reach, x2=x + reach, y2=y - reach),
        )
    return tag("circle", class_="stroke second", cx=x, cy=y, r=reach) if cell == "o" else Markup()
