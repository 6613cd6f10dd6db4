"""Files with many positions: one a line, or games in PGN and SGF, each of which stands for its last position."""

from __future__ import annotations

import re
from collections.abc import Iterator

from proofbase.engine.formats.epd import is_epd
from proofbase.engine.formats.pgn_reading import is_pgn, split_games
from proofbase.engine.formats.reading import inner_name
from proofbase.engine.formats.sgf import FAMILIES, is_sgf
from proofbase.engine.rules import is_built_in

__all__ = ["split_positions"]


def split_positions(game: str, text: str) -> Iterator[tuple[int, str]]:
    """The positions of a file, each with its line, counted from 1.

    A `#` starts a remark. In EPD it may belong to an operation (`bm #4;`) and in chess to a move (`Qh4#`): there it
    starts a remark only where white space or nothing is on both of its sides. A line that begins with `%` is a remark
    in files of chess.

    Args:
        game: name of the game, which says what files there are.
        text: of the file.
    """
    family = inner_name(game).partition(":")[0] if is_built_in(game) else ""
    chess = family in ("chess", "giveaway")
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        line = lines[number]
        if family and is_pgn(line):  # to the end of the file
            for played in split_games("\n".join(lines[number:])):
                yield number + played.line, played.compact
            return
        if family in FAMILIES and is_sgf(line):
            last = _last_of_sgf(lines, number)
            yield number + 1, " ".join(line.strip() for line in lines[number : last + 1]).strip()
            number = last + 1
            continue
        position = _without_remark(line, chess).strip()
        if position:
            yield number + 1, position
        number += 1


def _last_of_sgf(lines: list[str], first: int) -> int:
    """The line in which the SGF ends that begins in a line; the last one of the file where it has no end."""
    depth = 0
    in_value = escaped = False
    for number in range(first, len(lines)):
        for sign in lines[number]:
            if in_value:
                in_value = escaped or sign != "]"
                escaped = sign == "\\" and not escaped
            elif sign == "[":
                in_value = True
            else:
                depth += (sign == "(") - (sign == ")")
        if depth <= 0 and not in_value:
            return number
    return len(lines) - 1


def _without_remark(line: str, chess: bool) -> str:
    if not chess:
        return line.partition("#")[0]
    if line.startswith("%"):
        return ""
    for found in re.finditer(r"(?:^|(?<=\s))#(?=\s|$)|^\s*#", line):
        before = line[: found.start()]
        if not is_epd(line.strip()) or before.count('"') % 2 == 0:
            return before
    return line
