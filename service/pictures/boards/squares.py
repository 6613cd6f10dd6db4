"""The board of a user's game that offers squares: men by letters, moves by one click or by several."""

from __future__ import annotations

from proofbase.service.pictures.boards.board import Board, Drawing, ring, text
from proofbase.service.pictures.boards.steps import Path, Step, steps_of
from proofbase.service.pictures.markup import joined, tag

__all__ = ["draw"]

CELL = 48.0
MOST = 1_000
"""Squares of a board that is drawn."""


def draw(board: Board) -> Drawing | None:
    """The rows of `board.squares`; None where there are none, or too many squares."""
    if board.squares is None or not 0 < sum(map(len, board.squares.rows)) <= MOST:
        return None
    rows = board.squares.rows
    width, height = max(map(len, rows)) * CELL, len(rows) * CELL
    parts, places, men = [], list[tuple[float, float]](), list[str]()
    for row, cells in enumerate(rows):
        for column, letter in enumerate(cells):
            x, y = (column + 0.5) * CELL, (row + 0.5) * CELL
            number = str(len(places))
            places.append((x, y))
            men.append(letter)
            if letter == " ":
                continue
            place = {"x": x - CELL / 2 + 1, "y": y - CELL / 2 + 1, "width": CELL - 2, "height": CELL - 2}
            parts.append(tag("rect", class_="cell", rx=4, **place))
            if letter != ".":
                letters = text(x, y, letter, CELL * 0.55, "count")
                parts.append(tag("g", letters, class_="man-at", data_man=number))
    paths = []
    for target in board.targets:
        numbers = board.squares.moves.get(target.move, ())
        if numbers and all(0 <= number < len(places) for number in numbers):
            paths.append((tuple(str(number) for number in numbers), target))
    # A move whose squares are those of another one, or the beginning of them, cannot be told by clicks.
    named = [path for path, _ in paths]
    unclear = {path for path in named if sum(other[: len(path)] == path for other in named) > 1}
    clear = [(path, target) for path, target in paths if path not in unclear]
    best = next((path for path, target in clear if target.best), None)
    marked = ring(*places[int(best[-1])], CELL * 0.42) if best else None

    def drawn(path: Path) -> Step:
        x, y = places[int(path[-1])]
        letter = men[int(path[-1])]
        occupied = letter not in ". "
        name = f"{letter if occupied else 'square'} in row {int(y / CELL) + 1}, column {int(x / CELL) + 1}"
        return Step(x, y, CELL, name, (x + CELL * 0.26, y - CELL * 0.32, 16) if occupied else (x, y, 20))

    content = joined(*parts, marked, steps_of(board, clear, drawn))
    return Drawing(width, height, f"Rows from the top: {', '.join(rows)}", content)
