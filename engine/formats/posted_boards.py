"""Boards of chess and checkers as programs print them, and the FEN that they stand for.

Chess: eight rows from the top, as python-chess, Stockfish and our own pictures have them; checkers: our own pictures.
Numbers and letters at the edges and frames are passed over. Behind the board may stand `White to move` and
`castling KQkq`.
"""

from __future__ import annotations

import re

__all__ = ["fen_of_checkers_board", "fen_of_chess_board"]

LONGEST = 2_000
"""Characters of a text; a drawing with frames has some hundred."""
_FIGURES = str.maketrans("\u2654\u2655\u2656\u2657\u2658\u2659\u265a\u265b\u265c\u265d\u265e\u265f", "KQRBNPkqrbnp")
_EMPTY = str.maketrans(dict.fromkeys("-_*\u00b7\u2b58", "."))
_EDGES = re.compile(r"^\s*[0-9]{1,2}(?=\s)|(?<=\s)[0-9]{1,2}\s*$")
_SIDE = re.compile(r"\b(white|black)\s+(?:is\s+)?to\s+(?:move|play)\b", re.IGNORECASE)
_CASTLING = re.compile(r"^castling\s+([KQkq]{1,4})\s*$", re.MULTILINE)


def fen_of_chess_board(text: str) -> tuple[str, str] | None:
    """The FEN of a board that is drawn, and what was assumed, in words; None for another text.

    Args:
        text: with plain characters.
    """
    ranks = _rows(text.translate(_FIGURES).translate(_EMPTY), "[KQRBNPkqrbnp.]", 8)
    if ranks is None:
        return None
    men = "/".join(re.sub(r"\.+", lambda empty: str(len(empty[0])), rank) for rank in ranks)
    side, castling = _SIDE.search(text), _CASTLING.search(text)
    remark = "" if side else "only the board is given: White is taken to be to move, without rights to castle"
    return f"{men} {side[1][0].lower() if side else 'w'} {castling[1] if castling else '-'} -", remark


def fen_of_checkers_board(text: str) -> str | None:
    """The FEN of PDN of a board that is drawn, with the side to move behind it; None for another text."""
    rows, side = _rows(text, "[bBwW.]", 4), _SIDE.search(text)
    if rows is None or side is None:
        return None
    squares = "".join(rows)
    men = {
        colour: ",".join(
            f"{'K' if sign.isupper() else ''}{number}"
            for number, sign in enumerate(squares, 1)
            if sign.upper() == colour
        )
        for colour in "WB"
    }
    return f"{side[1][0].upper()}:W{men['W']}:B{men['B']}"


def _rows(text: str, sign: str, width: int) -> list[str] | None:
    """The eight rows of a board, without white space; None where there are fewer, or more."""
    if len(text) > LONGEST or text.count("\n") < 7:
        return None
    rows = list[str]()
    for line in text.splitlines():
        parts = line.split("|")[1:-1]
        cells = "".join(part.strip() or "." for part in parts) if len(parts) == width else _EDGES.sub("", line)
        cells = re.sub(r"\s", "", cells)
        if re.fullmatch(f"{sign}{{{width}}}", cells):
            rows.append(cells)
    return rows if len(rows) == 8 else None
