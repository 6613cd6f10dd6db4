"""The board of chess and giveaway chess: White below, each legal move a target on the square that it goes to."""

from __future__ import annotations

import re
from math import ceil, sqrt

from proofbase.service.pictures.boards.board import Board, Drawing, Target, badge, target_group, text
from proofbase.service.pictures.markup import joined, tag

__all__ = ["draw"]

STEP = 48.0
EDGE = 20.0
FILES = "abcdefgh"
MEN = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True))
NAMES = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "P": "pawn"}


def draw(board: Board) -> Drawing | None:
    """The first field of a FEN: ranks from the top, separated by `/`."""
    ranks = [re.sub("[1-8]", lambda count: "." * int(count[0]), rank) for rank in board.position.split()[0].split("/")]
    last = _last_square(board)
    parts = []
    for row, cells in enumerate(ranks):
        parts.append(text(8, _y(row), str(8 - row), 12, "label"))
        for column, cell in enumerate(cells):
            square = f"{FILES[column]}{8 - row}"
            shade = "dark" if (row + column) % 2 else "light"
            place = {"x": _x(column) - STEP / 2, "y": _y(row) - STEP / 2, "width": STEP, "height": STEP}
            mark = " last-cell" if square == last else ""
            parts.append(tag("rect", class_=f"square {shade}{mark}", **place))
            if cell != ".":
                parts.append(text(_x(column), _y(row), MEN[cell], STEP * 0.82, "man"))
    for column, letter in enumerate(FILES):
        parts.append(text(_x(column), 8 * STEP + 14, letter, 12, "label"))
    by_square: dict[int, list[Target]] = {}
    for target in board.targets:
        by_square.setdefault(_target_square(target, board.side), []).append(target)
    for number_of_square, targets in by_square.items():
        side = ceil(sqrt(len(targets)))
        size = STEP / side
        for number, target in enumerate(targets):
            x = _x(number_of_square % 8) - STEP / 2 + (number % side + 0.5) * size
            y = _y(7 - number_of_square // 8) - STEP / 2 + (number // side + 0.5) * size
            area = tag("rect", class_="area", x=x - size / 2, y=y - size / 2, width=size, height=size)
            spot = tag("circle", class_="spot", cx=x, cy=y, r=size * 0.4)
            known = target.sign != "?"
            parts.append(target_group(target, area, spot, badge(target, x, y, size * 0.5) if known else None))
    return Drawing(EDGE + 8 * STEP, 8 * STEP + 24, _described(ranks), joined(*parts))


def _x(column: int) -> float:
    return EDGE + (column + 0.5) * STEP


def _y(row: int) -> float:
    return (row + 0.5) * STEP


def _target_square(target: Target, side: int) -> int:
    """The square that a move goes to, by its number, as White sees it."""
    square = target.number // 64 % 64
    return square ^ 56 if side else square


def _last_square(board: Board) -> str | None:
    """Of the last move, which is written in SAN; the side that made it is the one not to move."""
    if board.last is None:
        return None
    if board.last.startswith("O-O"):
        return ("c" if board.last.startswith("O-O-O") else "g") + ("1" if board.side else "8")
    squares = re.findall("[a-h][1-8]", board.last)
    return squares[-1] if squares else None


def _described(ranks: list[str]) -> str:
    """The men by their squares, for those who do not see the board."""
    sides = []
    for side, letters in (("White", "KQRBNP"), ("Black", "kqrbnp")):
        men = []
        for letter in letters:
            squares = [
                f"{FILES[column]}{8 - row}"
                for row, cells in enumerate(ranks)
                for column, cell in enumerate(cells)
                if cell == letter
            ]
            if squares:
                men.append(f"{NAMES[letter.upper()]} {' '.join(squares)}")
        sides.append(f"{side}: {', '.join(men) or 'no men'}")
    return ". ".join(sides)
