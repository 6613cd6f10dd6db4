"""Native searches that keep their nodes: against brute force on random graphs, and restored node by node."""

from __future__ import annotations

import threading
import time
from random import Random

import pytest
from drawn_graphs import random_graph
from search_combinations import (
    assert_settled,
    assert_solution,
    brute_force_on_random_graphs,
    solved,
    stopped_and_restored,
)

from proofbase.engine import _core
from proofbase.engine._core import RecordTable, Search
from proofbase.engine.errors import EngineError, SearchCancelledError
from proofbase.engine.games import open_game
from proofbase.engine.papers.reference.explicit_game import ExplicitGame
from proofbase.engine.papers.reference.pn_search import PnSearch

ALGORITHMS = [
    f"{graph}+{policy}{memory}"
    for graph, memories in (("pn-tree", ("", "+delete-solved")), ("pn-dag", ("",)))
    for policy in ("unit", "mobility", "effort")
    for memory in memories
]
GRAPH_ALGORITHMS = [name for name in ALGORITHMS if "effort" not in name]


@pytest.mark.parametrize("algorithm", GRAPH_ALGORITHMS)
def test_every_variant_gives_the_brute_force_value_on_random_graphs(algorithm: str) -> None:
    assert 20 < brute_force_on_random_graphs(algorithm, 120, most_nodes=24) < 100


@pytest.mark.parametrize("at_least", [0, 1])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_variant_solves_connect_four_4x4_as_a_draw(algorithm: str, at_least: int) -> None:
    game = open_game("connect-four:4x4")
    search = solved(game, game.initial(), at_least, algorithm)
    assert search.algorithm == algorithm
    assert search.status == ("proved" if at_least == 0 else "disproved")
    assert_solution(search, game.key(game.initial()), at_least, search.status)


@pytest.mark.parametrize("at_least", [0, 1])
def test_pn_tree_grows_the_tree_of_pn_search_as_printed(at_least: int) -> None:
    """The same number of nodes as the reference search after Figs. 4-9 of Allis et al. (1994)."""
    rules = open_game("tic-tac-toe", rules="python")
    printed = PnSearch(rules, rules.initial(), at_least)
    answer = printed.run()
    game = open_game("tic-tac-toe")
    search = solved(game, game.initial(), at_least, "pn-tree+unit")
    assert answer is (search.status == "proved")
    assert search.progress().nodes == printed.nodes


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_restored_search_goes_on_as_if_never_stopped(algorithm: str) -> None:
    game = open_game("connect-four:4x4")
    restored = stopped_and_restored(game, algorithm)
    assert_solution(restored, game.key(game.initial()), 1, restored.status)


def test_a_checkpoint_outlives_records_that_came_later() -> None:
    game = open_game("connect-four:4x4")
    for algorithm in ("pn-tree+unit", "pn-dag+unit"):
        search = Search(game, game.initial(), 1, algorithm=algorithm)
        search.run(nodes=6_000)
        chunks = search.checkpoint()
        known = RecordTable(game)
        for move in (0, 1):
            part = solved(game, game.play(game.initial(), move), 0, "pn-dag").solution()
            known.load([item for chunk in part.chunks(100) for item in chunk])
        restored = Search(game, game.initial(), 1, algorithm=algorithm, known=known)
        restored.restore([chunks])
        restored.run()
        assert restored.status == "disproved"
        for chunk in restored.solution().chunks(100):
            known.load(chunk)
        assert_settled(known, game.key(game.initial()), 1, "disproved")


@pytest.mark.parametrize(
    ("algorithm", "part"),
    [
        ("pn", "auto, pn-tree, pn-dag"),
        ("pn-graph", "auto, pn-tree, pn-dag"),
        ("pn-dag+best", "no policy of pn-dag"),
        ("pn-dag+unit+effort", "exclude"),
        ("pn-dag+delete-solved", "no policy of pn-dag"),
        ("", "auto, pn-tree, pn-dag"),
        ("pn-tree+unit+", "policy"),
    ],
)
def test_algorithms_that_do_not_exist_are_named(algorithm: str, part: str) -> None:
    game = open_game("connect-four:4x4")
    with pytest.raises(EngineError, match=part):
        Search(game, game.initial(), 1, algorithm=algorithm)


def test_effort_is_refused_where_the_game_has_no_estimate() -> None:
    game = open_game("tic-tac-toe")
    with pytest.raises(EngineError, match="effort"):
        Search(game, game.initial(), 1, algorithm="pn-dag+effort")


def test_cyclic_games_are_refused() -> None:
    graph = random_graph(Random(3), 12, rho=0)
    with pytest.raises(EngineError, match="cycles"):
        Search(_core.python_game(ExplicitGame(graph)), 0, 1, algorithm="pn-dag")


@pytest.mark.parametrize(
    ("algorithm", "nodes"),
    [
        ("pn-tree+unit", 233_153),
        ("pn-tree+mobility", 117_899),
        ("pn-tree+effort", 53_154),
        ("pn-dag+unit", 11_585),
        ("pn-dag+mobility", 9_220),
        ("pn-dag+effort", 6_652),
    ],
)
def test_node_counts_are_those_of_the_documents(algorithm: str, nodes: int) -> None:
    """A search that is changed states its new counts, here and in docs/search.md."""
    game = open_game("connect-four:4x4")
    assert solved(game, game.initial(), 1, algorithm).progress().nodes == nodes


def test_a_restore_can_be_cancelled() -> None:
    game = open_game("connect-four")
    search = Search(game, game.initial(), 1, algorithm="pn-dag")
    search.run(nodes=2_000_000)
    chunks = search.checkpoint()
    restored = Search(game, game.initial(), 1, algorithm="pn-dag")
    raised: list[Exception] = []

    def restore() -> None:
        try:
            restored.restore([chunks])
        except SearchCancelledError as error:
            raised.append(error)

    worker = threading.Thread(target=restore)
    worker.start()
    time.sleep(0.05)
    restored.cancel()
    worker.join(timeout=10)
    assert not worker.is_alive()
    assert len(raised) == 1
    with pytest.raises(RuntimeError, match="restore its checkpoints"):
        restored.run()


def test_a_cancel_just_before_a_restore_ends_it_at_once() -> None:
    game = open_game("connect-four")
    search = Search(game, game.initial(), 1, algorithm="pn-dag")
    search.run(nodes=10_000)
    chunks = search.checkpoint()
    restored = Search(game, game.initial(), 1, algorithm="pn-dag")
    restored.cancel()
    with pytest.raises(SearchCancelledError):
        restored.restore([chunks])
    restored.restore([chunks])
    assert restored.progress().nodes == search.progress().nodes


def test_orders_of_moves_change_the_search_and_not_the_answer() -> None:
    game = open_game("tic-tac-toe")
    counts = set()
    for seed in range(1, 11):
        search = Search(game, game.initial(), 1, algorithm=f"pn-tree+unit+order-{seed}")
        assert search.run().status == "disproved"
        assert search.algorithm == f"pn-tree+unit+order-{seed}"
        counts.add(search.progress().nodes)
    assert len(counts) > 5
