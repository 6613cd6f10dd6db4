"""Positions and move lists as people type them. Everything that accepts a POSITION calls `read_position`."""

from __future__ import annotations

from typing import TypeVar

from proofbase.engine.formats.reading import read_any_move, read_line_of_moves, read_text
from proofbase.engine.rules.game import Game

__all__ = ["read_line", "read_move", "read_moves", "read_position"]

P = TypeVar("P")


def read_position(game: Game[P], text: str) -> P:
    """The position that a text stands for, in any of its forms.

    * nothing or `-`: the initial position;
    * `moves:4455`: the position after these moves from the initial one;
    * the game's own text of a position;
    * for go-moku, the main line of an SGF;
    * a game in PGN, or of checkers in PDN: the position after its moves;
    * for checkers, a FEN of PDN with ranges of squares, Black's men first, or a dot behind it;
    * for games of chess, EPD, and a FEN with the liberties of `epd`; for boards of stones, a drawn board;
    * a move list without the prefix (`4455`, `4 4 5 5`, `4,4,5,5`, `1. 4 4 2. 5 5`), where it is not the text of a
      position.

    White space around the text does not count.

    Raises:
        InvalidPositionError: neither a position nor a move list; also a move list after `moves:` with an illegal
            move in it, with the number of that move in the message.
    """
    return read_text(game, text).position


def read_line(game: Game[P], text: str) -> tuple[P, list[int], P]:
    """The same texts: the position that the moves of the text start from, these moves, and the position after them.

    Raises:
        InvalidPositionError: as `read_position`.
    """
    read = read_text(game, text)
    return read.start, read.moves, read.position


def read_moves(game: Game[P], position: P, text: str) -> tuple[list[int], P]:
    """Plays a list of moves, separated by spaces or commas; numbers, comments, variations and a result are passed over.

    The separators may be left out as long as every legal move is written with a single character, or each move of the
    list with a letter and a number (`h8i9`), but in games of chess.

    Returns:
        The moves, and the position after them.

    Raises:
        InvalidMoveError: with the number of the first illegal move.
    """
    return read_line_of_moves(game, position, text)


def read_move(game: Game[P], position: P, text: str) -> int:
    """The legal move that a text stands for, as the game or as people write it.

    Raises:
        InvalidMoveError: no legal move of the position is written like this.
    """
    return read_any_move(game, position, text)
