"""A solve with many workers: its searches are proof managers."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

from proofbase.engine.system import usable_cores
from proofbase.service.jobs.parallelism import MOST_WORKERS
from proofbase.service.jobs.proof_manager.cluster_workers import ClusterWorkers
from proofbase.service.jobs.proof_manager.depth_first import algorithm_with_table
from proofbase.service.jobs.proof_manager.held_question import held_question
from proofbase.service.jobs.proof_manager.knowledge import StoredKnowledge
from proofbase.service.jobs.proof_manager.manager import ProofManager
from proofbase.service.jobs.proof_manager.merging import MergingThreads
from proofbase.service.jobs.proof_manager.model import SearchedNow
from proofbase.service.jobs.proof_manager.proof_number_history import ProofNumberHistory
from proofbase.service.jobs.proof_manager.task_choice import TaskChoice, candidates
from proofbase.service.jobs.proof_manager.workers import ProcessWorkers, ThreadWorkers, Workers
from proofbase.service.jobs.solve.context import SolveContext
from proofbase.service.jobs.solve.model import ProofNumberSample, SolveProgress, TaskUnderWay
from proofbase.service.jobs.solve.searches import StoredSolution
from proofbase.service.jobs.solve.solution_writer import WriteEnd
from proofbase.service.limits import LINE_MOVES
from proofbase.service.positions import texts_of_line
from proofbase.service.resources.algorithm_choice import AlgorithmChoice, is_automatic
from proofbase.service.resources.cluster import Cluster
from proofbase.service.resources.native import ChosenAlgorithm
from proofbase.service.resources.search_table import SearchTable
from proofbase.service.words.amounts import amount

__all__ = ["ManagedSearches"]

TASK_LINE_CHARACTERS = 500
"""The line to a task, in the progress."""
FIRST_TURN = 100_000
"""Nodes of the first turn of a question: some tasks."""
CLUSTER_TASK_SECONDS = 1.0
"""Shorter tasks would spend their time on the way to the workers."""


class ManagedSearches:
    """Proof managers as the searches of a solve. An algorithm is chosen for each of their tasks, none for a question.

    Args:
        context: the solve.
    """

    def __init__(self, context: SolveContext) -> None:
        self._context = context
        spec, cluster = context.spec, self._cluster()
        self._workers = amount(spec.workers, "worker") if cluster is None else f"the cluster {cluster.address}"
        self._table = SearchTable()
        """Where all tasks have one: also that of the next question."""
        with_table = None
        if cluster is None and not spec.worker_processes:
            with_table = algorithm_with_table(context.game, spec.algorithm, self._most_threads())
        self._has_table = with_table is not None
        names = candidates(context.game) if is_automatic(spec.algorithm) else (spec.algorithm,)
        self._task_choice = TaskChoice(names if with_table is None else (with_table,))
        self.choice = AlgorithmChoice(context.game, "proof-manager", {})
        self.first_turn = FIRST_TURN
        self._managers: dict[int, ProofManager] = {}
        """By question those that are not closed."""
        self._shared_workers: Workers | None = None
        self._courses: dict[int, ProofNumberHistory] = {}

    def new(self, threshold: int, algorithm: str, stop_if_asked: Callable[[], None]) -> ProofManager:
        """As in `Searches`."""
        context, game, job = self._context, self._context.game, self._context.control.job
        self.end(self._managers.keys() - {threshold})  # one that could not be taken up
        knowledge = StoredKnowledge(context.resources, game, job.id, job.origin, context.control.with_retries)
        question = game.key(context.position), threshold
        workers = self._shared_workers = self._shared_workers or self._new_workers()
        before = job.progress
        same = isinstance(before, SolveProgress) and before.at_least == threshold
        if threshold not in self._courses:
            course = before.course if isinstance(before, SolveProgress) and same else ()
            self._courses[threshold] = ProofNumberHistory(course)
        manager = ProofManager(
            knowledge,
            context.position,
            question,
            game_name=game.name,
            text=game.text,
            choice=self._task_choice,
            memory_bytes=context.memory,
            workers=workers,
            shares_workers=True,
            least_task_seconds=CLUSTER_TASK_SECONDS if isinstance(workers, ClusterWorkers) else 0.0,
            depth_first=self._has_table,
            merging=MergingThreads(knowledge, usable_cores(), workers.wake),
        )
        manager.hold(
            held_question(context.resources.store, game, question, job.id, lambda: context.control.reason == "turn")
        )
        self._managers[threshold] = manager
        return manager

    def for_value(self, stop_if_asked: Callable[[], None]) -> None:
        """There is none: the workers search for answers only."""

    def restored(self) -> None:
        """The results of workers are always checked."""

    def end(self, waiting: Collection[int] = ()) -> None:
        """As in `Searches`. The workers end with the last manager."""
        try:
            for threshold in self._managers.keys() - set(waiting):
                self._managers.pop(threshold).close()
            for manager in self._managers.values():
                manager.rest()
        finally:
            if not self._managers and self._shared_workers is not None:
                workers, self._shared_workers = self._shared_workers, None
                workers.close()

    def can_be_kept(self, search: ProofManager) -> bool:
        """As in `Searches`: with its tree, and the searches of its tasks."""
        return True

    def can_wait(self, search: ProofManager) -> bool:
        """As in `Searches`. What the workers proved is stored already."""
        return False

    def store_solution(self, search: ProofManager, threshold: int, nodes: int, seconds: float | None) -> StoredSolution:
        """What the workers proved is stored already."""
        return StoredSolution(WriteEnd.STORED, search.progress().merged)

    def add_progress(self, fields: dict[str, Any], manager: ProofManager | None) -> None:
        """What the workers do."""
        if manager is None:
            fields |= {"workers": self._context.spec.workers, "tasks_under_way": 0, "under_way": ()}
            return
        now, progress = manager.progress(), SolveProgress(**fields)
        numbers = ProofNumberSample(progress.seconds, progress.proof, progress.disproof, progress.nodes)
        course = self._courses[fields["at_least"]]
        course.add(numbers)
        fields |= {
            "algorithm_reason": self._reason,
            "tasks": now.tasks,
            "tasks_under_way": now.tasks_under_way,
            "workers": self._most_threads() if self._has_table else now.workers,
            "merged": now.merged,
            "under_way": tuple(map(self._task_text, now.under_way)),
            "course": course.until(numbers),
        }

    def reason(self, chosen: ChosenAlgorithm) -> str:
        """Who searches, and how well the algorithms of the tasks do."""
        return self._reason

    @property
    def _reason(self) -> str:
        return f"{self._workers}, {self._task_choice.text}"

    def _task_text(self, task: SearchedNow) -> TaskUnderWay:
        line, room = list[str](), TASK_LINE_CHARACTERS
        for text in texts_of_line(self._context.game, self._context.position, task.moves[:LINE_MOVES]):
            room -= len(text)
            if room < 0:
                break
            line.append(text)
        seconds = time.monotonic() - task.began
        return TaskUnderWay(tuple(line), len(task.moves), task.at_least, task.nodes, seconds, task.algorithm)

    def _cluster(self) -> Cluster | None:
        """The cluster of the service, where it can search for this job: it does not have games of users."""
        cluster, store = self._context.resources.cluster, self._context.resources.store
        if cluster is None or self._context.spec.worker_processes or self._context.of_users_game:
            return None
        if cluster.reads is None and cluster.read is not None and store.shared:
            return replace(cluster, reads=store.url)
        return cluster

    def _most_threads(self) -> int:
        """Workers on this machine. A job of a cluster that goes on without one may have more than help here."""
        workers = self._context.spec.workers
        return workers if workers <= MOST_WORKERS else os.cpu_count() or 1

    def _new_workers(self) -> Workers:
        context, cluster = self._context, self._cluster()
        spec = context.spec
        if cluster is not None:
            return ClusterWorkers(cluster, spec.workers)
        if self._has_table:
            removals = context.resources.store.removals(context.game.name)
            if self._table.removals != removals:  # it may hold what follows from records that have gone
                self._table.drop()
            self._table.removals = removals
            return ThreadWorkers(context.game, 1, self._table)
        count = self._most_threads()
        if spec.worker_processes and not context.of_users_game:
            return ProcessWorkers(count)
        return ThreadWorkers(context.game, count)
