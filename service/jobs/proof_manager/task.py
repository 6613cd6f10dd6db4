"""The work of one worker: a search for the answer to one question, within a budget. Runs in a thread or a process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from proofbase.engine.errors import SearchCancelledError
from proofbase.engine.rules import Game
from proofbase.service.jobs.proof_manager.kept_searches import KeptSearch, KeptSearches
from proofbase.service.jobs.question_run import QuestionRun, RunEnd
from proofbase.service.jobs.solve.estimates import INFINITE_OF_SEARCH
from proofbase.service.resources.algorithm_choice import AlgorithmChoice
from proofbase.service.resources.native import new_search
from proofbase.service.resources.search_table import SearchTable

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable, Search

__all__ = ["Task", "TaskResult", "run_task"]

LOOK_SECONDS = 0.2
"""How often a search looks whether it has to stop."""
CHUNK = 5_000
GOES_ON = (RunEnd.NODES, RunEnd.SECONDS, RunEnd.CANCELLED)
"""A search that has ended so can go on."""
KEPT_WHOLE = 2_000
"""Nodes of a search up to which its solution is kept whole. Of others, claims that a small search settles are stored
without the records below them: a proof has many parts, and all of them go through the manager's check and its store."""
TRIMMED = 1_000
"""A solution of more records is trimmed by the worker: what a search has inherited from another one may be large."""


@dataclass(frozen=True, slots=True)
class Task:
    """A question for a worker.

    Attributes:
        number: another one for each task of a manager.
        game: canonical name.
        position: in text.
        at_least: the question: is the value at least this?
        algorithm: `auto`, or a family with policies.
        nodes: give up after so many.
        memory_bytes: what the search may hold.
        seconds: give up after so many.
        known: keys and records of what is known, where the worker has no table of its own.
        with_solution: an answer is to come with its solution.
        searched: nodes that other tasks have searched for the question.
    """

    number: int
    game: str
    position: str
    at_least: int
    algorithm: str
    nodes: int
    memory_bytes: int
    seconds: float = float("inf")
    known: tuple[tuple[bytes, bytes], ...] = ()
    with_solution: bool = True
    searched: int = 0

    @property
    def asked(self) -> tuple[str, int]:
        """The question."""
        return self.position, self.at_least


@dataclass(frozen=True, slots=True)
class TaskResult:
    """What a worker has found.

    Attributes:
        number: of the task.
        answer: None if the question is open.
        proof, disproof: what the last search with such numbers believes of an open question.
        nodes, seconds: what it took.
        algorithm: of the search that ended the task.
        records: keys and records of the solution, what a claim rests on before the claim.
        stopped: the worker was told to stop before the budget was used up.
        line: moves from the position to where a search that has left the question open was, by their numbers.
    """

    number: int
    answer: bool | None
    proof: int
    disproof: int
    nodes: int
    seconds: float
    algorithm: str
    records: tuple[tuple[bytes, bytes], ...] = ()
    stopped: bool = False
    line: tuple[int, ...] = ()


def run_task(
    task: Task,
    game: Game[Any],
    position: Any,
    known: RecordTable | None,
    stop: Callable[[], bool],
    table: SearchTable | None = None,
    kept: KeptSearches | None = None,
) -> TaskResult:
    """Searches for the answer.

    `auto` goes through the algorithms as a solve does, within the nodes of the task. A search of the same question that
    was kept goes on.

    Args:
        task: what is asked.
        game: the game.
        position: the position of the task.
        known: records that settle what they can.
        stop: whether the worker has to stop.
        table: the transposition table of the worker, which its tasks hand on.
        kept: searches of earlier tasks. One without a table of its own that this task leaves open is kept there.
    """
    started = time.monotonic()

    def new(algorithm: str) -> Search:
        return new_search(game, position, task.at_least, algorithm=algorithm, known=known)

    earlier = None if kept is None else kept.take(task.asked)
    if earlier is not None and earlier.known is not known:
        earlier = None  # it may rest on records that have gone
    algorithm = task.algorithm if earlier is None else earlier.algorithm
    if earlier is None:
        run = QuestionRun(task.at_least, AlgorithmChoice(game, algorithm, {}), new, table or SearchTable())
    else:
        run = earlier.run
    nodes, proof, disproof = 0, 1, 1
    while True:
        search, before = (run.begin_search(), 0) if earlier is None else (run.search, earlier.nodes)
        earlier = None
        end = _run_slices(run, task, before + task.nodes - nodes, stop, started + task.seconds)
        progress = search.progress()
        nodes += progress.nodes - before
        numbers = (progress.proof, progress.disproof)
        if numbers != (1, 1) and all(0 < number < INFINITE_OF_SEARCH for number in numbers):
            proof, disproof = numbers
        answer: bool | None = None
        records: tuple[tuple[bytes, bytes], ...] = ()
        if end is RunEnd.ANSWERED:
            answer = search.status == "proved"
            try:
                if task.with_solution:
                    records = _solution(search, game.key(position), task.searched, stop)
            except SearchCancelledError:
                answer, end = None, RunEnd.CANCELLED
        elif run.another_search_follows(end) and nodes < task.nodes:
            continue
        elif kept is not None and end in GOES_ON and not search.has_table:
            kept.put(task.asked, KeptSearch(run, algorithm, progress.nodes, progress.memory, known))
        return TaskResult(
            number=task.number,
            answer=answer,
            proof=proof,
            disproof=disproof,
            nodes=nodes,
            seconds=time.monotonic() - started,
            algorithm=search.algorithm,
            records=records,
            stopped=end is RunEnd.CANCELLED,
            line=tuple(progress.best_line),
        )


def _run_slices(run: QuestionRun, task: Task, nodes: int, stop: Callable[[], bool], end: float) -> RunEnd:
    """Runs a search until it ends, `stop` says so or the time is `end` (time.monotonic)."""
    while not stop():
        if time.monotonic() >= end:
            return RunEnd.SECONDS
        ended = run.run(LOOK_SECONDS, task.memory_bytes, max(1, nodes))
        if ended is not RunEnd.SECONDS:
            return ended
    return RunEnd.CANCELLED


def _solution(search: Search, key: bytes, searched: int, stop: Callable[[], bool]) -> tuple[tuple[bytes, bytes], ...]:
    whole = search.progress().nodes + searched <= KEPT_WHOLE
    with _cancelled_by(stop, search):
        solution = search.solution(small_search_nodes=0 if whole else None)
    if len(solution) > TRIMMED:
        solution = solution.trimmed(key)
    return tuple(item for chunk in solution.chunks(CHUNK, well_founded=True) for item in chunk)


@contextmanager
def _cancelled_by(stop: Callable[[], bool], search: Search) -> Iterator[None]:
    """Looks meanwhile whether the worker has to stop, and then ends what the search does."""
    done = threading.Event()

    def look() -> None:
        while not done.wait(LOOK_SECONDS):
            if stop():
                search.cancel()

    looking = threading.Thread(target=look, name="proof worker stop", daemon=True)
    looking.start()
    try:
        yield
    finally:
        done.set()
        looking.join()
