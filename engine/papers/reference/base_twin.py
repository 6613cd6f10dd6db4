"""The base-twin algorithm, as printed: proof-number search in graphs with cycles that is right about repetitions.

Breuker, van den Herik, Uiterwijk, Allis, "A solution to the GHI problem for best-first search", Theoretical Computer
Science 252 (2001), section 5, Figs. 11 to 17. The first node of a position is its *base node*, and only that one is
expanded; further nodes of the position are *twin nodes*, which have numbers of their own. A result that
rests on a repetition of the current path is marked as a *possible draw*. It becomes a fact only when it depends on no
node above it (Lemma 3).

Three places differ from the print. Fig. 17: proof is the sum and disproof the minimum; as printed they are swapped.
Fig. 12: the best child also gets the node that it was reached from as its parent; with a fixed parent the path through
a twin node is lost, and the search may not end. Fig. 13: a possible draw below an AND node sets the best child back to
NULL, as the text in 5.1 says; as printed an earlier child stays the best one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from proofbase.engine.papers.reference.and_or_graph import AndOrGraph
from proofbase.engine.papers.reference.dag_search import numbers_from_children, numbers_of_leaf

__all__ = ["BaseTwinSearch", "TwinNode"]


class TwinNode:
    """A base node or a twin node. `depth` and `parent` are those of the current path."""

    __slots__ = (
        "base",
        "children",
        "depth",
        "disproof",
        "expanded",
        "is_possible_draw",
        "parent",
        "position",
        "possible_draw_depth",
        "proof",
    )

    def __init__(self, position: int, parent: TwinNode | None, base: TwinNode | None) -> None:
        self.position = position
        self.parent = parent
        self.base = base or self
        self.depth = 0
        self.proof: float = 1
        self.disproof: float = 1
        self.expanded = False
        self.children: list[TwinNode] = []
        self.is_possible_draw = False
        self.possible_draw_depth: float = math.inf


class BaseTwinSearch:
    """Whether the root of a graph is won, where a line that repeats a position is lost."""

    def __init__(self, whole: AndOrGraph) -> None:
        self.whole = whole
        self.bases: dict[int, TwinNode] = {}
        self.nodes = 0
        """Nodes created, base nodes and twins."""
        self.expansions: list[int] = []
        self.root = self._create(0, None)

    def run(self) -> bool:
        """Fig. 11."""
        while self.root.proof != 0 and self.root.disproof != 0:
            self.expand_next()
        return self.root.proof == 0

    def expand_next(self) -> TwinNode:
        """One round of Fig. 11; returns the node that it expanded or settled."""
        most_proving = self.select_most_proving_node()
        self._expand(most_proving)
        self._update_ancestors(most_proving.parent)
        return most_proving

    def _create(self, position: int, parent: TwinNode | None) -> TwinNode:
        node = TwinNode(position, parent, self.bases.get(position))
        self.bases.setdefault(position, node)
        self.nodes += 1
        self._set_proof_and_disproof_numbers(node)
        return node

    def _set_proof_and_disproof_numbers(self, node: TwinNode) -> None:
        """As in a tree. A twin node uses the children of its base node."""
        if node.base.expanded:
            self._take(node, node.base.children)
        else:
            node.proof, node.disproof = numbers_of_leaf(self.whole.won[node.position])

    def _take(self, node: TwinNode, children: Sequence[TwinNode]) -> None:
        numbers = [(child.proof, child.disproof) for child in children]
        node.proof, node.disproof = numbers_from_children(self.whole.is_max[node.position], numbers)

    def select_most_proving_node(self) -> TwinNode:
        """Fig. 12, with a loop for the recursion. Goes down, and up again from a possible draw."""
        node = self.root
        while True:
            base = node.base
            if base.proof == 0 or base.disproof == 0:  # 1: base node has been solved
                return node
            if ancestor := self._equal_ancestor(node):  # 2: repetition of position
                node.is_possible_draw = True
                node.possible_draw_depth = ancestor.depth
                node = parent_of(node)
                continue
            if not base.expanded:  # 3: leaf
                return node
            best, possible_draw_present = self._select_best_child(base)  # 4: internal node; look for child
            if best is not None:
                best.depth = node.depth + 1
                best.parent = node
                node = best
            elif possible_draw_present:
                node.is_possible_draw = True
                marked = [child for child in base.children if child.is_possible_draw]
                node.possible_draw_depth = min(child.possible_draw_depth for child in marked)
                for child in marked:
                    child.is_possible_draw = False
                if node.possible_draw_depth == node.depth:
                    return node
                node = parent_of(node)
            else:  # all children are solved, so choose any one
                base.proof, base.disproof = base.children[0].proof, base.children[0].disproof
                return node

    def _equal_ancestor(self, node: TwinNode) -> TwinNode | None:
        ancestor = node.parent
        while ancestor is not None and ancestor.position != node.position:
            ancestor = ancestor.parent
        return ancestor

    def _select_best_child(self, base: TwinNode) -> tuple[TwinNode | None, bool]:
        """Fig. 13: the best child, if there is one, and whether a child is marked as a possible draw."""
        is_max = self.whole.is_max[base.position]
        unmarked = [child for child in base.children if not child.is_possible_draw]
        possible_draw_present = len(unmarked) < len(base.children)
        if possible_draw_present and not is_max:
            return None, True  # the side to move at an AND node accepts a repetition
        candidates = [child for child in unmarked if (child.proof if is_max else child.disproof) < math.inf]
        return (self._least(candidates, is_max) if candidates else None), possible_draw_present

    def _least(self, candidates: Sequence[TwinNode], is_max: bool) -> TwinNode:
        """The first child with the least proof number, or disproof number."""
        return min(candidates, key=lambda child: child.proof if is_max else child.disproof)

    def _expand(self, node: TwinNode) -> None:
        """Fig. 14."""
        base = node.base
        if base.proof == 0 or base.disproof == 0:  # 1: base node already solved
            pass
        elif node.is_possible_draw:  # 2: node has become a real draw
            base.proof, base.disproof = math.inf, 0
        else:  # 3: node has to be expanded
            self.expansions.append(node.position)
            base.children = [self._create(child, node) for child in self.whole.children[node.position]]
            base.expanded = True
            self._set_proof_and_disproof_numbers(base)
        node.proof, node.disproof = base.proof, base.disproof

    def _update_ancestors(self, node: TwinNode | None) -> None:
        """Fig. 15: along the current path only."""
        while node is not None:
            if self.whole.is_max[node.position]:
                self._update_or_node(node)
            else:
                self._set_proof_and_disproof_numbers(node)  # Fig. 17
            if node.proof == 0 or node.disproof == 0:  # node solved
                node.base.proof, node.base.disproof = node.proof, node.disproof
            node = node.parent
        self.root.is_possible_draw = False

    def _update_or_node(self, node: TwinNode) -> None:
        """Fig. 16: children that are possible draws do not count."""
        children = node.base.children
        unmarked = [child for child in children if not child.is_possible_draw]
        for child in children:
            child.is_possible_draw = False
        if len(unmarked) < len(children) and all(child.proof == math.inf for child in unmarked):
            self._set_proof_and_disproof_numbers(node)
        else:
            self._take(node, unmarked)


def parent_of(node: TwinNode) -> TwinNode:
    """The node above on the current path. The search never goes above the root, which repeats no position."""
    if node.parent is None:
        raise AssertionError("the root has been left upwards")
    return node.parent
