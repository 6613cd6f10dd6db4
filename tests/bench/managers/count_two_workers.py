"""How much two workers search beyond what one searches, in nodes: an answer that other work on the machine cannot blur.

    python tests/bench/managers/count_two_workers.py [--workers 2] [--first 20000] [--random] [QUESTION ...]

A question is `GAME,AT_LEAST` or `GAME,AT_LEAST,MOVE,...` after some moves. The real manager, the real searches; but a
task takes as many seconds as it has nodes, divided by 500,000, and the workers' time is counted in these. A task knows
what was stored when it began; on a real machine it learns of more while it runs, so two real workers repeat less.
Results are checked and stored at once. The same numbers come out at every run.

One question says little: which leaf happens to be the first makes 13 % more or less (standard deviation). `--random`
asks 48 questions (random_questions.txt) and prints the standard error of their mean.
"""

from __future__ import annotations

import argparse
import heapq
import sys
from collections import deque
from dataclasses import replace
from math import exp, log, sqrt
from pathlib import Path
from typing import Any, NamedTuple

from own_time import WorkersInOwnTime

from proofbase.engine.rules import Game
from proofbase.service.jobs.proof_manager.knowledge import StoredKnowledge
from proofbase.service.jobs.proof_manager.manager import ProofManager
from proofbase.service.jobs.proof_manager.merging import CheckedResult
from proofbase.service.jobs.proof_manager.task import Task, TaskResult, run_task
from proofbase.service.jobs.proof_manager.task_choice import TaskChoice
from proofbase.service.positions import find_position
from proofbase.service.resources import Resources
from proofbase.storage import open_store

QUESTIONS = (
    "connect-four:5x5,1", "connect-four:5x5,0", "connect-four:6x4,0", "connect-four:5x5,0,0", "connect-four:5x5,1,1",
    "connect-four:6x4,1,0", "connect-four:4x7,0", "connect-four:6x4,0,1", "connect-four:5x5,0,2",
)  # fmt: skip
RANDOM_QUESTIONS = Path(__file__).with_name("random_questions.txt")
NODES_PER_SECOND = 500_000
TASK_SECONDS = 0.002
"""Of every task beside its search."""


class MergingAtOnce:
    """Checks and stores when a result comes (`Merging`)."""

    def __init__(self, knowledge: StoredKnowledge) -> None:
        self._knowledge = knowledge
        self._merged = deque[int]()

    def submit(self, result: CheckedResult) -> None:
        """As in `Merging`."""
        self._knowledge.check_result(result)
        self._knowledge.store_results([result])
        self._merged.append(result.number)

    def next_merged(self) -> tuple[int, None] | None:
        """As in `Merging`."""
        return (self._merged.popleft(), None) if self._merged else None

    def take_seconds(self) -> float:
        """None of the counted time."""
        return 0.0

    def close(self) -> None:
        """There is nothing to end."""


class CountedWorkers(WorkersInOwnTime[TaskResult]):
    """Workers whose time is that of their nodes (`Workers`). A task is searched when it begins.

    Attributes:
        nodes, tasks: of all workers.
    """

    def __init__(self, game: Game[Any], count: int) -> None:
        super().__init__(count)
        self.nodes = self.tasks = 0
        self._game = game

    def submit(self, task: Task, known: Any) -> None:
        """As in `Workers`."""
        position = find_position(self._game, task.position)
        result = run_task(replace(task, seconds=float("inf")), self._game, position, known, lambda: False)
        seconds = result.nodes / NODES_PER_SECOND + TASK_SECONDS
        self.nodes += result.nodes
        self.tasks += 1
        heapq.heappush(self._under_way, (self.now + seconds, task.number, replace(result, seconds=seconds)))

    def next_finished(self, seconds: float) -> tuple[int, TaskResult] | None:
        """As in `Workers`."""
        if not self._under_way or (seconds == 0 and self._under_way[0][0] > self.now):
            return None
        end, number, result = heapq.heappop(self._under_way)
        self.now = max(self.now, end)
        return number, result


class Counted(NamedTuple):
    """An answer, the seconds that its nodes stand for, and the nodes and tasks of all workers."""

    status: str
    seconds: float
    nodes: int
    tasks: int


def count(question: str, workers: int, first: int, algorithm: str) -> Counted:
    """Asks a question with so many workers."""
    name, at_least, *moves = question.split(",")
    with Resources(open_store("memory:")) as resources:
        game = resources.games.open(name)
        position = game.initial()
        for move in moves:
            position = game.play(position, int(move))
        knowledge = StoredKnowledge(resources, game, "job", "", lambda call: call())
        counted = CountedWorkers(game, workers)
        manager = ProofManager(
            knowledge,
            position,
            (game.key(position), int(at_least)),
            game_name=game.name,
            text=game.text,
            choice=TaskChoice((algorithm,)),
            memory_bytes=4 << 30,
            workers=counted,
            first_task_nodes=first,
            clock=lambda: 0.0,
            merging=MergingAtOnce(knowledge),
        )
        try:
            status = manager.run().status
        finally:
            manager.close()
        return Counted(status, counted.now, counted.nodes, counted.tasks)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", nargs="*", default=QUESTIONS)
    parser.add_argument("--random", action="store_true", help="the questions of random_questions.txt")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--first", type=int, default=20_000, help="nodes of the first task")
    parser.add_argument("--algorithm", default="pn-dag")
    asked = parser.parse_args()
    questions = asked.questions
    if asked.random:
        lines = RANDOM_QUESTIONS.read_text().splitlines()
        questions = [line for line in lines if line and not line.startswith("#")]
    rates, totals = [], [0, 0]
    for question in questions:
        one, more = (count(question, workers, asked.first, asked.algorithm) for workers in (1, asked.workers))
        assert one.status == more.status, question
        rates.append(one.seconds / more.seconds)
        totals = [totals[0] + one.nodes, totals[1] + more.nodes]
        print(
            f"{question} {one.status}: {one.nodes:,} and {more.nodes:,} nodes, {one.tasks} and {more.tasks} tasks, "
            f"{rates[-1]:.2f} times as fast",
            flush=True,
        )
    logs = [log(rate) for rate in rates]
    mean = sum(logs) / len(logs)
    error = sqrt(sum((entry - mean) ** 2 for entry in logs)) / len(logs)
    print(
        f"geometric mean: {exp(mean):.2f}, standard error {100 * error:.0f} %; "
        f"{totals[0]:,} and {totals[1]:,} nodes in all"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
