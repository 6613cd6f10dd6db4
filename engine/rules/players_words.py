"""How the players of a game talk: a small table that a game may offer. Only for showing."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["PlayersWords"]


class PlayersWords(NamedTuple):
    """The words of a game of win, draw and loss: `mate in 3`, `White to move`, `1. e4 e5 2. Nf3`.

    Distances are counted in moves of the side to move: three of them are a win within five plies by its own last move,
    or within six by the opponent's.
    """

    win: str
    """What stands before `in 3` where the side to move wins, such as `mate`."""
    loss: str
    """The word where the side loses, such as `mated`."""
    unit: str = ""
    """What stands behind the number, in the singular, such as `move`; may be empty."""
    sides: tuple[str, str] = ("first player", "second player")
    """What the two sides are called."""
    numbered_lines: bool = False
    """Whether lines of play are written with a number for every two moves."""
