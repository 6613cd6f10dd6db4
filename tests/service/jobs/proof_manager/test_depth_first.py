"""Managers of null-window: tasks hand on a table, answers are believed, and the solution is taken out at the end."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from services import MakeService
from trials import load_trial

from proofbase.engine import open_game, open_rules
from proofbase.engine._core import Search
from proofbase.engine.errors import SearchCancelledError
from proofbase.engine.papers.reference.graph import explore, values
from proofbase.service.client import Budget, SolveResult, connect
from proofbase.service.jobs.proof_manager import depth_first, task
from proofbase.service.jobs.proof_manager.depth_first import algorithm_with_table
from proofbase.service.jobs.proof_manager.manager import ProofManager
from proofbase.service.jobs.proof_manager.question_tree import INFINITE
from proofbase.service.resources import Resources
from proofbase.storage import Estimate, open_store

GAME = "connect-four:5x5"
ALGORITHM = "null-window"
new_manager = load_trial("bench/managers/trial_managed_graphs").new_manager


@pytest.fixture
def resources() -> Iterator[Resources]:
    with Resources(open_store("memory:")) as opened:
        yield opened


@pytest.fixture
def small_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tree is divided as that of a large question."""
    monkeypatch.setattr(depth_first, "DIVIDE_NODES", 5_000)
    monkeypatch.setattr(depth_first, "SEARCH_AGAIN_NODES", 500)


def manager_of(resources: Resources, game: str = GAME, at_least: int = 1) -> ProofManager:
    manager: ProofManager = new_manager(
        resources, game, at_least, 1, first_task_nodes=1, algorithm=ALGORITHM, depth_first=True
    )
    return manager


def one_search(game: str, at_least: int) -> Search:
    opened = open_game(game)
    search = Search(opened, opened.initial(), at_least, algorithm=ALGORITHM)
    search.run(memory=64 << 20)
    return search


def checked(resources: Resources, game: str = GAME) -> int:
    table = resources.cache.records(game)
    assert table is not None and not table.check().findings
    return len(table)


@pytest.mark.usefixtures("small_tasks")
def test_a_divided_question_takes_hardly_more_nodes_than_one_search(resources: Resources) -> None:
    one, manager = one_search(GAME, 1), manager_of(resources)
    assert manager.run().status == one.status
    assert manager.tree_nodes > 10 and manager.progress().tasks > 10
    assert manager.progress().nodes <= 1.25 * one.progress().nodes
    assert checked(resources) <= 1.25 * len(one.solution())


@pytest.mark.usefixtures("small_tasks")
def test_a_new_manager_goes_on_with_what_the_first_one_has_answered(resources: Resources) -> None:
    one, nodes, managers = one_search(GAME, 1), 0, 0
    while True:
        manager = manager_of(resources)
        outcome = manager.run(nodes=40_000)
        managers, nodes = managers + 1, nodes + manager.progress().nodes
        manager.close()
        if outcome.status != "unknown":
            break
        assert managers > 1 or resources.store.count(GAME) == 0, "most of what it has answered is no part of the proof"
        assert resources.store.estimates().count() > 1
    assert outcome.status == one.status and managers > 3 and checked(resources) > 0
    assert nodes <= 6 * one.progress().nodes, "each begins with an empty table"


@pytest.mark.usefixtures("small_tasks")
def test_the_best_line_goes_on_into_the_search(resources: Resources) -> None:
    manager, game = manager_of(resources), open_game(GAME)
    assert manager.progress().best_line == []
    for nodes in (1_000, 20_000, 40_000):
        manager.run(nodes=nodes)
        report, position, known = manager.progress(), game.initial(), 0
        assert report.best_line_moves == len(report.best_line) > 3
        for move in report.best_line:
            assert move in game.moves(position)
            position = game.play(position, move)
            questions = [(game.key(position), bound) for bound in (0, 1)]
            known += any(found is not None for found in resources.store.estimates().get_many(GAME, questions))
        assert known < len(report.best_line), "below the tree of questions"
    assert known > 0, "the tree was divided on the line"
    manager.close()


@pytest.mark.usefixtures("small_tasks")
@pytest.mark.parametrize("believed", [True, False])
def test_a_false_belief_is_found_out(resources: Resources, believed: bool) -> None:
    """Anybody may import estimates."""
    game, status = open_game(GAME), one_search(GAME, 1).status
    position = game.initial()
    questions = [(game.key(position), 1)]
    questions += [(game.key(game.play(position, move)), 0) for move in game.moves(position)]
    numbers = (1, INFINITE) if believed else (INFINITE, 1)
    false = [Estimate(key, bound, *numbers, 10**9, 0.0) for key, bound in questions]
    resources.store.estimates().put_many(GAME, false, rules_version=game.rules_version)
    assert manager_of(resources).run().status == status
    assert checked(resources) > 0


@pytest.mark.usefixtures("small_tasks")
def test_random_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    records = 0
    for number in range(40):
        chance = Random(number)
        monkeypatch.setattr(depth_first, "DIVIDE_NODES", chance.choice((3, 10, 40)))
        monkeypatch.setattr(depth_first, "SEARCH_AGAIN_NODES", chance.choice((1, 5)))
        shape = chance.choice(("ends=20", "ends=10,degree=6,span=4", "ends=25,values=3,rewards=2"))
        name = f"random-graph:nodes={chance.choice((30, 200, 600))},{shape},seed={number}"
        rules = open_rules(name)
        value = values(explore(rules))[0]
        at_least = max(1 - rules.highest_value, min(rules.highest_value, value + chance.choice((0, 1))))
        with Resources(open_store("memory:")) as resources:
            while True:
                manager = manager_of(resources, name, at_least)
                outcome = manager.run(nodes=chance.choice((20, 60, 10_000)), seconds=60)
                manager.close()
                if outcome.status != "unknown":
                    break
            assert outcome.status == ("proved" if value >= at_least else "disproved"), name
            records += checked(resources, rules.name)
    assert records > 200


@pytest.mark.parametrize("workers", [1, 2])
def test_a_solve_asks_its_questions_over_one_table(workers: int) -> None:
    with connect("memory:") as client:
        result = client.solve("othello:4x4", workers=workers).result
        assert isinstance(result, SolveResult)
        assert (result.value.lower, result.value.upper) == (-10, -10)
        assert client.verify("othello:4x4").result.failed == 0  # type: ignore[union-attr]


@pytest.mark.usefixtures("small_tasks")
def test_a_paused_job_goes_on(make_service: MakeService, directory: Path) -> None:
    service = make_service(str(directory))
    job = service.client.solve(GAME, at_least=1, algorithm=ALGORITHM, workers=2, budget=Budget(nodes=40_000))
    assert isinstance(job.result, SolveResult) and job.result.unknown_reason == "nodes"
    service.app.close()
    second = make_service(str(directory))
    second.client.resume(job.id, budget=Budget(nodes=1 << 40))
    result: Any = second.client.wait(job.id).result
    assert result.status == one_search(GAME, 1).status
    assert second.client.verify(GAME).result.failed == 0  # type: ignore[union-attr]


def test_which_algorithms_hand_on_a_table() -> None:
    othello, drop, mancala = open_game("othello:4x4"), open_game(GAME), open_game("awari")
    assert algorithm_with_table(othello, "auto", 1) == "null-window"
    assert algorithm_with_table(othello, "auto", 2) == "null-window+threads-2"
    assert algorithm_with_table(drop, "null-window+threads-3", 2) == "null-window+threads-3"
    assert algorithm_with_table(drop, "auto", 1) == "null-window"
    assert algorithm_with_table(open_game("qubic"), "auto", 1) is None
    assert algorithm_with_table(drop, "df-pn", 2) is None
    assert algorithm_with_table(mancala, "auto", 1) is None


def test_taking_out_a_solution_ends_when_the_worker_has_to_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow:
        def __init__(self) -> None:
            self.cancelled = threading.Event()

        def cancel(self) -> None:
            self.cancelled.set()

        def solution(self) -> None:
            assert self.cancelled.wait(60)
            raise SearchCancelledError("cancelled")

    monkeypatch.setattr(task, "LOOK_SECONDS", 0.001)
    search: Any = Slow()
    with pytest.raises(SearchCancelledError), task._cancelled_by(lambda: True, search):
        search.solution()
