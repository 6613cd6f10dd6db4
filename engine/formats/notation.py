"""Positions and move lists as people type them. Everything that accepts a POSITION calls `read_position`."""

from __future__ import annotations

import re
from collections import deque
from typing import TypeVar

from proofbase.engine.errors import InvalidMoveError, InvalidPositionError, quoted
from proofbase.engine.formats.sgf import is_sgf, read_sgf
from proofbase.engine.rules.game import Game

__all__ = ["read_line", "read_moves", "read_position"]

P = TypeVar("P")
MOVES_PREFIX = "moves:"


def read_position(game: Game[P], text: str) -> P:
    """The position that a text stands for, in any of its forms.

    * nothing or `-`: the initial position;
    * `moves:4455`: the position after these moves from the initial one;
    * the game's own text of a position;
    * for go-moku, the main line of an SGF;
    * a move list without the prefix (`4455`, `4 4 5 5`, `4,4,5,5`), where it is not the text of a position.

    White space around the text does not count.

    Raises:
        InvalidPositionError: neither a position nor a move list; also a move list after `moves:` with an illegal
            move in it, with the number of that move in the message.
    """
    return read_line(game, text)[2]


def read_line(game: Game[P], text: str) -> tuple[P, list[int], P]:
    """The same texts: the position that the moves of the text start from, these moves, and the position after them.

    Raises:
        InvalidPositionError: as `read_position`.
    """
    text = text.strip()
    if text in ("", "-"):
        return game.initial(), [], game.initial()
    if text.startswith(MOVES_PREFIX):
        return _moves_from_initial(game, text[len(MOVES_PREFIX) :])
    if is_sgf(game, text):
        return read_sgf(game, text)
    try:
        position = game.parse(text)
    except InvalidPositionError:
        # A text of words, or one that begins with a legal move, is meant as moves: the error names the bad move.
        words = text.replace(",", " ").split()
        if all(word.isalnum() for word in words) or _is_move(game, words[0]):
            return _moves_from_initial(game, text)
        raise
    return position, [], position


def read_moves(game: Game[P], position: P, text: str) -> tuple[list[int], P]:
    """Plays a list of moves, separated by spaces or commas.

    The separators may be left out as long as every legal move is written with a single character, or each move of the
    list with a letter and a number (`h8i9`).

    Returns:
        The moves, and the position after them.

    Raises:
        InvalidMoveError: with the number of the first illegal move.
    """
    moves: list[int] = []
    tokens = deque(text.replace(",", " ").split())
    while tokens:
        token = tokens.popleft()
        try:
            move = game.parse_move(position, token)
        except InvalidMoveError as error:
            if re.fullmatch("([A-Za-z][0-9]+){2,}", token):
                tokens.extendleft(reversed(re.findall("[A-Za-z][0-9]+", token)))
                continue
            legal = game.moves(position)
            if len(token) == 1 or not legal or any(len(game.move_text(position, move)) > 1 for move in legal):
                raise InvalidMoveError(f"move {len(moves) + 1} of {quoted(text.strip())}: {error}") from None
            tokens.appendleft(token[1:])
            tokens.appendleft(token[0])
            continue
        moves.append(move)
        position = game.play(position, move)
    return moves, position


def _is_move(game: Game[P], text: str) -> bool:
    try:
        game.parse_move(game.initial(), text)
    except InvalidMoveError:
        return False
    return True


def _moves_from_initial(game: Game[P], text: str) -> tuple[P, list[int], P]:
    initial = game.initial()
    try:
        return initial, *read_moves(game, initial, text)
    except InvalidMoveError as error:
        raise InvalidPositionError(str(error)) from error
