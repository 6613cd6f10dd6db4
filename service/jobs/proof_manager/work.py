"""The work of a solve with many workers: that of any solve, whose searches are proof managers."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from typing import Any

from proofbase.engine.checking.parallel_check import usable_cores
from proofbase.service.jobs.control import JobControl
from proofbase.service.jobs.proof_manager.cluster_workers import ClusterWorkers
from proofbase.service.jobs.proof_manager.course import Course
from proofbase.service.jobs.proof_manager.holding import holding
from proofbase.service.jobs.proof_manager.manager import ProofManager
from proofbase.service.jobs.proof_manager.merging import MergingThreads
from proofbase.service.jobs.proof_manager.report import SearchedNow
from proofbase.service.jobs.proof_manager.store_facts import StoreFacts
from proofbase.service.jobs.proof_manager.task_choice import TaskChoice, candidates
from proofbase.service.jobs.proof_manager.workers import ProcessWorkers, ThreadWorkers, Workers
from proofbase.service.jobs.solve import SolveWork
from proofbase.service.jobs.solve_report import NumbersThen, SolveProgress, SolveResult, SolveSpec, TaskUnderWay
from proofbase.service.jobs.thresholds import Attempt
from proofbase.service.limits import LINE_MOVES
from proofbase.service.positions import texts_of_line
from proofbase.service.resources import Resources
from proofbase.service.resources.algorithm_choice import is_automatic
from proofbase.service.resources.cluster import Cluster
from proofbase.service.resources.native import ChosenAlgorithm

__all__ = ["MOST_CLUSTER_WORKERS", "MOST_WORKERS", "ManagedSolveWork", "solve_work"]

MOST_WORKERS = 64
"""Of one job on this machine: more than its processors do not help."""
MOST_CLUSTER_WORKERS = 4_096
"""Of one job on a cluster: as far as the manager was simulated. Far fewer are worth it (docs/proof-manager.md)."""
TASK_LINE_CHARACTERS = 500
"""Of the line to a task, in the progress."""
CLUSTER_TASK_SECONDS = 1.0
"""Shorter tasks would spend their time on the way to the workers."""


def solve_work(resources: Resources, control: JobControl, spec: SolveSpec) -> SolveWork:
    """The work of a solve: one search at a time, or a manager with workers."""
    return ManagedSolveWork(resources, control, spec) if spec.workers else SolveWork(resources, control, spec)


class _TaskAlgorithm:
    """Stands for the choice of an algorithm: each task has its own."""

    def __init__(self, name: str, workers: str, choice: TaskChoice) -> None:
        self._name = name
        self._workers = workers
        self._choice = choice

    @property
    def reason(self) -> str:
        return f"{self._workers}, {self._choice.text}"

    def for_question(self, threshold: int) -> ChosenAlgorithm:
        return ChosenAlgorithm(self._name, self.reason)

    def nodes_used_up(self, threshold: int) -> None:
        """Tasks take care of that."""

    def exhausted(self, threshold: int) -> bool:
        return False

    def memory_used_up(self) -> bool:
        return False


class ManagedSolveWork(SolveWork):
    """A solve whose questions are answered by many workers.

    Args:
        resources, control, spec: as for `SolveWork`.
    """

    def __init__(self, resources: Resources, control: JobControl, spec: SolveSpec) -> None:
        super().__init__(resources, control, spec)
        cluster = self._cluster()
        workers = f"{spec.workers} workers" if cluster is None else f"the cluster {cluster.address}"
        names = candidates(self._game) if is_automatic(spec.algorithm) else (spec.algorithm,)
        self._task_choice = TaskChoice(names)
        self._tasks_by = _TaskAlgorithm(spec.algorithm, workers, self._task_choice)
        choice: Any = self._tasks_by
        self._choice = choice
        self._manager: ProofManager | None = None
        self._course = Course()

    def progress(self) -> SolveProgress:
        """That of a solve, with what the workers do."""
        report, manager = super().progress(), self._manager
        if manager is None:
            return replace(report, workers=self._spec.workers, tasks_under_way=0, under_way=())
        now = manager.progress()
        numbers = NumbersThen(report.seconds, report.proof, report.disproof, report.nodes)
        self._course.add(numbers)
        return replace(
            report,
            algorithm_reason=self._tasks_by.reason,
            tasks=now.tasks,
            tasks_under_way=now.tasks_under_way,
            workers=now.workers,
            merged=now.merged,
            under_way=tuple(map(self._task_text, now.under_way)),
            course=self._course.until(numbers),
        )

    def _result(self, reason: str | None) -> SolveResult:
        result = super()._result(reason)
        return result if result.algorithm_reason is None else replace(result, algorithm_reason=self._tasks_by.reason)

    def _task_text(self, task: SearchedNow) -> TaskUnderWay:
        line, room = list[str](), TASK_LINE_CHARACTERS
        for text in texts_of_line(self._game, self._position, task.moves[:LINE_MOVES]):
            room -= len(text)
            if room < 0:
                break
            line.append(text)
        seconds = time.monotonic() - task.began
        return TaskUnderWay(tuple(line), len(task.moves), task.at_least, task.nodes, seconds, task.algorithm)

    def _make_attempt(self, attempt: Attempt) -> str | None:
        try:
            return super()._make_attempt(attempt)
        finally:
            manager, self._manager = self._manager, None
            if manager is not None:
                manager.close()

    def _new_search(self, threshold: int) -> Any:
        resources, game, job = self._resources, self._game, self._control.job
        facts = StoreFacts(resources, game, job.id, job.origin, self._control.patiently)
        question = game.key(self._position), threshold
        workers = self._new_workers()
        before = job.progress
        if isinstance(before, SolveProgress) and before.at_least == threshold:
            self._course = Course(before.course)
        else:
            self._course = Course()
        self._manager = manager = ProofManager(
            facts,
            self._position,
            question,
            game_name=game.name,
            text=game.text,
            choice=self._task_choice,
            memory_bytes=self._memory,
            workers=workers,
            least_task_seconds=CLUSTER_TASK_SECONDS if isinstance(workers, ClusterWorkers) else 0.0,
            merging=MergingThreads(facts, usable_cores(), workers.wake),
        )
        manager.hold(holding(resources.store, game, question, job.id))
        self._control.on_stop(manager.cancel)
        return manager

    def _cluster(self) -> Cluster | None:
        """The cluster of the service, where it can search for this job: it does not have games of users."""
        cluster, store = self._resources.cluster, self._resources.store
        if cluster is None or self._spec.worker_processes or self._resources.games.is_users_own(self._game.name):
            return None
        if cluster.reads is None and cluster.read is not None and store.shared:
            return replace(cluster, reads=store.url)
        return cluster

    def _new_workers(self) -> Workers:
        cluster, spec = self._cluster(), self._spec
        if cluster is not None:
            return ClusterWorkers(cluster, spec.workers)
        # A job of a cluster that goes on without one may have more workers than help here.
        count = spec.workers if spec.workers <= MOST_WORKERS else os.cpu_count() or 1
        if spec.worker_processes and not self._resources.games.is_users_own(self._game.name):
            return ProcessWorkers(count)
        return ThreadWorkers(self._game, count)

    def _write_proof(self, search: Any, threshold: int) -> bool:
        """What the workers proved is stored already."""
        manager = self._manager
        if manager is not None:
            self._spent.records += manager.progress().merged
        return True
