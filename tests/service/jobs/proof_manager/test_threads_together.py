"""Workers that are threads search together, in one graph or table, where the algorithm can do that."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from trials import load_trial

from proofbase.engine import _core, open_game
from proofbase.engine.papers.reference.explicit_game import ExplicitGame, random_graph
from proofbase.service.jobs.proof_manager.task_choice import candidates, threads_together
from proofbase.service.jobs.proof_manager.workers import thread_workers
from proofbase.service.resources import Resources
from proofbase.storage import open_store

GAME = "connect-four:5x4"
trial = load_trial("bench/managers/trial_managed_graphs")


@pytest.mark.parametrize(
    ("game", "algorithm", "together"),
    [
        ("connect-four", "auto", True),
        ("qubic", "auto", True),
        ("gomoku", "auto", True),
        ("awari", "auto", False),  # pn-base-twin
        ("awari", "df-pn", True),
        ("connect-four", "pn-dag+effort", True),
        ("connect-four", "pn-dag+threads-2", False),
        ("connect-four", "pn-tree", False),
        ("connect-four", "pn-dag+drop-solved", False),
    ],
)
def test_threads_search_together_where_every_algorithm_can(game: str, algorithm: str, together: bool) -> None:
    opened = open_game(game)
    names = candidates(opened) if algorithm == "auto" else (algorithm,)
    assert threads_together(opened, names, 3) is together
    workers = thread_workers(opened, 3, names)
    try:
        assert (workers.count, workers.threads) == ((1, 3) if together else (3, 1))
    finally:
        workers.close()


def test_a_game_of_ones_own_has_a_search_for_each_worker() -> None:
    game: Any = _core.python_game(ExplicitGame(random_graph(Random(3), 12, rho=None)))
    assert not threads_together(game, candidates(game), 2)


@pytest.mark.parametrize("algorithm", ["pn-dag", "null-window", "auto"])
def test_two_workers_do_the_work_of_one_search(algorithm: str) -> None:
    work = []
    for count in (1, 2):
        with Resources(open_store("memory:")) as resources:
            game = resources.games.open(GAME)
            names = candidates(game) if algorithm == "auto" else (algorithm,)
            workers = thread_workers(game, count, names)
            manager = trial.new_manager(resources, GAME, 1, workers, first_task_nodes=3_000, algorithm=algorithm)
            try:
                assert manager.run().status == "disproved"
            finally:
                manager.close()
            work.append(manager.progress().nodes)
            table = resources.cache.records(GAME)
            assert table is not None and len(table) and not table.check().findings
    assert work[1] < 1.6 * work[0]
