"""Positions of checkers as PDN, the Portable Draughts Notation, lets people write them."""

from __future__ import annotations

import re

__all__ = ["plain_fen"]

_SQUARE = "K?[0-9]{1,2}(-[0-9]{1,2})?"
_LIST = f"(?:{_SQUARE}(?:,{_SQUARE})*)?"
_FEN = re.compile(f"(?P<turn>[BW]):(?P<first>[BW])(?P<a>{_LIST}):(?P<second>[BW])(?P<b>{_LIST})", re.ASCII)


def plain_fen(text: str) -> str | None:
    """The FEN as the rules read it: without ranges of squares, White's men first; None for what is no FEN.

    Colours and K may be small letters; white space, quotes, and a dot at the end are left out.
    """
    found = _FEN.fullmatch(re.sub(r"[\s\"']", "", text).removesuffix(".").upper())
    if not found or found["first"] == found["second"]:
        return None
    lists = {found["first"]: found["a"], found["second"]: found["b"]}
    return f"{found['turn']}:W{_expanded(lists['W'])}:B{_expanded(lists['B'])}"


def _expanded(squares: str) -> str:
    """With each square of a range; a king's range has kings."""
    words = list[str]()
    for word in squares.split(",") if squares else ():
        king = "K" if word.startswith("K") else ""
        first, _, last = word.removeprefix("K").partition("-")
        numbers = range(int(first), int(last) + 1) if last else (int(first),)
        words += [f"{king}{number}" for number in numbers]
    return ",".join(words)
