"""The boards of all games as SVG: one file for each family, and the drawing in text for all other games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from proofbase.engine.rules.renju_opening import ProfessionalRenju
from proofbase.engine.rules.set_up import SET_UP, split_mark
from proofbase.service.pictures.boards import (
    awari,
    checkers,
    chess,
    connect_four,
    drawing,
    gomoku,
    mens_morris,
    othello,
    qubic,
    squares,
    tic_tac_toe,
)
from proofbase.service.pictures.boards.board import Board, Drawing, Target
from proofbase.service.pictures.markup import Markup, tag
from proofbase.service.words.game_words import GameWords

__all__ = [
    "FAMILIES",
    "Board",
    "BoardOfGame",
    "Target",
    "board_svg",
    "can_be_set_up",
    "has_board",
    "has_threats",
    "next_turn",
    "palette_of",
    "side_name",
    "side_text",
]


class BoardOfGame(NamedTuple):
    """How the games of a family are shown.

    Attributes:
        draw: the board; None where a position has a form that it does not know.
        sides: what the two sides are called, by the colours of the board.
        turns: the quarter turns by which the board may be turned.
        men: the palette where a position can be set up: names of the men by the signs of the position's text, in awari
            of what a click does to a pit.
    """

    draw: Callable[[Board], Drawing | None]
    sides: tuple[str, str]
    turns: tuple[int, ...] = (0,)
    men: dict[str, str] | None = None


FAMILIES = {
    "awari": BoardOfGame(awari.draw, ("South", "North"), (0, 2), awari.CHANGES),
    "checkers": BoardOfGame(checkers.draw, ("Black", "White"), (0, 2), checkers.MEN),
    "chess": BoardOfGame(chess.draw, ("White", "Black"), (0, 2), chess.MEN),
    "connect-four": BoardOfGame(connect_four.draw, ("Red", "Yellow"), men={"x": "Red", "o": "Yellow"}),
    "giveaway": BoardOfGame(chess.draw, ("White", "Black"), (0, 2), chess.MEN),
    "gomoku": BoardOfGame(gomoku.draw, ("Black", "White"), (0, 1, 2, 3), {"x": "Black", "o": "White"}),
    "mens-morris": BoardOfGame(mens_morris.draw, ("White", "Black"), (0, 1, 2, 3), {"x": "White", "o": "Black"}),
    "othello": BoardOfGame(othello.draw, ("Black", "White"), (0, 1, 2, 3), {"X": "Black", "O": "White"}),
    "qubic": BoardOfGame(qubic.draw, ("Red", "Yellow"), men={"x": "Red", "o": "Yellow"}),
    "renju": BoardOfGame(gomoku.draw, ("Black", "White"), (0, 1, 2, 3), {"x": "Black", "o": "White"}),
    "tic-tac-toe": BoardOfGame(tic_tac_toe.draw, ("X", "O"), (0, 1, 2, 3), {"x": "X", "o": "O"}),
}


THREATS = frozenset(["gomoku", "qubic", "renju"])


def has_board(game: str) -> bool:
    """Whether games of this name have a board on which moves can be pointed at."""
    return _family(game) in FAMILIES


def has_threats(game: str) -> bool:
    """Whether wins by threats are searched for in games of this name."""
    return game.partition(":")[0] in THREATS and game != ProfessionalRenju.name


def side_name(game: str, side: int) -> str:
    """What a side is called at the beginning of a sentence: `South`, `Red`, `The first player`."""
    name = side_text(side, game)
    return name[:1].upper() + name[1:]


def side_text(side: int, game: str) -> str:
    """The same in the middle of a sentence: `South`, `Red`, `the first player`."""
    style = FAMILIES.get(_family(game))
    # A user's own rules may take any time: they are not asked.
    return style.sides[side] if style else GameWords.of(game, built_in_only=True).player(side)


def palette_of(game: str) -> dict[str, str]:
    """What positions of a game are set up with, by signs, with names; empty where they are not set up."""
    style = FAMILIES.get(game.partition(":")[0])
    return (style.men if style else None) or {}


def can_be_set_up(game: str) -> bool:
    """Whether positions of a game are set up on the board."""
    return bool(palette_of(game))


def next_turn(game: str, turns: int) -> int | None:
    """The quarter turns after these by which the board is turned next; None for a board that is not turned."""
    style = FAMILIES.get(_family(game))
    if style is None or len(style.turns) == 1:
        return None
    return style.turns[(style.turns.index(turns) + 1) % len(style.turns)] if turns in style.turns else 0


def _family(game: str) -> str:
    return _shown_game(game).partition(":")[0]


def _shown_game(game: str) -> str:
    """The game whose board is drawn: of `within:N:GAME` the inner one."""
    return game.split(":", 2)[2] if game.startswith("within:") and game.count(":") >= 2 else game


def _shown_board(board: Board) -> Board:
    """The board that is drawn: of `within:N:GAME` the inner game's, without what stands behind it in the text."""
    game = _shown_game(board.game)
    position = board.position if game == board.game else board.position.rpartition(" plies=")[0]
    if game.partition(":")[0] in SET_UP:
        position = split_mark(position)[0]
    return replace(board, game=game, position=position)


def board_svg(board: Board, *, name: str = "board") -> Markup:
    """The picture of a position: with a title and a description for screen readers, and each legal move a target.

    Args:
        board: the position, its legal moves with their values, the last move.
        name: that begins the ids of title and description; another one for each picture of a page.
    """
    family = _family(board.game)
    style = FAMILIES.get(family)
    drawn = (style.draw(_shown_board(board)) if style else squares.draw(board)) or drawing.draw(board)
    player = side_text(board.side, board.game)
    over = "" if board.targets else ", no move is left"
    last = f", after {board.last}" if board.last else ""
    title = f"{board.game}{last}: {player} is to move{over}"
    return tag(
        "svg",
        tag("title", title, id=f"{name}-title"),
        tag("desc", drawn.description, id=f"{name}-description"),
        drawn.content,
        xmlns="http://www.w3.org/2000/svg",
        class_=f"board {family}{' choosing' if board.chosen else ''}",
        viewBox=f"-2 -2 {drawn.width + 4:.6g} {drawn.height + 4:.6g}",
        width=drawn.width + 4,
        height=drawn.height + 4,
        role="group" if board.pick or any(target.href for target in board.targets) else "img",
        aria_labelledby=f"{name}-title",
        aria_describedby=f"{name}-description",
    )
