"""`pn-dag+threads-N`: several threads in one graph. The answers are those of one thread."""

from __future__ import annotations

import threading
from random import Random

import pytest
from search_combinations import assert_solution, solved

from proofbase.engine import _core
from proofbase.engine._core import Search
from proofbase.engine.errors import EngineError, UnknownAlgorithmError
from proofbase.engine.games import open_game
from proofbase.engine.papers.reference.explicit_game import ExplicitGame, random_graph

QUESTIONS = [
    ("tic-tac-toe", 1, "unit"),
    ("connect-four:4x4", 1, "effort"),
    ("connect-four:4x4", 0, "mobility"),
    ("connect-four:5x4", 1, "effort"),
    ("within:5:qubic", 1, "threats"),
]
GRAPHS = "random-graph:nodes={nodes},degree=4,span=40,ends=20,seed={seed}"


@pytest.mark.parametrize("threads", [2, 5])
@pytest.mark.parametrize(("name", "at_least", "initialisation"), QUESTIONS)
def test_the_answer_is_that_of_one_thread(name: str, at_least: int, initialisation: str, threads: int) -> None:
    game = open_game(name)
    status = solved(game, game.initial(), at_least, f"pn-dag+{initialisation}").status
    search = solved(game, game.initial(), at_least, f"pn-dag+{initialisation}+threads-{threads}")
    assert search.algorithm == f"pn-dag+{initialisation}+threads-{threads}"
    assert_solution(search, game.key(game.initial()), at_least, status)


def test_the_answers_on_random_graphs_are_those_of_one_thread() -> None:
    """Graphs with many transpositions, where lines to a position have different lengths."""
    for seed in range(60):
        game = open_game(GRAPHS.format(nodes=60 + 40 * seed, seed=seed))
        for at_least in (0, 1):
            search = solved(game, game.initial(), at_least, f"pn-dag+unit+threads-{2 + seed % 3}")
            status = solved(game, game.initial(), at_least, "pn-dag+unit").status
            assert_solution(search, game.key(game.initial()), at_least, status)


def test_two_threads_make_few_nodes_that_one_does_not_make() -> None:
    game = open_game("connect-four:5x5")
    one = solved(game, game.initial(), 1, "pn-dag").progress()
    two = solved(game, game.initial(), 1, "pn-dag+threads-2").progress()
    assert two.nodes < 1.4 * one.nodes  # 0.8 to 1.1 were seen
    assert two.expansions > 0 and two.updates > two.expansions and two.memory > 0


def test_a_budget_of_nodes_ends_it_soon_and_it_goes_on() -> None:
    game = open_game("connect-four:4x4")
    search = Search(game, game.initial(), 1, algorithm="pn-dag+threads-3")
    whole = solved(game, game.initial(), 1, "pn-dag").progress().nodes
    for nodes in range(500, whole // 2, 500):
        outcome = search.run(nodes=nodes)
        assert outcome.reason == "nodes" and nodes <= search.progress().nodes < nodes + 3 * 300
    line = search.progress().best_line
    assert line and game.moves(game.initial()).count(line[0])
    search.run()
    assert_solution(search, game.key(game.initial()), 1, "disproved")


def test_a_restored_search_has_the_same_graph() -> None:
    game = open_game("connect-four:4x4")
    search = Search(game, game.initial(), 1, algorithm="pn-dag+threads-2")
    chunks = list[bytes]()
    for nodes in (500, 1_500, 4_000):
        search.run(nodes=nodes)
        chunks.append(search.checkpoint())
        restored = Search(game, game.initial(), 1, algorithm="pn-dag+threads-2")
        restored.restore(chunks)
        stopped, again = search.progress(), restored.progress()
        assert (again.expansions, again.proof, again.disproof) == (
            stopped.expansions,
            stopped.proof,
            stopped.disproof,
        )
        restored.run()
        assert_solution(restored, game.key(game.initial()), 1, "disproved")


def test_it_is_cancelled_while_its_threads_search() -> None:
    game = open_game("connect-four")
    search = Search(game, game.initial(), 1, algorithm="pn-dag+threads-2")
    timer = threading.Timer(0.2, search.cancel)
    timer.start()
    assert search.run(nodes=50_000_000).reason == "cancelled"
    timer.join()
    nodes = search.progress().nodes
    assert search.run(nodes=nodes + 1_000).reason == "nodes"


def test_threads_are_refused_where_keys_vary_in_length() -> None:
    game = _core.python_game(ExplicitGame(random_graph(Random(3), 12, rho=None)))
    with pytest.raises(EngineError, match="one thread only"):
        Search(game, 0, 1, algorithm="pn-dag+threads-2")


@pytest.mark.parametrize("other", ["stack", "queue", "depth", "drop-solved"])
def test_what_threads_cannot_share_is_refused_with_them(other: str) -> None:
    game = open_game("connect-four:4x4")
    with pytest.raises(UnknownAlgorithmError, match="exclude each other"):
        Search(game, game.initial(), 1, algorithm=f"pn-dag+threads-2+{other}")
