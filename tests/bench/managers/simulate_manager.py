"""How far a proof manager carries: the real manager, with simulated workers (simulated_game.py).

    python tests/bench/managers/simulate_manager.py [--workers 1 16 256 1024 4096] [--hours 60] [--deaths 0.01]

The question takes one worker so many hours. For each number of workers: simulated time, speed-up and efficiency against
one worker, how much more is searched than by one worker, the share of the time in which the manager is busy (its
processor time on this machine, and the time of what it stores itself), the share in which the thread that stores
results is, and tasks a second.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))
from simulated_game import Position, Recorded, SimulatedKnowledge, SimulatedMerging, SimulatedWorkers

from proofbase.service.jobs.proof_manager.manager import ProofManager
from proofbase.service.jobs.proof_manager.task_choice import TaskChoice


class Simulated(NamedTuple):
    """One simulated solve.

    Attributes:
        seconds: simulated.
        searched: seconds of all workers together.
        busy: share of the time in which the manager works.
        storing: share of the time in which the thread that stores results works.
        tasks: how many.
        died: of them, those whose worker died.
        nodes: of the tree.
    """

    seconds: float
    searched: float
    busy: float
    storing: float
    tasks: int
    died: int
    nodes: int


def simulate(workers: int, hours: float, *, seed: int = 1, deaths: float = 0.0, answer: bool = False) -> Simulated:
    """Runs the manager with so many simulated workers."""
    recorded = Recorded(deaths=deaths)
    knowledge = SimulatedKnowledge(recorded)
    root = Position(seed, answer, hours * 3600 * recorded.nodes_per_second)
    knowledge.positions[root.text] = root
    merging = SimulatedMerging(knowledge, recorded)
    simulated = SimulatedWorkers(knowledge, recorded, workers, merging, seed)
    manager = ProofManager(
        knowledge,
        root,
        (root.key, 1),
        game_name="simulated",
        text=lambda position: position.text,
        choice=TaskChoice(("simulated",)),
        memory_bytes=1 << 40,
        workers=simulated,
        clock=simulated.clock,
        merging=merging,
    )
    outcome = manager.run()
    assert outcome.status == ("proved" if answer else "disproved")
    busy = 1 - simulated.idle / simulated.now
    nodes = manager.tree_nodes
    storing = merging.busy / simulated.now
    return Simulated(simulated.now, simulated.searched, busy, storing, simulated.tasks, simulated.died, nodes)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 16, 64, 256, 1024, 4096])
    parser.add_argument("--hours", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--deaths", type=float, default=0.0)
    parser.add_argument("--yes", action="store_true", help="the answer is yes")
    options = parser.parse_args()
    print(
        "| workers | time | speed-up | efficiency | searched | manager busy | storing | tasks | tasks a second | tree |"
    )
    print("|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    first: Simulated | None = None
    for workers in options.workers:
        solve = simulate(workers, options.hours, seed=options.seed, deaths=options.deaths, answer=options.yes)
        first = first or solve
        speed_up = first.seconds * options.workers[0] / solve.seconds
        print(
            f"| {workers:,} | {solve.seconds:,.0f} s | {speed_up:,.1f} | {speed_up / workers:.2f} | "
            f"{solve.searched / first.searched:.2f} | {solve.busy:.1%} | {solve.storing:.1%} | {solve.tasks:,} | "
            f"{solve.tasks / solve.seconds:,.1f} | {solve.nodes:,} |",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
