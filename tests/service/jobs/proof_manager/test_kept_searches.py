"""Tasks go on with the search that the last task of their question has left open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from proofbase.engine import open_game
from proofbase.engine._core import Progress, RecordTable, Search
from proofbase.service.jobs.proof_manager.kept_searches import KeptSearch, KeptSearches
from proofbase.service.jobs.proof_manager.knowledge import StoredKnowledge
from proofbase.service.jobs.proof_manager.manager import ProofManager
from proofbase.service.jobs.proof_manager.merging import MergingThreads
from proofbase.service.jobs.proof_manager.task import Task, TaskResult, run_task
from proofbase.service.jobs.proof_manager.task_budget import TaskBudget
from proofbase.service.jobs.proof_manager.task_choice import TaskChoice
from proofbase.service.jobs.proof_manager.workers import ThreadWorkers
from proofbase.service.jobs.question_run import QuestionRun
from proofbase.service.resources import Resources
from proofbase.service.resources.algorithm_choice import AlgorithmChoice
from proofbase.service.resources.search_table import SearchTable
from proofbase.storage import open_store

GAME = "connect-four:4x4"
ALGORITHM = "pn-dag+effort"
MEMORY = 1 << 26


def one_search() -> Progress:
    game = open_game(GAME)
    search = Search(game, game.initial(), 1, algorithm=ALGORITHM)
    assert search.run().status == "disproved"
    return search.progress()


def nodes_of_one_search() -> int:
    return one_search().nodes


def run(nodes: int, kept: KeptSearches, known: RecordTable | None = None) -> TaskResult:
    game = open_game(GAME)
    task = Task(1, GAME, game.text(game.initial()), 1, ALGORITHM, nodes, MEMORY)
    return run_task(task, game, game.initial(), known, lambda: False, kept=kept)


def test_tasks_of_a_question_take_the_nodes_of_one_search() -> None:
    kept = KeptSearches(MEMORY)
    results = [run(2_000, kept)]
    while results[-1].answer is None:
        results.append(run(2_000, kept))
    assert results[-1].answer is False and len(results) > 2
    assert sum(result.nodes for result in results) == nodes_of_one_search()


def test_a_search_is_not_kept_beyond_its_memory_or_with_other_records() -> None:
    nothing = KeptSearches(0)
    assert run(2_000, nothing).answer is None
    assert run(2_000, nothing).nodes >= 2_000
    kept = KeptSearches(MEMORY)
    first = run(2_000, kept)
    again = run(nodes_of_one_search() - first.nodes, kept, known=RecordTable(open_game(GAME)))
    assert again.answer is None  # a new search: it would have ended with the nodes of the first task


def kept_search(memory: int) -> KeptSearch:
    game = open_game(GAME)
    never: Callable[[str], Any] = lambda _: None  # noqa: E731
    return KeptSearch(
        QuestionRun(1, AlgorithmChoice(game, ALGORITHM, {}), never, SearchTable()), ALGORITHM, 1, memory, None
    )


def test_the_oldest_ones_go_first() -> None:
    kept = KeptSearches(100)
    for name in "abc":
        kept.put((name, 1), kept_search(40))
    assert [kept.algorithm((name, 1)) for name in "abc"] == [None, ALGORITHM, ALGORITHM]
    kept.limit(50)
    assert kept.take(("b", 1)) is None and kept.take(("c", 1)) is not None and kept.take(("c", 1)) is None


def test_room_is_made_beside_a_question() -> None:
    kept = KeptSearches(200)
    for name in "abcd":
        kept.put((name, 1), kept_search(40))
    kept.make_room(90, ("a", 1))
    assert [kept.algorithm((name, 1)) for name in "abcd"] == [ALGORITHM, None, ALGORITHM, ALGORITHM]


@pytest.mark.parametrize(("kept", "workers", "large"), [(False, 1, True), (True, 1, False), (True, 2, True)])
def test_a_leaf_whose_search_goes_on_is_divided_for_other_workers_only(kept: bool, workers: int, large: bool) -> None:
    assert TaskBudget.is_large(600, 1_000, 1_000, workers, kept=kept) is large


def test_no_kept_search_grows_for_ever() -> None:
    """A kill loses it, and the answers of smaller questions are stored."""
    for own, large in ((99_000_000, False), (101_000_000, True)):
        assert TaskBudget.is_large(own, 5_000_000, own, 1, kept=True) is large


@pytest.mark.parametrize("part", [0.1, 0.6])
def test_one_worker_takes_the_nodes_of_one_search(part: float) -> None:
    """Also where its search comes to hold more than a quarter of the memory."""
    memory = int(one_search().memory / part)
    with Resources(open_store("memory:")) as resources:
        game = resources.games.open(GAME)
        knowledge = StoredKnowledge(resources, game, "job", "", lambda call: call())
        workers = ThreadWorkers(game, 1)
        manager = ProofManager(
            knowledge,
            game.initial(),
            (game.key(game.initial()), 1),
            game_name=GAME,
            text=game.text,
            choice=TaskChoice((ALGORITHM,)),
            memory_bytes=memory,
            workers=workers,
            first_task_nodes=500,
            clock=lambda: 0.0,
            merging=MergingThreads(knowledge, 1, workers.wake),
        )
        try:
            assert manager.run().status == "disproved"
        finally:
            manager.close()
        assert manager.progress().nodes == nodes_of_one_search()
        assert manager.progress().tasks > 5
        table = resources.cache.records(GAME)
        assert table is not None and not table.check().findings
