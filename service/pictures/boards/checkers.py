"""The board of checkers: a man is chosen, then the squares that he comes to, one after the other."""

from __future__ import annotations

import re
from itertools import pairwise

from proofbase.service.pictures.boards.board import Board, Drawing, arrow, picks, stone, text, turned
from proofbase.service.pictures.boards.steps import Path, Step, steps_of
from proofbase.service.pictures.markup import joined, tag

__all__ = ["MEN", "draw"]

STEP = 48.0
MEN = {"b": "black man", "B": "black king", "w": "white man", "W": "white king"}
_TEXT = re.compile(r"([BW]):W([K0-9,]*):B([K0-9,]*)")


def draw(board: Board) -> Drawing | None:
    """A FEN of PDN: the side to move, then the squares of White's men and of Black's, K before kings."""
    fields = _TEXT.fullmatch(board.position)
    if fields is None:
        return None
    men = {word.removeprefix("K"): ("bw"[side], "K" in word) for side in (0, 1) for word in _words(fields[3 - side])}
    last = re.split("[-x]", board.last)[-1] if board.last else None
    squares, figures = [], []
    for row in range(8):
        for column in range(8):
            x, y = _middle(column, row, board.turns)
            place = {"x": x - STEP / 2, "y": y - STEP / 2, "width": STEP, "height": STEP}
            if (row + column) % 2 == 0:
                squares.append(tag("rect", class_="square light", **place))
                continue
            number = str(row * 4 + column // 2 + 1)
            marked = " last-cell" if number == last else ""
            squares.append(tag("rect", class_=f"square dark{marked}", **place))
            squares.append(text(x - STEP * 0.37, y - STEP * 0.39, number, 9, "label"))
            if number in men:
                colour, king = men[number]
                figure = [stone(x, y, STEP * 0.36, "bw".index(colour))]
                if king:
                    figure.append(text(x, y, "K", STEP * 0.42, f"king-mark {colour}"))
                figures.append(tag("g", *figure, class_="man-at", data_man=number))
    paths = [(tuple(re.split("[-x]", target.move)), target) for target in board.targets]
    best = next((path for path, target in paths if target.best), None)
    arrows = [arrow(_place(a, board.turns), _place(b, board.turns), 7) for a, b in pairwise(best or ())]

    def drawn(path: Path) -> Step:
        x, y = _place(path[-1], board.turns)
        if len(path) == 1:
            king = path[0] in men and men[path[0]][1]
            return Step(x, y, STEP, f"{'king' if king else 'man'} {path[0]}", (x + STEP * 0.26, y - STEP * 0.32, 15))
        return Step(x, y, STEP, f"{path[-2]} to {path[-1]}", (x, y, 20))

    picked = picks(board, [(str(n), *_place(str(n), board.turns)) for n in range(1, 33)], STEP)
    content = joined(*squares, *figures, *arrows, steps_of(board, paths, drawn), picked)
    return Drawing(8 * STEP, 8 * STEP, _described(men), content)


def _words(squares: str) -> list[str]:
    return squares.split(",") if squares else []


def _middle(column: int, row: int, turns: int) -> tuple[float, float]:
    column_shown, row_shown = turned(column, row, 8, turns)
    return (column_shown + 0.5) * STEP, (row_shown + 0.5) * STEP


def _place(square: str, turns: int) -> tuple[float, float]:
    """The middle of a dark square by its number."""
    row, place = divmod(int(square) - 1, 4)
    return _middle(2 * place + (row + 1) % 2, row, turns)


def _described(men: dict[str, tuple[str, bool]]) -> str:
    parts = []
    for colour, side in (("b", "Black"), ("w", "White")):
        squares = [f"{'king ' if king else ''}{square}" for square, (of, king) in men.items() if of == colour]
        parts.append(f"{side}: {', '.join(squares) or 'no men'}")
    return f"Eight rows of dark squares from 1 at the top. {'; '.join(parts)}"
