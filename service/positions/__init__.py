"""A position of a request, and the orientation of what is stored about it.

Records belong to canonical positions. A request for another orientation is answered with moves in that orientation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.formats.notation import read_position
from proofbase.engine.rules import Game
from proofbase.service.errors import InvalidRequestError
from proofbase.service.limits import POSITION_CHARACTERS

__all__ = ["Where", "find_position", "oriented_move", "text_of_job", "texts_of_line"]

Where = str | bytes | None
"""A position as it is asked for: text in any of its forms, a key, or None for the initial position."""


def find_position(game: Game[Any], where: Where) -> Any:
    """The position that a request means; a key stands for its canonical position.

    Raises:
        InvalidPositionError, InvalidKeyError: it is no position of this game; the message names the game.
        InvalidRequestError: a text that is longer than any position.
    """
    if isinstance(where, bytes):
        return game.position(where)
    text = where or ""
    if len(text) > POSITION_CHARACTERS:
        raise InvalidRequestError(
            f"a text of {len(text)} characters is no position of {game.name}: leave out the comments of a game",
            field="position",
        )
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidRequestError(f"{text[:60]!r} is not valid Unicode", field="position") from None
    try:
        return read_position(game, text)
    except InvalidPositionError as error:
        if game.name in str(error):
            raise
        raise InvalidPositionError(f"{game.name}: {error}") from None


def text_of_job(game: Game[Any], position: Any) -> str:
    """The text by which a job keeps a position.

    Raises:
        InvalidRequestError: it is longer than what `find_position` reads.
    """
    text = game.text(position)
    if len(text) <= POSITION_CHARACTERS:
        return text
    raise InvalidRequestError(
        f"the text of this position of {game.name} has {len(text)} characters, and a job keeps at most "
        f"{POSITION_CHARACTERS}: no job can be about it",
        field="position",
    )


def texts_of_line(game: Game[Any], position: Any, moves: Iterable[int]) -> Iterator[str]:
    """The texts of moves that follow one another, as far as they are legal."""
    for move in moves:
        if game.terminal(position) is not None or move not in game.moves(position):
            return
        yield game.move_text(position, move)
        position = game.play(position, move)


def oriented_move(game: Game[Any], position: Any, key: bytes, witness: int) -> int:
    """A witness of the canonical position of `key`, as a move of `position`, which has the same key.

    It is the first legal move whose child has the key of the witness's child. A witness that is not legal (a damaged
    record) stays as it is.
    """
    canonical = game.position(key)
    if canonical == position or witness not in game.moves(canonical):
        return witness
    child = game.key(game.play(canonical, witness))
    reward = game.reward(canonical, witness)
    for move in game.moves(position):
        if game.key(game.play(position, move)) == child and game.reward(position, move) == reward:
            return move
    return witness
