"""Random game graphs that keep the rules of the model, and searches of them that expand at random."""

from __future__ import annotations

from random import Random

from proofbase.engine.papers.reference.and_or_graph import SearchGraph
from proofbase.engine.papers.reference.graph import Edge, Graph, components_of

__all__ = ["expand_at_random", "random_graph"]


def expand_at_random(graph: SearchGraph, random: Random, expansions: int) -> None:
    """Expands that many nodes of the frontier at random; fewer when the frontier runs out."""
    for _ in range(expansions):
        if frontier := graph.frontier():
            graph.expand(random.choice(frontier))


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
