"""pn^2-search: a second search below every leaf, of which the first tree keeps one level."""

from __future__ import annotations

import threading
import time
from random import Random

import pytest
from search_combinations import (
    KINDS,
    PN2,
    assert_node_counts,
    assert_right_on,
    assert_solution,
    random_game,
)

from proofbase.engine._core import Search
from proofbase.engine.errors import EngineError
from proofbase.engine.games import open_game


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("algorithm", PN2)
def test_every_combination_gives_the_brute_force_value_on_random_graphs(algorithm: str, kind: str) -> None:
    random = Random(algorithm + kind)
    for _ in range(10):
        game, exact = random_game(random, kind)
        assert_right_on(game, exact, exact + random.choice((-1, 0, 0, 1, 1, 2)), algorithm)


@pytest.mark.parametrize(
    ("algorithm", "tic_tac_toe", "connect_four"),
    [
        ("pn2+unit", 19_682, 351_486),
        ("pn2+effort", None, 110_577),
    ],
)
def test_node_counts_are_those_of_the_documents(
    algorithm: str, tic_tac_toe: int | None, connect_four: int | None
) -> None:
    """A search that is changed states its new counts, here and in docs/search.md."""
    assert_node_counts(algorithm, tic_tac_toe, connect_four)


def test_it_needs_one_percent_of_the_memory_and_less_than_three_times_the_nodes() -> None:
    """The factor three is that of Allis (1994), 2.3.1."""
    game = open_game("connect-four:5x4")
    one, two = (Search(game, game.initial(), 1, algorithm=name) for name in ("pn-tree+effort", "pn2+effort"))
    for search in (one, two):
        assert search.run().status == "disproved"
    assert two.progress().nodes < 3 * one.progress().nodes
    assert two.progress().memory < one.progress().memory / 100
    assert_solution(two, game.key(game.initial()), 1, "disproved")


def test_a_restored_search_goes_on_as_if_never_stopped() -> None:
    """Except for the second search that was under way: it begins again."""
    game = open_game("connect-four:4x4")
    whole = Search(game, game.initial(), 1, algorithm="pn2+unit")
    whole.run()
    stopped = Search(game, game.initial(), 1, algorithm="pn2+unit")
    chunks = []
    for share in (0.2, 0.5, 0.8):
        stopped.run(nodes=int(whole.progress().nodes * share))
        chunks.append(stopped.checkpoint())
    restored = Search(game, game.initial(), 1, algorithm="pn2+unit")
    restored.restore(chunks)
    assert 0.7 * whole.progress().nodes < restored.progress().nodes <= stopped.progress().nodes
    assert (restored.progress().proof, restored.progress().disproof) == (
        stopped.progress().proof,
        stopped.progress().disproof,
    )
    restored.run()
    assert restored.status == "disproved"
    assert restored.progress().nodes == whole.progress().nodes
    assert_solution(restored, game.key(game.initial()), 1, "disproved")
    with pytest.raises(EngineError):
        Search(game, game.initial(), 1, algorithm="pn2+unit").restore([chunks[1]])


def test_a_cache_saves_nodes_and_costs_memory() -> None:
    game = open_game("connect-four:4x4")
    nodes, memory = [], []
    for algorithm in ("pn2+unit", "pn2+unit+cache-4", "pn2+unit+cache-64"):
        search = Search(game, game.initial(), 1, algorithm=algorithm)
        assert search.run().status == "disproved"
        nodes.append(search.progress().nodes)
        memory.append(search.progress().memory)
        assert_solution(search, game.key(game.initial()), 1, "disproved")
    assert nodes == [351_486, 348_126, 337_358]
    assert memory == sorted(memory)


def test_budgets_hold_within_a_second_search_and_cancelling_is_quick() -> None:
    game = open_game("connect-four")
    search = Search(game, game.initial(), 1, algorithm="pn2+unit")
    assert search.run(nodes=500_000).reason == "nodes"
    assert 500_000 <= search.progress().nodes < 501_000
    assert search.run(seconds=0.2).reason == "seconds"
    worker = threading.Thread(target=search.run)
    worker.start()
    time.sleep(0.1)
    start = time.perf_counter()
    search.cancel()
    worker.join(timeout=10)
    assert time.perf_counter() - start < 1  # 50 ms on a free machine
    assert search.reason == "cancelled"


def test_too_large_a_cache_is_refused() -> None:
    game = open_game("connect-four:4x4")
    with pytest.raises(EngineError, match="from 0 to 64, not 65"):
        Search(game, game.initial(), 1, algorithm="pn2+cache-65")
