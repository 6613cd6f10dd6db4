"""Positions that are set up, of games in which stones of two colours, x and o, are put on a board in turn.

In ordinary positions x begins, so the numbers of stones say who moves. A position that is set up may have any numbers
of stones; a mark behind its board says who moves: ` x` or ` o`.

What follows from such a position depends on whose stones are whose, and not on their colours. So its key is that of the
position with the side to move that the number of all stones gives: colours exchanged where that is the other side. An
`Exchanged` position remembers that x and o are to be shown the other way round. For the rules it is equal to the
position that its key gives.
"""

from __future__ import annotations

from typing import Any

__all__ = ["SET_UP", "WRONG_NUMBERS", "Exchanged", "is_unreachable", "like", "mark", "split_mark"]

SET_UP = ("connect-four", "gomoku", "qubic")
"""The families of games whose texts may have a mark."""

WRONG_NUMBERS = (
    "{first} x and {second} o: x begins, so x has as many as o or one more; "
    "a position that is set up names the side to move behind the board, ' x' or ' o'"
)


class Exchanged(tuple[Any, ...]):
    """A position of a game whose positions are tuples, with the colours exchanged."""

    __slots__ = ()


def like(position: tuple[Any, ...], parts: tuple[Any, ...]) -> Any:
    """A position that follows from another one: the colours stay exchanged."""
    return Exchanged(parts) if type(position) is Exchanged else parts


def split_mark(text: str) -> tuple[str, int | None]:
    """The board of a text, and the side that the mark behind it names; drawings, of several lines, have no mark."""
    if "\n" not in text and text[-2:] in (" x", " o"):
        return text[:-2], "xo".index(text[-1])
    return text, None


def mark(first: int, second: int, side: int) -> str:
    """What stands behind a board with so many x and o: nothing if they arise in play with this side to move."""
    return "" if first - second == side else " " + "xo"[side]


def is_unreachable(game: str, text: str) -> bool:
    """Whether the text of a position, as the rules write it, is that of one that cannot be reached from the start.

    Args:
        game: its name.
        text: with a mark only where the numbers of stones do not arise in play. `False` where that is not known.
    """
    return game.partition(":")[0] in SET_UP and split_mark(text)[1] is not None
