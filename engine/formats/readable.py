"""The table of the formats in which positions and games are read, with the endings of their files.

Whatever a file is, its text comes out in a form that `reading` knows: files of bytes are turned into GGF or SGF. What a
text is that has no file name is told by how it begins.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.formats.pgn_reading import is_pgn
from proofbase.engine.formats.problems import problems_of_file
from proofbase.engine.formats.renlib import positions_of_library, read_library, sgf_of_library
from proofbase.engine.formats.wthor import ggf_of_wthor

__all__ = [
    "GAME_ENDINGS",
    "READABLE",
    "Readable",
    "format_of_file",
    "formats_text",
    "positions_of_file",
    "text_of_file",
]


class Readable(NamedTuple):
    """A format.

    Attributes:
        name: for people.
        endings: of its files, in small letters.
        games: that it is for, as the documents name them.
        what: a file has.
        text: what is in a file, as a text, of its bytes and its path; None where the bytes are the text.
        positions: the positions of a file, as texts; None where they are those of the text.
    """

    name: str
    endings: tuple[str, ...]
    games: str
    what: str
    text: Callable[[bytes, Path], str] | None = None
    positions: Callable[[bytes], list[str]] | None = None


def _tagged(data: bytes, file: Path) -> str:
    """A file of games without tags is one game."""
    text = _decoded(data, file)
    return text if not text.strip() or is_pgn(text) else f'[Event "?"] {text.lstrip()}'


def _decoded(data: bytes, file: Path) -> str:
    """A text in UTF-8; files of games may be in Latin-1, as the standard of PGN says.

    Raises:
        InvalidPositionError: it is no text.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if file.suffix.lower() in GAME_ENDINGS:
            return data.decode("latin-1")
        what = f"no text in UTF-8: byte {error.start} is {data[error.start]:#04x}"
        raise InvalidPositionError(f"{file} is {what}") from None


GAME_ENDINGS = (".pgn", ".pdn", ".sgf", ".ggf", ".psq")
"""Files of games that may be in Latin-1."""

READABLE = (
    Readable("PGN", (".pgn",), "chess, giveaway", "games; one where it has no tags", _tagged),
    Readable("PDN", (".pdn",), "checkers", "games; one where it has no tags", _tagged),
    Readable("EPD, FEN", (".epd", ".fen"), "chess, giveaway", "a position a line, with claims; moves may follow"),
    Readable("Lichess puzzles", (".csv",), "chess", "a puzzle a line, after its first move"),
    Readable(
        "Popeye, Olive, YACPDB",
        (".inp", ".olv", ".yaml", ".yml"),
        "chess",
        "problems by their pieces",
        positions=problems_of_file,
    ),
    Readable("GGF", (".ggf",), "othello", "games"),
    Readable("OBF", (".obf",), "othello", "a position a line"),
    Readable("WThor", (".wtb",), "othello", "games; names of players from the `.jou` beside it", ggf_of_wthor),
    Readable("SGF", (".sgf",), "gomoku, renju", "games with variations"),
    Readable("Piskvork", (".psq",), "gomoku, renju", "a game"),
    Readable(
        "RenLib",
        (".lib",),
        "gomoku, renju",
        "a tree of lines on 15x15",
        lambda data, file: sgf_of_library(read_library(data)),
        lambda data: positions_of_library(read_library(data)),
    ),
    Readable("JSON lines", (".jsonl",), "all", "a game a line, for `score`"),
    Readable("text", (".txt",), "all", "a position, or moves, a line"),
)


def format_of_file(name: str) -> Readable | None:
    """The format of a file by its ending; None for another ending."""
    ending = Path(name).suffix.lower()
    return next((form for form in READABLE if ending in form.endings), None)


def text_of_file(data: bytes, file: Path) -> str:
    """The text of a file, whatever its ending.

    Raises:
        InvalidPositionError: it is not of the format that its ending says, or no text; the message names the file.
    """
    form = format_of_file(file.name)
    if form is None or form.text is None:
        return _decoded(data, file)
    try:
        return form.text(data, file)
    except InvalidPositionError as error:
        raise InvalidPositionError(f"{file}: {error}") from None


def positions_of_file(data: bytes, file: Path) -> list[str] | None:
    """The positions of a file whose format says itself which they are; None for others, whose text says it.

    Raises:
        InvalidPositionError: as of `text_of_file`.
    """
    form = format_of_file(file.name)
    if form is None or form.positions is None:
        return None
    try:
        return form.positions(data)
    except InvalidPositionError as error:
        raise InvalidPositionError(f"{file}: {error}") from None


def formats_text() -> str:
    """All formats in one line: `PGN (.pgn), ...`."""
    return ", ".join(f"{form.name} ({', '.join(form.endings)})" for form in READABLE)
