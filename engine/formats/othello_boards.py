"""Positions of Othello as programs write them, and the strict text that they stand for.

| where | how |
|---|---|
| OBF, Edax | 64 squares, white space, the side to move, and perhaps scores behind `;` or `%` |
| Egaroucid | 65 characters: the squares and the side to move |
| NBoard, GGF | `8`, the squares and the side to move, with `*` for Black |
| drawn | eight rows, with letters and numbers at the edges or not, and the side to move |

The side to move may be left out.

Black is `X`, `*`, `B` or a dot filled in black, White is `O`, `W` or a ring; `-`, `.`, `_` and `+` are empty.
"""

from __future__ import annotations

import re

from proofbase.engine.formats.epd import Operation

__all__ = ["plain_othello"]

_BLACK, _WHITE, _EMPTY = "Xx*Bb\u25cf\u26ab", "OoWw\u25cb\u26aa", "-._+\u00b7"
_SIGNS = str.maketrans(
    {**dict.fromkeys(_BLACK, "X"), **dict.fromkeys(_WHITE, "O"), **dict.fromkeys(_EMPTY, "-"), "|": None, "/": None}
)
_SIDE = re.compile(r"\b(black|white)\b(?=(?:\s+to\s+(?:move|play))?\W*$)", re.IGNORECASE)
_LETTERS = re.compile(r"^[^\w\n]*a[^\w\n]*b[^\w\n]*c[^\w\n]*d(?:[^\w\n]*[e-h])*[^\w\n]*$", re.IGNORECASE | re.MULTILINE)
_NUMBERS = re.compile(r"^[ \t]*[1-8](?=\W)|(?<=\W)[1-8][ \t]*$", re.MULTILINE)

LONGEST = 2_000
"""Characters of a text; a drawing with frames has some hundred."""


_SCORE = re.compile(r"([A-Ha-h][1-8]):([+-]?[0-9]{1,2})(?=\s*(?:[;%]|$))")
"""A move with its value, as OBF has them behind the side to move."""


def plain_othello(text: str, squares: int) -> tuple[str, tuple[Operation, ...], str] | None:
    """The squares row by row, a space, and X or O; what OBF says of moves; and what was passed over, in words.

    None for another text.

    Args:
        text: with plain characters.
        squares: of the board.
    """
    if len(text) > LONGEST:
        return None
    body, rest = re.fullmatch(r"([^;%]*)(.*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
    body = _SIDE.sub(lambda found: "X" if found[1].lower() == "black" else "O", body.strip())
    body = re.sub(r"\bto\s+(?:move|play)\W*$", "", body)
    body = _LETTERS.sub("", body)
    if re.match(rf"{round(squares**0.5)}\s+\S", body) and "\n" not in body:
        body = body[1:]
    rows = [row.translate(_SIGNS) for row in (_NUMBERS.sub("", body) if "\n" in body else body).splitlines()]
    rows = [cells for row in rows if (cells := re.sub(r"\s", "", row))]
    cells = "".join(rows)
    if cells.strip("XO-"):
        return None
    if len(cells) == squares and len({len(row) for row in rows}) == 1:  # no row is short
        side = "XO"[(squares - cells.count("-")) % 2]
        return (
            f"{cells} {side}",
            (),
            f"only the board is given: {side} is taken to be to move, as where nobody has passed",
        )
    if len(cells) != squares + 1 or cells[-1] == "-":
        return None
    scores = tuple(Operation(move.lower(), (score,)) for move, score in _SCORE.findall(rest))
    remark = "what stands behind the side to move is left out" if _SCORE.sub("", rest).strip(" ;%") else ""
    return f"{cells[:-1]} {cells[-1]}", scores, remark
