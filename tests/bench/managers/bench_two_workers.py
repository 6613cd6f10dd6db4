"""How much sooner two workers answer than one.

    python tests/bench/managers/bench_two_workers.py [--rounds 3] [--nodes 50000] [--game connect-four:6x5 ...]

Each question is asked in a new store with one worker and with two, in turns, by the same algorithm and with tasks of as
many nodes. The answers have to be equal, and the records to pass the local check. Printed are the medians of the
seconds and of the nodes, and how many times as fast two are in the geometric mean: by the clock, for which nothing else
should run on the machine, and by the processor, which holds on a busy machine too. For that two threads that search
together take half of the seconds of their searches each; what is not search (solutions, the manager, its checks and its
store) counts once. With `--divided` each worker has tasks of its own, and the seconds of the busiest one count.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections import defaultdict
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any, NamedTuple
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parent))
from trial_managed_graphs import new_manager

import proofbase.service.jobs.proof_manager.workers as workers_module
from proofbase.service.jobs.proof_manager.task import TaskResult, run_task
from proofbase.service.jobs.proof_manager.task_budget import FIRST_TASK_NODES
from proofbase.service.jobs.proof_manager.task_choice import candidates
from proofbase.service.jobs.proof_manager.workers import ThreadWorkers, thread_workers
from proofbase.service.jobs.question_run import QuestionRun, RunEnd
from proofbase.service.resources import Resources
from proofbase.storage import open_store

QUESTIONS = [
    ("connect-four:6x5", 0),
    ("connect-four:6x5", 1),
    ("connect-four:5x6", 1),
    ("connect-four:7x4", 1),
    ("connect-four:4x9", 1),
    ("connect-four:5x7", 1),
]


class Run(NamedTuple):
    """One question, answered once: the answer, seconds by the clock, nodes, number of tasks.

    `processor` are seconds of all threads, `busiest` those of the worker that had most, and `solutions` what workers
    spent beside their searches.
    """

    status: str
    seconds: float
    processor: float
    busiest: float
    solutions: float
    nodes: int
    tasks: int


def answer(game: str, at_least: int, workers: int, algorithm: str, nodes: int, *, divided: bool) -> Run:
    """Asks with so many workers, each of which has tasks of its own if the question is `divided`.

    Raises:
        AssertionError: a record fails the local check.
    """
    with Resources(open_store("memory:")) as resources:
        opened = resources.games.open(game)
        algorithms = candidates(opened) if algorithm == "auto" else (algorithm,)
        searching = ThreadWorkers(opened, workers) if divided else thread_workers(opened, workers, algorithms)
        manager = new_manager(
            resources, game, at_least, searching, first_task_nodes=nodes, algorithm=algorithm, memory_bytes=4 << 30
        )
        began, before, busy = time.monotonic(), time.process_time(), defaultdict[int, float](float)

        def run_and_count(*task: Any, **options: Any) -> TaskResult:
            started = time.thread_time()
            try:
                return run_task(*task, **options)
            finally:
                busy[threading.get_ident()] += time.thread_time() - started

        def search_and_count(run: QuestionRun, *limits: Any) -> RunEnd:
            started = time.thread_time()
            try:
                return search(run, *limits)
            finally:
                searched[threading.get_ident()] += time.thread_time() - started

        search, searched = QuestionRun.run, defaultdict[int, float](float)
        with (
            patch.object(workers_module, "run_task", run_and_count),
            patch.object(QuestionRun, "run", search_and_count),
        ):
            try:
                status = manager.run().status
            finally:
                manager.close()
        seconds, processor = time.monotonic() - began, time.process_time() - before
        table = resources.cache.records(game)
        assert table is not None and not table.check().findings
        progress = manager.progress()
        solutions = sum(busy.values()) - sum(searched.values())
        return Run(status, seconds, processor, max(busy.values()), solutions, progress.nodes, progress.tasks)


def _busy(run: Run, beside: float, workers: int, *, divided: bool) -> float:
    """Seconds of the processor that a worker was busy; `beside`: those of the manager, its checks and its store."""
    return run.busiest if divided else (run.processor - beside - run.solutions) / workers + run.solutions


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--algorithm", default="pn-dag")
    parser.add_argument("--nodes", type=int, default=FIRST_TASK_NODES, help="of the first task")
    parser.add_argument("--game", nargs="+", help="names of games; 'at least 1?' is asked of each")
    parser.add_argument("--divided", action="store_true", help="a search for each worker, as on several machines")
    asked = parser.parse_args()
    questions = QUESTIONS if asked.game is None else [(game, 1) for game in asked.game]
    rates, by_processor = [], []
    for game, at_least in questions:
        runs: dict[int, list[Run]] = {1: [], 2: []}
        for _ in range(asked.rounds):
            for workers, done in runs.items():
                done.append(answer(game, at_least, workers, asked.algorithm, asked.nodes, divided=asked.divided))
        assert len({run.status for done in runs.values() for run in done}) == 1
        one, two = (median(run.seconds for run in runs[workers]) for workers in (1, 2))
        rates.append(one / two)
        beside = median(run.processor - run.busiest for run in runs[1])
        cpu = [
            beside + median(_busy(run, beside, workers, divided=asked.divided) for run in done)
            for workers, done in runs.items()
        ]
        by_processor.append(cpu[0] / cpu[1])
        nodes = [median(run.nodes for run in runs[workers]) / 1e6 for workers in (1, 2)]
        tasks = [median(run.tasks for run in runs[workers]) for workers in (1, 2)]
        print(
            f"{game}, at least {at_least}? {runs[1][0].status}: {one:.1f} s and {two:.1f} s, {one / two:.2f} times as "
            f"fast; {cpu[0]:.2f} and {cpu[1]:.2f} s of the processor, {by_processor[-1]:.2f} times; {nodes[0]:.1f} and "
            f"{nodes[1]:.1f} million nodes, {tasks[0]:.0f} and {tasks[1]:.0f} tasks",
            flush=True,
        )
    print(f"geometric mean: {geometric_mean(rates):.2f} by the clock, {geometric_mean(by_processor):.2f} by processor")
    return 0


if __name__ == "__main__":
    sys.exit(main())
