"""Native graph kinds against their references and the papers: numbers passed up by stack and by queue."""

from __future__ import annotations

import threading
import time
from random import Random
from statistics import mean
from typing import Any

import pytest
from drawn_graphs import random_graph

from proofbase.engine import _core, open_rules
from proofbase.engine._core import Search
from proofbase.engine.errors import UnknownAlgorithmError
from proofbase.engine.games import open_game
from proofbase.engine.papers.reference.and_or_graph import question_graph
from proofbase.engine.papers.reference.dag_search import DagSearch
from proofbase.engine.papers.reference.explicit_game import ExplicitGame
from proofbase.engine.papers.reference.graph import explore, values

UPDATES = ("+stack", "+stack+full-updates", "+queue", "+queue+full-updates")


def finished(game: Any, position: Any, at_least: int, algorithm: str) -> Search:
    search = Search(game, position, at_least, algorithm=algorithm)
    search.run()
    assert search.algorithm == algorithm
    return search


@pytest.mark.parametrize("updates", UPDATES)
def test_parent_list_graph_is_the_practical_algorithm_of_schijf_update_by_update(updates: str) -> None:
    for seed in range(60):
        graph = random_graph(Random(seed), Random(seed).randint(5, 30), rho=None)
        rules = ExplicitGame(graph)
        reference = DagSearch(
            question_graph(rules, 0, 1),
            order="stack" if "stack" in updates else "queue",
            early_stop="full-updates" not in updates,
        )
        won = reference.run()
        assert won == (values(graph)[0] >= 1)
        search = finished(_core.python_game(rules), 0, 1, f"pn-dag+unit{updates}")
        progress = search.progress()
        assert search.status == ("proved" if won else "disproved")
        assert progress.nodes == reference.nodes
        assert progress.expansions == len(reference.expansions)
        assert progress.updates == reference.updates
        solution = search.solution()
        assert solution.check().failed == 0 and (len(solution) > 0) == (graph.terminal[0] is None)


@pytest.mark.parametrize(
    ("algorithm", "counter", "printed"),
    [
        ("pn-tree+unit", "nodes", 17_086),
        ("pn-dag+unit+no-symmetry", "nodes", 3_265),
        ("pn-dag+unit", "nodes", 617),
        ("pn-tree+unit+full-updates", "updates", 25_137),
        ("pn-dag+unit+stack+full-updates+no-symmetry", "updates", 32_922),
        ("pn-tree+unit", "updates", 18_894),
        ("pn-dag+unit+stack+no-symmetry", "updates", 9_816),
    ],
)
def test_schijf_tic_tac_toe_averages_over_100_orders(algorithm: str, counter: str, printed: int) -> None:
    """Tables 4.1, A.1, 4.2 and 4.3."""
    game = open_game("tic-tac-toe")
    searches = [finished(game, game.initial(), 1, f"{algorithm}+order-{order}") for order in range(1, 101)]
    assert all(search.status == "disproved" for search in searches)
    assert mean(getattr(search.progress(), counter) for search in searches) == pytest.approx(printed, rel=0.05)


def test_oriented_graphs_are_those_of_equal_positions() -> None:
    """Symmetric positions are apart in the graph, and one record in the solution."""
    rules = open_rules("tic-tac-toe")
    whole = question_graph(rules, rules.initial(), 1, symmetric=False)
    game = open_game("tic-tac-toe")
    for updates in ("+stack", "+queue"):
        search = finished(game, game.initial(), 1, f"pn-dag+unit{updates}+no-symmetry")
        reference = DagSearch(whole, order="stack" if updates == "+stack" else "queue", early_stop=True)
        assert not reference.run()
        assert (search.progress().nodes, search.progress().updates) == (reference.nodes, reference.updates)
        solution = search.solution()
        assert solution.check().failed == 0
        assert game.key(game.initial()) in dict(pair for chunk in solution.chunks(1000) for pair in chunk)


@pytest.mark.parametrize("algorithm", ["pn-dag+unit+stack", "pn-dag+mobility+queue", "pn-dag+effort+no-symmetry"])
def test_policies_go_on_from_checkpoints(algorithm: str) -> None:
    game = open_game("connect-four:4x4")
    whole = finished(game, game.initial(), 1, algorithm)
    first = Search(game, game.initial(), 1, algorithm=algorithm)
    first.run(nodes=whole.progress().nodes // 2)
    second = Search(game, game.initial(), 1, algorithm=algorithm)
    second.restore(first.checkpoint())
    assert second.progress().nodes == first.progress().nodes
    assert (second.progress().proof, second.progress().disproof) == (first.progress().proof, first.progress().disproof)
    second.run()
    assert second.status == whole.status == "disproved"
    assert second.progress().nodes == pytest.approx(whole.progress().nodes, rel=0.1)
    assert second.solution().check().failed == 0


@pytest.mark.parametrize(
    ("algorithm", "message"),
    [
        ("pn-dag+full-updates", "'full-updates' goes with 'stack' or 'queue'"),
        ("pn-dag+stack+queue", "exclude each other"),
        ("pn-tree+stack", "no policy of pn-tree"),
    ],
)
def test_policies_that_make_no_sense_are_refused(algorithm: str, message: str) -> None:
    game = open_game("tic-tac-toe")
    with pytest.raises(UnknownAlgorithmError, match=message):
        Search(game, game.initial(), 1, algorithm=algorithm)


def test_a_game_that_encodes_one_orientation_only_cannot_be_oriented() -> None:
    game = _core.python_game(open_rules("tic-tac-toe"))
    with pytest.raises(UnknownAlgorithmError, match="one orientation only"):
        Search(game, game.initial(), 1, algorithm="pn-dag+no-symmetry")


DENSE = "random-graph:nodes=300,ends=0,degree=8,span=10,seed=4"
"""An update along every path to the root takes very long there."""


def dense_search() -> tuple[Search, str]:
    """A search of the dense graph with such updates, and its answer."""
    rules = open_rules(DENSE)
    value = values(explore(rules))[0]
    game = open_game(DENSE)
    search = Search(game, game.initial(), 1, algorithm="pn-dag+unit+stack+full-updates")
    return search, "proved" if value >= 1 else "disproved"


def test_updates_along_every_path_end_with_the_seconds_and_the_search_goes_on() -> None:
    search, answer = dense_search()
    runs = 0
    while search.status == "unknown":
        start = time.perf_counter()
        search.run(seconds=0.005)
        assert time.perf_counter() - start < 1  # 50 ms over the limit on a free machine
        assert search.reason in ("seconds", None)
        runs += 1
        assert runs < 2000
    assert search.status == answer
    assert search.solution().check().failed == 0


def test_updates_along_every_path_are_cancelled_at_once() -> None:
    search, _ = dense_search()
    worker = threading.Thread(target=search.run)
    worker.start()
    time.sleep(0.3)
    start = time.perf_counter()
    search.cancel()
    worker.join(timeout=10)
    assert not worker.is_alive()
    assert time.perf_counter() - start < 1  # 50 ms on a free machine
    assert (search.status, search.reason) == ("unknown", "cancelled")
