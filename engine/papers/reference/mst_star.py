"""MST*: the change of pn-search that finds a smallest solution tree (Allis 1994, 2.5.4).

A number is a lower bound on the size of a solution tree: 1 for a leaf, 1 more than pn-search has for other nodes. The
thesis leaves "some changes" open. Here a node is *closed* when its number is the size of a solution tree that is there:
the size is then the least one. A node with one infinite number may be open still.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from proofbase.engine.papers.reference.pn_search import Node, PnSearch
from proofbase.engine.rules.game import Game

__all__ = ["MstSearch", "least_solution", "solution_size"]


class MstSearch(PnSearch):
    """Goes on until the root is closed: then one of its numbers is the size of a smallest solution tree."""

    def __init__(self, game: Game[Any], position: Any, v: int) -> None:
        self.closed = set[Node]()
        super().__init__(game, position, v)

    @property
    def size(self) -> int:
        """Nodes of the smallest solution tree, after `run`."""
        return int(min(self.root.proof, self.root.disproof))

    def run(self, nodes: int | None = None) -> bool | None:
        """As that of pn-search, with another end."""
        while self.root not in self.closed:
            if nodes is not None and self.nodes >= nodes:
                return None
            most_proving = self._select_most_proving_node()
            self._expand(most_proving)
            self._update_proof_numbers(most_proving)
        return self.root.proof < math.inf

    def _evaluate(self, node: Node) -> None:
        super()._evaluate(node)
        if node.proof == 0 or node.disproof == 0:
            node.proof, node.disproof = (1, math.inf) if node.proof == 0 else (math.inf, 1)
            self.closed.add(node)

    def _select_most_proving_node(self) -> Node:
        """A child that is closed is the choice only where its parent is closed as well."""
        node = self.root
        while node.children:
            least = node.proof if node.is_max else node.disproof
            node = next(
                child
                for child in node.children
                if child not in self.closed
                and (least == math.inf or (child.proof if node.is_max else child.disproof) == least - 1)
            )
        return node

    def _update_proof_numbers(self, start: Node) -> None:
        node: Node | None = start
        while node is not None:
            proofs = [child.proof for child in node.children]
            disproofs = [child.disproof for child in node.children]
            least, most = (min(proofs), sum(disproofs)) if node.is_max else (min(disproofs), sum(proofs))
            of_least = [child for child in node.children if (child.proof if node.is_max else child.disproof) == least]
            settled = least < math.inf and any(child in self.closed for child in of_least)
            if settled:
                most = math.inf  # one answer excludes the other
            if settled or all(child in self.closed for child in node.children):
                self.closed.add(node)
            node.proof, node.disproof = (1 + least, 1 + most) if node.is_max else (1 + most, 1 + least)
            node = node.parent


def solution_size(node: Node) -> int:
    """Nodes of the smallest solution tree within the tree of a pn-search that has solved the node."""
    proved = node.proof == 0
    sizes = [solution_size(child) for child in node.children if (child.proof if proved else child.disproof) == 0]
    return 1 + (min(sizes, default=0) if node.is_max == proved else sum(sizes))


def least_solution(game: Game[Any], position: Any, v: int) -> tuple[bool, int]:
    """The answer, and the nodes of the smallest solution tree of all, by a search of everything."""

    @cache
    def least(position: Any, bound: int, is_max: bool) -> tuple[bool, int]:
        end = game.terminal(position)
        if end is not None:
            return (end >= bound if is_max else end <= bound), 1
        below = [
            least(game.play(position, move), game.reward(position, move) - bound, not is_max)
            for move in game.moves(position)
        ]
        chosen = [size for answer, size in below if answer == is_max]
        return (is_max, 1 + min(chosen)) if chosen else (not is_max, 1 + sum(size for _, size in below))

    return least(position, v, True)
