"""The game tree seen from the root, its values as numbers for who moves there; alpha-beta search on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from proofbase.engine.rules.game import Game

__all__ = ["TreeNode", "alpha_beta"]


class TreeNode:
    """A node; equal positions are different nodes. A *max* node is one where the player at the root moves."""

    __slots__ = (
        "children",
        "gained",
        "game",
        "is_max",
        "lower_to",
        "parent",
        "position",
        "raise_to",
        "threshold",
        "value",
    )

    def __init__(
        self,
        game: Game[Any],
        position: Any,
        threshold: int | None = None,
        parent: TreeNode | None = None,
        gained: int = 0,
    ) -> None:
        """A node of the tree of a game.

        Args:
            threshold: makes a two-valued tree: 1 for values at least as large, -1 for all others.
            gained: rewards on the way, those of the player at the root less those of the other.
        """
        self.game, self.position, self.threshold, self.parent, self.gained = game, position, threshold, parent, gained
        self.is_max: bool = parent is None or not parent.is_max
        self.children: Sequence[TreeNode] = ()
        end = game.terminal(position)
        worth = None if end is None else gained + (end if self.is_max else -end)
        self.value = worth if worth is None or threshold is None else 1 if worth >= threshold else -1
        """Of a finished game; None of all others."""
        self.raise_to: list[float] = []
        self.lower_to: list[float] = []

    def expand(self) -> Sequence[TreeNode]:
        """Makes the children, unless they are there, and gives them."""
        if self.value is None and not self.children:
            position, game, sign = self.position, self.game, 1 if self.is_max else -1
            self.children = [
                TreeNode(
                    game,
                    game.play(position, move),
                    self.threshold,
                    self,
                    self.gained + sign * game.reward(position, move),
                )
                for move in game.moves(position)
            ]
        return self.children


def alpha_beta(node: TreeNode, alpha: int, beta: int, visited: list[TreeNode]) -> int:
    """The value, as far as it lies in alpha..beta, by moves in the order of the rules. Adds the visited nodes."""
    visited.append(node)
    if node.value is not None:
        return node.value
    best = alpha if node.is_max else beta
    for child in node.expand():
        if node.is_max:
            best = max(best, alpha_beta(child, best, beta, visited))
        else:
            best = min(best, alpha_beta(child, alpha, best, visited))
        if best >= beta if node.is_max else best <= alpha:
            break
    return best
