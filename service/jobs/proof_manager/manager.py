"""The proof manager: best-first search over a tree of questions, whose leaves are searched by workers.

It offers what a search offers (run, cancel, progress), so a solve drives it like one: its budget, its pauses and its
questions are those of any solve. What it knows is in the store: what workers proved as claims, each checked before it
is stored, and its tree as the estimates of open questions. A manager that begins finds its tree there.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from proofbase.service.jobs.open_questions.estimates import INFINITE as INFINITE_NUMBER
from proofbase.service.jobs.proof_manager.question_tree import INFINITE, Node, Question, Questions, QuestionTree
from proofbase.service.jobs.proof_manager.task import Task, TaskResult
from proofbase.service.jobs.proof_manager.workers import KNOWN_SENT, Workers
from proofbase.storage import Estimate

__all__ = ["Facts", "ManagerOutcome", "ManagerProgress", "ProofManager"]

_log = logging.getLogger(__name__)
FIRST_TASK_NODES = 50_000
LARGEST_TASK_NODES = 5_000_000
"""Some five to ten seconds."""
TASK_SHARE = 16
"""A task may take one of so many parts of the work so far, for each worker: its budget grows with the question."""
SAVE_SECONDS = 0.25
"""The numbers of the tree are stored so often. Claims are stored when they come."""
LOOK_SECONDS = 0.1
FAILURES = 3
"""So many times workers may fail (one was killed, say) without a result in between before the job does."""
FAILURE_SECONDS = 1.0


class Facts(Questions, Protocol):
    """What a manager asks of its game and its store (`StoreFacts`)."""

    merged: int

    def settled(self, questions: list[tuple[Any, int]]) -> list[bool | None]:
        """The answers that are known."""

    def known(self) -> Any:
        """What workers of this process share."""

    def known_items(self, most: int) -> tuple[tuple[bytes, bytes], ...]:
        """What is sent to workers elsewhere."""

    def merge(self, node: Node, answer: bool, records: tuple[tuple[bytes, bytes], ...], algorithm: str) -> None:
        """Checks and stores what a worker proved."""

    def derive(self, node: Node, answer: bool) -> bool:
        """Stores the claim of a node that its children settle, if they support it."""

    def estimates(self, questions: list[Question]) -> list[Estimate | None]:
        """What is believed of questions."""

    def save(self, nodes: Iterable[Node], answered: Iterable[Question]) -> None:
        """Stores what is believed of nodes, and forgets it of answered questions."""


@dataclass(frozen=True, slots=True)
class ManagerOutcome:
    """The state of a manager, as that of a search."""

    status: Literal["proved", "disproved", "unknown"]
    reason: Literal["nodes", "seconds", "cancelled", "exhausted"] | None = None


@dataclass(frozen=True, slots=True)
class ManagerProgress:
    """How far a manager is: the fields of a search's report, and what its workers do."""

    nodes: int
    seconds: float
    nodes_per_second: float
    proof: int
    disproof: int
    memory: int = 0
    best_line: list[int] = field(default_factory=list)
    best_line_moves: int = 0
    replies_proved: int = 0
    replies: int = 0
    tasks: int = 0
    tasks_under_way: int = 0
    workers: int = 0
    merged: int = 0


class ProofManager:
    """Answers one question with many workers.

    Args:
        facts: the game, and what is known of it.
        position: the question's position.
        question: its key and its bound.
        game_name, text: the game, and a function that gives the text of a position, for tasks.
        algorithm: of the tasks.
        memory_bytes: of all workers together.
        workers: search the tasks; closed with the manager.
        first_task_nodes: budget of the first tasks.
    """

    has_table = False

    def __init__(
        self,
        facts: Facts,
        position: Any,
        question: Question,
        *,
        game_name: str,
        text: Any,
        algorithm: str,
        memory_bytes: int,
        workers: Workers,
        first_task_nodes: int = FIRST_TASK_NODES,
    ) -> None:
        self._facts = facts
        self._game_name = game_name
        self._text = text
        self._task_algorithm = algorithm
        self._memory_bytes = memory_bytes
        self._workers = workers
        self._first_task_nodes = first_task_nodes
        self._tree = QuestionTree(facts, position, question, facts.derive)
        self._under_way: dict[int, tuple[list[Node], int]] = {}
        """The tasks that are searched, by number: the way to the node, and the budget."""
        self._number = 0
        self._nodes = 0
        self._seconds = 0.0
        self._finished_tasks = 0
        self._failures = 0
        self._failed = -FAILURE_SECONDS
        self._saved = 0.0
        self._loaded = False
        self._reason: Any = None
        self._cancelled = threading.Event()
        self._held = ExitStack()
        self._progress = ManagerProgress(0, 0.0, 0.0, 1, 1, workers=workers.count)

    @property
    def algorithm(self) -> str:
        """What answers: the manager, and the algorithm of its tasks."""
        return f"proof-manager+{self._task_algorithm}"

    @property
    def status(self) -> Literal["proved", "disproved", "unknown"]:
        """The answer, if there is one."""
        answer = self._tree.root.settled
        return "unknown" if answer is None else "proved" if answer else "disproved"

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
        self._report()

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
        started = self._began = time.monotonic()
        before = self._seconds
        if memory is not None:
            self._memory_bytes = memory
        try:
            if not self._loaded:
                self._load()
            while True:
                reason = self._next_step(nodes, None if seconds is None else started + seconds)
                self._seconds = before + time.monotonic() - started
                self._report()
                if reason is not None:
                    break
        finally:
            self._seconds = before + time.monotonic() - started
        self._save()
        answered = self._tree.root.settled is not None
        if answered:
            self._finish_all()
        return ManagerOutcome(self.status, None if answered else reason)

    def _next_step(self, nodes: int | None, deadline: float | None) -> Any:
        """Starts and finishes tasks. Returns why the run has to end; None if it goes on."""
        if self._tree.root.settled is not None:
            return "answered"
        if self._cancelled.is_set():
            self._finish_all()
            self._cancelled.clear()
            self._workers.go_on()
            return "answered" if self._tree.root.settled is not None else "cancelled"
        if nodes is not None and self._nodes >= nodes:
            self._finish_all()
            return "nodes"
        left = LOOK_SECONDS if deadline is None else min(LOOK_SECONDS, deadline - time.monotonic())
        if left <= 0:
            return "seconds"
        self._start_tasks(nodes)
        if self._tree.root.settled is not None:
            return "answered"
        if not self._under_way:
            return "exhausted" if nodes is None or self._nodes < nodes else "nodes"
        finished = self._workers.next_finished(left)
        while finished is not None:
            self._finish(*finished)
            finished = self._workers.next_finished(0)
        if time.monotonic() - self._saved >= SAVE_SECONDS:
            self._save()
        return None

    # Tasks

    def _start_tasks(self, nodes: int | None) -> None:
        while len(self._under_way) < self._workers.count and self._tree.root.settled is None:
            budget = self._task_nodes()
            if nodes is not None:
                budget = min(budget, nodes - self._nodes - sum(given for _, given in self._under_way.values()))
                if budget <= 0:
                    return
            path = self._tree.most_proving_path()
            if path is None:
                path = self._tree.most_proving_path(free=False)
                if path is None or path[-1].alone or not path[-1].under_way:
                    return
                self._tree.expand(path[-1])  # a worker has it, and others are idle: they begin below it
                continue
            leaf = path[-1]
            if leaf.own_work * 2 > budget and not leaf.alone:
                self._tree.expand(leaf)
                continue
            self._submit(path, max(budget, 2 * leaf.own_work) if leaf.alone else budget)

    def _task_nodes(self) -> int:
        """What a task may take now."""
        share = self._tree.root.work // (TASK_SHARE * self._workers.count)
        return max(self._first_task_nodes, min(LARGEST_TASK_NODES, share))

    def _submit(self, path: list[Node], budget: int) -> None:
        leaf = path[-1]
        self._number += 1
        task = Task(
            number=self._number,
            game=self._game_name,
            position=self._text(leaf.position),
            at_least=leaf.question[1],
            algorithm=self._task_algorithm,
            nodes=budget,
            memory_bytes=max(1 << 20, self._memory_bytes // self._workers.count),
            known=self._facts.known_items(KNOWN_SENT) if self._workers.sends_known else (),
        )
        known = None if self._workers.sends_known else self._facts.known()
        self._tree.start(leaf)
        self._under_way[task.number] = path, budget
        self._workers.submit(task, known)

    def _finish(self, number: int, result: TaskResult | BaseException) -> None:
        """Takes in what a task has brought. A task that is not under way (it came twice) changes nothing."""
        path, _ = self._under_way.pop(number, ([], 0))
        if not path:
            return
        node = path[-1]
        self._tree.stop(node)
        if isinstance(result, BaseException):
            # When a process is killed, all tasks of its executor fail at once: that is one failure.
            if time.monotonic() - self._failed > FAILURE_SECONDS:
                self._failures += 1
            self._failed = time.monotonic()
            if self._failures > FAILURES:
                raise result
            _log.warning("a worker has failed, its task is given out again: %s", result)
            return
        self._failures = 0
        self._finished_tasks += 1
        self._nodes += result.nodes
        if self._tree.root.settled is not None:
            return  # it came too late
        if result.answer is not None and node.settled is None:
            self._facts.merge(node, result.answer, result.records, result.algorithm)
            for ancestor in path[:-1]:
                ancestor.work += result.nodes
            self._tree.changed.update(path)
            self._tree.settle(node.question, result.answer)
            self._settle_by_facts({key for key, _ in result.records})
        else:
            self._tree.searched(path, result.proof, result.disproof, result.nodes, result.algorithm)

    def _settle_by_facts(self, keys: set[bytes]) -> None:
        """Settles the open questions of the tree that new records answer."""
        nodes = self._tree.open_at(keys)
        answers = self._facts.settled([(node.position, node.question[1]) for node in nodes]) if nodes else []
        for node, answer in zip(nodes, answers, strict=True):
            if answer is not None:
                self._tree.settle(node.question, answer)

    def _finish_all(self) -> None:
        """Stops all tasks, and takes in what they have brought."""
        self._workers.stop()
        while self._under_way:
            finished = self._workers.next_finished(1.0)
            if finished is not None:
                self._finish(*finished)
        self._save()
        self._workers.go_on()

    # The store

    def _load(self) -> None:
        """Makes the tree from the estimates in the store."""
        self._loaded = True
        root = self._tree.root
        [answer] = self._facts.settled([(root.position, root.question[1])])
        if answer is not None:
            self._tree.settle(root.question, answer)
            return
        waiting = [root]
        self._believe(waiting)
        while waiting:
            node = waiting.pop()
            if node.settled is not None or node.children is not None or node.work <= 0:
                continue
            children = self._facts.children(node.position, node.question[1])
            believed = self._facts.estimates([child.question for child in children])
            if not any(entry is not None and entry.work > 0 for entry in believed):
                continue
            below = [child for child in self._tree.expand(node) if child.settled is None and child.repeats is None]
            self._believe(below)
            self._tree.update([node])
            waiting += below
        self._tree.changed.clear()

    def _believe(self, nodes: list[Node]) -> None:
        """Takes the numbers of leaves from the store."""
        for node, found in zip(nodes, self._facts.estimates([node.question for node in nodes]), strict=True):
            if found is not None and node.children is None:
                node.proof, node.disproof = min(found.proof, INFINITE - 1), min(found.disproof, INFINITE - 1)
                node.work = node.own_work = found.work
                node.searched_by = found.algorithm

    def _save(self) -> None:
        """Stores the numbers that have changed."""
        self._saved = time.monotonic()
        changed, answered = list(self._tree.changed), list(self._tree.answered)
        if changed or answered:
            self._facts.save(changed, answered)
            self._tree.changed.difference_update(changed)
            del self._tree.answered[: len(answered)]

    def close(self) -> None:
        """Ends the workers. Nothing that is not stored by now is stored."""
        try:
            self._workers.close()
        finally:
            self._held.close()

    # The report

    def _report(self) -> None:
        root, line = self._tree.root, list[int]()
        path = self._tree.most_proving_path(free=False) or [root]
        line = [node.move for node in path[1:] if node.move is not None]
        proof, disproof = root.numbers()
        self._progress = ManagerProgress(
            nodes=self._nodes,
            seconds=self._seconds,
            nodes_per_second=self._nodes / self._seconds if self._seconds > 0 else 0.0,
            proof=min(proof, INFINITE_NUMBER),
            disproof=min(disproof, INFINITE_NUMBER),
            best_line=line,
            best_line_moves=len(line),
            tasks=self._finished_tasks,
            tasks_under_way=len(self._under_way),
            workers=self._workers.count,
            merged=self._facts.merged,
        )
