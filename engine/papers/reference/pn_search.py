"""Proof-number search exactly as printed.

Allis, van der Meulen, van den Herik, "Proof-number search", Artificial Intelligence 66 (1994), Figs. 4 to 9.
A tree (equal positions are different nodes), immediate evaluation, unit initialisation, the leftmost child on ties,
updates up to the root. A *max* node is one where the questioner moves, a *min* node one where the other side does.
"""

from __future__ import annotations

from typing import Any

from proofbase.engine.papers.reference.dag_search import numbers_from_children, numbers_of_leaf
from proofbase.engine.papers.reference.recurrence import refuse_recurrence
from proofbase.engine.rules.game import Game

__all__ = ["Node", "PnSearch", "multi_valued_pn_search"]


class Node:
    """A node of the tree. The question: is the value at least `bound` (max node), or at most `bound` (min node)?"""

    __slots__ = ("bound", "children", "disproof", "is_max", "parent", "position", "proof")

    def __init__(self, position: Any, parent: Node | None, is_max: bool, bound: int) -> None:
        self.position = position
        self.parent = parent
        self.is_max = is_max
        self.bound = bound
        self.children: list[Node] = []
        self.proof: float = 1
        self.disproof: float = 1


class PnSearch:
    """Is the value of a position for its side to move at least v? Runs on any game without endless lines.

    Args:
        game: the rules.
        position: the root.
        v: the threshold.
    """

    def __init__(self, game: Game[Any], position: Any, v: int) -> None:
        self.game = game
        self.nodes = 1
        """Nodes created, the root included."""
        self.root = Node(position, None, True, v)
        self._evaluate(self.root)

    def run(self, nodes: int | None = None) -> bool | None:
        """Fig. 8. True: proved; False: disproved; None: `nodes` nodes were created before either."""
        while self.root.proof != 0 and self.root.disproof != 0:
            if nodes is not None and self.nodes >= nodes:
                return None
            most_proving = self._select_most_proving_node()
            self._expand(most_proving)
            self._update_proof_numbers(most_proving)
        return self.root.proof == 0

    def _evaluate(self, node: Node) -> None:
        """Fig. 4, terminal nodes: 0 and infinity when the value is known, else 1 and 1."""
        value = self.game.terminal(node.position)
        if value is not None:
            reached = value >= node.bound if node.is_max else value <= node.bound
            node.proof, node.disproof = numbers_of_leaf(reached)

    def _select_most_proving_node(self) -> Node:
        """Fig. 6."""
        node = self.root
        while node.children:
            if node.is_max:
                node = next(child for child in node.children if child.proof == node.proof)
            else:
                node = next(child for child in node.children if child.disproof == node.disproof)
        return node

    def _expand(self, node: Node) -> None:
        """Creates all children and evaluates them at once (3.3).

        Raises:
            BrokenGameError: the position has been on the path before, although the game calls itself acyclic.
        """
        if self.game.acyclic:
            self._watch_for_recurrence(node)
        for move in self.game.moves(node.position):
            # "value >= bound" for the mover is "value <= reward - bound" for the other side, and the other way round.
            bound = self.game.reward(node.position, move) - node.bound
            child = Node(self.game.play(node.position, move), node, not node.is_max, bound)
            self._evaluate(child)
            node.children.append(child)
        self.nodes += len(node.children)

    def _watch_for_recurrence(self, node: Node) -> None:
        line, above = [node.position], node.parent
        while above is not None:
            line.append(above.position)
            if above.position == node.position:
                refuse_recurrence(self.game, line[::-1])
            above = above.parent

    def _update_proof_numbers(self, start: Node) -> None:
        """Fig. 7, with the definition of Fig. 4 for internal nodes."""
        node: Node | None = start
        while node is not None:
            of_children = [(child.proof, child.disproof) for child in node.children]
            node.proof, node.disproof = numbers_from_children(node.is_max, of_children)
            node = node.parent


def multi_valued_pn_search(game: Game[Any], position: Any, lower: int, upper: int) -> int:
    """Fig. 9: the exact value by bisection, when it is known to lie in lower..upper."""
    while lower < upper:
        v = -((lower + upper) // -2)  # the smallest integer not below their mean
        if PnSearch(game, position, v).run():
            lower = v
        else:
            upper = v - 1
    return upper
