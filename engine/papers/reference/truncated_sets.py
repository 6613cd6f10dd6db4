"""Proof-set search with (P,D)-truncated node sets: the first nodes of a set, and a bound of its weight.

Müller, "Proof-set search", Technical Report TR 01-09, University of Alberta (2001), section 4, and 5.1 for heuristic
leaves. With P = D = 0 it is proof-number search, with P = D = infinity proof-set search (Theorems 3 and 4).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from typing import NamedTuple

from proofbase.engine.papers.reference.and_or_graph import AndOrGraph
from proofbase.engine.papers.reference.proof_set_search import Effort, Order, ProofSetSearch, by_number, unit_effort

__all__ = ["AdaptiveProofSetSearch", "TruncatedProofSetSearch", "TruncatedSet", "TruncatedSets"]


class TruncatedSet(NamedTuple):
    """Definition 1. `nodes` in the order of comparison; `bound` is infinite for the impossible set."""

    nodes: tuple[int, ...]
    bound: float


class TruncatedSets:
    """K-truncated node sets (Definition 2).

    Args:
        size: K; math.inf for no truncation.
        effort: the weight of a node.
    """

    def __init__(self, size: float, effort: Effort = unit_effort) -> None:
        self.size = size
        self.effort = effort
        self.favoured: frozenset[int] = frozenset()  # the paper favours in whole sets only
        self.order: Order = by_number

    def single(self, node: int) -> TruncatedSet:
        return TruncatedSet((node,) if self.size > 0 else (), self.effort(node))

    def empty(self) -> TruncatedSet:
        return TruncatedSet((), 0)

    def impossible(self) -> TruncatedSet:
        return TruncatedSet((), math.inf)

    def union(self, sets: Sequence[TruncatedSet]) -> TruncatedSet:
        """Two sets at a time, from the left."""
        return reduce(self.union_of_two, sets, self.empty())

    def union_of_two(self, a: TruncatedSet, b: TruncatedSet) -> TruncatedSet:
        """A node that both sets name counts once in the bound."""
        if math.inf in (a.bound, b.bound):
            return self.impossible()
        common = set(a.nodes) & set(b.nodes)
        nodes = sorted({*a.nodes, *b.nodes}, key=self._node_rank)
        kept = nodes if self.size == math.inf else nodes[: int(self.size)]
        return TruncatedSet(tuple(kept), a.bound + b.bound - sum(self.effort(node) for node in common))

    def least(self, sets: Sequence[TruncatedSet]) -> TruncatedSet:
        return min(sets, key=lambda one: (one.bound, [self._node_rank(node) for node in one.nodes]))

    def members(self, one: TruncatedSet) -> Sequence[int]:
        return one.nodes

    def _node_rank(self, node: int) -> tuple[float, int]:
        return self.effort(node), self.order(node)


class TruncatedProofSetSearch(ProofSetSearch[TruncatedSet]):
    """PSS(P,D) on a graph without cycles.

    Args:
        whole: the graph.
        proof_size: P, how many nodes a proof set names.
        disproof_size: D, how many nodes a disproof set names.
        effort: the weight of an open leaf.
        topological: as of ProofSetSearch.
    """

    def __init__(
        self,
        whole: AndOrGraph,
        proof_size: float,
        disproof_size: float,
        effort: Effort = unit_effort,
        *,
        topological: bool = False,
    ) -> None:
        proofs, disproofs = TruncatedSets(proof_size, effort), TruncatedSets(disproof_size, effort)
        super().__init__(whole, proofs, disproofs, topological=topological)

    @property
    def names_kept(self) -> int:
        """How many nodes the sets of all nodes name."""
        return sum(len(proofs.nodes) + len(disproofs.nodes) for proofs, disproofs in self.sets.values())

    def most_promising_node(self) -> int:
        """4.2.1: goes down to the child with the same set until both sets name a common node, which is the result."""
        node = self.root
        while children := self.graph.children(node):
            common = self.common_node(node)
            if common is not None:
                return common
            which = 0 if self.graph.is_max(node) else 1
            node = next(child for child in children if self.sets[child][which] == self.sets[node][which])
        return node


class AdaptiveProofSetSearch(TruncatedProofSetSearch):
    """PSS(P,D) with sizes that grow during the search: a question of 6.3, and our answer to it.

    Where the sets of the root name no common node, all of their common nodes are cut off. Then P and D are doubled.
    Sets that were made before stay as they are until they are computed again: their bounds are bounds still.

    Args:
        whole: the graph.
        size: P and D at first, at least 1.
    """

    def __init__(self, whole: AndOrGraph, size: int = 1) -> None:
        self.size = size
        super().__init__(whole, size, size)

    def most_promising_node(self) -> int:
        if self.common_node(self.root) is None:
            self.size *= 2
            for rules in (self.proofs, self.disproofs):
                assert isinstance(rules, TruncatedSets)
                rules.size = self.size
        return super().most_promising_node()
