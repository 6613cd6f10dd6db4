"""The value of a position straight from its definition, for games without endless lines that are small enough."""

from __future__ import annotations

from typing import TypeVar

from proofbase.engine.rules.game import Game

__all__ = ["minimax"]

P = TypeVar("P")


def minimax(game: Game[P], position: P, known: dict[bytes, int] | None = None) -> int:
    """Negamax with a table over the keys: `v(p) = terminal(p)`, or the maximum of `reward - v(child)`.

    Args:
        game: the rules; acyclic.
        position: where to start.
        known: the table, key to value; filled on the way, and may be given again.

    Raises:
        ValueError: the game is not acyclic.
    """
    if not game.acyclic:
        raise ValueError(f"{game.name} has endless lines: see `values`")
    table = {} if known is None else known
    value = game.terminal(position)
    if value is not None:
        return value
    key = game.key(position)
    if key not in table:
        table[key] = max(
            game.reward(position, move) - minimax(game, game.play(position, move), table)
            for move in game.moves(position)
        )
    return table[key]
