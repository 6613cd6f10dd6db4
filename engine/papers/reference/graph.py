"""Finite game graphs written out in full, and the values of their nodes.

The semantics is that of docs/fact-model.md, word for word:

* `v(p) = max over moves of reward - v(child)`, `v(p) = terminal value` at the end of the game;
* a line that never ends is worth rho(p) to the side to move at p;
* in a cycle every reward is 0, and `rho(child) = -rho(p)` along every move of reward 0.

Since rewards are 0 in cycles, a line leaves strongly connected components only finitely often. Inside a component an
endless line has the same value from every position, seen by the same side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from proofbase.engine.rules.game import Game

__all__ = ["Edge", "Graph", "components_of", "explore", "values"]


class Edge(NamedTuple):
    """A legal move: its number in the game, where it leads, and what it adds to the mover's score."""

    move: int
    child: int
    reward: int = 0


@dataclass(frozen=True)
class Graph:
    """Nodes 0, 1, ...; node 0 is the root. All sequences have one entry a node."""

    edges: Sequence[Sequence[Edge]]
    """Empty exactly at terminal nodes."""
    terminal: Sequence[int | None]
    rho: Sequence[int | None]
    """Repetition values; None everywhere for an acyclic game."""
    keys: Sequence[bytes]

    def __len__(self) -> int:
        return len(self.edges)


def explore(game: Game[Any], root: Any = None, limit: int = 1_000_000) -> Graph:
    """Writes out what can be reached from a position (None: the initial one), one node a canonical key.

    Raises:
        ValueError: more than `limit` nodes.
    """
    position = game.position(game.key(game.initial() if root is None else root))
    numbers = {game.key(position): 0}
    positions, edges = [position], list[list[Edge]]()
    for position in positions:  # the list grows meanwhile
        edges.append([])
        if game.terminal(position) is not None:
            continue
        for move in game.moves(position):
            key = game.key(game.play(position, move))
            if key not in numbers:
                if len(numbers) == limit:
                    raise ValueError(f"{game.name} has more than {limit} positions below the root")
                numbers[key] = len(numbers)
                positions.append(game.position(key))
            edges[-1].append(Edge(move, numbers[key], game.reward(position, move)))
    return Graph(edges, [game.terminal(p) for p in positions], [game.repetition(p) for p in positions], list(numbers))


def values(graph: Graph) -> list[int]:
    """The value of every node, by brute force.

    Component by component, from the ends of the game backwards. Where a line can stay in a component, the game is
    valued as if it stopped after n plies and then counted as a repetition, for n = 0, 1, 2, ... A side that can reach
    more than the repetition value can reach it in at most twice as many plies as the component has nodes (once for
    every node and side). A side that can avoid less than the repetition value can avoid it for ever. So after that
    many plies the values no longer change, and are those of the game.

    Raises:
        ValueError: a line can stay in a component whose nodes have no repetition value.
    """
    worth: list[int] = [value if value is not None else 0 for value in graph.terminal]
    for component in components_of(graph.edges):
        inner = [node for node in component if graph.terminal[node] is None]
        for node in inner:
            worth[node] = graph.rho[node] or 0
        cyclic = is_cyclic(graph, component)
        if cyclic and any(graph.rho[node] is None for node in inner):
            raise ValueError(f"node {inner[0]} of the graph comes back, and has no repetition value")
        plies = 2 * len(inner) + 1 if cyclic else 1
        for _ in range(plies):
            after = [max(edge.reward - worth[edge.child] for edge in graph.edges[node]) for node in inner]
            if after == [worth[node] for node in inner]:
                break  # further plies would change nothing
            for node, value in zip(inner, after, strict=True):
                worth[node] = value
    return worth


def components_of(edges: Sequence[Sequence[Edge]]) -> Iterator[list[int]]:
    """The strongly connected components, each after all that can be reached from it (Tarjan 1972)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    open_nodes: list[int] = []
    for start in range(len(edges)):
        if start in index:
            continue
        path = [(start, iter(edges[start]))]
        index[start] = low[start] = len(index)
        open_nodes.append(start)
        while path:
            node, out = path[-1]
            edge = next(out, None)
            if edge is None:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[node])
                if low[node] == index[node]:
                    first = open_nodes.index(node)
                    component = open_nodes[first:]
                    del open_nodes[first:]
                    # The component is closed: its numbers must not count for later nodes.
                    low.update(dict.fromkeys(component, len(edges)))
                    yield component
            elif edge.child not in index:
                index[edge.child] = low[edge.child] = len(index)
                open_nodes.append(edge.child)
                path.append((edge.child, iter(edges[edge.child])))
            else:
                low[node] = min(low[node], low[edge.child])


def is_cyclic(graph: Graph, component: Sequence[int]) -> bool:
    """Whether a line can stay in a component."""
    return len(component) > 1 or any(edge.child == component[0] for edge in graph.edges[component[0]])
