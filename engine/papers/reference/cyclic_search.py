"""The practical algorithm for graphs with cycles: a child that would close a cycle becomes a lost end node.

Schijf, "Proof-number search and transpositions" (1993), section 5.4. It is the practical algorithm of section 4.4 with
a longer expansion. A win that it finds is a win. A loss may rest on a repetition that does not occur on another path
(Fig. 5.7), so the algorithm may miss wins; the one of base_twin.py does not.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from proofbase.engine.papers.reference.and_or_graph import AndOrGraph
from proofbase.engine.papers.reference.dag_search import DagSearch, Numbers, numbers_from_children, numbers_of_leaf

__all__ = ["CyclicNode", "CyclicSearch", "updates_until_stable"]

WON: Numbers = (0, math.inf)
LOST: Numbers = (math.inf, 0)


class CyclicNode:
    """A node, or an end node that stands for one of its own ancestors."""

    __slots__ = ("children", "end_nodes", "numbers", "parents", "position")

    def __init__(self, position: int, numbers: Numbers) -> None:
        self.position = position
        self.numbers = numbers
        self.parents: list[CyclicNode] = []
        self.children: list[CyclicNode] = []
        self.end_nodes: list[CyclicNode] = []
        """The end nodes of the same position."""


class CyclicSearch:
    """Proof-number search on any graph; a line that repeats a position is lost."""

    def __init__(self, whole: AndOrGraph) -> None:
        self.whole = whole
        self.root = CyclicNode(0, numbers_of_leaf(whole.won[0]))
        self.nodes: dict[int, CyclicNode] = {0: self.root}
        self.expansions: list[int] = []

    def run(self) -> bool:
        """Whether the root was found to be won. False may be wrong."""
        while 0 not in self.root.numbers:
            self.expand(self._most_proving_node())
        return self.root.numbers == WON

    def expand(self, node: CyclicNode) -> None:
        """Fig. 4.8 with the extension for repetitions, and the update of the ancestors."""
        self.expansions.append(node.position)
        for position in self.whole.children[node.position]:
            child = self.nodes.get(position)
            if child is None:
                child = self.nodes[position] = CyclicNode(position, numbers_of_leaf(self.whole.won[position]))
            elif is_ancestor(child, node):
                end_node = CyclicNode(position, WON if child.numbers == WON else LOST)
                child.end_nodes.append(end_node)
                child = end_node
            child.parents.append(node)
            node.children.append(child)
        self._update(node)

    def _most_proving_node(self) -> CyclicNode:
        node = self.root
        while node.children:
            which = 0 if self.whole.is_max[node.position] else 1
            node = next(child for child in node.children if child.numbers[which] == node.numbers[which])
        return node

    def _update(self, node: CyclicNode) -> None:
        """By recursion, which stops at a node that did not change: else the update would run round a cycle for ever."""
        before = node.numbers
        node.numbers = numbers_from_children(
            self.whole.is_max[node.position], [child.numbers for child in node.children]
        )
        if node.numbers == before:
            return
        if node.numbers == WON:
            for end_node in node.end_nodes:
                end_node.numbers = WON  # the position was proved along another path
                for parent in end_node.parents:
                    self._update(parent)
        for parent in node.parents:
            self._update(parent)


def is_ancestor(node: CyclicNode, of: CyclicNode) -> bool:
    """Whether a node is another one or on a path from it to the root."""
    ancestors, waiting = {of}, [of]
    while waiting:
        for parent in waiting.pop().parents:
            if parent not in ancestors:
                ancestors.add(parent)
                waiting.append(parent)
    return node in ancestors


def updates_until_stable(whole: AndOrGraph, expansions: Sequence[int], most: int) -> Counter[int]:
    """What 5.4 shows in Fig. 5.6: numbers that are derived from the children only, on a graph with cycles.

    After an expansion every node is computed again as long as the numbers of a child of it change.

    Args:
        whole: the graph.
        expansions: nodes in the order in which they are expanded.
        most: computations after an expansion, at most.

    Returns:
        How often each node was computed after the last expansion; `most` in total where that would go on.
    """
    search = _CountingSearch(whole, most)
    for node in expansions:
        search.computed.clear()
        search.expand(node)
    return search.computed


class _CountingSearch(DagSearch):
    """A search of a graph that may have cycles, whose updates end after so many."""

    def __init__(self, whole: AndOrGraph, most: int) -> None:
        super().__init__(whole, order="queue", early_stop=True)
        self.computed = Counter[int]()
        self._most = most

    def _compute(self, node: int) -> bool:
        if self.computed.total() == self._most:
            return False
        self.computed[node] += 1
        return super()._compute(node)
