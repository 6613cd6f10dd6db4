"""The theoretically correct algorithm for graphs with cycles: complete sets, computed anew along every path.

Schijf, "Proof-number search and transpositions" (1993), section 5.3, Fig. 5.4. A node that is on the path already is
a repetition, which is lost. In Fig. 5.4 the max and the min branch are printed in each other's place (Fig. 3.2 has them
right); here they are exchanged.
"""

from __future__ import annotations

from proofbase.engine.papers.reference.and_or_graph import AndOrGraph, SearchGraph
from proofbase.engine.papers.reference.complete_sets import (
    DONE,
    IMPOSSIBLE,
    SetOfSets,
    leaf_sets,
    minimal_sets,
    tensor_union,
)

__all__ = ["CyclicSetSearch", "complete_sets_by_paths"]


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
    proofs, disproofs = (IMPOSSIBLE, DONE) if graph.is_max(node) else (DONE, IMPOSSIBLE)
    for child in children:
        of_proof, of_disproof = complete_sets_by_paths(graph, child, path)
        if graph.is_max(node):
            proofs, disproofs = minimal_sets(proofs | of_proof), minimal_sets(tensor_union(disproofs, of_disproof))
        else:
            proofs, disproofs = minimal_sets(tensor_union(proofs, of_proof)), minimal_sets(disproofs | of_disproof)
    return proofs, disproofs


class CyclicSetSearch:
    """Proof-number search with exact numbers on any graph, as long as it is tiny."""

    def __init__(self, whole: AndOrGraph) -> None:
        self.graph = SearchGraph(whole)
        self.expansions: list[int] = []

    def run(self) -> bool:
        """Whether the root is won."""
        while True:
            proofs, disproofs = complete_sets_by_paths(self.graph)
            if DONE in (proofs, disproofs):
                return proofs == DONE
            # Every minimal proof set meets every minimal disproof set (Theorem 2).
            smallest = [min(sets, key=lambda one: (len(one), sorted(one))) for sets in (proofs, disproofs)]
            node = min(smallest[0] & smallest[1])
            self.expansions.append(node)
            self.graph.expand(node)
