"""Conspiracy-number search, and its alpha-beta form: the ancestors of pn-search.

D.A. McAllester, "Conspiracy numbers for min-max search", Artificial Intelligence 35 (1988); which value to change is
chosen as J. Schaeffer (1990) does. Of alpha-beta conspiracy-number search (Allis, van der Meulen, van den Herik 1991)
we have what later papers tell: Allis et al. (1994), 1.2 and 2.2, and Allis (1994), 2.5.2.

A conspiracy number of a node and a value: how many leaves have to change, so that the node is worth as much, or as
little. Of the values -1, 0 and 1 they are the proof and the disproof number (Allis 1994, 2.5.1).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from proofbase.engine.papers.reference.valued_tree import TreeNode

__all__ = ["AlphaBetaConspiracySearch", "ConspiracySearch"]


class ConspiracySearch:
    """Grows a tree until no value of the root but one can be reached by so many conspirators.

    Args:
        root: of a game without endless lines.
        highest: of all values; -highest is the lowest one.
        evaluate: an open node's value, for the side to move.
    """

    def __init__(self, root: TreeNode, highest: int, evaluate: Callable[[Any], int] = lambda position: 0) -> None:
        self.values = range(-highest, highest + 1)
        self.nodes = 0
        """Nodes created."""
        self._evaluate = evaluate
        self.root = root
        self._begin(root)

    def run(self, conspirators: float = math.inf) -> int:
        """The root's value: proved, unless `conspirators` is given; changes that take more of them do not count."""
        while True:
            lowest, value, highest = self.plausible(conspirators)
            if lowest == highest:
                return value
            self._expand(self._conspirator(lowest, value, highest))

    def plausible(self, conspirators: float = math.inf) -> tuple[int, int, int]:
        """The least, the present and the greatest value that the root can get by so many conspirators."""
        raised, lowered = (
            [v for v, number in zip(self.values, numbers, strict=True) if number < math.inf and number <= conspirators]
            for numbers in (self.root.raise_to, self.root.lower_to)
        )
        return lowered[0], self.root.raise_to.count(0) - 1 + self.values[0], raised[-1]

    def _conspirator(self, lowest: int, value: int, highest: int) -> TreeNode:
        """A leaf of a smallest conspiracy for the value that is farthest away; of two, for the greater one."""
        raising = highest - value >= value - lowest
        at = (highest if raising else lowest) - self.values[0]
        node = self.root
        while node.children:
            numbers = [child.raise_to[at] if raising else child.lower_to[at] for child in node.children]
            if node.is_max == raising:
                node = node.children[numbers.index(min(numbers))]
            else:  # all of them have to change; nothing says which one first
                node = next(child for child, number in zip(node.children, numbers, strict=True) if number)
        return node

    def _expand(self, node: TreeNode) -> None:
        for child in node.expand():
            self._begin(child)
        above: TreeNode | None = node
        while above is not None:
            raised = zip(*(child.raise_to for child in above.children), strict=True)
            lowered = zip(*(child.lower_to for child in above.children), strict=True)
            first, second = (min, sum) if above.is_max else (sum, min)
            above.raise_to = [first(numbers) for numbers in raised]
            above.lower_to = [second(numbers) for numbers in lowered]
            above = above.parent

    def _begin(self, node: TreeNode) -> None:
        self.nodes += 1
        low, high = self._range(node)
        change = 1 if node.value is None else math.inf
        node.raise_to = [0 if v <= low else change for v in self.values]
        node.lower_to = [0 if v >= high else change for v in self.values]

    def _range(self, node: TreeNode) -> tuple[int, int]:
        """What a new node is worth."""
        value = self._evaluate(node.position) * (1 if node.is_max else -1) + node.gained
        return (value, value) if node.value is None else (node.value, node.value)


class AlphaBetaConspiracySearch(ConspiracySearch):
    """Proves the value from above. The range of values comes first, and the numbers where it is the same."""

    def _conspirator(self, lowest: int, value: int, highest: int) -> TreeNode:
        """Raises the root to its upper bound. A min node turns to where that bound may fall by most (2.2)."""
        at = highest - self.values[0]
        node = self.root
        while node.children:
            if node.is_max:
                node = min(node.children, key=lambda child: child.raise_to[at])
            else:
                node = min(node.children, key=lambda child: (self._lower_bound(child, at), child.lower_to[at - 1]))
        return node

    def _lower_bound(self, node: TreeNode, at: int) -> int:
        """The place of the least value that the node can get; past all others where the upper bound is proved."""
        bound = next(place for place, number in enumerate(node.lower_to) if number < math.inf)
        return bound if bound < at else len(self.values)

    def _range(self, node: TreeNode) -> tuple[int, int]:
        """Open nodes have no value, only one that is certain."""
        return (self.values[0], self.values[-1]) if node.value is None else (node.value, node.value)
