"""The board of chess and giveaway chess: a man is chosen, then the square that he goes to, then what a pawn becomes."""

from __future__ import annotations

import re

from proofbase.service.pictures.boards.board import Board, Drawing, Target, arrow, picks, text, turned
from proofbase.service.pictures.boards.chess_men import NAMES, man
from proofbase.service.pictures.boards.steps import Path, Step, steps_of
from proofbase.service.pictures.markup import joined, tag

__all__ = ["draw", "squares_of"]

STEP = 48.0
EDGE = 20.0
FILES = "abcdefgh"
MEN = {letter: f"white {NAMES[letter]}" for letter in "KQRBNP"} | {
    letter.lower(): f"black {NAMES[letter]}" for letter in "KQRBNP"
}
KINDS = "PNBRQK"
"""What a pawn becomes, by the number in the number of its move."""


def draw(board: Board) -> Drawing | None:
    """The first field of a FEN: ranks from the top, separated by `/`."""
    ranks = [re.sub("[1-8]", lambda count: "." * int(count[0]), rank) for rank in board.position.split()[0].split("/")]
    men = {f"{FILES[column]}{8 - row}": man for row, rank in enumerate(ranks) for column, man in enumerate(rank)}
    last = _last_square(board)
    squares, figures, labels = [], [], []
    for square, letter in men.items():
        x, y = _place(square, board.turns)
        shade = "dark" if (FILES.index(square[0]) + int(square[1])) % 2 else "light"
        place = {"x": x - STEP / 2, "y": y - STEP / 2, "width": STEP, "height": STEP}
        squares.append(tag("rect", class_=f"square {shade}{' last-cell' if square == last else ''}", **place))
        if letter != ".":
            figures.append(tag("g", man(letter, x, y, STEP), class_="man-at", data_man=square))
    for number in range(8):
        labels.append(text(8, _place(f"a{number + 1}", board.turns)[1], str(number + 1), 12, "label"))
        labels.append(text(_place(f"{FILES[number]}1", board.turns)[0], 8 * STEP + 14, FILES[number], 12, "label"))
    paths = [(_steps(target, board.side), target) for target in board.targets]
    best = next((path for path, target in paths if target.best), None)
    best_arrow = arrow(_place(best[0], board.turns), _place(best[1], board.turns), 7) if best else None

    def drawn(path: Path) -> Step:
        return _step(path, men, board)

    picked = picks(board, [(square, *_place(square, board.turns)) for square in men], STEP)
    content = joined(*squares, *labels, *figures, best_arrow, steps_of(board, paths, drawn), picked)
    return Drawing(EDGE + 8 * STEP, 8 * STEP + 24, _described(men), content)


def _place(square: str, turns: int) -> tuple[float, float]:
    """The middle of a square."""
    column, row = turned(FILES.index(square[0]), 8 - int(square[1]), 8, turns)
    return EDGE + (column + 0.5) * STEP, (row + 0.5) * STEP


def squares_of(number: int, side: int) -> tuple[str, str]:
    """The squares that a move leaves and goes to. Its number has them as the side to move sees them."""
    start, end = (square ^ (56 if side else 0) for square in (number % 64, number // 64 % 64))
    return f"{FILES[start % 8]}{start // 8 + 1}", f"{FILES[end % 8]}{end // 8 + 1}"


def _steps(target: Target, side: int) -> Path:
    """The square of the man, the one that he goes to, and what a pawn becomes."""
    kind = target.number // 4096
    becomes = (KINDS[kind],) if kind else ()
    return (*squares_of(target.number, side), *becomes)


def _step(path: Path, men: dict[str, str], board: Board) -> Step:
    x, y = _place(path[min(1, len(path) - 1)], board.turns)
    if len(path) == 1:
        name = f"{NAMES[men[path[0]].upper()]} {path[0]}"
        return Step(x, y, STEP, name, (x + STEP * 0.24, y - STEP * 0.34, 15))
    if len(path) == 2:
        return Step(x, y, STEP, f"{path[0]} to {path[1]}", (x, y, 22))
    # What a pawn becomes: four squares, one above the other, from where it goes to towards the middle.
    y += (1 if y < 4 * STEP else -1) * "QNRBK".index(path[2]) * STEP
    letter = path[2].lower() if board.side else path[2]
    place = {"x": x - STEP / 2, "y": y - STEP / 2, "width": STEP, "height": STEP}
    picture = joined(tag("rect", class_="chooser", **place), man(letter, x, y, STEP))
    return Step(x, y, STEP, NAMES[path[2]], (x + STEP * 0.24, y - STEP * 0.34, 15), picture)


def _last_square(board: Board) -> str | None:
    """The square of the last move, which is written in SAN; the side that made it is the one not to move."""
    if board.last is None:
        return None
    if board.last.startswith("O-O"):
        return ("c" if board.last.startswith("O-O-O") else "g") + ("1" if board.side else "8")
    squares = re.findall("[a-h][1-8]", board.last)
    return squares[-1] if squares else None


def _described(men: dict[str, str]) -> str:
    """The men by their squares, for those who do not see the board."""
    sides = []
    for side, letters in (("White", "KQRBNP"), ("Black", "kqrbnp")):
        kinds = []
        for letter in letters:
            squares = [square for square, man in men.items() if man == letter]
            if squares:
                kinds.append(f"{NAMES[letter.upper()]} {' '.join(squares)}")
        sides.append(f"{side}: {', '.join(kinds) or 'no men'}")
    return ". ".join(sides)
