"""Positions and games that are given to a command: as a text, or as the name of a file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import typer

from proofbase.engine.errors import EngineError, InvalidPositionError
from proofbase.engine.formats.pgn_reading import is_pgn, split_games
from proofbase.engine.formats.position_lists import split_positions
from proofbase.engine.formats.readable import format_of_file, formats_text, positions_of_file, text_of_file
from proofbase.engine.formats.reading import ReadText, read_text
from proofbase.engine.formats.renlib import read_library, trunk_of_library
from proofbase.engine.games import canonical_alias
from proofbase.engine.rules import is_built_in, open_rules
from proofbase.service.cli import screen
from proofbase.service.cli.exit_status import UsageError

__all__ = [
    "given_game",
    "given_position",
    "listed_positions",
    "note_remarks",
    "read_given_file",
    "read_given_text",
]

_FILE_NAME = re.compile(r"[^\n\"\[\](){};:]*\.[A-Za-z][A-Za-z0-9]{1,4}")


def given_position(context: typer.Context, text: str | None) -> str | None:
    """The text of the argument POSITION; notes what was assumed in reading it. For the argument's `callback`."""
    if text is None or text in ("", "-"):
        return text
    game = context.params.get("game")
    if _is_file(text, ".lib"):
        return _branching(text)
    text = _alone(game, Path(text).expanduser()) if game and _is_file(text) else given_game(text, game)
    games = split_games(text) if is_pgn(text) else []
    if len(games) == 1:
        text = games[0].compact  # comments may be longer than a request may be
    note_remarks(game, text)
    return text


def _alone(game: str, file: Path) -> str:
    """The text of the one position of a file.

    Raises:
        UsageError: as of `read_given_text`, or the file has several positions.
        OSError: it cannot be read.
    """
    data = file.read_bytes()
    text = read_given_text(data, str(file))
    is_read = not _is_unread(game, text)
    try:
        positions = [position for _, position in listed_positions(game, data, str(file))]
    except EngineError:
        return text  # the command says what is wrong with it
    if len(positions) == 1:
        return text if is_read else positions[0]
    # Moves in two lines may be one game or two positions: the format says that each line is one.
    if any(_is_unread(game, position) for position in positions[: 2 if is_read else 1]) or not positions:
        return text
    raise UsageError(f"{file} has {len(positions)} positions or games: give one of them, or all with --file")


def listed_positions(game: str, data: bytes, name: str) -> Iterable[tuple[int, str]]:
    """The positions of a file, each with its line or number, counted from 1.

    Args:
        game: that they are of; EPD, PGN and SGF are files of some games only.
        data: the bytes of the file.
        name: of the file; its ending says what they are.

    Raises:
        UsageError: as of `read_given_text`.
        InvalidPositionError: games of the file cannot be told apart, or it is not of the format of its ending.
    """
    texts = positions_of_file(data, Path(name))
    return split_positions(canonical_alias(game), read_given_text(data, name)) if texts is None else enumerate(texts, 1)


def _branching(file: str) -> str:
    """The position where the tree of a library of RenLib branches; notes the moves that the tree has there."""
    try:
        moves, candidates = trunk_of_library(read_library(Path(file).expanduser().read_bytes()))
    except InvalidPositionError as error:
        raise UsageError(f"{file}: {error}") from None
    if candidates:
        screen.note(f"proofbase: {file}: the moves of the tree here are {' '.join(candidates)}")
    return f"moves:{' '.join(moves)}"


def given_game(text: str, game: str | None = None) -> str:
    """The text itself, or what is in the file that it names.

    Args:
        text: of the argument.
        game: name of the game; a text that it does not read may be the name of a file of an unknown format.

    Raises:
        UsageError: the text is the name of such a file.
        OSError: the file cannot be read.
    """
    if _is_file(text):
        return read_given_file(Path(text).expanduser())
    if _FILE_NAME.fullmatch(text) and (Path(text).expanduser().is_file() or _is_unread(game, text)):
        no_file = "" if Path(text).expanduser().is_file() else f"there is no file '{text}'; "
        raise UsageError(f"{no_file}cannot read '{text}' as a position or a game: formats are {formats_text()}")
    return text


def _is_file(text: str, *endings: str) -> bool:
    """Whether a text is the name of a file of a known format, or of one of these endings."""
    form = format_of_file(text) if _FILE_NAME.fullmatch(text) else None
    if form is None or (endings and not text.lower().endswith(endings)):
        return False
    return Path(text).suffix.lower() not in (".txt", ".csv") or Path(text).expanduser().is_file()


def _is_unread(game: str | None, text: str) -> bool:
    """Whether a built-in game reads the text as nothing."""
    try:
        if game is not None:
            _read(game, text)
    except InvalidPositionError:
        return True
    except EngineError:
        pass  # the command says what is wrong with the game
    return False


def read_given_file(file: Path) -> str:
    """The text of a file, whatever its format.

    Raises:
        UsageError: it is not of the format that its ending says, or no text.
        OSError: it cannot be read.
    """
    return read_given_text(file.read_bytes(), str(file))


def read_given_text(data: bytes, name: str) -> str:
    """The text of these bytes; games may be in Latin-1, as the standard of PGN says.

    Args:
        data: the bytes.
        name: of their file; its ending says what they are.

    Raises:
        UsageError: they are not of that format, no text, or blank.
    """
    try:
        text = text_of_file(data, Path(name))
    except InvalidPositionError as error:
        raise UsageError(str(error)) from None
    if not text.strip():  # this is not the initial position, which an empty argument is
        raise UsageError(f"{name} has no position or game: it is empty")
    return text


def note_remarks(game: str | None, text: str) -> None:
    """Says on standard error what is assumed or passed over where a text is read as a position of a built-in game."""
    try:
        read = None if game is None else _read(game, text)
    except EngineError:
        return  # the command says what is wrong with it
    for remark in () if read is None else read.remarks:
        screen.note(f"proofbase: {remark}")


def _read(game: str, text: str) -> ReadText[Any] | None:
    """What a text says in a built-in game; None of another game.

    Raises:
        EngineError: there is no such game, or the text is none of it.
    """
    name = canonical_alias(game)
    return read_text(open_rules(name), text) if is_built_in(name) else None
