"""Random graphs: what the parameters promise, on the graphs written out."""

from __future__ import annotations

from collections import Counter

import pytest

from proofbase.engine import open_rules
from proofbase.engine.papers.reference.graph import components_of, explore, values
from proofbase.engine.rules.random_graph import mix

SHAPES = [
    "nodes=300,degree=3,ends=20",
    "nodes=300,degree=6,span=4,values=3",
    "nodes=300,ends=15,values=2,rewards=3",
    "nodes=300,ends=15,rewards=2,group=9",
    "nodes=300,ends=25,values=3,rewards=2,group=12,repetition=2",
    "nodes=12,ends=20,values=3,rewards=4,group=5,repetition=-1",
    "nodes=20,ends=10,group=20",
]


@pytest.mark.parametrize("shape", SHAPES)
def test_graphs_keep_the_rules_of_the_model(shape: str) -> None:
    """Rewards are 0 in cycles, repetition is worth the opposite to the other side, values keep to their limits."""
    cycles, found, limit = 0, set[int](), 0
    for seed in range(20):
        game = open_rules(f"random-graph:{shape},seed={seed}")
        graph = explore(game)
        limit = game.highest_value
        component = {node: n for n, part in enumerate(components_of(graph.edges)) for node in part}
        cycles += len(component) - len(set(component.values()))
        for node, out in enumerate(graph.edges):
            assert len({edge.child for edge in out}) == len(out)
            for edge in out:
                assert component[edge.child] != component[node] or (edge.reward == 0 and edge.child != node)
                rho = graph.rho[node]
                assert edge.reward or rho is None or graph.rho[edge.child] == -rho
        found |= set(values(graph))
    assert max(map(abs, found)) <= limit
    assert len(found) >= min(limit, 3)  # values differ: the graphs are no trivial ones
    assert (cycles == 0) == ("group" not in shape)


def test_less_span_makes_more_transpositions() -> None:
    """Paths that lead to the same node at ply 7, on the average: 1 in a tree."""
    paths_a_node = []
    for span in (10, 100, 100_000):
        paths = positions = 0
        for seed in range(10):
            game = open_rules(f"random-graph:nodes=1000000,span={span},ends=0,seed={seed}")
            level = Counter([game.initial()])
            for _ in range(7):
                after: Counter[int] = Counter()
                for position, ways in level.items():
                    for move in game.moves(position):
                        after[game.play(position, move)] += ways
                level = after
            paths += level.total()
            positions += len(level)
        paths_a_node.append(paths / positions)
    assert paths_a_node[0] > 4 * paths_a_node[1] > 8 * paths_a_node[2] and paths_a_node[2] < 1.1


def test_names_are_canonical() -> None:
    assert open_rules("random-graph:seed=1,span=100,nodes=1000,repetition=0").name == "random-graph"
    name = "random-graph:nodes=50,group=5,repetition=-1,seed=0"
    assert open_rules("random-graph:seed=0,repetition=-1,span=5,group=5,nodes=50").name == name


def test_mix_is_the_finaliser_of_murmurhash3() -> None:
    """Test vectors of the 64-bit finaliser: the inverse order of its steps leads back."""
    assert mix(0) == 0
    assert len({mix(word) for word in range(10_000)}) == 10_000
    assert mix(1) == 0xB456BCFC34C2CB2C
