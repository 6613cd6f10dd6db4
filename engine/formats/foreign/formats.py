"""The formats of foreign solutions, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from proofbase.engine.errors import InvalidPositionError, quoted
from proofbase.engine.formats.foreign.chess_tables import read_gaviota, read_syzygy
from proofbase.engine.formats.foreign.claim import ForeignClaim, ForeignFile, refused
from proofbase.engine.formats.foreign.connect_four_books import read_bitbully_book, read_pons_book
from proofbase.engine.formats.foreign.trees import (
    read_lines_of_proof,
    read_pgn_trees,
    read_sgf_trees,
    read_strategy_json,
)
from proofbase.engine.formats.readable import GAME_ENDINGS
from proofbase.engine.games import canonical_alias, default_rules, open_game
from proofbase.engine.rules import Game

__all__ = ["FOREIGN_FORMATS", "ForeignFormat", "read_foreign"]

Reader = Callable[[Path, str, int | None, int], ForeignFile]
_TextReader = Callable[[Game[Any], str, int | None, int], ForeignFile]


class ForeignFormat(NamedTuple):
    """A format of foreign solutions.

    Attributes:
        what: what is in such a file, for people.
        families: the families of games that it is for.
        game: the game of a file where the caller names none; empty where the file names it.
        read: reads a file. Its arguments: the file, the name of the game, how many claims to draw (None: all), and the
            seed of the drawing.
    """

    what: str
    families: tuple[str, ...]
    game: str
    read: Reader


def _of_text(read: _TextReader) -> Reader:
    def of_file(file: Path, game: str, sample: int | None, seed: int) -> ForeignFile:
        data = file.read_bytes()
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            if file.suffix.lower() in GAME_ENDINGS:
                text = data.decode("latin-1")
            else:
                line = data.count(b"\n", 0, error.start) + 1
                what = f"no text in UTF-8: byte {error.start} is {data[error.start]:#04x}"
                raise refused(f"line {line}", what) from None
        return read(open_game(game, default_rules()), text, sample, seed)

    return of_file


CHESS = ("chess", "giveaway")
FOREIGN_FORMATS: dict[str, ForeignFormat] = {
    "strategy-json": ForeignFormat(
        "a tree of moves in JSON, by which the first player wins",
        ("gomoku",),
        "gomoku:standard",
        _of_text(read_strategy_json),
    ),
    "pons-book": ForeignFormat(
        "scores of connect-four, a book of P. Pons's solver",
        ("connect-four",),
        "",
        lambda file, game, sample, seed: read_pons_book(file, sample, seed),
    ),
    "bitbully-book": ForeignFormat(
        "values of connect-four, a book of BitBully",
        ("connect-four",),
        "",
        lambda file, game, sample, seed: read_bitbully_book(file, sample, seed),
    ),
    "gaviota": ForeignFormat("endgame tables of chess with plies to the mate", ("chess",), "chess", read_gaviota),
    "syzygy": ForeignFormat("endgame tables of chess or antichess", CHESS, "chess", read_syzygy),
    "lines": ForeignFormat(
        "lines of a proof, such as that of M. Watkins that 1. e3 wins losing chess",
        CHESS,
        "giveaway:antichess",
        _of_text(read_lines_of_proof),
    ),
    "pgn": ForeignFormat(
        "games with variations that the winner wins everywhere", CHESS, "chess", _of_text(read_pgn_trees)
    ),
    "sgf": ForeignFormat(
        "go-moku with variations that the winner wins everywhere", ("gomoku",), "gomoku", _of_text(read_sgf_trees)
    ),
}


def read_foreign(
    name: str, file: Path, game: str | None = None, *, sample: int | None = None, seed: int = 0
) -> ForeignFile:
    """The claims of a foreign file.

    Args:
        name: the name of its format.
        file: the file; a directory where the format is one of tables.
        game: the game of its claims; None for the usual one of the format.
        sample: only so many claims, drawn without replacement.
        seed: the same seed draws the same claims.

    Raises:
        InvalidPositionError: no such format, another game, or the file is not of the format; the message then names
            the line, or another place.
        ModuleNotFoundError: a package that reads it is not installed.
        OSError: it cannot be read.
    """
    if name not in FOREIGN_FORMATS:
        raise InvalidPositionError(f"{quoted(name)} is no format: {', '.join(FOREIGN_FORMATS)}")
    form = FOREIGN_FORMATS[name]
    wanted = canonical_alias(game or form.game)
    if game is not None and wanted.partition(":")[0] not in form.families:
        raise InvalidPositionError(f"{name} files are of {' and '.join(form.families)}, and {wanted} is another game")
    with _naming(file):
        claimed = form.read(file, open_game(wanted).name if wanted else "", sample, seed)
    if game is not None and claimed.game != open_game(wanted).name:
        raise InvalidPositionError(f"{file} is of {claimed.game}, and not of {wanted}")
    return replace(claimed, claims=_named(file, claimed.claims))


@contextmanager
def _naming(file: Path) -> Iterator[None]:
    """Names the file in what is wrong with it."""
    try:
        yield
    except InvalidPositionError as error:
        raise InvalidPositionError(f"{file}, {error}") from None


def _named(file: Path, claims: Iterable[ForeignClaim]) -> Iterator[ForeignClaim]:
    """The claims of a file; of large files they are read when they are asked for."""
    with _naming(file):
        yield from claims
