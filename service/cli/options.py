"""Arguments and options that several commands share, described once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

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
    "byte_count",
]

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def byte_count(text: str) -> int:
    """Bytes from `500000`, `512M`, `2.5GB` or `4GiB` (units are powers of 1024)."""
    match = re.fullmatch(r"(-?\d+(?:\.\d+)?) ?([kmgt]?)(?:i?b)?", text.strip(), re.IGNORECASE)
    if match is None:
        raise typer.BadParameter(f"{text!r} is not a number of bytes such as 500000, 512M or 4G")
    return int(float(match[1]) * _UNITS[match[2].lower()])


_GAME = "A game such as connect-four:5x4; `proofbase games` lists them."
_POSITION = (
    "The game's text of a position, or moves from the initial position (moves:4455 or 4455); - is the initial one."
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help=_GAME, show_default=False)]
OptionalGame = Annotated[str | None, typer.Argument(metavar="[GAME]", help=_GAME, show_default=False)]
Position = Annotated[str, typer.Argument(metavar="[POSITION]", help=_POSITION, show_default=False)]
OptionalPosition = Annotated[str | None, typer.Argument(metavar="[POSITION]", help=_POSITION, show_default=False)]
Store = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="URL",
        envvar="PROOFBASE_STORE",
        help="A directory or lmdb:///dir, postgresql://..., memory: [default: ./proofbase-store]",
        show_default=False,
    ),
]
Server = Annotated[
    str | None,
    typer.Option("--server", metavar="HOST:PORT", help="Ask a running server instead of opening a store."),
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
    Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write; - is standard output.")
]
