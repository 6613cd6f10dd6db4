"""The value of a position straight from its definition, for games without endless lines that are small enough."""

from __future__ import annotations

from typing import TypeVar

from proofbase.engine.papers.reference.recurrence import refuse_recurrence
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
        ValueError: the game is not acyclic. A BrokenGameError, if it says that it is.
    """
    if not game.acyclic:
        raise ValueError(f"{game.name} has endless lines: see `values`")
    return _negamax(game, position, {} if known is None else known, {})


def _negamax(game: Game[P], position: P, known: dict[bytes, int], line: dict[bytes, P]) -> int:
    value = game.terminal(position)
    if value is not None:
        return value
    key = game.key(position)
    if key in line:
        positions = list(line.values())
        refuse_recurrence(game, [*positions[list(line).index(key) :], position])
    if key not in known:
        line[key] = position
        known[key] = max(
            game.reward(position, move) - _negamax(game, game.play(position, move), known, line)
            for move in game.moves(position)
        )
        del line[key]
    return known[key]
