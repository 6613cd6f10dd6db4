"""The boards of all games as SVG: one file for each family, and the drawing in text for all other games."""

from __future__ import annotations

from dataclasses import replace

from proofbase.service.pictures.boards import (
    awari,
    chess,
    connect_four,
    drawing,
    gomoku,
    mens_morris,
    qubic,
    tic_tac_toe,
)
from proofbase.service.pictures.boards.board import Board, Target
from proofbase.service.pictures.markup import Markup, tag
from proofbase.service.words.game_words import GameWords

__all__ = ["FAMILIES", "Board", "Target", "board_svg", "has_board"]

FAMILIES = {
    "awari": awari.draw,
    "chess": chess.draw,
    "connect-four": connect_four.draw,
    "giveaway": chess.draw,
    "gomoku": gomoku.draw,
    "mens-morris": mens_morris.draw,
    "qubic": qubic.draw,
    "tic-tac-toe": tic_tac_toe.draw,
}


def has_board(game: str) -> bool:
    """Whether games of this name have a board on which moves can be pointed at."""
    return _shown_game(game).partition(":")[0] in FAMILIES


def _shown_game(game: str) -> str:
    """The game whose board is drawn: of `within:N:GAME` the inner one."""
    return game.split(":", 2)[2] if game.startswith("within:") and game.count(":") >= 2 else game


def _shown_board(board: Board) -> Board:
    """The board that is drawn: of `within:N:GAME` the inner game's, without the plies left in the text."""
    game = _shown_game(board.game)
    return board if game == board.game else replace(board, game=game, position=board.position.rpartition(" plies=")[0])


def board_svg(board: Board, *, name: str = "board") -> Markup:
    """The picture of a position: with a title and a description for screen readers, and each legal move a target.

    Args:
        board: the position, its legal moves with their values, the last move.
        name: that begins the ids of title and description; another one for each picture of a page.
    """
    family = _shown_game(board.game).partition(":")[0]
    draw = FAMILIES.get(family)
    drawn = (draw(_shown_board(board)) if draw is not None else None) or drawing.draw(board)
    player = GameWords.of(board.game, built_in_only=True).player(board.side)
    over = "" if board.targets else ", no move is left"
    last = f", after {board.last}" if board.last else ""
    title = f"{board.game}{last}: {player} is to move{over}"
    return tag(
        "svg",
        tag("title", title, id=f"{name}-title"),
        tag("desc", drawn.description, id=f"{name}-description"),
        drawn.content,
        xmlns="http://www.w3.org/2000/svg",
        class_=f"board {family}",
        viewBox=f"-2 -2 {drawn.width + 4:.6g} {drawn.height + 4:.6g}",
        width=drawn.width + 4,
        height=drawn.height + 4,
        role="group" if any(target.href for target in board.targets) else "img",
        aria_labelledby=f"{name}-title",
        aria_describedby=f"{name}-description",
    )
