"""Games of Othello in GGF, the Generic Game Format of the server GGS (https://skatgame.net/mburo/ggsa/ggf).

A game is `(;GM[Othello]PB[name]PW[name]TY[8]BO[8 ---...--- *]B[f5//1.2]W[d6/-3.00]...;)`. BO is where it begins: the
side of the board, its squares from a1, and who is to move (`*` is Black, `O` White). A move may have an evaluation and
a time behind it; `PA` is a pass. Archives have one game after another, each with a number before it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from proofbase.engine.errors import InvalidPositionError, quoted

__all__ = ["GgfGame", "is_ggf", "split_ggf", "write_ggf"]

_BEGINNING = re.compile(r"\s*(?:\d+\s+)?\(\s*;\s*GM\s*\[\s*Othello\s*\]", re.IGNORECASE)
_TOKEN = re.compile(
    r"\s*(?:(?P<sign>\(\s*;|;\s*\))|(?P<name>[A-Za-z]+)\s*\[(?P<value>(?:\\.|[^\]\\])*)\]|(?P<number>\d+))", re.DOTALL
)
_PASSES = ("pa", "ps", "pass", "--")
OTHELLO = re.compile(r"\d+r?\d*")
"""The types of GGS: the side of the board, perhaps with stones put at random. `8a` is anti-othello."""


class GgfGame(NamedTuple):
    """A game.

    Attributes:
        line: of the text where it begins, counted from 1.
        text: the game alone.
        side: of the board.
        start: the squares where it begins, and who is to move; empty for the initial position.
        moves: sign of the player (`B` or `W`) and text of each move.
        players: the names of Black and White, as far as they are told.
    """

    line: int
    text: str
    side: int
    start: str
    moves: tuple[tuple[str, str], ...]
    players: tuple[str, str]


def is_ggf(text: str) -> bool:
    """Whether a text begins like a game of Othello in GGF."""
    return _BEGINNING.match(text) is not None


def split_ggf(text: str) -> list[GgfGame]:
    """The games of a text.

    Raises:
        InvalidPositionError: it is no GGF; the message names the line.
    """
    games = list[GgfGame]()
    properties: list[tuple[str, str]] | None = None
    place, begins, text = 0, 0, text.rstrip()
    while place < len(text):
        token = _TOKEN.match(text, place)
        line = text.count("\n", 0, place + 1) + 1
        if not token:
            raise InvalidPositionError(f"GGF: line {line}: {quoted(text[place:].strip(), 20)} cannot be read")
        place = token.end()
        if token["sign"] and token["sign"][0] == "(":
            if properties is not None:
                raise InvalidPositionError(f"GGF: line {line}: a game begins before the last one has ended with ';)'")
            properties, begins = [], token.start("sign")
        elif token["sign"]:
            if properties is None:
                raise InvalidPositionError(f"GGF: line {line}: ';)' ends no game")
            number = text.count("\n", 0, begins) + 1
            games.append(_game(number, text[begins:place], properties))
            properties = None
        elif token["name"]:
            if properties is None:
                raise InvalidPositionError(f"GGF: line {line}: {quoted(token['name'], 20)} belongs to no game")
            properties.append((token["name"].upper(), token["value"].replace("\\]", "]").strip()))
    if properties is not None:
        raise InvalidPositionError("GGF: the last ';)' is missing")
    return games


def _game(line: int, text: str, properties: Sequence[tuple[str, str]]) -> GgfGame:
    by_name = dict(reversed(properties))
    kind = by_name.get("TY", "8").lower()
    if not OTHELLO.fullmatch(kind):
        raise InvalidPositionError(f"GGF: line {line}: TY[{kind[:20]}] is another game than othello")
    start = by_name.get("BO", "")
    size = re.match(r"(\d+)\s+(?=\S)", start)
    if start and not size:
        raise InvalidPositionError(f"GGF: line {line}: BO[{start[:20]}] does not begin with the side of the board")
    side = int(size[1]) if size else int(re.match(r"\d+", kind)[0])  # type: ignore[index]
    moves = list[tuple[str, str]]()
    for name, value in properties:
        if name in ("B", "W"):
            move = value.partition("/")[0].strip().lower()
            moves.append((name, "pass" if move in _PASSES else move))
    return GgfGame(
        line,
        text,
        side,
        start[size.end() :] if size else "",
        tuple(moves),
        (by_name.get("PB", ""), by_name.get("PW", "")),
    )


def write_ggf(players: tuple[str, str], moves: Sequence[tuple[str, str]]) -> str:
    """A game from the initial position in GGF."""
    names = [name.replace("\\", "").replace("]", "\\]") for name in players]
    played = "".join(f"{sign}[{move}]" for sign, move in moves)
    return f"(;GM[Othello]PB[{names[0]}]PW[{names[1]}]TY[8]{played};)"
