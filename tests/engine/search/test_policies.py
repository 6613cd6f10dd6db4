"""Policies of tree searches: each combination against brute force, and what each policy promises."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from drawn_graphs import random_graph
from search_combinations import KINDS, TREES, assert_node_counts, assert_right_on, assert_solution, random_game

from proofbase.engine import _core
from proofbase.engine._core import Search
from proofbase.engine.errors import EngineError
from proofbase.engine.games import open_game
from proofbase.engine.papers.reference.explicit_game import ExplicitGame
from proofbase.engine.papers.reference.graph import Graph
from proofbase.engine.records import decode_record


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("algorithm", TREES)
def test_every_combination_gives_the_brute_force_value_on_random_graphs(algorithm: str, kind: str) -> None:
    random = Random(algorithm + kind)
    for _ in range(6):
        game, exact = random_game(random, kind)
        assert_right_on(game, exact, exact + random.choice((-1, 0, 0, 1, 1, 2)), algorithm)


def test_proofs_that_lean_on_repetition_occur_and_stand() -> None:
    """Otherwise the tests above would prove nothing: with repetition worth a win, many claims are safety claims."""
    random = Random(5)
    safety = 0
    for _ in range(60):
        game, exact = random_game(random, "repetition wins")
        search = assert_right_on(game, exact, exact, "pn-tree+unit+delete-solved")
        for chunk in search.solution().chunks(100):
            safety += sum(c.rank == 0 for _, record in chunk for c in decode_record(record).claims)
    assert safety > 60


@pytest.mark.parametrize(
    ("algorithm", "tic_tac_toe", "connect_four"),
    [
        ("pn-tree+unit", 13_950, 233_153),
        ("pn-tree+unit+from-root", 13_950, 233_153),
        ("pn-tree+unit+delete-solved", 13_950, 233_153),
        ("pn-tree+unit+delete-least", 13_950, 233_153),
        ("pn-tree+unit+delayed", 38_812, 334_679),
        ("pn-tree+effort+delayed", None, 193_667),
        ("pn-tree+depth", 16_344, 434_556),
        ("pn-tree+depth+delayed", 42_589, 612_419),
        ("pn-tree+unit+mst", 71_924, None),
        ("pn-tree+mobility+mst", 44_330, None),
        ("pn-tree+unit+mst+delayed", 96_159, None),
    ],
)
def test_node_counts_are_those_of_the_documents(
    algorithm: str, tic_tac_toe: int | None, connect_four: int | None
) -> None:
    """A search that is changed states its new counts, here and in docs/search.md."""
    assert_node_counts(algorithm, tic_tac_toe, connect_four)


def test_the_current_node_saves_most_of_the_way() -> None:
    game = open_game("connect-four:4x4")
    steps = {}
    for algorithm in ("pn-tree+unit", "pn-tree+unit+from-root"):
        search = Search(game, game.initial(), 1, algorithm=algorithm)
        search.run()
        steps[algorithm] = search.progress().traversed
    assert steps == {"pn-tree+unit": 259_440, "pn-tree+unit+from-root": 742_545}


def least_solution(graph: Graph, node: int, bound: int) -> tuple[float, float]:
    """Nodes of the smallest trees that show `value >= bound` and the opposite, by definition; infinite if none does."""
    terminal = graph.terminal[node]
    if terminal is not None:
        return (1, float("inf")) if terminal >= bound else (float("inf"), 1)
    children = [least_solution(graph, e.child, e.reward - bound + 1) for e in graph.edges[node]]
    return 1 + min(disproof for _, disproof in children), 1 + sum(proof for proof, _ in children)


def nodes_of_solution(game: Any, table: Any, position: int, bound: int) -> int:
    """Nodes of the tree that the claims unfold to."""
    if game.terminal(position) is not None:
        return 1
    lower = [c for c in decode_record(table.get(game.key(position))).claims if c.side == 0 and c.bound >= bound]
    moves = [lower[0].witness] if lower else game.moves(position)
    return 1 + sum(
        nodes_of_solution(game, table, game.play(position, m), game.reward(position, m) - bound + 1) for m in moves
    )


@pytest.mark.parametrize("algorithm", [name for name in TREES if "mst" in name])
def test_mst_finds_a_smallest_solution_tree(algorithm: str) -> None:
    random = Random(11)
    smaller = 0
    for _ in range(60):
        graph = random_graph(random, random.randint(20, 45), rho=None)
        proof, disproof = least_solution(graph, 0, 1)
        sizes = []
        for name in (algorithm, "pn-tree+unit"):
            game: Any = _core.python_game(ExplicitGame(graph))
            search = Search(game, 0, 1, algorithm=name)
            search.run()
            if graph.terminal[0] is None:
                sizes.append(nodes_of_solution(game, search.solution(small_search_nodes=0), 0, 1))
        if sizes:
            assert sizes[0] == min(proof, disproof) <= sizes[1]
            smaller += sizes[0] < sizes[1]
    assert smaller > 1


def test_delete_least_goes_on_where_the_memory_of_others_ends() -> None:
    game = open_game("connect-four:4x4")
    limit = 2_000_000
    for memory, end in (("", "memory"), ("+delete-solved", "memory"), ("+delete-least", None)):
        search = Search(game, game.initial(), 0, algorithm="pn-tree+unit" + memory)
        assert search.run(memory=limit, seconds=30).reason == end
        assert search.progress().memory < 1.1 * limit
    assert search.status == "proved"
    assert_solution(search, game.key(game.initial()), 0, "proved")


def test_delete_least_keeps_to_its_budget() -> None:
    """It ends with the answer or with the root given up, after which more memory is of no use."""
    game = open_game("connect-four:4x4")
    random = Random(53)
    proved = 0
    for algorithm in ("pn-tree+unit+delete-least", "pn-tree+delete-least"):
        for _ in range(12):
            budget = random.randint(1_200_000, 3_000_000)
            search = Search(game, game.initial(), 0, algorithm=algorithm)
            nodes = 0
            while (outcome := search.run(nodes=(nodes := nodes + 2_000), memory=budget)).reason == "nodes":
                assert search.progress().memory < 1.02 * budget
            assert search.progress().memory < 1.02 * budget
            if outcome.status == "unknown":
                assert outcome.reason == search.run(memory=10 * budget, nodes=10**6).reason == "memory"
            else:
                proved += 1
                assert_solution(search, game.key(game.initial()), 0, "proved")
    assert 12 <= proved < 24


def test_delete_least_ends_where_too_much_was_given_up() -> None:
    game = open_game("connect-four:5x4")
    search = Search(game, game.initial(), 1, algorithm="pn-tree+unit+delete-least")
    outcome = search.run(memory=60_000, seconds=30)
    assert (outcome.status, outcome.reason) == ("unknown", "memory")
    assert len(search.solution()) == 0
    assert search.run(memory=60_000).reason == "memory"


@pytest.mark.parametrize("algorithm", ["pn-tree+unit+delete-least", "pn-tree+unit+delayed", "pn-tree+effort+delayed"])
def test_checkpoints_hold_what_was_given_up_and_settled(algorithm: str) -> None:
    game = open_game("connect-four:4x4")
    memory = 2_000_000 if "least" in algorithm else None
    whole = Search(game, game.initial(), 0, algorithm=algorithm)
    whole.run(memory=memory)
    stopped = Search(game, game.initial(), 0, algorithm=algorithm)
    chunks = []
    for share in (0.1, 0.5, 0.9):
        stopped.run(nodes=int(whole.progress().nodes * share), memory=memory)
        chunks.append(stopped.checkpoint())
    restored = Search(game, game.initial(), 0, algorithm=algorithm)
    restored.restore(chunks)
    for name in ("nodes", "expansions", "proof", "disproof"):
        assert getattr(restored.progress(), name) == getattr(stopped.progress(), name)
    restored.run()
    assert restored.status == whole.status == "proved"
    assert_solution(restored, game.key(game.initial()), 0, "proved")


@pytest.mark.parametrize(
    ("algorithm", "part"),
    [
        ("pn-tree+mobility+delayed", "exclude each other"),
        ("pn-tree+effort+mst", "exclude each other"),
        ("pn-tree+mst+delete-least", "exclude each other"),
        ("pn-tree+current-node+from-root", "exclude"),
        ("pn-tree+unit+most-proving", "'most-proving' is no policy of pn-tree"),
        ("pn2+unit+most-proving", "'most-proving' is no policy of pn2"),
        ("pn-cyclic+depth", "no policy"),
    ],
)
def test_combinations_without_meaning_are_refused(algorithm: str, part: str) -> None:
    game = open_game("connect-four:4x4")
    with pytest.raises(EngineError, match=part):
        Search(game, game.initial(), 1, algorithm=algorithm)
