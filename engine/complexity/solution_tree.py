"""The tree that solves a small game, by definitions 6.2 to 6.4 of Allis (1994): counted, not estimated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from proofbase.engine.rules import Game

__all__ = ["SolutionTree", "solution_tree"]


class SolutionTree(NamedTuple):
    """The solution search tree of a position.

    Attributes:
        depth: the solution depth (6.2), the least depth at which a search of all moves determines the value.
        leaves: of the tree of all moves to this depth (6.4).
    """

    depth: int
    leaves: int


def solution_tree(game: Game[Any], most_visits: int) -> SolutionTree | None:
    """The tree of the first position, searched to one ply after the other.

    Args:
        game: by any rules. Equal positions have the same moves.
        most_visits: of positions, in all these searches; None is returned where the value needs more.
    """
    layers = [{game.initial()}]
    visits = 0
    while (visits := visits + sum(map(len, layers))) <= most_visits:
        low, high, leaves = _searched(game, layers)
        if low == high:
            return SolutionTree(len(layers) - 1, leaves)
        layers.append({game.play(p, move) for p in layers[-1] if game.terminal(p) is None for move in game.moves(p)})
    return None


def _searched(game: Game[Any], layers: Sequence[set[Any]]) -> tuple[int, int, int]:
    """Bounds of the value of the first position by a search to the last layer, and the leaves of that search."""
    below = dict[Any, tuple[int, int, int]]()
    for layer in reversed(layers):
        known = dict[Any, tuple[int, int, int]]()
        for position in layer:
            end = game.terminal(position)
            if end is not None:
                known[position] = end, end, 1
            elif layer is layers[-1]:
                known[position] = -game.limit(position), game.limit(position), 1
            else:
                moves = game.moves(position)
                after = [(game.reward(position, move), *below[game.play(position, move)]) for move in moves]
                known[position] = (
                    max(reward - high for reward, _, high, _ in after),
                    max(reward - low for reward, low, _, _ in after),
                    sum(leaves for *_, leaves in after),
                )
        below = known
    (root,) = below.values()
    return root
