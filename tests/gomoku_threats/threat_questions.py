"""Questions about threats of go-moku to the program of tests/engine/threats/, and boards to ask about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from gomoku_threats.plain_board import PlainBoard

Ask = Callable[[Sequence[str]], list[list[str]]]


def question(kind: str, board: PlainBoard, lanes: str, nodes: int | None = None) -> str:
    def listed(colour: str) -> str:
        return ",".join(str(square) for square, cell in enumerate(board.cells) if cell == colour) or "-"

    size = f"{board.width} {board.height} {board.length} {int(board.exact['x'])}"
    return f"{kind} {size} {lanes} {listed('x')} {listed('o')}" + ("" if nodes is None else f" {nodes}")


def lanes_of(board: PlainBoard) -> list[str]:
    return ["narrow", "wide"] if board.length == 5 and board.width <= 15 and board.height <= 16 else ["wide"]


def board_of(drawing: str, exact: bool = False, length: int = 5) -> PlainBoard:
    """Rows from the top, with blanks between them."""
    rows = drawing.split()[::-1]
    cells = "".join(rows)
    stones = [[square for square, cell in enumerate(cells) if cell == colour] for colour in "xo"]
    return PlainBoard(len(rows[0]), len(rows), length, exact, *stones)


def random_position(random: Random, side: int, length: int, exact: bool, stones: int) -> PlainBoard:
    """So many stones of each side near the centre, no row complete."""
    while True:
        near = [
            c + side * r for c in range(side) for r in range(side) if max(abs(2 * c - side), abs(2 * r - side)) < 10
        ]
        squares = random.sample(near, 2 * stones)
        board = PlainBoard(side, side, length, exact, squares[:stones], squares[stones:])
        for square in squares:
            colour, board.cells[square] = board.cells[square], "."
            complete = board.wins_with(square, colour)
            board.cells[square] = colour
            if complete:
                break
        else:
            return board


def tree_of(answer: Sequence[str]) -> list[int]:
    """The tree of an answer with an outcome and a number of nodes before it."""
    return [int(number) for number in answer[2:]]
