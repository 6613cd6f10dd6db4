"""Texts with many positions: one a line, boards as posted, or games in PGN, SGF and GGF, each for its last position."""

from __future__ import annotations

import re
from collections.abc import Iterator

from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.formats.epd import is_epd
from proofbase.engine.formats.ggf import is_ggf, split_ggf
from proofbase.engine.formats.pgn_reading import is_pgn, split_games
from proofbase.engine.formats.problems import is_problem_list, problems_of_file
from proofbase.engine.formats.psq import is_psq, sgf_of_psq
from proofbase.engine.formats.puzzles import is_puzzle_list, positions_of_puzzles
from proofbase.engine.formats.reading import STONE_BOARDS, inner_name, read_text
from proofbase.engine.formats.sgf import FAMILIES, is_sgf
from proofbase.engine.rules import is_built_in, open_rules

__all__ = ["split_positions"]


def split_positions(game: str, text: str) -> Iterator[tuple[int, str]]:
    """The positions of a file, each with its line, counted from 1.

    A `#` starts a remark. In EPD it may belong to an operation (`bm #4;`) and in chess to a move (`Qh4#`): there it
    starts a remark only where white space or nothing is on both of its sides. A line that begins with `%` is a remark
    in files of chess. A line that begins with the number of a later move than the first goes on with the game before.
    A board as posted has lines of its own up to an empty one; it comes out in the game's own text.

    Args:
        game: name of the game, which says what files there are.
        text: of the file.

    Raises:
        InvalidPositionError: games or puzzles of the text cannot be told apart; the message names the line.
    """
    inner = inner_name(game) if is_built_in(game) else ""
    family = inner.partition(":")[0]
    chess = family in ("chess", "giveaway")
    if family == "chess" and is_puzzle_list(text):
        yield from positions_of_puzzles(inner, text)
        return
    if family == "chess" and is_problem_list(text):
        yield from enumerate(problems_of_file(text.encode()), 1)
        return
    if family == "othello" and is_ggf(text):
        for entry in split_ggf(text):
            yield entry.line, " ".join(entry.text.split())
        return
    if family in FAMILIES and is_psq(text):
        yield 1, sgf_of_psq(text)
        return
    lines = _joined(text.splitlines()) if family else text.splitlines()
    number = after_block = 0
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
        if family in STONE_BOARDS and number >= after_block:
            after_block = _end_of_block(lines, number)
            board = _board(inner, lines[number:after_block]) if after_block > number + 1 else None
            if board is not None:
                yield number + 1, board
                number = after_block
                continue
        position = _without_remark(line, chess).strip()
        if position:
            yield number + 1, position
        number += 1


def _end_of_block(lines: list[str], first: int) -> int:
    """The line behind the block of lines without an empty one that begins here; at least the next line."""
    return next((number for number in range(first, len(lines)) if not lines[number].strip()), len(lines)) or first + 1


def _board(game: str, block: list[str]) -> str | None:
    """The board that these lines are together, where the first one is no position; None for other lines."""
    if len(block) > MOST_LINES_OF_BOARD:
        return None
    rules = open_rules(game)
    try:
        read_text(rules, block[0])
    except InvalidPositionError:
        try:
            return rules.text(read_text(rules, "\n".join(block)).position)
        except InvalidPositionError:
            pass
    return None


MOST_LINES_OF_BOARD = 50
"""With lines of a frame and of letters."""
_LATER_MOVE = re.compile(r"\s*(?:[2-9]|[1-9][0-9]{1,2})\.(?![0-9])")


def _joined(lines: list[str]) -> list[str]:
    """With lines that begin with `2.` or more behind the line that they go on with; empty lines are in their place."""
    joined, begins = list[str](), -1
    for number, line in enumerate(lines):
        later = begins >= 0 and _LATER_MOVE.match(line) and re.match(r"\s*(?:moves:\s*)?1\.", joined[begins])
        if later:
            joined[begins] += f" {line.strip()}"
        elif line.strip():
            begins = number
        joined.append("" if later else line)
    return joined


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
    for sign in re.finditer(r"(?:^|(?<=\s))#(?=\s|$)|^\s*#", line):
        before = line[: sign.start()]
        if not is_epd(line.strip()) or before.count('"') % 2 == 0:
            return before
    return line
