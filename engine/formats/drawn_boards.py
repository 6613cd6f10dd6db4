"""Boards of stones as people draw and post them, and the strict texts that they stand for.

A board is its rows from the top, on lines of their own or separated by `/`. Squares may have spaces or `|` between
them; numbers of the rows, letters or numbers of the columns, and frames are passed over. Programs print matrices of
numbers: `[[0, 0, 1], [0, -1, 0], ...]` has 1 for the first player, 2 or -1 for the second, 0 for an empty square.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from proofbase.engine.errors import quoted

__all__ = ["DrawnBoard", "is_drawn_board", "read_drawn_board"]

_EMPTY = "._-*+\u00b7\u25e6\u2022 "
_PAIRS = ("xo", "12", "ry", "bw", "\u25cf\u25cb", "\u274c\u2b55", "\U0001f534\U0001f7e1")
"""The signs of the first and of the second player, in small letters."""
_EITHER_BEGINS = ("ry", "\U0001f534\U0001f7e1")
"""Signs that say nothing of who begins."""


LONGEST_MATRIX = 5_000
"""Characters of a text."""
_SIDE = re.compile(r"(?<=[\s,;])([xXoO])(?:(?:\s[a-zA-Z ]{0,40})?\sto\s+(?:move|play)\W*$|\s*$)")
_EXCHANGED = str.maketrans("xo", "ox")


class DrawnBoard(NamedTuple):
    """The rows of a board in the strict form, and what was assumed, in words (empty where nothing was)."""

    rows: tuple[str, ...]
    remark: str = ""


def is_drawn_board(text: str) -> bool:
    """Whether a text is meant as a board: it has lines, or rows separated by `/`."""
    return "/" in text or "\n" in text.strip() or "|" in text or _matrix(text) is not None


def _matrix(text: str) -> list[str] | None:
    """The rows of a matrix of numbers or of letters in quotes; None for another text."""
    if len(text) > LONGEST_MATRIX:
        return None
    text = re.sub(r"^\s*(?:np\.|numpy\.)?array\((.*)\)\s*;?\s*$", r"\1", text, flags=re.DOTALL)
    if text.lstrip()[:1] in ("[", "(", "{"):
        rows = re.findall(r"[\[({]([^\[\](){}]*)[\])}]", text)
    elif re.fullmatch(r"[\s,012.-]*-1[\s,012.-]*", text) or re.fullmatch(r"\s*[012]\s*,[\s,012]*\n[\s,012]*", text):
        rows = text.strip().splitlines()
    else:
        return None
    drawn = list[str]()
    for row in rows:
        cells = re.findall(r"(-?[0-9])(?:\.0*)?(?=[\s,;]|$)|[\"'](.?)[\"']", row.strip())
        if len(cells) != len(re.split(r"\s*,\s*|\s+(?=[^\"'])", row.strip().strip(","))):
            return None
        drawn.append("".join("2" if number == "-1" else number or sign.strip() or "." for number, sign in cells))
    return drawn or None


def read_drawn_board(text: str, widths: Sequence[int], *, names_side: bool = False) -> DrawnBoard:
    """The rows of a board, in the signs `x`, `o` and `.`.

    Args:
        text: with plain characters.
        widths: of the rows from the top, in squares.
        names_side: whether the side to move may stand behind the board: `o`, `O to move`, `; O began and is to move`.
            Where o has begun, x and o are exchanged.

    Raises:
        ValueError: what is wrong, in words.
    """
    try:
        return _translated(_rows(text, widths))
    except ValueError:
        side = _SIDE.search(text) if names_side else None
        if side is None:
            raise
    rows = _translated(_rows(text[: side.start()].rstrip(" ,;"), widths)).rows
    counts = [sum(row.count(sign) for row in rows) for sign in "xo"]
    number = "xo".index(side[1].lower())
    if counts[number] - counts[1 - number] not in (0, -1):
        raise ValueError(f"{side[1]} is to move, and the board has {counts[0]} x and {counts[1]} o")
    if counts[0] - counts[1] == number:
        return DrawnBoard(rows)
    return DrawnBoard(tuple(row.translate(_EXCHANGED) for row in rows), "o has begun: x and o are exchanged")


def _rows(text: str, widths: Sequence[int]) -> list[str]:
    """The squares of each row, in the signs of the text."""
    matrix = _matrix(text)
    lines = matrix or text.strip("\r\n").splitlines() if matrix or "\n" in text.strip() else text.strip().split("/")
    rows = [cells for line in lines if (cells := _cells(line.rstrip("/"), max(widths)))]
    if len(rows) > len(widths):
        rows = [row for row in rows if not re.fullmatch(r"[-+=\u2500-\u257f]+", row)]  # without lines of a frame
    if rows and len(rows) == len(widths) + 1 and _is_label(rows[-1]):
        rows.pop()
    if len(rows) == len(widths) + 1 and _is_label(rows[0]):
        rows.pop(0)
    if [len(row) for row in rows] != list(widths):
        shape = f"{len(widths)} rows of {widths[0]}" if len(set(widths)) == 1 else f"{len(widths)} rows"
        sizes = f"{len(rows)} rows of {' '.join(str(len(row)) for row in rows[:12])}"
        raise ValueError(f"the board has {shape} squares, and the text has {sizes or 'none'}")
    return rows


def _cells(line: str, width: int) -> str:
    """The squares of a line, without the number of its row."""
    line = line.strip("\r")
    if "|" in line:
        parts = line.split("|")
        inner = parts[1:-1] if len(parts) == width + 2 else parts
        if len(inner) == width and all(len(part.strip()) <= 1 for part in inner):
            return "".join(part.strip() or "." for part in inner)
        line = line.replace("|", " ")
    cells = re.sub(r"\s", "", line)
    numbered = re.match(r"\s*([0-9]{1,2})[\s.:)]+(?=\S)", line)
    if numbered and len(cells) == width + len(numbered[1]):
        cells = cells[len(numbered[1]) :]
    if (
        width < len(cells) <= width + 2
        and (trailing := re.search("[0-9]+$", cells))
        and len(cells) - len(trailing[0]) == width
    ):
        cells = cells[:width]  # a number behind the row
    return cells


def _is_label(cells: str) -> bool:
    """Whether the signs are the letters or the numbers of the columns."""
    digits = "".join(str(number % 10) for number in range(21))
    labels = ("abcdefghijklmnopqrst", digits, digits[1:])
    return bool(cells) and any(label.startswith(cells.lower()) for label in labels)


def _translated(rows: list[str]) -> DrawnBoard:
    used = set("".join(rows).lower())
    if "x" in used and "o" not in used and used & set(_EMPTY):
        rows = [row.replace("0", "o") for row in rows]  # a nought, since empty squares have another sign
    signs = {sign for row in rows for sign in row.lower()} - set(_EMPTY)
    for pair in _PAIRS:
        if signs <= {*pair, "0"}:
            break
    else:
        known = "x and o, 1 and 2 (0 for empty), R and Y, B and W"
        strange = next((sign for sign in sorted(signs) if not any(sign in pair for pair in ("0", *_PAIRS))), None)
        if strange is None:
            raise ValueError(f"the signs {' '.join(sorted(signs))} are those of more than two players: write {known}")
        raise ValueError(f"illegal character {quoted(strange)}: squares are '.' for empty, and {known}")
    first, second = pair[0], pair[1]
    remark = ""
    counts = [sum(row.lower().count(sign) for row in rows) for sign in pair]
    if pair == "xo" and counts[0] == counts[1] and counts[0]:
        remark = "x and o have as many stones, and x is taken to have begun"
    if pair in _EITHER_BEGINS:
        if counts[0] < counts[1]:
            first, second = second, first
        elif counts[0] == counts[1] and counts[0]:
            remark = (
                "both colours have as many stones, and red is taken to have begun: write x for the stones of the first "
                "player and o for those of the second"
            )
    table = dict.fromkeys(_EMPTY + "0", ".") | {first: "x", second: "o"}
    return DrawnBoard(tuple("".join(table[sign] for sign in row.lower()) for row in rows), remark)
