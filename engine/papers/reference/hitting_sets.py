"""Exact proof-number search by hitting sets: smallest sets of the root without complete sets or normal forms below it.

Schijf, "Proof-number search and transpositions" (1993), Theorem 1: every proof set of a node meets every disproof set.
The other way round, leaves that meet every disproof set are a proof set, since the others are too few to disprove the
node. So a smallest proof set is a smallest set of leaves that meets all disproof sets, and few of these need be known:
leaves that meet those are a proof set, or leave one that was not known.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence

from proofbase.engine.papers.reference.and_or_graph import AndOrGraph, SearchGraph

__all__ = ["HittingSetSearch", "smallest_hitting_set", "smallest_set"]

Leaves = frozenset[int]


def smallest_set(
    graph: SearchGraph, proof: bool, known: list[Leaves], least: int = 0, guess: Leaves = frozenset()
) -> Leaves | None:
    """A smallest proof set of the root, or a smallest disproof set; None where there is none.

    Args:
        graph: without cycles.
        proof: whether a proof set is asked for.
        known: sets of the other kind that are known; those that are found are added.
        least: a number of leaves that is needed.
        guess: leaves that may be a smallest set.
    """
    order, frontier = graph.bottom_up(), frozenset(graph.frontier())
    leaves = guess
    while True:
        against = _minimal_set(graph, order, not proof, frontier - leaves)
        if against is None:
            if len(leaves) > least:
                smallest = smallest_hitting_set(known, least)
                least = len(smallest)
            if len(leaves) == least:
                return leaves
            leaves = smallest
        elif not against:
            return None  # the root is settled
        else:
            while against is not None:  # sets without a common leaf
                known.append(against)
                leaves |= against
                against = _minimal_set(graph, order, not proof, frontier - leaves)
            leaves = _hitting_set(known)


def _minimal_set(graph: SearchGraph, order: Sequence[int], proof: bool, allowed: Leaves) -> Leaves | None:
    """A proof set (or disproof set) of the root among some leaves; none of its leaves can be left out."""
    leaves = _set_among(graph, order, proof, allowed)
    for leaf in sorted(leaves or ()):
        if leaves and leaf in leaves and (smaller := _set_among(graph, order, proof, leaves - {leaf})) is not None:
            leaves = smaller
    return leaves


def _set_among(graph: SearchGraph, order: Sequence[int], proof: bool, allowed: Collection[int]) -> Leaves | None:
    """The set that is the smallest where there are no transpositions."""
    cost: dict[int, float] = {}
    for node in order:
        if children := graph.children(node):
            costs = [cost[child] for child in children]
            cost[node] = min(costs) if graph.is_max(node) == proof else sum(costs)
        elif graph.won(node) is None:
            cost[node] = 1 if node in allowed else math.inf
        else:
            cost[node] = 0 if graph.won(node) == proof else math.inf
    if cost[0] == math.inf:
        return None
    nodes = [0]
    for node in nodes:  # the list grows meanwhile
        children = graph.children(node)
        if children and graph.is_max(node) == proof:
            children = [min(children, key=cost.__getitem__)]
        nodes += [child for child in children if cost[child] and child not in nodes]
    return frozenset(nodes) & frozenset(allowed)


def _hitting_set(sets: Iterable[Leaves]) -> Leaves:
    """A set that meets all of some sets: again and again the leaf that is in most of those left."""
    left, leaves = list(sets), set[int]()
    while left:
        count = Counter(leaf for one in left for leaf in one)
        best = max(sorted(count), key=count.__getitem__)
        leaves.add(best)
        left = [one for one in left if best not in one]
    return frozenset(leaves)


def smallest_hitting_set(sets: Sequence[Leaves], least: int = 0) -> Leaves:
    """A smallest set that meets all of some sets, none of them empty.

    Args:
        sets: those to be met.
        least: a size that is known to be needed.
    """
    members = Counter[int]()  # bit i of a leaf: it is in set i
    for number, one in enumerate(sets):
        for leaf in one:
            members[leaf] |= 1 << number
    refuted = dict[int, int]()

    def meet(left: int, most: int) -> Leaves | None:
        """At most so many leaves that meet the sets left."""
        if not left:
            return frozenset()
        if refuted.get(left, -1) >= most:
            return None
        leaf_of = {mask & left: leaf for leaf, mask in members.items()}
        masks = list[int]()
        for mask in sorted(leaf_of, key=int.bit_count, reverse=True):
            if all(mask & other != mask for other in masks):  # else another leaf meets all that this one meets
                masks.append(mask)
        of_set = [[mask for mask in masks if mask >> i & 1] for i in range(len(sets)) if left >> i & 1]
        if _needed(of_set) <= most + 1e-9:
            for mask in min(of_set, key=len):
                if (others := meet(left & ~mask, most - 1)) is not None:
                    return others | {leaf_of[mask]}
        refuted[left] = most
        return None

    while (leaves := meet((1 << len(sets)) - 1, least)) is None:
        least += 1
    return leaves


def _needed(of_set: Sequence[Sequence[int]]) -> float:
    """A lower bound of how many leaves meet some sets: weights of the sets, those of no leaf more than 1 in all.

    Args:
        of_set: for each set the masks of its leaves.
    """
    left: dict[int, float] = {mask: 1.0 for masks in of_set for mask in masks}
    total = 0.0
    for share in (True, False):  # what all can have, and then as much as is left
        for masks in sorted(of_set, key=len):
            weight = 1 / max(map(int.bit_count, masks)) if share else min(map(left.__getitem__, masks))
            total += weight
            for mask in masks:
                left[mask] -= weight
    return total


class HittingSetSearch:
    """Proof-number search with the exact numbers of the root, on a graph without cycles."""

    def __init__(self, whole: AndOrGraph) -> None:
        self.graph = SearchGraph(whole)
        self.expansions: list[int] = []

    def run(self, may_go_on: Callable[[], bool] = lambda: True) -> bool | None:
        """Whether the root is won; None if that is not known when `may_go_on` says no, before an expansion."""
        known = {True: list[Leaves](), False: list[Leaves]()}
        least, guess = {True: 0, False: 0}, {True: Leaves(), False: Leaves()}
        while True:
            proof, disproof = (smallest_set(self.graph, k, known[not k], least[k], guess[k]) for k in (True, False))
            if not proof or not disproof:
                return proof is not None
            if not may_go_on():
                return None
            node = min(proof & disproof)
            self.expansions.append(node)
            children = self.graph.whole.children[node]
            fresh = self.graph.expand(node) == children and all(self.graph.won(child) is None for child in children)
            for kind, leaves in ((True, proof), (False, disproof)):
                known[kind] = [one for one in known[kind] if node not in one]
                # One leaf fewer may be enough only where the node is settled, or below other nodes as well.
                least[kind] = len(leaves) - (not fresh)
                guess[kind] = leaves - {node} | {children[0]} if fresh and self.graph.is_max(node) == kind else Leaves()
