"""Proof-number search on connect-four 7x6 from the empty board, on one core: nodes a second, bytes a node, cancelling.

    python tests/bench/bench_search.py [--nodes N] [--searches N] [--graph tree|dag]

Runs each search once to warm up (the first touch of memory is the system's time, not the search's), then some times,
and prints medians. Node counts are deterministic and asserted. Then a search beyond N nodes is cancelled at many
moments, also while its index doubles, and so is the extraction of a solution.

The bars: 10 million nodes a second as a tree (behind virtual functions), 6 million as a DAG; 64 bytes a node apart from
edges and index; 50 ms from cancel() to the end. Figures that miss a bar are marked, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from proofbase.engine._core import Progress, RecordTable, Search
from proofbase.engine.games import open_game

GAME = "connect-four"
NODES = 20_000_000
NODE_BYTES_BAR = 64
CANCEL_BAR = 0.05
ENDGAME = (0, 1, 0, 0, 2, 1, 3, 3)
"""Moves 12113244: a question of some seconds, with a solution of 177,860 records."""


@dataclass(frozen=True)
class Expected:
    """What a search to `NODES` nodes must come to: nodes, expansions, proof and disproof number of the root."""

    algorithm: str
    nodes_per_second: float
    totals: tuple[int, int, int, int]


EXPECTED = {
    "tree": Expected("pn-tree+unit", 10e6, (20_000_000, 2_868_190, 1_567, 5_572)),
    "dag": Expected("pn-dag+unit", 6e6, (20_000_005, 4_473_359, 8_019, 42_668)),
}


def new_search(algorithm: str, at_least: int, moves: tuple[int, ...] = ()) -> Search:
    game = open_game(GAME)
    position = game.initial()
    for move in moves:
        position = game.play(position, move)
    return Search(game, position, at_least, algorithm=algorithm)  # type: ignore[arg-type]


def search_once(algorithm: str, nodes: int) -> Progress:
    search = new_search(algorithm, 1)
    search.run(nodes=nodes)
    return search.progress()


def report(name: str, figure: str, bar: str, good: bool) -> bool:
    print(f"{name:<28} {figure:>16}   bar {bar:>14}   {'met' if good else 'MISSED'}", flush=True)
    return good


def measure_rate(kind: str, nodes: int, searches: int) -> bool:
    """Rates and sizes of one graph kind against their bars."""
    expected = EXPECTED[kind]
    search_once(expected.algorithm, nodes)
    runs = [search_once(expected.algorithm, nodes) for _ in range(searches)]
    for run in runs:
        totals = (run.nodes, run.expansions, run.proof, run.disproof)
        assert totals == (runs[0].nodes, runs[0].expansions, runs[0].proof, runs[0].disproof)
        assert nodes != NODES or totals == expected.totals, totals
    rates = [run.nodes_per_second for run in runs]
    rate, run = statistics.median(rates), runs[0]
    node_bytes = run.node_memory / run.nodes
    print(f"{expected.algorithm}: {run.nodes:,} nodes, {run.expansions:,} expansions, {searches} searches")
    bar = expected.nodes_per_second
    good = report("  nodes a second", f"{rate:,.0f}", f"{bar:,.0f}", rate >= bar)
    print(f"  {'from - to':<26} {min(rates):,.0f} - {max(rates):,.0f}")
    print(f"  {'expansions a second':<26} {rate * run.expansions / run.nodes:,.0f}")
    print(f"  {'bytes a node, all':<26} {run.memory / run.nodes:.1f}")
    good &= report("  without edges and index", f"{node_bytes:.1f}", str(NODE_BYTES_BAR), node_bytes <= NODE_BYTES_BAR)
    return good


def cancelled_after(search: Search, action: Callable[[], object], seconds: float) -> float | None:
    """Seconds from cancel() to the end of `action`, which runs in another thread; None if it ended before."""
    ended: list[float] = []

    def act() -> None:
        try:
            action()
        except RuntimeError:
            assert search.status != "unknown"  # a solution that was broken off
        ended.append(time.perf_counter())

    worker = threading.Thread(target=act)
    worker.start()
    worker.join(seconds)
    if not worker.is_alive():
        return None
    called = time.perf_counter()
    search.cancel()
    worker.join()
    return ended[0] - called


def measure_cancelling(nodes: int) -> bool:
    """The longest of many latencies: in a search that grows beyond `nodes`, and while a solution is extracted."""
    search = new_search("pn-dag+unit", 1)
    latencies = []
    while search.progress().nodes < nodes:
        latency = cancelled_after(search, search.run, 0.04)
        assert latency is not None and search.reason == "cancelled"
        latencies.append(latency)
    good = report(
        f"cancel, {len(latencies)} times", f"{max(latencies) * 1e3:.1f} ms", "50 ms", max(latencies) <= CANCEL_BAR
    )
    print(f"  {'median':<26} {statistics.median(latencies) * 1e3:.1f} ms")

    search = new_search("pn-dag+effort", 0, ENDGAME)
    assert search.run().status == "disproved"
    tables: list[RecordTable] = []
    latency = cancelled_after(search, lambda: tables.append(search.solution(0)), 0.02)
    assert latency is not None and not tables
    assert len(search.solution(0)) == 177_860  # a later call gives all of it
    return report("cancel, solution", f"{latency * 1e3:.1f} ms", "50 ms", latency <= CANCEL_BAR) and good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=NODES, help=f"of a search (default {NODES:,})")
    parser.add_argument("--searches", type=int, default=3, help="timed searches of a kind (default 3)")
    parser.add_argument("--graph", choices=[*EXPECTED], help="this kind only")
    options = parser.parse_args()
    kinds = [options.graph] if options.graph else [*EXPECTED]
    results = [measure_rate(kind, options.nodes, options.searches) for kind in kinds]
    good = all(results)
    good &= measure_cancelling(options.nodes)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
