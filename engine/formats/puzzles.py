"""Puzzles of the data base of Lichess (`.csv`, https://database.lichess.org/#puzzles).

A row has a FEN and moves in the form of UCI; the position to solve is the one after the first move. Where its themes
have `mateIn3`, that is a claim, as `dm 3;` is in EPD.
"""

from __future__ import annotations

import csv
import re

from proofbase.engine.errors import InvalidMoveError, InvalidPositionError, quoted
from proofbase.engine.rules import open_rules

__all__ = ["is_puzzle_list", "positions_of_puzzles"]

_HEADER = re.compile(r"\s*PuzzleId,FEN,Moves,", re.IGNORECASE)
_ROW = re.compile(r"\s*[0-9A-Za-z]{5},[1-8PNBRQKpnbrqk]+(?:/[1-8PNBRQKpnbrqk]+){7} [wb] ")


def is_puzzle_list(text: str) -> bool:
    """Whether a text begins like a table of puzzles, with its heading or without it."""
    return _HEADER.match(text) is not None or _ROW.match(text) is not None


def positions_of_puzzles(game: str, text: str) -> list[tuple[int, str]]:
    """The line and the position of each row, as an EPD.

    Args:
        game: by whose rules the first move is played: `chess` or `chess:fifty`, which keeps the counter.
        text: of the table.

    Raises:
        InvalidPositionError: a row is none; the message names the line.
    """
    rules = open_rules(game)
    positions = list[tuple[int, str]]()
    for number, row in enumerate(csv.reader(text.splitlines()), 1):
        if not row or _HEADER.match(",".join(row)):
            continue
        if len(row) < 3 or not row[2].split():
            raise InvalidPositionError(
                f"line {number}: a puzzle has its name, a FEN and moves: {quoted(','.join(row), 40)}"
            )
        first = row[2].split()[0]
        try:
            position = rules.parse(row[1])
            fen = rules.text(rules.play(position, rules.parse_move(position, first)))
        except (InvalidPositionError, InvalidMoveError) as error:
            raise InvalidPositionError(f"line {number}: puzzle {quoted(row[0], 10)}: {error}") from None
        mate = re.search(r"\bmateIn([1-9])\b", ",".join(row[3:]))
        claim = f" dm {mate[1]};" if mate else ""
        *position_fields, counter, _ = fen.split()
        plies = f" hmvc {counter};" if counter != "0" else ""
        positions.append((number, f'{" ".join(position_fields)}{plies}{claim} id "{row[0][:10]}";'))
    return positions
