"""The practical algorithm for graphs without cycles: the numbers of the tree, and all parents are updated.

Schijf, "Proof-number search and transpositions" (1993), section 4.4 with the algorithms of section 3.3 (Figs. 3.3 and
3.5 to 3.8); the orders of updating are those of section 4.6. A node below two children counts twice, so the numbers
are upper bounds of the exact ones.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from typing import Literal

from proofbase.engine.papers.reference.and_or_graph import AndOrGraph, SearchGraph

__all__ = [
    "DagSearch",
    "Numbers",
    "leftmost_most_proving_node",
    "numbers_from_children",
    "numbers_of_leaf",
    "practical_numbers",
]

Numbers = tuple[float, float]
"""Proof number, disproof number."""


def numbers_from_children(is_max: bool, children: list[Numbers]) -> Numbers:
    """Fig. 3.3, internal nodes."""
    proofs, disproofs = [proof for proof, _ in children], [disproof for _, disproof in children]
    if is_max:
        return min(proofs, default=math.inf), sum(disproofs)
    return sum(proofs), min(disproofs, default=math.inf)


def numbers_of_leaf(won: bool | None, effort: float = 1) -> Numbers:
    """Fig. 3.3, terminals."""
    return (effort, effort) if won is None else (0, math.inf) if won else (math.inf, 0)


def practical_numbers(graph: SearchGraph, effort: Callable[[int], float] = lambda _: 1) -> dict[int, Numbers]:
    """The numbers that the practical algorithm keeps in every node of a graph without cycles.

    Args:
        graph: the search graph.
        effort: the numbers that an open leaf starts with.
    """
    numbers: dict[int, Numbers] = {}
    for node in graph.bottom_up():
        children = [numbers[child] for child in graph.children(node)]
        if children:
            numbers[node] = numbers_from_children(graph.is_max(node), children)
        else:
            numbers[node] = numbers_of_leaf(graph.won(node), effort(node))
    return numbers


def leftmost_most_proving_node(graph: SearchGraph, numbers: dict[int, Numbers]) -> int:
    """Fig. 3.5: always the first child with the same number."""
    node = 0
    while children := graph.children(node):
        which = 0 if graph.is_max(node) else 1
        node = next(child for child in children if numbers[child][which] == numbers[node][which])
    return node


class DagSearch:
    """Proof-number search on a graph without cycles.

    Args:
        whole: the graph.
        order: "stack" updates parents by recursion, a node once for every path that leads to it; in a "queue" a node
            stands once at a time, so it is updated once if all paths to it are equally long.
        early_stop: whether nothing is updated above a node whose numbers did not change.
    """

    def __init__(
        self, whole: AndOrGraph, *, order: Literal["stack", "queue"] = "stack", early_stop: bool = False
    ) -> None:
        self.graph = SearchGraph(whole)
        self.order = order
        self.early_stop = early_stop
        self.numbers: dict[int, Numbers] = {0: numbers_of_leaf(whole.won[0])}
        self.updates = 0
        """How often the numbers of a node were computed from those of its children."""
        self.expansions: list[int] = []

    @property
    def nodes(self) -> int:
        """Nodes created, the root included."""
        return len(self.graph.parents)

    def run(self) -> bool:
        """Fig. 3.8: whether the root is won."""
        while 0 not in self.numbers[0]:
            self.expand(leftmost_most_proving_node(self.graph, self.numbers))
        return self.numbers[0][0] == 0

    def expand(self, node: int) -> None:
        """Fig. 3.6, and the update of the ancestors."""
        self.expansions.append(node)
        for child in self.graph.expand(node):
            self.numbers[child] = numbers_of_leaf(self.graph.won(child))
        if self.order == "stack":
            self._update_by_stack(node)
        else:
            self._update_by_queue(node)

    def _update_by_stack(self, node: int) -> None:
        """Fig. 3.7 with all parents."""
        if self._compute(node) or not self.early_stop:
            for parent in self.graph.parents[node]:
                self._update_by_stack(parent)

    def _update_by_queue(self, start: int) -> None:
        queue = deque([start])
        while queue:
            node = queue.popleft()
            if self._compute(node) or not self.early_stop:
                queue.extend(parent for parent in self.graph.parents[node] if parent not in queue)

    def _compute(self, node: int) -> bool:
        """Whether the numbers of a node changed."""
        before = self.numbers[node]
        children = [self.numbers[child] for child in self.graph.children(node)]
        self.numbers[node] = numbers_from_children(self.graph.is_max(node), children)
        self.updates += 1
        return self.numbers[node] != before
