"""Proof managers on random graphs, acyclic and cyclic, against brute force.

    python tests/bench/managers/trial_managed_graphs.py --graphs 300 [--first 0] [--workers 1 2 4]

The first tasks have few nodes, so that the tree grows deep; some managers are stopped again and again and go on as new
ones from what is in the store. The answer must be that of the values, and every record must pass the local check.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from random import Random
from typing import Any

from proofbase.engine import open_rules
from proofbase.engine.papers.reference.graph import explore, values
from proofbase.service.jobs.proof_manager.knowledge import StoredKnowledge
from proofbase.service.jobs.proof_manager.manager import ProofManager
from proofbase.service.jobs.proof_manager.merging import MergingThreads
from proofbase.service.jobs.proof_manager.task_choice import TaskChoice, candidates
from proofbase.service.jobs.proof_manager.workers import ThreadWorkers, Workers
from proofbase.service.resources import Resources
from proofbase.service.resources.search_table import SearchTable
from proofbase.storage import open_store

SHAPES = (
    "ends=20",
    "ends=10,degree=6,span=4",
    "ends=25,values=3,rewards=2",
    "ends=25,group=5",
    "ends=10,group=100,degree=3",
    "ends=25,values=2,rewards=2,group=4",
    "ends=20,values=3,rewards=1,group=8,repetition=1",
    "ends=35,degree=5,span=20,values=2,group=30,repetition=-2",
)


def new_manager(
    resources: Resources,
    game_name: str,
    at_least: int,
    workers: int | Workers,
    *,
    first_task_nodes: int,
    algorithm: str = "auto",
    position: Any = None,
    choice: TaskChoice | None = None,
    memory_bytes: int = 64 << 20,
    depth_first: bool = False,
) -> ProofManager:
    """A manager of a question about a game's initial position, or another one.

    `depth_first`: as of a solve with workers by null-window, with one thread.
    """
    game = resources.games.open(game_name)
    position = game.initial() if position is None else position
    call: Callable[[Callable[[], Any]], Any] = lambda call: call()  # noqa: E731
    knowledge = StoredKnowledge(resources, game, "job", "", call)
    if depth_first:
        searching: Workers = ThreadWorkers(game, 1, SearchTable())
    else:
        searching = ThreadWorkers(game, workers) if isinstance(workers, int) else workers
    return ProofManager(
        knowledge,
        position,
        (game.key(position), at_least),
        game_name=game.name,
        text=game.text,
        choice=choice or TaskChoice(candidates(game) if algorithm == "auto" else (algorithm,)),
        memory_bytes=memory_bytes,
        workers=searching,
        first_task_nodes=first_task_nodes,
        depth_first=depth_first,
        clock=lambda: 0.0,  # on a busy machine the manager would take itself for slow, and make larger tasks
        merging=MergingThreads(knowledge, 2, searching.wake),
    )


def check_graph(number: int, workers: int) -> int:
    """Asks one question about the graph of this number, and compares. Returns how many records were checked."""
    chance = Random(number)
    nodes = chance.choice((30, 80, 200, 600))
    name = f"random-graph:nodes={nodes},{SHAPES[number % len(SHAPES)]},seed={number}"
    rules = open_rules(name)
    graph = explore(rules)
    value = values(graph)[0]
    at_least = max(1 - rules.highest_value, min(rules.highest_value, value + chance.choice((-1, 0, 0, 1, 1, 2))))
    first = chance.choice((3, 10, 40))
    broken = chance.random() < 0.3
    with Resources(open_store("memory:")) as resources:
        while True:
            manager = new_manager(resources, name, at_least, workers, first_task_nodes=first)
            try:
                if broken:
                    outcome = manager.run(nodes=manager.progress().nodes + 5 * first * workers, seconds=60)
                    first *= 2
                else:
                    outcome = manager.run(seconds=60)
            finally:
                manager.close()
            if outcome.status != "unknown" or outcome.reason != "nodes":
                break
        expected = "proved" if value >= at_least else "disproved"
        if outcome.status != expected:
            raise AssertionError(f"{name}, at least {at_least}: {outcome} and not {expected}")
        table = resources.cache.records(rules.name)
        assert table is not None
        report = table.check()
        if report.findings:
            raise AssertionError(f"{name}, at least {at_least}: {report.findings[0]}")
        return len(table)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", type=int, default=300)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    asked = parser.parse_args()
    started, records, failed = time.monotonic(), 0, 0
    for number in range(asked.first, asked.first + asked.graphs):
        for workers in asked.workers:
            try:
                records += check_graph(number, workers)
            except Exception as error:
                failed += 1
                print(f"graph {number}, {workers} workers: {type(error).__name__}: {error}", flush=True)
    runs = asked.graphs * len(asked.workers)
    print(f"{runs} runs, {records} records checked, {failed} failed, {time.monotonic() - started:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
