"""Arguments and options that several commands share, described once."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path
from typing import Annotated

import typer

from proofbase.engine.games import list_games
from proofbase.service.cli.given_texts import given_position

__all__ = [
    "GameName",
    "Json",
    "OptionalGame",
    "OptionalPosition",
    "OutputFile",
    "Plugins",
    "Position",
    "Server",
    "Store",
    "Tables",
    "Zones",
    "byte_count",
    "complete_game",
    "count",
    "positive_count",
]

_POWERS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def byte_count(text: str) -> int:
    """Bytes from `500000`, `512M`, `2.5GB` or `4GiB` (units are powers of 1024)."""
    match = re.fullmatch(r"(-?\d+(?:\.\d+)?) ?([kmgt]?)(?:i?b)?", text.strip(), re.IGNORECASE)
    if match is None:
        raise typer.BadParameter(f"{text!r} is not a number of bytes such as 500000, 512M or 4G")
    return int(float(match[1]) * _UNITS[match[2].lower()])


def count(given: str | int) -> int:
    """A number from `500000`, `500_000`, `500k`, `1.5M`, `2G` or `1e6` (suffixes are powers of 1000)."""
    text = str(given)  # a default value comes as it is
    match = re.fullmatch(r"(-?[\d_,]*\d(?:\.\d+)?(?:e\d{1,2})?)([kmgt]?)", text.strip(), re.IGNORECASE)
    number = match and Decimal(re.sub("[_,]", "", match[1])) * _POWERS[match[2].lower()]
    if number is None or number != int(number):
        raise typer.BadParameter(f"{text!r} is not a whole number such as 500000, 500k, 1.5M or 1e6")
    return int(number)


def positive_count(given: str | int) -> int:
    """Reads a count (see `count`) that is at least 1."""
    number = count(given)
    if number < 1:
        raise typer.BadParameter(f"{given} is too few: at least 1")
    return number


_GAME = "A game such as connect-four:5x4; `proofbase games` lists them."
_POSITION = (
    "The game's text of a position, moves from the initial position (moves:4455 or 4455), or a position or a game as "
    "people write it, as a text or a file (EPD, PGN, PDN, SGF, GGF, .psq, .lib, ...: docs/command-line.md); - is the "
    "initial one."
)


def complete_game(incomplete: str) -> list[str]:
    """For shells: the names of games that start so; all parameters of a family once its name stands there."""
    families = list_games()
    names = [family.name for family in families]
    names += [example for family in families for example in family.examples if example.startswith(incomplete)]
    return sorted({name for name in names if name.startswith(incomplete)})


GameName = Annotated[str, typer.Argument(metavar="GAME", help=_GAME, show_default=False, autocompletion=complete_game)]
OptionalGame = Annotated[
    str | None, typer.Argument(metavar="GAME", help=_GAME, show_default=False, autocompletion=complete_game)
]
Position = Annotated[
    str, typer.Argument(metavar="POSITION", help=_POSITION, show_default=False, callback=given_position)
]
OptionalPosition = Annotated[
    str | None, typer.Argument(metavar="POSITION", help=_POSITION, show_default=False, callback=given_position)
]
Store = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="URL",
        envvar="PROOFBASE_STORE",
        help="A directory or lmdb:///dir, postgresql://..., memory:, a package by https://... or file:///dir "
        "[default: ./proofbase-store]",
        show_default=False,
    ),
]
Server = Annotated[
    str | None,
    typer.Option(
        "--server",
        metavar="HOST:PORT",
        help="Ask a running server instead of opening a store; of several (A:1,B:2) the first that answers.",
    ),
]
Tables = Annotated[
    Path | None,
    typer.Option(
        "--tables",
        metavar="DIRECTORY",
        help="Where the tables of values are [default: `tables` in the store].",
        show_default=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output, and nothing else there.")]
Plugins = Annotated[
    list[str] | None,
    typer.Option(
        "--plugin",
        metavar="MODULE|FILE",
        envvar="PROOFBASE_PLUGINS",
        help="Import a module or a Python file with a game of your own. May be given several times.",
        show_default=False,
    ),
]
OutputFile = Annotated[
    Path,
    typer.Option(
        "--output", "-o", metavar="FILE", help="Where to write; - is standard output. FILE.xz is compressed by xz."
    ),
]
Zones = Annotated[
    bool,
    typer.Option(
        "--zones",
        help="Do not play out replies outside the zones of threat trees: a hundred times as fast, by a theorem.",
    ),
]
