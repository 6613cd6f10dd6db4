"""Positions and games that are given to a command: as a text, or as the name of a file with a game."""

from __future__ import annotations

from pathlib import Path

import typer

from proofbase.engine.errors import EngineError
from proofbase.engine.formats.pgn_reading import is_pgn, split_games
from proofbase.engine.formats.reading import read_text
from proofbase.engine.games import canonical_alias
from proofbase.engine.rules import is_built_in, open_rules
from proofbase.service.cli import screen
from proofbase.service.cli.exit_status import UsageError

__all__ = ["given_game", "given_position", "note_remarks", "read_given_file", "read_given_text"]

GAME_FILES = (".pgn", ".pdn", ".sgf")
"""A text that ends like this is the name of a file: nothing else ends so."""


def given_position(context: typer.Context, text: str | None) -> str | None:
    """The text of the argument POSITION; notes what was assumed in reading it. For the argument's `callback`."""
    if text is None or text in ("", "-"):
        return text
    text = given_game(text)
    games = split_games(text) if is_pgn(text) else []
    if len(games) == 1:
        text = games[0].compact  # comments may be longer than a request may be
    note_remarks(context.params.get("game"), text)
    return text


def given_game(text: str) -> str:
    """The text itself, or what is in the file that it names."""
    if text.lower().endswith(GAME_FILES) and "\n" not in text:
        return read_given_file(Path(text).expanduser())
    return text


def read_given_file(file: Path) -> str:
    """The text of a file.

    Raises:
        UsageError: it is no text.
        OSError: it cannot be read.
    """
    return read_given_text(file.read_bytes(), str(file))


def read_given_text(data: bytes, name: str) -> str:
    """A text in UTF-8; games in PGN may be in Latin-1, as the standard says.

    Args:
        data: its bytes.
        name: of the file, for messages.

    Raises:
        UsageError: it is no text.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if name.lower().endswith(GAME_FILES):
            return data.decode("latin-1")
        raise UsageError(f"{name} is no text in UTF-8: byte {error.start} is {data[error.start]:#04x}") from None


def note_remarks(game: str | None, text: str) -> None:
    """Says on standard error what is assumed or passed over where a text is read as a position of a built-in game."""
    if game is None or not is_built_in(game := canonical_alias(game)):
        return
    try:
        remarks = read_text(open_rules(game), text).remarks
    except EngineError:
        return  # the command says what is wrong with it
    for remark in remarks:
        screen.note(f"proofbase: {remark}")
