"""How much sooner two workers answer than one.

    python tests/bench/managers/bench_two_workers.py [--rounds 3] [--nodes 50000] [--game connect-four:6x5 ...]

Each question is asked in a new store with one worker and with two, in turns, by the same algorithm and with tasks of as
many nodes. The answers have to be equal, and the records to pass the local check. Printed are the medians of the
seconds and of the nodes, and how many times as fast two are in the geometric mean; nothing else should run on the
machine.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from statistics import geometric_mean, median
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))
from trial_managed_graphs import new_manager

from proofbase.service.jobs.proof_manager.task_budget import FIRST_TASK_NODES
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
    """One question, answered once: the answer, the seconds, the nodes and the number of tasks."""

    status: str
    seconds: float
    nodes: int
    tasks: int


def answer(game: str, at_least: int, workers: int, algorithm: str, nodes: int) -> Run:
    """Asks with so many workers.

    Raises:
        AssertionError: a record fails the local check.
    """
    with Resources(open_store("memory:")) as resources:
        manager = new_manager(
            resources, game, at_least, workers, first_task_nodes=nodes, algorithm=algorithm, memory_bytes=4 << 30
        )
        began = time.monotonic()
        try:
            status = manager.run().status
        finally:
            manager.close()
        seconds = time.monotonic() - began
        table = resources.cache.records(game)
        assert table is not None and not table.check().findings
        progress = manager.progress()
        return Run(status, seconds, progress.nodes, progress.tasks)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--algorithm", default="pn-dag")
    parser.add_argument("--nodes", type=int, default=FIRST_TASK_NODES, help="of the first task")
    parser.add_argument("--game", nargs="+", help="names of games; 'at least 1?' is asked of each")
    asked = parser.parse_args()
    questions = QUESTIONS if asked.game is None else [(game, 1) for game in asked.game]
    rates = []
    for game, at_least in questions:
        runs: dict[int, list[Run]] = {1: [], 2: []}
        for _ in range(asked.rounds):
            for workers, done in runs.items():
                done.append(answer(game, at_least, workers, asked.algorithm, asked.nodes))
        assert len({run.status for done in runs.values() for run in done}) == 1
        one, two = (median(run.seconds for run in runs[workers]) for workers in (1, 2))
        rates.append(one / two)
        nodes = [median(run.nodes for run in runs[workers]) / 1e6 for workers in (1, 2)]
        tasks = [median(run.tasks for run in runs[workers]) for workers in (1, 2)]
        print(
            f"{game}, at least {at_least}? {runs[1][0].status}: {one:.1f} s and {two:.1f} s, {one / two:.2f} times as "
            f"fast; {nodes[0]:.1f} and {nodes[1]:.1f} million nodes, {tasks[0]:.0f} and {tasks[1]:.0f} tasks",
            flush=True,
        )
    print(f"geometric mean: {geometric_mean(rates):.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
