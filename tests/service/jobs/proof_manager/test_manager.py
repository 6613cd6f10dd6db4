"""A proof manager and its workers: lies, doubles, late results and failures do no harm."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from trials import load_trial

from proofbase.engine.errors import EngineError, UnknownAlgorithmError
from proofbase.engine.records import Claim, Record, Side, encode_record
from proofbase.service.jobs.proof_manager.knowledge import UnsoundResultError
from proofbase.service.jobs.proof_manager.task import Task, TaskResult, run_task
from proofbase.service.jobs.proof_manager.workers import TaskLostError
from proofbase.service.positions import find_position
from proofbase.service.resources import Resources
from proofbase.storage import open_store

GAME = "connect-four:4x4"
new_manager = load_trial("bench/managers/trial_managed_graphs").new_manager
Finished = tuple[int, TaskResult | BaseException]


class ScriptedWorkers:
    """Workers that search in the thread of the manager, and whose results a test may change, repeat or hold back.

    Attributes:
        begun: the tasks, in their order.
    """

    sends_known = True
    known_sent = 20_000

    def __init__(self, game: Any, count: int = 2) -> None:
        self.count = count
        self.begun: list[Task] = []
        self._game = game
        self._finished: deque[Finished] = deque()

    def keeps(self, asked: tuple[str, int]) -> str | None:
        return None

    def forget(self, asked: tuple[str, int]) -> None:
        pass

    def task_memory(self, job_bytes: int) -> int:
        return job_bytes

    def submit(self, task: Task, known: object) -> None:
        self.begun.append(task)
        position = find_position(self._game, task.position)
        self._finished.extend(self.results(task, run_task(task, self._game, position, None, lambda: False)))

    def results(self, task: Task, result: TaskResult) -> list[Finished]:
        """What becomes of a result."""
        return [(task.number, result)]

    def next_finished(self, seconds: float) -> Finished | None:
        if not self._finished:
            time.sleep(min(seconds, 0.001))  # what they have brought is being checked
            return None
        return self._finished.popleft()

    def wake(self) -> None:
        """It waits for nothing."""

    def stop(self) -> None:
        """Its tasks have ended."""

    def go_on(self) -> None:
        """There is nothing to do."""

    def close(self) -> None:
        """There is nothing to end."""


@pytest.fixture
def resources() -> Iterator[Resources]:
    with Resources(open_store("memory:")) as opened:
        yield opened


def checked(resources: Resources) -> int:
    table = resources.cache.records(GAME)
    assert table is not None and not table.check().findings
    return len(table)


def test_results_that_come_twice_or_unasked_change_nothing(resources: Resources) -> None:
    class Doubling(ScriptedWorkers):
        def results(self, task: Task, result: TaskResult) -> list[Finished]:
            foreign = replace(result, number=10_000 + task.number, answer=None)
            return [(task.number, result), (foreign.number, foreign), (task.number, result)]

    manager = new_manager(
        resources, GAME, 1, Doubling(resources.games.open(GAME)), first_task_nodes=50, algorithm="pn-dag"
    )
    assert manager.run().status == "disproved" and checked(resources) > 0


def test_results_that_come_late_are_merged_or_dropped(resources: Resources) -> None:
    class Late(ScriptedWorkers):
        def results(self, task: Task, result: TaskResult) -> list[Finished]:
            self._finished.rotate(1)
            return [(task.number, result)]

    manager = new_manager(
        resources, GAME, 1, Late(resources.games.open(GAME), 8), first_task_nodes=20, algorithm="pn-dag"
    )
    assert manager.run().status == "disproved" and checked(resources) > 0


def test_workers_get_different_leaves(resources: Resources) -> None:
    workers = ScriptedWorkers(resources.games.open(GAME), 4)
    manager = new_manager(resources, GAME, 1, workers, first_task_nodes=20, algorithm="pn-dag")
    manager.run(nodes=1_000)
    first = [task.position for task in workers.begun[:4]]
    assert len(set(first)) == 4, "all of them are busy from the start"


@pytest.mark.parametrize("lie", ["the answer", "a bound", "no records"])
def test_a_worker_that_lies_is_found_out_before_anything_is_stored(resources: Resources, lie: str) -> None:
    class Lying(ScriptedWorkers):
        def results(self, task: Task, result: TaskResult) -> list[Finished]:
            if result.answer is None:
                return [(task.number, result)]
            if lie == "the answer":
                return [(task.number, replace(result, answer=not result.answer))]
            if lie == "no records":
                return [(task.number, replace(result, records=()))]
            key, _ = result.records[-1]
            false = encode_record(Record.of([Claim(Side.UPPER, -1, 3)]))
            return [(task.number, replace(result, records=(*result.records[:-1], (key, false))))]

    manager = new_manager(
        resources, GAME, 1, Lying(resources.games.open(GAME)), first_task_nodes=2_000, algorithm="pn-dag"
    )
    with pytest.raises(UnsoundResultError):
        manager.run()
    checked(resources)


def test_a_task_whose_worker_fails_is_given_out_again(resources: Resources) -> None:
    class Failing(ScriptedWorkers):
        def results(self, task: Task, result: TaskResult) -> list[Finished]:
            return [(task.number, EngineError("killed") if task.number % 5 == 2 else result)]

    manager = new_manager(
        resources, GAME, 1, Failing(resources.games.open(GAME)), first_task_nodes=200, algorithm="pn-dag"
    )
    assert manager.run().status == "disproved" and checked(resources) > 0


def test_tasks_that_are_lost_with_their_scheduler_are_no_failures(
    resources: Resources, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Losing(ScriptedWorkers):
        def results(self, task: Task, result: TaskResult) -> list[Finished]:
            return [(task.number, TaskLostError("cancelled") if task.number <= 10 else result)]

    monkeypatch.setattr("proofbase.service.jobs.proof_manager.manager.FAILURE_SECONDS", -1.0)
    manager = new_manager(
        resources, GAME, 1, Losing(resources.games.open(GAME)), first_task_nodes=2_000, algorithm="pn-dag"
    )
    assert manager.run().status == "disproved" and checked(resources) > 0


def test_workers_that_always_fail_end_the_run(resources: Resources, monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(ScriptedWorkers):
        def results(self, task: Task, result: TaskResult) -> list[Finished]:
            time.sleep(0.02)
            return [(task.number, EngineError("no memory"))]

    monkeypatch.setattr("proofbase.service.jobs.proof_manager.manager.FAILURE_SECONDS", 0.1)
    workers = Failing(resources.games.open(GAME))
    manager = new_manager(resources, GAME, 1, workers, first_task_nodes=20, algorithm="pn-dag")
    with pytest.raises(EngineError, match="no memory"):
        manager.run(seconds=20)
    assert 4 <= len(workers.begun) <= 60, "what fails at once is one failure, what fails on and on is not"


def test_workers_that_cannot_treat_the_game_end_the_run_at_once(resources: Resources) -> None:
    class Refusing(ScriptedWorkers):
        def results(self, task: Task, result: TaskResult) -> list[Finished]:
            return [(task.number, UnknownAlgorithmError("one thread"))]

    workers = Refusing(resources.games.open(GAME))
    manager = new_manager(resources, GAME, 1, workers, first_task_nodes=20, algorithm="pn-dag")
    with pytest.raises(UnknownAlgorithmError, match="one thread"):
        manager.run(seconds=20)
    assert len(workers.begun) <= 2


def test_a_new_manager_finds_its_tree_in_the_store(resources: Resources) -> None:
    def manager() -> Any:
        workers = ScriptedWorkers(resources.games.open(GAME))
        return new_manager(resources, GAME, 1, workers, first_task_nodes=100, algorithm="pn-dag")

    first = manager()
    assert first.run(nodes=8_000).reason == "nodes"
    kept = resources.store.estimates().count()
    assert kept > 5
    second = manager()
    assert second.run(seconds=1e-9).reason == "seconds"
    for before, after in (
        (first.progress().proof, second.progress().proof),
        (first.progress().disproof, second.progress().disproof),
    ):
        assert before / 2 <= after <= 2 * before, "children that nobody has searched have other shares"
    whole = manager()
    assert whole.run().status == "disproved"
    with Resources(open_store("memory:")) as other:
        unbroken = new_manager(
            other, GAME, 1, ScriptedWorkers(other.games.open(GAME)), first_task_nodes=100, algorithm="pn-dag"
        )
        assert unbroken.run().status == "disproved"
        broken = first.progress().nodes + second.progress().nodes + whole.progress().nodes
        assert broken <= 1.5 * unbroken.progress().nodes
