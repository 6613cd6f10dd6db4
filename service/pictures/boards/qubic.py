"""The cube of qubic as its four layers, two beside each other, so that it fits on a phone."""

from __future__ import annotations

from proofbase.service.pictures.boards.board import Board, Drawing, badge, picks, ring, stone, target_group, text
from proofbase.service.pictures.markup import joined, tag

__all__ = ["draw"]

CELL = 38.0
LAYER = 4 * CELL
GAP = 20.0
HEAD = 22.0


def draw(board: Board) -> Drawing | None:
    """Four layers, separated by `//`, of four rows, separated by `/`."""
    layers = board.position.split("//")
    cubes = board.position.replace("/", "")
    parts = []
    for layer in range(4):
        x, y = _corner(layer)
        parts.append(
            text(x + LAYER / 2, y - HEAD / 2, f"layer {layer + 1}: {16 * layer} to {16 * layer + 15}", 12, "label")
        )
        parts.append(tag("rect", class_="wood pale", x=x, y=y, width=LAYER, height=LAYER, rx=6))
    for cube, cell in enumerate(cubes):
        x, y = _centre(cube)
        place = {"x": x - CELL / 2 + 1.5, "y": y - CELL / 2 + 1.5, "width": CELL - 3, "height": CELL - 3}
        parts.append(tag("rect", class_="cell", rx=4, **place))
        if cell != ".":
            parts.append(stone(x, y, CELL * 0.38, "xo".index(cell), last=str(cube) == board.last, grooves=True))
    for target in board.targets:
        x, y = _centre(target.number)
        area = tag("rect", class_="area", x=x - CELL / 2, y=y - CELL / 2, width=CELL, height=CELL)
        mark = badge(target, x, y, 22) if target.sign != "?" else text(x, y, target.move, 11, "label")
        best = ring(x, y, CELL * 0.42) if target.best else None
        parts.append(target_group(target, area, mark, best))
    parts.append(picks(board, [(str(cube), *_centre(cube)) for cube in range(64)], CELL))
    stones = cubes.count("x") + cubes.count("o")
    description = f"A cube of 4 by 4 by 4, {stones} stones. Layers: " + "; ".join(layers)
    return Drawing(2 * LAYER + GAP, 2 * (LAYER + HEAD) + 8, description, joined(*parts))


def _corner(layer: int) -> tuple[float, float]:
    row, column = divmod(layer, 2)
    return column * (LAYER + GAP), HEAD + row * (LAYER + HEAD + 6)


def _centre(cube: int) -> tuple[float, float]:
    x, y = _corner(cube // 16)
    return x + (cube % 4 + 0.5) * CELL, y + (cube // 4 % 4 + 0.5) * CELL
