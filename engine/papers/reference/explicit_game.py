"""A game graph as a game, so that every search, store and check runs on it; and random ones."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from proofbase.engine.errors import InvalidKeyError, InvalidMoveError, InvalidPositionError, quoted
from proofbase.engine.papers.reference.graph import Edge, Graph, components_of
from proofbase.engine.rules.game import Game

__all__ = ["ExplicitGame", "random_graph"]


class ExplicitGame(Game[int]):
    """A game whose positions are the nodes of a graph; move m is the m-th edge; keys are 4 bytes, big-endian."""

    name = "explicit"

    def __init__(self, graph: Graph, highest_value: int = 1, limits: Sequence[int] | None = None) -> None:
        """Args: limits: limit of the value of each node; None: `highest_value` for all."""
        self.graph = graph
        self.highest_value = highest_value
        self.limits = limits
        self.acyclic = all(rho is None for rho in graph.rho)

    def initial(self) -> int:
        return 0

    def terminal(self, position: int) -> int | None:
        return self.graph.terminal[position]

    def moves(self, position: int) -> Sequence[int]:
        return range(len(self.graph.edges[position]))

    def play(self, position: int, move: int) -> int:
        if not 0 <= move < len(self.graph.edges[position]):
            raise InvalidMoveError(f"node {position} has no edge {move}")
        return self.graph.edges[position][move].child

    def reward(self, position: int, move: int) -> int:
        return self.graph.edges[position][move].reward

    def repetition(self, position: int) -> int | None:
        return self.graph.rho[position]

    def limit(self, position: int) -> int:
        return self.highest_value if self.limits is None else self.limits[position]

    def key(self, position: int) -> bytes:
        return position.to_bytes(4, "big")

    def position(self, key: bytes) -> int:
        number = int.from_bytes(key, "big")
        if len(key) != 4 or number >= len(self.graph):
            raise InvalidKeyError(f"{key.hex()} is not the key of one of {len(self.graph)} nodes")
        return number

    def text(self, position: int) -> str:
        return f"n{position}"

    def parse(self, text: str) -> int:
        digits = text[1:]
        if text[:1] == "n" and digits.isascii() and digits.isdigit() and len(digits) < 10:
            number = int(digits)
            if number < len(self.graph) and str(number) == digits:
                return number
        raise InvalidPositionError(f"{quoted(text)} is not one of the nodes n0 to n{len(self.graph) - 1}")


def random_graph(
    random: Random, nodes: int, *, rewards: int = 0, rho: int | None = 0, highest_terminal: int = 1
) -> Graph:
    """A random game graph that keeps the rules of the model.

    Nodes lie on levels and moves seldom lead up, so that there are many cycles, and ways out of them. Then the rewards
    inside a strongly connected component are set to 0. Where repetition is worth something, nodes have two colours, one
    for each side to move: a move between nodes of one colour gets a reward, or is left out.

    Args:
        random: source of the graph: equal states give equal graphs.
        nodes: number of nodes, at least 2; some of them are terminal.
        rewards: rewards are drawn from -rewards..rewards.
        rho: None for an acyclic graph; otherwise an endless line is worth rho or -rho, by whose move it is.
        highest_terminal: terminal values are drawn from -highest_terminal..highest_terminal.
    """
    level = sorted(random.randrange(max(2, nodes // 3)) for _ in range(nodes))
    colour = [random.randrange(2) for _ in range(nodes)]
    edges: list[list[Edge]] = []
    for node in range(nodes):
        if rho is None:
            targets = list(range(node + 1, nodes))
        else:
            up = random.random() < 0.15
            targets = [n for n in range(nodes) if up or level[n] >= level[node]]
        children = random.sample(targets, min(len(targets), random.choice((0, 1, 2, 2, 3, 3)) if node else 3))
        edges.append([Edge(0, child, random.randint(-rewards, rewards)) for child in children])
    component = {node: number for number, part in enumerate(components_of(edges)) for node in part}
    for node, out in enumerate(edges):
        kept: list[Edge] = []
        for edge in out:
            inside = component[edge.child] == component[node]
            reward = 0 if inside else edge.reward
            if rho and reward == 0 and colour[edge.child] == colour[node]:
                if inside or not rewards:
                    continue  # an endless line through this move would be worth rho to both sides
                reward = random.choice((-1, 1)) * random.randint(1, rewards)
            kept.append(Edge(len(kept), edge.child, reward))
        edges[node] = kept
    terminal = [None if out else random.randint(-highest_terminal, highest_terminal) for out in edges]
    repetition = [None if rho is None else (rho if colour[node] else -rho) for node in range(nodes)]
    return Graph(edges, terminal, repetition, [node.to_bytes(4, "big") for node in range(nodes)])
