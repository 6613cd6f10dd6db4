"""AND/OR graphs written out in full, and the part of one that a search has seen: what the proof-number papers share.

A *max* node (OR) is one where the questioner moves, a *min* node (AND) one where the other side does; a leaf is won,
lost, or not known yet. Words as in Schijf, "Proof-number search and transpositions" (1993), chapters 2 and 3.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from proofbase.engine.errors import BrokenGameError, quoted
from proofbase.engine.papers.reference.graph import Edge, components_of
from proofbase.engine.rules.game import Game

__all__ = ["AndOrGraph", "SearchGraph", "graph_of_figure", "question_graph", "random_and_or_graph"]


@dataclass(frozen=True)
class AndOrGraph:
    """Nodes 0, 1, ...; node 0 is the root. All sequences have one entry a node.

    A search comes to an end where every leaf is won or lost; figures have open leaves as well.
    """

    names: Sequence[Hashable]
    is_max: Sequence[bool]
    children: Sequence[Sequence[int]]
    """Distinct, in the order of the moves; empty at leaves."""
    won: Sequence[bool | None]
    """True and False at leaves that the rules decide; None at inner nodes, and at leaves that nothing is known of."""

    def __len__(self) -> int:
        return len(self.names)

    def depths(self) -> list[int]:
        """For each node the length of the longest path from the root: a topological order. -1 below no path.

        Raises:
            ValueError: the graph has a cycle.
        """
        depths = [-1] * len(self)
        depths[0] = 0
        for node in reversed(SearchGraph(self, fully_expanded=True).bottom_up()):
            for child in self.children[node]:
                depths[child] = max(depths[child], depths[node] + 1)
        return depths


def graph_of_figure(*lines: str, won: Iterable[str] = "", lost: Iterable[str] = "") -> AndOrGraph:
    """A graph as in a figure: a line `a | b c` is a max node with its children, `a & b c` a min node.

    The first line is the root; the other nodes are numbered in the order of their names, which is the order that
    Müller's examples break ties by. Leaves have the type that their parents do not have.
    """
    inner = {line.split()[0]: (line.split()[1] == "|", line.split()[2:]) for line in lines}
    root = next(iter(inner))
    kinds = {child: not is_max for is_max, children in inner.values() for child in children}
    kinds.update((name, is_max) for name, (is_max, _) in inner.items())
    names = [root, *sorted(kinds.keys() - {root})]
    number = {name: index for index, name in enumerate(names)}
    children = [[number[child] for child in inner[name][1]] if name in inner else [] for name in names]
    outcome = [True if name in set(won) else False if name in set(lost) else None for name in names]
    return AndOrGraph(names, [kinds[name] for name in names], children, outcome)


def question_graph(
    game: Game[Any], position: Any, v: int, *, symmetric: bool = True, limit: int = 1_000_000
) -> AndOrGraph:
    """The question "is the value of a position for its side to move at least v?" with all positions below.

    Args:
        game: the rules. An endless line must count as lost for the questioner, as in the papers.
        position: the root.
        v: the threshold.
        symmetric: whether positions of the same canonical key are one node, or only equal positions are.
        limit: nodes at most.

    Raises:
        ValueError: more nodes than `limit`, or an endless line would answer the question with yes.
        BrokenGameError: a position comes back, although the game calls itself acyclic.
    """
    names: list[tuple[Hashable, bool, int]] = []
    positions: list[Any] = []
    numbers: dict[tuple[Hashable, bool, int], int] = {}

    def number_of(position: Any, is_max: bool, bound: int) -> int:
        name = (game.key(position) if symmetric else position, is_max, bound)
        if name not in numbers:
            if len(names) == limit:
                raise ValueError(f"{game.name} has more than {limit} nodes below the root")
            numbers[name] = len(names)
            names.append(name)
            positions.append(position)
        return numbers[name]

    number_of(position, True, v)
    children: list[list[int]] = []
    won: list[bool | None] = []
    for node, (_, is_max, bound) in enumerate(names):  # the list grows meanwhile
        place = positions[node]
        value, rho = game.terminal(place), game.repetition(place)
        if rho is not None and (rho >= bound if is_max else rho <= bound):
            raise ValueError("the papers' algorithms take an endless line as lost for the questioner")
        children.append([])
        won.append(None if value is None else value >= bound if is_max else value <= bound)
        for move in game.moves(place) if value is None else ():
            child = number_of(game.play(place, move), not is_max, game.reward(place, move) - bound)
            if child not in children[-1]:
                children[-1].append(child)
    if game.acyclic:
        for component in components_of([[Edge(0, child) for child in of_node] for of_node in children]):
            if len(component) > 1 or component[0] in children[component[0]]:
                text = quoted(game.text(positions[component[0]]), 100)
                raise BrokenGameError(f"{game.name}: acyclic is True, but {text} comes back")
    return AndOrGraph(names, [is_max for _, is_max, _ in names], children, won)


def random_and_or_graph(random: Random, nodes: int, *, cyclic: bool, decided: float = 1) -> AndOrGraph:
    """A random graph with won, lost and open leaves.

    Args:
        random: source of the graph: equal states give equal graphs.
        nodes: number of nodes, at least 5; not all of them can be reached.
        cyclic: whether moves lead anywhere, or only to nodes of higher numbers.
        decided: the probability that a leaf is won or lost.
    """
    inner = nodes - random.randint(2, nodes // 2)
    children: list[Sequence[int]] = []
    for node in range(nodes):
        targets = range(nodes) if cyclic else range(node + 1, nodes)
        wanted = random.choice((1, 2, 2, 3, 3, 4)) if node < inner else 0
        children.append(random.sample(targets, min(wanted, len(targets))))
    won = [None if out or random.random() >= decided else random.random() < 0.5 for out in children]
    return AndOrGraph(list(range(nodes)), [random.random() < 0.5 for _ in range(nodes)], children, won)


class SearchGraph:
    """The part of a graph that a search has generated: the root, and the children of expanded nodes.

    Args:
        whole: the graph that is searched.
        fully_expanded: whether all nodes are expanded at once; the frontier is then the open leaves of the whole graph.
        root: where the search begins.
    """

    def __init__(self, whole: AndOrGraph, *, fully_expanded: bool = False, root: int = 0) -> None:
        self.whole = whole
        self.parents: dict[int, list[int]] = {root: []}
        """Every node generated, in the order of creation, with the expanded nodes that it is a child of."""
        self.expanded: set[int] = set()
        if fully_expanded:
            for node in range(len(whole)):
                self.expand(node)
            self.parents = {node: self.parents[node] for node in range(len(whole)) if node in self.parents}

    def expand(self, node: int) -> list[int]:
        """Generates the children of a node; returns those that were not there before."""
        new = [child for child in self.whole.children[node] if child not in self.parents]
        self.expanded.add(node)
        for child in self.whole.children[node]:
            self.parents.setdefault(child, []).append(node)
        return new

    def children(self, node: int) -> Sequence[int]:
        """The generated children: none of a node that is not expanded."""
        return self.whole.children[node] if node in self.expanded else ()

    def is_max(self, node: int) -> bool:
        return self.whole.is_max[node]

    def won(self, node: int) -> bool | None:
        """The evaluation of a node; None where it is not known."""
        return self.whole.won[node]

    def above(self, node: int) -> set[int]:
        """A node and its ancestors."""
        ancestors, waiting = {node}, [node]
        while waiting:
            new = [parent for parent in self.parents[waiting.pop()] if parent not in ancestors]
            ancestors.update(new)
            waiting += new
        return ancestors

    def frontier(self) -> list[int]:
        """The nodes that can be expanded."""
        return [node for node in self.parents if not self.children(node) and self.won(node) is None]

    def bottom_up(self) -> list[int]:
        """All nodes below the root, children before their parents.

        Raises:
            ValueError: the graph has a cycle.
        """
        order: dict[int, None] = {}
        path: dict[int, int] = {0: 0}  # node: how many of its children are done
        while path:
            node, done = path.popitem()
            children = self.children(node)
            if done == len(children):
                order[node] = None
                continue
            path[node] = done + 1
            child = children[done]
            if child in path:
                raise ValueError("the graph has a cycle")
            if child not in order:
                path[child] = 0
        return list(order)

    def names(self, nodes: Iterable[int]) -> str:
        """The names of nodes of a drawn graph in one word, by number."""
        return "".join(str(self.whole.names[node]) for node in sorted(nodes))
