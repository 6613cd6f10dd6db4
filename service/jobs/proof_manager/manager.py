"""The proof manager: a search over a tree of questions, whose leaves are searched by workers.

It offers what a search offers (run, cancel, progress), so a solve drives it like one: its budget, its pauses and its
questions are those of any solve. What it knows is in the store: what workers proved as claims, each checked before it
is stored, and its tree as the estimates of open questions. A manager that begins finds its tree there.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from itertools import count, islice
from typing import Any, Literal

from proofbase.engine.errors import UnknownAlgorithmError
from proofbase.service.jobs.proof_manager.best_first import BestFirst
from proofbase.service.jobs.proof_manager.depth_first import DepthFirst
from proofbase.service.jobs.proof_manager.knowledge import Knowledge
from proofbase.service.jobs.proof_manager.merging import CheckedResult, Merging
from proofbase.service.jobs.proof_manager.model import ManagerOutcome, ManagerProgress, SearchedNow
from proofbase.service.jobs.proof_manager.question_tree import Node, Question, QuestionTree
from proofbase.service.jobs.proof_manager.stored_tree import load_tree
from proofbase.service.jobs.proof_manager.task import Task, TaskResult
from proofbase.service.jobs.proof_manager.task_budget import FIRST_TASK_NODES, TaskBudget
from proofbase.service.jobs.proof_manager.task_choice import TaskChoice
from proofbase.service.jobs.proof_manager.task_order import NextTask, TaskOrder
from proofbase.service.jobs.proof_manager.workers import TaskLostError, Workers
from proofbase.service.jobs.solve.estimates import INFINITE_OF_SEARCH

__all__ = ["ProofManager"]

_log = logging.getLogger(__name__)
SAVE_SECONDS = 0.25
"""The numbers of the tree are stored so often. Claims are stored when they come."""
LOOK_SECONDS = 0.1
TASKS_SHOWN = 64
"""Tasks that are searched, in the progress: the oldest ones."""
MERGED_AT_A_TIME = 2
"""Results for each worker that wait to be checked and stored, up to which new tasks begin."""
FAILURES = 3
"""How often workers may fail (one was killed, say) without a result in between before the job does."""
FAILURE_SECONDS = 1.0
_numbers = count(1)
"""The numbers of tasks: managers that share workers give no number twice."""


class ProofManager:
    """Answers one question with many workers.

    Args:
        knowledge: the game, and what is known of it.
        position: the question's position.
        question: its key and its bound.
        game_name, text: the game, and a function that gives the text of a position, for tasks.
        choice: chooses the algorithm of each task.
        memory_bytes: of all workers together.
        workers: search the tasks.
        shares_workers: they are not closed with the manager: managers that take turns have them.
        first_task_nodes: budget of the first tasks.
        least_task_seconds: what a task should take at least, where it is a way to the workers.
        depth_first: tasks hand on a transposition table, in a game without cycles; else best first.
        clock: gives seconds; what passes while the manager does its own work tells how busy it is.
        merging: checks and stores what workers prove; closed with the manager.
    """

    has_table = False

    def __init__(
        self,
        knowledge: Knowledge,
        position: Any,
        question: Question,
        *,
        game_name: str,
        text: Any,
        choice: TaskChoice,
        memory_bytes: int,
        workers: Workers,
        first_task_nodes: int = FIRST_TASK_NODES,
        least_task_seconds: float = 0.0,
        depth_first: bool = False,
        clock: Callable[[], float] = time.perf_counter,
        merging: Merging,
        shares_workers: bool = False,
    ) -> None:
        self._shares_workers = shares_workers
        self._knowledge = knowledge
        self._game_name = game_name
        self._text = text
        self._choice = choice
        self._memory_bytes = memory_bytes
        self._workers = workers
        self._clock = clock
        self._budget = TaskBudget(first_task_nodes, least_task_seconds)
        self._tree = QuestionTree(knowledge, position, question, knowledge.derive)
        self._order: TaskOrder = (
            DepthFirst(self._tree, knowledge) if depth_first else BestFirst(self._tree, self._budget, workers, text)
        )
        self._merging = merging
        self._merged_now: dict[int, tuple[list[Node], TaskResult]] = {}
        """The results that are being checked and stored, by the number of their task: the way to the node."""
        self._under_way: dict[int, tuple[NextTask, SearchedNow]] = {}
        """The tasks that are searched, by number: with the way to the node, and what is told of the task."""
        self._nodes = 0
        self._seconds = 0.0
        self._finished_tasks = 0
        self._failures = 0
        self._failed = -FAILURE_SECONDS
        self._saved = 0.0
        self._loaded = False
        self._cancelled = threading.Event()
        self._held = ExitStack()
        self._progress = ManagerProgress(0, 0.0, 0.0, 1, 1, workers=workers.count)

    @property
    def algorithm(self) -> str:
        """What answers: the manager, and what its tasks are asked to search by."""
        return f"proof-manager+{self._choice.name}"

    @property
    def status(self) -> Literal["proved", "disproved", "unknown"]:
        """The answer, if there is one."""
        answer = self._tree.root.settled
        return "unknown" if answer is None else "proved" if answer else "disproved"

    @property
    def tree_nodes(self) -> int:
        """How many questions its tree has."""
        return sum(1 for _ in self._tree.nodes())

    def hold(self, context: Any) -> None:
        """Enters a context that is left when the manager is closed."""
        self._held.enter_context(context)

    def take_table(self, earlier: object) -> bool:
        """A manager has no table to begin with."""
        return False

    def progress(self) -> ManagerProgress:
        """How far it is, from any thread."""
        return self._progress

    def checkpoint(self) -> bytes:
        """What is counted. The tree itself is in the store."""
        return json.dumps({"nodes": self._nodes, "seconds": self._seconds}).encode() + b"\n"

    def restore(self, chunks: Iterable[bytes]) -> None:
        """Counts on from the last checkpoint."""
        for line in b"".join(chunks).splitlines():
            counted = json.loads(line)
            self._nodes, self._seconds = int(counted["nodes"]), float(counted["seconds"])
        self._update_progress()

    def cancel(self) -> None:
        """Ends the run under way, or the next one at once."""
        self._cancelled.set()
        self._workers.stop()

    def run(self, nodes: int | None = None, seconds: float | None = None, memory: int | None = None) -> ManagerOutcome:
        """Hands out tasks until the question is answered, a limit is reached or `cancel` is called.

        Tasks go on between two calls, so that a solve can save how far it is.

        Args:
            nodes: created since the search began.
            seconds: of this call.
            memory: of all workers together, in bytes.
        """
        started = time.monotonic()
        before = self._seconds
        if memory is not None:
            self._memory_bytes = memory
        try:
            if not self._loaded:
                load_tree(self._tree, self._knowledge, trusts=self._order.trusts)
                self._loaded = True
            while True:
                reason = self._next_step(nodes, None if seconds is None else started + seconds)
                self._seconds = before + time.monotonic() - started
                self._update_progress()
                if reason is not None:
                    break
        finally:
            self._seconds = before + time.monotonic() - started
        self._save()
        status = self.status
        if status != "unknown":
            self._finish_all()
        return ManagerOutcome(status, reason if status == "unknown" else None)

    def _next_step(self, nodes: int | None, deadline: float | None) -> Any:
        """Starts and finishes tasks. Returns why the run has to end; None if it goes on."""
        if self._answered():
            return "answered"
        if self._cancelled.is_set():
            self._finish_all()
            self._cancelled.clear()
            self._workers.go_on()
            return "cancelled"
        if nodes is not None and self._nodes >= nodes:
            self._finish_all()
            return "nodes"
        seconds_left = LOOK_SECONDS if deadline is None else min(LOOK_SECONDS, deadline - time.monotonic())
        if seconds_left <= 0:
            return "seconds"
        began = self._clock()
        if len(self._merged_now) <= MERGED_AT_A_TIME * self._workers.count:
            self._start_tasks(nodes)
        self._budget.managed(self._clock() - began)
        if self._answered():
            return "answered"
        if not self._under_way and not self._merged_now and self._workers.count:
            return "exhausted" if nodes is None or self._nodes < nodes else "nodes"
        finished = self._workers.next_finished(seconds_left)
        began = self._clock()
        while finished is not None:
            self._finish(*finished)
            # When half of the workers have nothing to do, they get new tasks before the next result is looked at.
            finished = self._workers.next_finished(0) if len(self._under_way) * 2 > self._workers.count else None
        self._take_merged()
        if time.monotonic() - self._saved >= SAVE_SECONDS:
            self._save()
        self._budget.managed(self._clock() - began)
        self._budget.merged(self._merging.take_seconds())
        return None

    def _answered(self) -> bool:
        return self._tree.root.settled is not None

    # Tasks

    def _start_tasks(self, nodes: int | None) -> None:
        while len(self._under_way) < self._workers.count and self._tree.root.settled is None:
            nodes_left = None
            if nodes is not None:
                nodes_left = nodes - self._nodes - sum(task.nodes for _, task in self._under_way.values())
                if nodes_left <= 0:
                    return
            following = self._order.next(nodes_left)
            if following is None:
                return
            self._submit(following)

    def _submit(self, following: NextTask) -> None:
        leaf = following.path[-1]
        text = self._text(leaf.position)
        task = Task(
            number=next(_numbers),
            game=self._game_name,
            position=text,
            at_least=leaf.question[1],
            algorithm=self._workers.keeps((text, leaf.question[1])) or self._choice.next(),
            nodes=following.nodes,
            memory_bytes=self._workers.task_memory(self._memory_bytes),
            seconds=following.seconds,
            known=self._knowledge.known_items(self._workers.known_sent) if self._workers.sends_known else (),
            with_solution=following.with_solution,
            searched=leaf.work,
        )
        known = None if self._workers.sends_known else self._knowledge.known()
        self._tree.start(leaf)
        for node in following.path:
            node.workers += 1
        self._under_way[task.number] = (
            following,
            SearchedNow(leaf.line(), leaf.question[1], task.nodes, task.algorithm, time.monotonic()),
        )
        self._workers.submit(task, known)

    def _finish(self, number: int, result: TaskResult | BaseException) -> None:
        """Takes in what a task has brought. A task that is not under way (it came twice) changes nothing."""
        under_way = self._under_way.pop(number, None)
        if under_way is None:
            return
        (path, _, _, with_solution), task = under_way
        node = path[-1]
        for above in path:
            above.workers -= 1
        answer = None if isinstance(result, BaseException) or node.settled is not None else result.answer
        proved = answer is not None and with_solution
        if not proved:
            self._tree.stop(node)
        if isinstance(result, BaseException):
            # When a process is killed, all tasks of its executor fail at once: that is one failure.
            if not isinstance(result, TaskLostError):
                now = time.monotonic()
                if now - self._failed > FAILURE_SECONDS:
                    self._failures, self._failed = self._failures + 1, now
                if self._failures > FAILURES or isinstance(result, UnknownAlgorithmError):
                    raise result
            _log.warning("a worker has failed, its task is given out again: %s", result)
            return
        self._failures = 0
        self._finished_tasks += 1
        self._nodes += result.nodes
        self._budget.searched(result.nodes, result.seconds)
        if not result.stopped:
            self._choice.finished(task.algorithm, result.seconds, settled=result.answer is not None)
        if self._tree.root.settled is not None:
            return  # it came too late
        if proved and answer is not None:
            self._tree.believe(node, answer)
            self._merged_now[number] = path, result
            self._merging.submit(
                CheckedResult(number, node.position, node.question[1], answer, result.records, result.algorithm)
            )
        else:
            self._order.ended(path, result, answer)

    def _take_merged(self) -> None:
        """Settles what was answered by results that are stored now."""
        while (merged := self._merging.next_merged()) is not None:
            number, error = merged
            path, result = self._merged_now.pop(number)
            if error is not None:
                raise error
            if self._tree.root.settled is not None or result.answer is None:
                continue
            for ancestor in path[:-1]:
                ancestor.work += result.nodes
            self._tree.changed.update(path)
            self._tree.settle(path[-1].question, result.answer)
            self._settle_by_records({key for key, _ in result.records})

    def _settle_by_records(self, keys: set[bytes]) -> None:
        """Settles the open questions of the tree that new records answer."""
        nodes = self._tree.open_at(keys)
        answers = self._knowledge.settled([(node.position, node.question[1]) for node in nodes]) if nodes else []
        for node, answer in zip(nodes, answers, strict=True):
            if answer is not None:
                self._tree.settle(node.question, answer)

    def _finish_all(self) -> None:
        """Stops all tasks, and takes in what they have brought."""
        self._workers.stop()
        while self._under_way or self._merged_now:
            finished = self._workers.next_finished(LOOK_SECONDS)
            if finished is not None:
                self._finish(*finished)
            self._take_merged()
        self._save()
        self._workers.go_on()

    # The store

    def _save(self) -> None:
        """Stores the numbers that have changed."""
        self._saved = time.monotonic()
        changed, answered = list(self._tree.changed), list(self._tree.answered)
        if changed or answered:
            self._knowledge.save(changed, answered)
            self._tree.changed.difference_update(changed)
            del self._tree.answered[: len(answered)]

    def rest(self) -> None:
        """Lets another manager go on: takes in what the tasks under way have brought."""
        if self._under_way or self._merged_now:
            self._finish_all()

    def close(self) -> None:
        """Ends the workers, if no other manager has them. Nothing that is not stored by now is stored."""
        try:
            if not self._shares_workers:
                self._workers.close()
            self._merging.close()
        finally:
            self._held.close()

    # The progress

    def _update_progress(self) -> None:
        root = self._tree.root
        line = list(self._order.line())
        proof, disproof = root.numbers()
        self._progress = ManagerProgress(
            nodes=self._nodes,
            seconds=self._seconds,
            nodes_per_second=self._nodes / self._seconds if self._seconds > 0 else 0.0,
            proof=min(proof, INFINITE_OF_SEARCH),
            disproof=min(disproof, INFINITE_OF_SEARCH),
            best_line=line,
            best_line_moves=len(line),
            tasks=self._finished_tasks,
            tasks_under_way=len(self._under_way),
            workers=self._workers.count,
            merged=self._knowledge.merged,
            under_way=tuple(task for _, task in islice(self._under_way.values(), TASKS_SHOWN)),
        )
