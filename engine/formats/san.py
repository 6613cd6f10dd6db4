"""Moves of chess as people write them, and the texts of the strict notation that they may stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["chess_spellings"]

_FIGURINES = str.maketrans("\u2654\u2655\u2656\u2657\u2658\u2659\u265a\u265b\u265c\u265d\u265e\u265f", "KQRBN KQRBN ")
_MARKS = re.compile(r"(?:[+#!?=\u2020\u2021\u2260\u00b1\u2213]|\$[0-9]+|dbl\.?|ch\.?|mate|e\.?p\.?|\(e\.?p\.?\))+$")
_PROMOTION = re.compile("([a-h][18])(?:[=/]?([NBRQKnbrqk])|=?[(]([NBRQKnbrqk])[)])")
_SQUARES = re.compile("([a-h][1-8])([a-h][1-8])[=/(]?([NBRQKnbrqk]?)[)]?")


def chess_spellings(text: str, side: int) -> Iterator[str]:
    """Other texts for a move, which mean the same: figurines and marks replaced, castling in capital letters.

    Args:
        text: a word with plain characters, which is no move in the strict notation.
        side: 0 if White is to move.
    """
    word = text.translate(_FIGURINES).replace(" ", "")
    while (shorter := _MARKS.sub("", word)) != word:
        word = shorter
    word = word.replace(":", "x")
    if re.fullmatch("[oO0]-?[oO0](-?[oO0])?", word):
        yield "O-O" if len(word.replace("-", "")) == 2 else "O-O-O"
        return
    squares = word.replace("-", "").replace("x", "")
    squares = squares.lower() if squares.isupper() else squares
    if found := _SQUARES.fullmatch(squares):
        start, end, kind = found.groups()
        yield start + end + kind.lower()
        rank = "18"[side]
        if start == f"e{rank}" and end in (f"a{rank}", f"h{rank}"):  # the king takes his rook: as in Chess960
            yield "O-O" if end[0] == "h" else "O-O-O"
    if promotion := _PROMOTION.search(word):
        word = f"{word[: promotion.start()]}{promotion[1]}={(promotion[2] or promotion[3]).upper()}"
    yield word
    if word and word[0] in "nrqk":  # a small b may be a pawn
        yield word[0].upper() + word[1:]
