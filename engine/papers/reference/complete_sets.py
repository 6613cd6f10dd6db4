"""Complete proof and disproof sets: all the ways in which a node can be proved or disproved.

Schijf, "Proof-number search and transpositions" (1993), section 3.2, Fig. 3.2. The definition holds for trees and for
graphs without cycles; the proof number of a node is the size of a smallest set of its complete proof set.
"""

from __future__ import annotations

from proofbase.engine.papers.reference.and_or_graph import SearchGraph

__all__ = ["DONE", "IMPOSSIBLE", "SetOfSets", "complete_sets", "leaf_sets", "minimal_sets", "tensor_union"]

SetOfSets = frozenset[frozenset[int]]
"""Sets of leaves. No set at all: impossible; the empty set among them: already done."""

IMPOSSIBLE: SetOfSets = frozenset()
DONE: SetOfSets = frozenset({frozenset()})


def tensor_union(a: SetOfSets, b: SetOfSets) -> SetOfSets:
    """Every union of a set of `a` with a set of `b`."""
    return frozenset(x | y for x in a for y in b)


def minimal_sets(sets: SetOfSets) -> SetOfSets:
    """The sets that contain no other one of them."""
    kept: list[frozenset[int]] = []
    for one in sorted(sets, key=len):
        if not any(other <= one for other in kept):
            kept.append(one)
    return frozenset(kept)


def complete_sets(graph: SearchGraph, *, as_printed: bool = False) -> dict[int, tuple[SetOfSets, SetOfSets]]:
    """The complete proof set and the complete disproof set of every node.

    In a graph the unions of Fig. 3.2 also give sets that are not minimal, which the definition in the text leaves
    out. Without them the smallest sets are the same.

    Args:
        graph: without cycles.
        as_printed: keep the sets that are not minimal.
    """
    reduced = frozenset if as_printed else minimal_sets
    sets_of: dict[int, tuple[SetOfSets, SetOfSets]] = {}
    for node in graph.bottom_up():
        children = graph.children(node)
        if not children:
            sets_of[node] = leaf_sets(graph, node)
            continue
        proofs, disproofs = IMPOSSIBLE, DONE
        if graph.is_max(node):
            for child in children:
                proofs = reduced(proofs | sets_of[child][0])
                disproofs = reduced(tensor_union(disproofs, sets_of[child][1]))
        else:
            proofs, disproofs = DONE, IMPOSSIBLE
            for child in children:
                proofs = reduced(tensor_union(proofs, sets_of[child][0]))
                disproofs = reduced(disproofs | sets_of[child][1])
        sets_of[node] = proofs, disproofs
    return sets_of


def leaf_sets(graph: SearchGraph, node: int) -> tuple[SetOfSets, SetOfSets]:
    """The second half of Fig. 3.2: both complete sets of a leaf."""
    won = graph.won(node)
    if won is None:
        itself = frozenset({frozenset({node})})
        return itself, itself
    return (DONE, IMPOSSIBLE) if won else (IMPOSSIBLE, DONE)
