"""The theoretically correct algorithm for graphs without cycles: disjunctive normal forms and dependency numbers.

Schijf, "Proof-number search and transpositions" (1993), section 4.3, Figs. 4.6 to 4.9. A *transposition* is a node
with more than one parent. Its parents do not take over its normal form but refer to it, so that it counts once.

A transposition that is proved or disproved is left out of all normal forms but its own. The paper keeps it, and then
Fig. 4.9 can walk to it, where nothing is left to expand.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

from proofbase.engine.papers.reference.and_or_graph import AndOrGraph, SearchGraph
from proofbase.engine.papers.reference.dag_search import numbers_of_leaf

__all__ = ["Dnf", "DnfNumbers", "DnfSearch", "conjunction", "disjunction"]

Dnf = Mapping[frozenset[int], float]
"""Clauses `[t1 t2 n]`: the set of transpositions, and how many other leaves the clause has. One clause, the least, for
each set; the clause with the empty set is there always and has the exact number of the node."""

NO_TRANSPOSITION: frozenset[int] = frozenset()


def disjunction(dnfs: Iterable[Dnf]) -> dict[frozenset[int], float]:
    """`or`: all clauses; of those with the same transpositions the least."""
    result: dict[frozenset[int], float] = {}
    for dnf in dnfs:
        for transpositions, leaves in dnf.items():
            result[transpositions] = min(leaves, result.get(transpositions, math.inf))
    return result


def conjunction(dnfs: Iterable[Dnf]) -> dict[frozenset[int], float]:
    """`and`: every combination of clauses; a transposition that is in both counts once."""
    result: dict[frozenset[int], float] = {NO_TRANSPOSITION: 0}
    for dnf in dnfs:
        result = disjunction({a | b: m + n} for a, m in result.items() for b, n in dnf.items())
    return result


class DnfNumbers:
    """The exact proof and disproof numbers of a search graph, by normal forms.

    Fig. 4.7 updates all ancestors of the expanded node by recursion. `update` computes each of them once, children
    before parents, which ends in the same normal forms.
    """

    def __init__(self, graph: SearchGraph) -> None:
        self.graph = graph
        self.proof_dnf: dict[int, Dnf] = {}
        self.disproof_dnf: dict[int, Dnf] = {}
        self.used: dict[int, frozenset[int]] = {}
        """Transpositions that the least proof of a min node, or the least disproof of a max node, goes through."""
        self.dependency: dict[int, int] = {}
        """Dependency number: greater than that of every transposition below the node."""
        self.updates = 0
        """Nodes that were computed so far, each as often as it was."""
        self._compute_all(graph.bottom_up())

    def update(self, expanded: int) -> None:
        """Fig. 4.7: the normal forms after the expansion of a node.

        Those of the new nodes are made, and those of all ancestors of the children. An ancestor of a child that was
        there before is one as well: the child may be a transposition now.
        """
        changed = set(self.graph.children(expanded))
        waiting = list(changed)
        while waiting:
            for parent in self.graph.parents[waiting.pop()]:
                if parent not in changed:
                    changed.add(parent)
                    waiting.append(parent)
        self._compute_all(self._children_first(changed))

    def _children_first(self, nodes: set[int]) -> list[int]:
        """An order of some nodes in which every node comes after those of its children that are among them."""
        waits_for = {node: sum(child in nodes for child in self.graph.children(node)) for node in nodes}
        order = [node for node in nodes if not waits_for[node]]
        for node in order:  # the list grows meanwhile
            for parent in self.graph.parents[node]:
                waits_for[parent] -= 1
                if not waits_for[parent]:
                    order.append(parent)
        return order

    def _compute_all(self, nodes: Iterable[int]) -> None:
        for node in nodes:
            self._compute(node)
            self.updates += 1

    def proof(self, node: int) -> float:
        return self.proof_dnf[node][NO_TRANSPOSITION]

    def disproof(self, node: int) -> float:
        return self.disproof_dnf[node][NO_TRANSPOSITION]

    def most_proving_node(self) -> int:
        """Fig. 4.9: the path turns to the transpositions that an ancestor's number goes through, as long as it can.

        The node is nearly always in a smallest proof set and a smallest disproof set of the root, but not always: a
        child may lead to a used transposition that is used by way of another child only. The smallest graph
        found where Fig. 4.9 errs has seven nodes (tests/engine/reference/test_complete_sets.py).
        """
        node = 0
        dnfs = self.proof_dnf, self.disproof_dnf
        towards_used = [NO_TRANSPOSITION, NO_TRANSPOSITION]  # of the proof, and of the disproof
        while children := self.graph.children(node):
            least, joined = (0, 1) if self.graph.is_max(node) else (1, 0)
            towards_used[joined] = towards_used[joined] or self.used[node]
            towards = [child for child in children if self._leads_to(child, towards_used[least], dnfs[least])]
            if not towards:
                towards_used[least] = NO_TRANSPOSITION
                number = dnfs[least][node][NO_TRANSPOSITION]
                towards = [child for child in children if dnfs[least][child][NO_TRANSPOSITION] == number]
            node = towards[0]
        return node

    def _leads_to(self, child: int, used: frozenset[int], dnfs: Mapping[int, Dnf]) -> bool:
        return child in used or any(used & transpositions for transpositions in dnfs[child])

    def _is_transposition(self, node: int) -> bool:
        return len(self.graph.parents[node]) > 1

    def _compute(self, node: int) -> None:
        """Figs. 4.7 and 4.8, and the dependency number (4.3)."""
        children = self.graph.children(node)
        self.dependency[node] = max((self.dependency[child] for child in children), default=0)
        if not children:
            proof, disproof = numbers_of_leaf(self.graph.won(node))
            self.proof_dnf[node], self.disproof_dnf[node] = {NO_TRANSPOSITION: proof}, {NO_TRANSPOSITION: disproof}
            self.used[node] = NO_TRANSPOSITION
            return
        self.dependency[node] += self._is_transposition(node)
        least, joined = self.proof_dnf, self.disproof_dnf
        if not self.graph.is_max(node):
            least, joined = joined, least
        either = disjunction(self._seen_from_above(child, least) for child in children)
        least[node] = normalized(either, min(least[child][NO_TRANSPOSITION] for child in children))
        together = conjunction(self._seen_from_above(child, joined) for child in children)
        number, self.used[node] = self.minimum(together, joined)
        joined[node] = normalized(together, number)

    def _seen_from_above(self, child: int, dnfs: Mapping[int, Dnf]) -> Dnf:
        open_ = self.proof(child) and self.disproof(child)
        return {frozenset({child}): 0} if open_ and self._is_transposition(child) else dnfs[child]

    def minimum(self, dnf: Dnf, dnfs: Mapping[int, Dnf]) -> tuple[float, frozenset[int]]:
        """Fig. 4.6: the number that a normal form stands for, and the transpositions that it goes through.

        The clause without transpositions comes first. As printed it may come later, and would then lower the number
        without clearing the transpositions of the clause that it undercuts.
        """
        least, used = math.inf, NO_TRANSPOSITION
        for transpositions, leaves in sorted(dnf.items(), key=lambda clause: (len(clause[0]), sorted(clause[0]))):
            if transpositions:
                # The transposition that depends on others comes first: what replaces it may be in the clause already.
                last = max(transpositions, key=lambda node: (self.dependency[node], -node))
                value, below = self.minimum(conjunction([{transpositions - {last}: leaves}, dnfs[last]]), dnfs)
                below |= {last}
            else:
                value, below = leaves, NO_TRANSPOSITION
            if value < least:
                least, used = value, below
        return least, used


def normalized(dnf: Dnf, number: float) -> Dnf:
    """Adds the exact number as the clause without transpositions; a proved or impossible node keeps only that."""
    rest = {} if number in {0, math.inf} else {key: leaves for key, leaves in dnf.items() if key and leaves < math.inf}
    return {NO_TRANSPOSITION: number, **rest}


class DnfSearch:
    """Proof-number search with exact numbers, on a graph without cycles."""

    def __init__(self, whole: AndOrGraph) -> None:
        self.graph = SearchGraph(whole)
        self.numbers = DnfNumbers(self.graph)
        self.expansions: list[int] = []

    @property
    def nodes(self) -> int:
        """Nodes created, the root included."""
        return len(self.graph.parents)

    def run(self, may_go_on: Callable[[], bool] = lambda: True) -> bool | None:
        """Whether the root is won; None if that is not known when `may_go_on` says no, before an expansion."""
        while self.numbers.proof(0) and self.numbers.disproof(0):
            if not may_go_on():
                return None
            self.expand(self.numbers.most_proving_node())
        return self.numbers.proof(0) == 0

    def expand(self, node: int) -> None:
        """Fig. 4.8, and the update of Fig. 4.7."""
        self.expansions.append(node)
        self.graph.expand(node)
        self.numbers.update(node)
