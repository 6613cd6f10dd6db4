"""How far a win is, in words: moves to mate in chess, plies elsewhere."""

from __future__ import annotations

__all__ = ["win_in"]


def win_in(game: str, plies: int) -> str:
    """A win within so many plies: `mate in 3` of chess, where the winner makes 3 moves, else `win in 5 plies`."""
    if game == "chess":
        return f"mate in {(plies + 1) // 2}"
    return f"win in {plies} {'ply' if plies == 1 else 'plies'}"
