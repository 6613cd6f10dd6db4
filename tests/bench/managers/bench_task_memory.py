"""A question that needs four times the memory that each worker may use.

    python tests/bench/managers/bench_task_memory.py [--game connect-four:7x4] [--at-least 0] [--workers 2] [--parts 4]

One search (`pn-dag`, which keeps its whole graph) tells how much memory the question needs. Each worker may use one of
so many parts of that, with which one search gives up. The manager has to find the same answer, no search of a task may
hold more, and all records have to pass the local check.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

sys.path.insert(0, str(Path(__file__).parent))
from trial_managed_graphs import new_manager

from proofbase.service.jobs.question_run import QuestionRun, RunEnd
from proofbase.service.resources import Resources
from proofbase.service.resources.native import new_search
from proofbase.storage import open_store

ALGORITHM = "pn-dag"


class Solved(NamedTuple):
    """What was seen.

    Attributes:
        status: the answer.
        needed, limit, largest: bytes that one search held at its end, that a worker may use, that a task held at most.
        alone: why one search with that limit has no answer.
        nodes, one_search_nodes: of all tasks, and of one search with all memory.
        tasks: how many.
        records: stored, all of which have passed the local check.
        seconds: of the manager.
    """

    status: str
    needed: int
    limit: int
    largest: int
    alone: str
    nodes: int
    one_search_nodes: int
    tasks: int
    records: int
    seconds: float


def solve_in_parts(game_name: str, at_least: int, workers: int, parts: int = 4) -> Solved:
    """Asks with enough memory, and with one of so many parts for each worker.

    Raises:
        AssertionError: the answers differ, a task held more than it may, a record fails the check, or the question does
            not need the memory.
    """
    with Resources(open_store("memory:")) as resources:
        game = resources.games.open(game_name)
        whole = new_search(game, game.initial(), at_least, algorithm=ALGORITHM)
        expected = whole.run().status
        needed, one_search_nodes = whole.progress().memory, whole.progress().nodes
        del whole
        limit = needed // parts
        alone = new_search(game, game.initial(), at_least, algorithm=ALGORITHM).run(memory=limit)
        assert alone.reason == "memory", f"one search with {limit} bytes: {alone}"

        largest = 0
        run_slice = QuestionRun.run

        def watched(run: QuestionRun, *limits: Any) -> RunEnd:
            nonlocal largest
            end = run_slice(run, *limits)
            largest = max(largest, run.search.progress().memory)
            return end

        began = time.monotonic()
        manager = new_manager(
            resources, game_name, at_least, workers, first_task_nodes=50_000, algorithm=ALGORITHM,
            memory_bytes=limit * workers,
        )  # fmt: skip
        try:
            with mock.patch.object(QuestionRun, "run", watched):
                status = manager.run().status
        finally:
            manager.close()
        seconds = time.monotonic() - began
        assert status == expected, f"{status}, and not {expected}"
        assert 0 < largest <= limit, f"a task held {largest} bytes of {limit}"
        table = resources.cache.records(game_name)
        assert table is not None
        report = table.check()
        assert not report.findings, report.findings[0]
        progress = manager.progress()
        return Solved(
            status, needed, limit, largest, alone.reason, progress.nodes, one_search_nodes, progress.tasks,
            len(table), round(seconds, 1),
        )  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="connect-four:7x4")
    parser.add_argument("--at-least", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--parts", type=int, default=4)
    asked = parser.parse_args()
    print(json.dumps(solve_in_parts(asked.game, asked.at_least, asked.workers, asked.parts)._asdict()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
