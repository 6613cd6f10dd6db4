"""Proof-set search: sets of leaves are backed up as proof numbers are, so that no leaf counts twice.

Müller, "Proof-set search", Technical Report TR 01-09, University of Alberta (2001): sections 2 and 3, heuristic leaves
(5), and the favouring of nodes that the root's set holds already (5.2). Truncated sets: truncated_sets.py.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

from proofbase.engine.papers.reference.and_or_graph import AndOrGraph, SearchGraph

__all__ = [
    "Effort",
    "Order",
    "PlainSet",
    "PlainSets",
    "ProofSetSearch",
    "SetRules",
    "by_number",
    "proof_sets",
    "unit_effort",
]

Effort = Callable[[int], float]
"""The heuristic h: an open leaf's share in the weight of a set; positive."""

Order = Callable[[int], int]
"""A total order of the nodes (2.1): the node of the lower number comes first."""

S = TypeVar("S")


def by_number(node: int) -> int:
    """The order of the graph's own numbers."""
    return node


def unit_effort(_: int) -> float:
    """Every leaf weighs the same: the weight of a set is its size."""
    return 1


class SetRules(Protocol[S]):
    """A kind of node sets: how they are made, united and compared."""

    favoured: frozenset[int]
    """Leaves that the comparison of sets discounts (5.2)."""
    order: Order
    """What breaks ties between leaves of the same weight; by their numbers unless another order is put here."""

    def single(self, node: int) -> S: ...

    def empty(self) -> S: ...

    def impossible(self) -> S: ...

    def union(self, sets: Sequence[S]) -> S: ...

    def least(self, sets: Sequence[S]) -> S: ...

    def members(self, one: S) -> Sequence[int]:
        """The nodes that are known to be in a set, in the order of the comparison."""
        ...


PlainSet = frozenset[int] | None
"""None is the impossible set, of infinite size."""


class PlainSets:
    """Whole sets (2.1): the lighter one is the smaller, ties are broken by the sorted lists of nodes.

    Args:
        effort: the weight of a node; 1 for all is the size of the set.
        discount: the factor, from 0 to less than 1, for the weight of favoured nodes.
    """

    def __init__(self, effort: Effort = unit_effort, discount: float | None = None) -> None:
        self.effort = effort
        self.discount = discount
        self.favoured: frozenset[int] = frozenset()
        self.order: Order = by_number

    def single(self, node: int) -> PlainSet:
        return frozenset({node})

    def empty(self) -> PlainSet:
        return frozenset()

    def impossible(self) -> PlainSet:
        return None

    def union(self, sets: Sequence[PlainSet]) -> PlainSet:
        united: set[int] = set()
        for one in sets:
            if one is None:
                return None
            united |= one
        return frozenset(united)

    def least(self, sets: Sequence[PlainSet]) -> PlainSet:
        return min(sets, key=self._rank)

    def members(self, one: PlainSet) -> Sequence[int]:
        return sorted(one or (), key=self._node_rank)

    def weight(self, one: PlainSet) -> float:
        """The heuristic h of a whole set."""
        return math.inf if one is None else sum(self.effort(node) for node in one)

    def _node_rank(self, node: int) -> tuple[float, int]:
        return self.effort(node), self.order(node)

    def _rank(self, one: PlainSet) -> tuple[float, float, list[tuple[float, int]]]:
        weight = self.weight(one)
        discounted = weight
        if one is not None and self.discount is not None:
            discounted -= (1 - self.discount) * sum(self.effort(node) for node in one & self.favoured)
        # The full weight second: a proved node comes before one whose weight is only discounted to 0 (5.2).
        return discounted, weight, [self._node_rank(node) for node in self.members(one)]


def proof_sets(graph: SearchGraph, proofs: SetRules[S], disproofs: SetRules[S]) -> dict[int, tuple[S, S]]:
    """The proof set and the disproof set of every node of a graph without cycles."""
    sets_of: dict[int, tuple[S, S]] = {}
    for node in graph.bottom_up():
        sets_of[node] = sets_of_node(graph, node, sets_of, proofs, disproofs)
    return sets_of


def sets_of_node(
    graph: SearchGraph, node: int, known: dict[int, tuple[S, S]], proofs: SetRules[S], disproofs: SetRules[S]
) -> tuple[S, S]:
    """The backup rules (2.1): both sets of a node, from those of its children."""
    children = graph.children(node)
    if children:
        of_proof, of_disproof = [known[child][0] for child in children], [known[child][1] for child in children]
        if graph.is_max(node):
            return proofs.least(of_proof), disproofs.union(of_disproof)
        return proofs.union(of_proof), disproofs.least(of_disproof)
    won = graph.won(node)
    if won is None:
        return proofs.single(node), disproofs.single(node)
    return (proofs.empty(), disproofs.impossible()) if won else (proofs.impossible(), disproofs.empty())


class ProofSetSearch(Generic[S]):
    """PSS on a graph without cycles.

    Args:
        whole: the graph.
        proofs: the kind of the proof sets, e.g. PlainSets().
        disproofs: the kind of the disproof sets; another object than `proofs`.
        topological: whether an ancestor waits for those below it, so that it is computed once (3.2); else ancestors
            are computed in the order of a queue.
        root: where the search begins.
    """

    def __init__(
        self,
        whole: AndOrGraph,
        proofs: SetRules[S],
        disproofs: SetRules[S],
        *,
        topological: bool = False,
        root: int = 0,
    ) -> None:
        self.graph = SearchGraph(whole, root=root)
        self.root = root
        self.updates = self.repeated = 0
        """Nodes that were computed after expansions; of these, again after the same expansion."""
        self._depths = whole.depths() if topological else None
        self.proofs = proofs
        self.disproofs = disproofs
        self.sets: dict[int, tuple[S, S]] = {}
        self._compute(root)
        self.expansions: list[int] = []

    @property
    def nodes(self) -> int:
        """Nodes created, the root included."""
        return len(self.graph.parents)

    @property
    def solved(self) -> bool | None:
        """Whether the root is won; None if that is not known yet."""
        proof_set, disproof_set = self.sets[self.root]
        return True if proof_set == self.proofs.empty() else False if disproof_set == self.disproofs.empty() else None

    def run(self, nodes: float = math.inf) -> bool | None:
        """Whether the root is won; None if that is not known when so many nodes were created."""
        while self.solved is None and self.nodes < nodes:
            self.expand(self.most_promising_node())
        return self.solved

    def most_promising_node(self) -> int:
        """3.1: the first node that both sets of the root hold. There is one (Theorem 1)."""
        node = self.common_node(self.root)
        if node is None:
            raise AssertionError("an open node whose sets have nothing in common")
        return node

    def common_node(self, node: int) -> int | None:
        """The first node that is known to be in both sets of a node."""
        proof_set, disproof_set = self.sets[node]
        disproof_members = set(self.disproofs.members(disproof_set))
        return next((member for member in self.proofs.members(proof_set) if member in disproof_members), None)

    def expand(self, node: int) -> None:
        """Generates the children of a leaf and updates the sets of its ancestors."""
        self.expansions.append(node)
        self.proofs.favoured = frozenset(self.proofs.members(self.sets[self.root][0]))
        self.disproofs.favoured = frozenset(self.disproofs.members(self.sets[self.root][1]))
        for child in self.graph.expand(node):
            self._compute(child)
        self._update_ancestor_sets(node)

    def _update_ancestor_sets(self, start: int) -> None:
        """3.2: by a queue, and not above a node that did not change."""
        queue, computed = deque([start]), set[int]()
        while queue:
            node = queue.popleft() if self._depths is None else max(queue, key=self._depths.__getitem__)
            if self._depths is not None:
                queue.remove(node)
            self.updates += 1
            self.repeated += node in computed
            computed.add(node)
            if self._compute(node):
                queue.extend(parent for parent in self.graph.parents[node] if parent not in queue)

    def _compute(self, node: int) -> bool:
        """Whether the sets of a node changed."""
        before = self.sets.get(node)
        self.sets[node] = sets_of_node(self.graph, node, self.sets, self.proofs, self.disproofs)
        return self.sets[node] != before
