"""Games of go-moku in the files of Piskvork, the program of Gomocup (`.psq`), as SGF.

The first line is `Piskvorky 15x15, 11:11, 0`, with the size of the board. Each move is a line `x,y,time`, from 1 and
counted from the upper left. Behind the moves stand the programs that played.
"""

from __future__ import annotations

import re

from proofbase.engine.errors import InvalidPositionError, quoted

__all__ = ["is_psq", "sgf_of_psq"]

_HEADER = re.compile(r"\s*Piskvorky\s+(\d{1,3})\s*x\s*(\d{1,3})\b", re.IGNORECASE)
_MOVE = re.compile(r"\s*(-?\d+)\s*,\s*(-?\d+)\s*(?:,\s*-?\d+\s*)?")
LARGEST = 19
"""The longest side of a board; the letters of SGF go further."""


def is_psq(text: str) -> bool:
    """Whether a text begins like a file of Piskvork."""
    return _HEADER.match(text) is not None


def sgf_of_psq(text: str) -> str:
    """The game as an SGF.

    Raises:
        InvalidPositionError: it is no such file; the message names the line.
    """
    header = _HEADER.match(text)
    if header is None:
        raise InvalidPositionError("psq: line 1 is not 'Piskvorky WIDTHxHEIGHT, ...'")
    width, height = int(header[1]), int(header[2])
    if max(width, height) > LARGEST:
        raise InvalidPositionError(f"psq: the board is {width}x{height}, and boards here have sides of 3 to {LARGEST}")
    moves, names = list[str](), list[str]()
    for number, line in enumerate(text.strip().splitlines()[1:], 2):
        move = None if names else _MOVE.fullmatch(line)
        if move:
            column, row = int(move[1]), int(move[2])
            if not (1 <= column <= width and 1 <= row <= height):
                raise InvalidPositionError(
                    f"psq: line {number}: {quoted(line)} is not on the board of {width}x{height}"
                )
            moves.append(f";{'BW'[len(moves) % 2]}[{chr(96 + column)}{chr(96 + row)}]")
        elif re.match(r"\s*-?\d+\s*,", line) and not names:
            raise InvalidPositionError(f"psq: line {number}: {quoted(line, 20)} is no move such as 8,8,0")
        elif re.search("[A-Za-z]", line):
            names.append(re.sub(r"[\\\]]", "", line.strip()))
    players = "".join(f"{tag}[{name}]" for tag, name in zip(("PB", "PW"), names[:2], strict=False))
    return f"(;GM[4]SZ[{width}{'' if width == height else f':{height}'}]{players}{''.join(moves)})"
