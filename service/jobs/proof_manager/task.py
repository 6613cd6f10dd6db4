"""The work of one worker: a search for the answer to one question, within a budget. Runs in a thread or a process."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from proofbase.engine.rules import Game
from proofbase.service.jobs.open_questions.estimates import INFINITE
from proofbase.service.resources.algorithm_choice import AlgorithmChoice
from proofbase.service.resources.native import new_search
from proofbase.service.resources.search_table import SearchTable

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable, Search

__all__ = ["Task", "TaskResult", "run_task"]

LOOK_SECONDS = 0.2
"""How often a search looks whether it has to stop."""
CHUNK = 5_000
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


def run_task(
    task: Task,
    game: Game[Any],
    position: Any,
    known: RecordTable | None,
    stop: Callable[[], bool],
    table: SearchTable | None = None,
) -> TaskResult:
    """Searches for the answer.

    `auto` goes through the algorithms as a solve does, within the nodes of the task.

    Args:
        task: what is asked.
        game: the game.
        position: the position of the task.
        known: records that settle what they can.
        stop: whether the worker has to stop.
        table: the transposition table of the worker, which its tasks hand on.
    """
    table = table or SearchTable()
    started = time.monotonic()
    choice = AlgorithmChoice(game, task.algorithm, {})
    nodes, proof, disproof = 0, 1, 1
    while True:
        chosen = choice.for_question(task.at_least)
        search = new_search(game, position, task.at_least, algorithm=chosen.name, known=known)
        table.lend(search)
        first_only = chosen.nodes is not None and chosen.nodes < task.nodes - nodes
        limit = chosen.nodes if first_only and chosen.nodes is not None else max(1, task.nodes - nodes)
        reason = _run(search, limit, task.memory_bytes, stop, started + task.seconds)
        report = search.progress()
        table.keep(search)
        nodes += report.nodes
        if (report.proof, report.disproof) != (1, 1) and 0 < report.proof < INFINITE and 0 < report.disproof < INFINITE:
            proof, disproof = report.proof, report.disproof
        if reason is None:
            solution = search.solution(small_search_nodes=0 if report.nodes <= KEPT_WHOLE else None)
            if len(solution) > TRIMMED:
                solution = solution.trimmed(game.key(position))
            records = tuple(item for chunk in solution.chunks(CHUNK, well_founded=True) for item in chunk)
            answer = search.status == "proved"
            return TaskResult(
                task.number, answer, proof, disproof, nodes, time.monotonic() - started, search.algorithm, records
            )
        goes_on = (
            (reason == "nodes" and first_only)
            or (reason == "memory" and choice.memory_used_up())
            or (reason == "exhausted" and choice.exhausted(task.at_least))
        )
        if reason == "nodes" and first_only:
            choice.nodes_used_up(task.at_least)
        if not goes_on or nodes >= task.nodes:
            spent = time.monotonic() - started
            return TaskResult(
                task.number, None, proof, disproof, nodes, spent, search.algorithm, stopped=reason == "stop"
            )


def _run(search: Search, nodes: int, memory_bytes: int, stop: Callable[[], bool], end: float) -> str | None:
    """Runs a search to its end, in slices, or until `end` (time.monotonic).

    Returns why it has no answer, `stop` if it was told to stop.
    """
    while not stop():
        if time.monotonic() >= end:
            return "seconds"
        outcome = search.run(nodes=nodes, seconds=LOOK_SECONDS, memory=memory_bytes)
        if outcome.status != "unknown":
            return None
        if outcome.reason != "seconds":
            return str(outcome.reason)
    return "stop"
