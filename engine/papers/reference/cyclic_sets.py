"""The theoretically correct algorithms for graphs with cycles: complete sets, along every path or kept with the nodes.

Schijf, "Proof-number search and transpositions" (1993), sections 5.2 and 5.3, Figs. 5.3 and 5.4. A node that is on the
path already is a repetition, which is lost. In Fig. 5.4 the max and the min branch are printed in each other's place
(Fig. 3.2 has them right); here they are exchanged.
"""

from __future__ import annotations

from collections.abc import Iterable

from proofbase.engine.papers.reference.and_or_graph import AndOrGraph, SearchGraph
from proofbase.engine.papers.reference.complete_sets import (
    DONE,
    IMPOSSIBLE,
    SetOfSets,
    leaf_sets,
    minimal_sets,
    tensor_union,
)

__all__ = ["CyclicSetSearch", "IncrementalSets", "complete_sets_by_paths", "without_cycles"]


def complete_sets_by_paths(
    graph: SearchGraph, node: int = 0, path: frozenset[int] = frozenset()
) -> tuple[SetOfSets, SetOfSets]:
    """Fig. 5.4: the minimal proof sets and disproof sets of a node that was reached along a path."""
    if node in path:
        return IMPOSSIBLE, DONE
    children = graph.children(node)
    if not children:
        return leaf_sets(graph, node)
    path |= {node}
    return union_at(graph.is_max(node), [complete_sets_by_paths(graph, child, path) for child in children])


def union_at(is_max: bool, of_children: Iterable[tuple[SetOfSets, SetOfSets]]) -> tuple[SetOfSets, SetOfSets]:
    """The minimal sets of an inner node, from those of its children (Fig. 3.2)."""
    proofs, disproofs = (IMPOSSIBLE, DONE) if is_max else (DONE, IMPOSSIBLE)
    for of_proof, of_disproof in of_children:
        if is_max:
            proofs, disproofs = minimal_sets(proofs | of_proof), minimal_sets(tensor_union(disproofs, of_disproof))
        else:
            proofs, disproofs = minimal_sets(tensor_union(proofs, of_proof)), minimal_sets(disproofs | of_disproof)
    return proofs, disproofs


def without_cycles(graph: SearchGraph) -> AndOrGraph:
    """Fig. 5.3: a graph without cycles that is worth the same at the root.

    Every path from the root becomes a node of its own, named by the node that it leads to; leaves are joined. A
    repetition is a lost leaf. There are as many nodes as paths: for tiny graphs only.
    """
    names, is_max, won = list[int](), list[bool](), list[bool | None]()
    children: list[list[int]] = []
    leaves: dict[int, int] = {}

    def new(node: int, outcome: bool | None) -> int:
        names.append(node)
        is_max.append(graph.is_max(node))
        won.append(outcome)
        children.append([])
        return len(names) - 1

    stack = [(new(0, None if graph.children(0) else graph.won(0)), frozenset({0}))]
    while stack:
        number, path = stack.pop()
        for child in graph.children(names[number]):
            if child in path:
                children[number].append(new(child, False))
            elif graph.children(child):
                children[number].append(new(child, None))
                stack.append((children[number][-1], path | {child}))
            else:
                if child not in leaves:
                    leaves[child] = new(child, graph.won(child))
                children[number].append(leaves[child])
    return AndOrGraph(names, is_max, children, won)


class IncrementalSets:
    """The complete sets of every node, as they are with this node as the root (5.3, the incremental algorithm).

    The sets of a node that is on a cycle and has several parents are computed along the paths below it. Those of all
    other nodes are derived from the sets of their children. The root counts as having one more parent (a DCG+, 5.2).
    """

    def __init__(self, whole: AndOrGraph) -> None:
        self.graph = SearchGraph(whole)
        self.sets: dict[int, tuple[SetOfSets, SetOfSets]] = {0: leaf_sets(self.graph, 0)}

    def expand(self, node: int) -> frozenset[int]:
        """Generates the children of a leaf; returns the inner nodes whose sets had to be computed anew."""
        for child in self.graph.expand(node):
            self.sets[child] = leaf_sets(self.graph, child)
        above = self.graph.above(node)
        separate = {one for one in above if self._is_transposition(one) and self._is_on_cycle(one)}
        for one in separate:
            self.sets[one] = complete_sets_by_paths(self.graph, one)
        # Every cycle has such a node: where it is entered from the root. So the other nodes have an order.
        waiting = above - separate
        while waiting:
            ready = {one for one in waiting if not waiting.intersection(self.graph.children(one))}
            for one in ready:
                self.sets[one] = self._from_children(one)
            waiting -= ready
        return frozenset(above)

    def _is_transposition(self, node: int) -> bool:
        return len(self.graph.parents[node]) + (node == 0) > 1

    def _is_on_cycle(self, node: int) -> bool:
        above = self.graph.above(node)
        return any(child in above for child in self.graph.children(node))

    def _from_children(self, node: int) -> tuple[SetOfSets, SetOfSets]:
        return union_at(self.graph.is_max(node), [self.sets[child] for child in self.graph.children(node)])


class CyclicSetSearch:
    """Proof-number search with exact numbers on any graph, as long as it is tiny.

    Args:
        whole: the graph.
        incremental: whether the sets are kept with the nodes, or all computed anew after each expansion.
    """

    def __init__(self, whole: AndOrGraph, *, incremental: bool = False) -> None:
        self._kept = IncrementalSets(whole) if incremental else None
        self.graph = self._kept.graph if self._kept else SearchGraph(whole)
        self.expansions: list[int] = []

    def run(self) -> bool:
        """Whether the root is won."""
        while True:
            proofs, disproofs = self._kept.sets[0] if self._kept else complete_sets_by_paths(self.graph)
            if DONE in (proofs, disproofs):
                return proofs == DONE
            # Every minimal proof set meets every minimal disproof set (Theorem 2).
            smallest = [min(sets, key=lambda one: (len(one), sorted(one))) for sets in (proofs, disproofs)]
            node = min(smallest[0] & smallest[1])
            self.expansions.append(node)
            if self._kept:
                self._kept.expand(node)
            else:
                self.graph.expand(node)
