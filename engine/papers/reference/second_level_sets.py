"""Proof-set search with a search of a second level at every leaf, as pn2 has it: a question of Müller's 6.3.

Müller, "Proof-set search", Technical Report TR 01-09, University of Alberta (2001), 6.3, asks whether such schemes help
proof-set search. pn2 is that of Allis, "Searching for solutions in games and artificial intelligence" (1994), 2.4: the
leaf to be expanded is searched, of that search only the children of the leaf stay, and their numbers are what it found.
Here a child weighs in sets what its own sets weigh at the end of the second search.
"""

from __future__ import annotations

from proofbase.engine.papers.reference.and_or_graph import AndOrGraph
from proofbase.engine.papers.reference.proof_set_search import PlainSet, PlainSets, ProofSetSearch

__all__ = ["SecondLevelProofSetSearch"]


class SecondLevelProofSetSearch(ProofSetSearch[PlainSet]):
    """PSS of two levels on a graph without cycles.

    A search of the second level creates as many nodes as the first level has, at most.
    """

    def __init__(self, whole: AndOrGraph) -> None:
        self.whole = whole
        self._weights: tuple[dict[int, float], dict[int, float]] = ({}, {})
        self._won: dict[int, bool] = {}
        self.second_expansions = 0
        """Expansions of all searches of the second level."""
        self.most_nodes = 1
        """Nodes of both levels that were held at a time."""
        proof_weights, disproof_weights = self._weights
        super().__init__(
            whole,
            PlainSets(lambda node: proof_weights.get(node, 1)),
            PlainSets(lambda node: disproof_weights.get(node, 1)),
        )

    def expand(self, node: int) -> None:
        second = ProofSetSearch(self.whole, PlainSets(), PlainSets(), root=node)
        second.expand(node)
        second.run(max(self.nodes, second.nodes))
        self.second_expansions += len(second.expansions)
        self.most_nodes = max(self.most_nodes, self.nodes + second.nodes)
        for child in self.whole.children[node]:
            if child in self.sets:
                continue  # of the first level already
            proofs, disproofs = second.sets[child]
            if proofs is None or disproofs is None:
                self._won[child] = disproofs is None
            else:
                self._weights[0][child], self._weights[1][child] = len(proofs), len(disproofs)
        super().expand(node)

    def _compute(self, node: int) -> bool:
        if node not in self._won:
            return super()._compute(node)
        won = self._won[node]
        self.sets[node] = (frozenset(), None) if won else (None, frozenset())
        return False
