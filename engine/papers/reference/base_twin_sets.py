"""Proof-set search in graphs with cycles: the base-twin algorithm with sets of leaves in place of numbers.

Müller, "Proof-set search", Technical Report TR 01-09, University of Alberta (2001), 6.1, leaves it open "whether PSS is
well-defined and how it works on general DCG's", and names the base-twin algorithm (Breuker et al. 2001) as one solution
for numbers. Here every base node and every twin node has a proof set and a disproof set, and its numbers are the
weights of these. A leaf is named by its position, so a base node and its twins count once.

"The same node can appear both as leaf and as interior node": a twin keeps the sets that it had when the search passed
it last, and these may name a leaf that has been expanded below another node since. It counts as one leaf until the
search passes again. Which node is solved never depends on it.
"""

from __future__ import annotations

from collections.abc import Sequence

from proofbase.engine.papers.reference.and_or_graph import AndOrGraph
from proofbase.engine.papers.reference.base_twin import BaseTwinSearch, TwinNode
from proofbase.engine.papers.reference.truncated_sets import TruncatedSet, TruncatedSets

__all__ = ["BaseTwinSetSearch"]


class BaseTwinSetSearch(BaseTwinSearch):
    """PSS(P,D) on a graph that may have cycles, where a line that repeats a position is lost.

    Args:
        whole: the graph.
        proofs: the kind of the proof sets.
        disproofs: the kind of the disproof sets; another object than `proofs`.
    """

    def __init__(self, whole: AndOrGraph, proofs: TruncatedSets, disproofs: TruncatedSets) -> None:
        self.proofs = proofs
        self.disproofs = disproofs
        self.sets: dict[TwinNode, tuple[TruncatedSet, TruncatedSet]] = {}
        super().__init__(whole)

    def sets_of(self, node: TwinNode) -> tuple[TruncatedSet, TruncatedSet]:
        """The proof set and the disproof set that a node has at present."""
        if node.proof == 0:
            return self.proofs.empty(), self.disproofs.impossible()
        if node.disproof == 0:
            return self.proofs.impossible(), self.disproofs.empty()
        return self.sets[node]

    def _set_proof_and_disproof_numbers(self, node: TwinNode) -> None:
        won = self.whole.won[node.position]
        if node.base.expanded:
            self._take(node, node.base.children)
        elif won is None:
            self._give(node, self.proofs.single(node.position), self.disproofs.single(node.position))
        elif won:
            self._give(node, self.proofs.empty(), self.disproofs.impossible())
        else:
            self._give(node, self.proofs.impossible(), self.disproofs.empty())

    def _take(self, node: TwinNode, children: Sequence[TwinNode]) -> None:
        """The backup rules (2.1)."""
        proofs, disproofs = zip(*map(self.sets_of, children), strict=True)
        if self.whole.is_max[node.position]:
            self._give(node, self.proofs.least(proofs), self.disproofs.union(disproofs))
        else:
            self._give(node, self.proofs.union(proofs), self.disproofs.least(disproofs))

    def _give(self, node: TwinNode, proof_set: TruncatedSet, disproof_set: TruncatedSet) -> None:
        self.sets[node] = proof_set, disproof_set
        node.proof, node.disproof = proof_set.bound, disproof_set.bound

    def _least(self, candidates: Sequence[TwinNode], is_max: bool) -> TwinNode:
        """The first child with the least set."""
        rules, which = (self.proofs, 0) if is_max else (self.disproofs, 1)
        sets = [self.sets_of(child)[which] for child in candidates]
        return candidates[sets.index(rules.least(sets))]

    def _expand(self, node: TwinNode) -> None:
        super()._expand(node)
        if node.base in self.sets:
            self.sets[node] = self.sets[node.base]
