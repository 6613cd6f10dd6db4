"""Positions and moves of checkers as PDN, the Portable Draughts Notation, and people write them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from proofbase.engine.errors import InvalidPositionError

__all__ = ["checkers_spellings", "joined_moves", "plain_fen"]

_SQUARE = "K?[0-9]{1,2}(-[0-9]{1,2})?"
_LIST = f"(?:{_SQUARE}(?:,{_SQUARE})*)?"
_LETTERED = re.compile("[BW]:[BW]K?[A-H][1-8](?:[,:]|$)")
_MARKS = re.compile(r"(?:[.!?*]|-{2,}\w*)+$")
"""What stands behind a move: marks (`*` is the only move), a full stop, the letter of a note (`---A`)."""
_FEN = re.compile(f"(?P<turn>[BW]):(?P<first>[BW])(?P<a>{_LIST}):(?P<second>[BW])(?P<b>{_LIST})", re.ASCII)


def plain_fen(text: str) -> str | None:
    """The FEN as the rules read it: without ranges of squares, White's men first; None for what is no FEN.

    Colours and K may be small letters; white space, quotes, counters of moves (`:H0:F1`), and a dot at the end are left
    out.

    Raises:
        InvalidPositionError: squares have letters.
    """
    if _LETTERED.match(re.sub(r"[\s\"']", "", text).upper()):
        raise InvalidPositionError(
            "squares with letters are those of Russian draughts, another game; those of checkers are 1 to 32"
        )
    fields = _FEN.fullmatch(re.sub(r"(?::H[0-9]+)?(?::F[0-9]+)?\.?$", "", re.sub(r"[\s\"']", "", text).upper()))
    if not fields or fields["first"] == fields["second"]:
        return None
    lists = {fields["first"]: fields["a"], fields["second"]: fields["b"]}
    return f"{fields['turn']}:W{_expanded(lists['W'])}:B{_expanded(lists['B'])}"


def _expanded(squares: str) -> str:
    """With each square of a range; a king's range has kings."""
    words = list[str]()
    for word in squares.split(",") if squares else ():
        king = "K" if word.startswith("K") else ""
        first, _, last = word.removeprefix("K").partition("-")
        numbers = range(int(first), int(last) + 1) if last else (int(first),)
        words += [f"{king}{number}" for number in numbers]
    return ",".join(words)


def joined_moves(text: str) -> str:
    """A text of moves without white space beside the signs between squares: `11 - 15` becomes `11-15`."""
    return re.sub(r"(?<=[0-9])[ \t]+([-x:])[ \t]+(?=[0-9])", r"\1", text)


def checkers_spellings(text: str) -> Iterator[str]:
    """Other texts for a move, which mean the same.

    Args:
        text: a word with plain characters, which is no move in the strict notation: `22X15`, `22:15`, `1115`, `11-15.`.
    """
    word = _MARKS.sub("", text.lower()).replace(":", "x")
    yield word
    if re.fullmatch("[0-9]{2,4}", word):
        for end in range(max(1, len(word) - 2), min(3, len(word))):
            yield f"{word[:end]}-{word[end:]}"
            yield f"{word[:end]}x{word[end:]}"
