"""Pn-search and minimax in plain Python, against brute force and the figures of the papers."""

from __future__ import annotations

from random import Random

import pytest
from drawn_graphs import random_graph
from reference_records import exact_records
from small_graphs import graph_of
from values_by_definition import minimax

from proofbase.engine import open_rules
from proofbase.engine.papers.reference.explicit_game import ExplicitGame
from proofbase.engine.papers.reference.graph import Graph, explore, values
from proofbase.engine.papers.reference.pn_search import PnSearch, multi_valued_pn_search
from proofbase.engine.rules import TicTacToe


def test_pn_search_answers_as_brute_force_on_random_trees() -> None:
    for number in range(150):
        random = Random(f"pn {number}")
        graph = random_graph(random, random.randint(3, 12), rewards=random.choice((0, 2)), rho=None, highest_terminal=2)
        game, worth = ExplicitGame(graph, 99), values(graph)
        for v in range(worth[0] - 1, worth[0] + 2):
            assert PnSearch(game, 0, v).run() is (worth[0] >= v)
        assert multi_valued_pn_search(game, 0, -40, 40) == worth[0]


@pytest.mark.slow
def test_pn_search_needs_as_many_nodes_as_printed() -> None:
    """Schijf (1993), Table 4.1: 17,086 nodes on average over random orders of the moves of tic-tac-toe, as a tree."""

    class Shuffled(TicTacToe):
        def __init__(self, seed: int) -> None:
            self.random = Random(seed)

        def moves(self, position: str) -> list[int]:
            moves = list(super().moves(position))
            self.random.shuffle(moves)
            return moves

    searches = [PnSearch(game, game.initial(), 1) for game in map(Shuffled, range(30))]
    assert not any(search.run() for search in searches)
    average = sum(search.nodes for search in searches) / len(searches)
    assert abs(average / 17_086 - 1) < 0.05


def test_minimax_agrees_with_brute_force() -> None:
    for name in ("tic-tac-toe", "connect-four:3x3", "connect-four:2x6"):
        game = open_rules(name)
        known: dict[bytes, int] = {}
        minimax(game, game.initial(), known)
        graph = explore(game)
        worth = dict(zip(graph.keys, values(graph), strict=True))
        assert known == {key: worth[key] for key in known}
        assert len(known) == len(exact_records(game))
    for number in range(200):
        graph = random_graph(Random(number), 10, rewards=2, rho=None, highest_terminal=3)
        assert [minimax(ExplicitGame(graph, 99), node) for node in range(10)] == values(graph)
    with pytest.raises(ValueError, match="endless lines"):
        minimax(ExplicitGame(graph_of([[(0, 0)]], {}, [0])), 0)


def test_pn_search_gives_figure_5() -> None:
    """The tree of Figs. 3 and 5 of Allis et al.: a's numbers, and the most-proving node l."""
    a, b, c, d, e, f, g, h, i, j, k, ell = range(12)
    edges = [[b, c], [d, e], [f, g], [h, i, j], [k, ell], [], [], [], [], [], [], []]
    unknown = {g, i, j, ell}
    graph = graph_of([[(child, 0) for child in out] for out in edges], dict.fromkeys({f, h, k}, 2))

    class Figure(ExplicitGame):
        def terminal(self, position: int) -> int | None:
            return None if position in unknown else super().terminal(position)

    # f lies at an even depth (c is the other side's node), h and k at an odd one: all below 3 for the side that asks.
    game = Figure(Graph(graph.edges, [{f: 2, h: -2, k: -2}.get(n) for n in range(12)], graph.rho, graph.keys), 3)
    search = PnSearch(game, a, 3)
    for _ in range(5):  # expands a, then all its inner nodes but the unknown leaves
        node = search._select_most_proving_node()
        if not game.moves(node.position):
            break
        search._expand(node)
        search._update_proof_numbers(node)
    by_position = {}
    stack = [search.root]
    while stack:
        node = stack.pop()
        by_position[node.position] = node
        stack += node.children
    assert (search.root.proof, search.root.disproof) == (2, 1)
    assert search._select_most_proving_node().position == ell
    assert [(by_position[n].proof, by_position[n].disproof) for n in (b, d, e)] == [(2, 1), (1, 2), (1, 1)]


def test_exploring_has_a_limit() -> None:
    with pytest.raises(ValueError, match="more than 100 positions"):
        explore(open_rules("tic-tac-toe"), limit=100)
    assert len(explore(open_rules("tic-tac-toe"))) == 765
