"""df-pn on connect-four: expansions a second, two threads against one, time to solve against pn-dag, cancelling.

    python tests/bench/bench_df_pn.py [--expansions N] [--repeat N] [--part rate|threads|solve|cancel]

Rates are of 7x6 from the empty board with a table of 1 GiB, each search made once before to warm up; medians are
printed. An expansion is a node that is entered: its children are listed and looked up. Answers are asserted, and so is
that the solution of each solved position passes the local check.

The bars: 2.5 million expansions a second on one core; two threads at least 1.6 times one (on two free cores);
50 ms from cancel() to the end. Figures that miss a bar are marked, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import threading
import time

from proofbase.engine._core import Search
from proofbase.engine.games import open_game

EXPANSIONS = 20_000_000
RATE_BAR = 2.5e6
THREADS_BAR = 1.6
CANCEL_BAR = 0.05
BIG_TABLE = "df-pn+effort+table-1024"
SOLVED = (
    # board, moves, at least, the answer
    ("connect-four:6x5", "", 1, "disproved"),
    ("connect-four", "12113244", 0, "disproved"),
)


def new_search(name: str, moves: str, at_least: int, algorithm: str) -> Search:
    game = open_game(name)
    position = game.initial()
    for move in moves:
        position = game.play(position, game.parse_move(position, move))
    return Search(game, position, at_least, algorithm=algorithm)


def report(name: str, figure: str, bar: str, good: bool) -> bool:
    print(f"{name:<34} {figure:>14}   bar {bar:>12}   {'met' if good else 'MISSED'}", flush=True)
    return good


def rate_of(algorithm: str, expansions: int, repeat: int) -> float:
    """The median of the expansions a second of some searches, after one to warm up."""
    rates = []
    for number in range(repeat + 1):
        search = new_search("connect-four", "", 1, algorithm)
        search.run(nodes=expansions)
        assert search.reason == "nodes"
        assert expansions <= search.progress().expansions < expansions + 1000
        if number:
            rates.append(search.progress().nodes_per_second)
    print(f"{algorithm:<34} {', '.join(f'{rate / 1e6:.2f}' for rate in rates)} M expansions/s")
    return statistics.median(rates)


def measure_rate(expansions: int, repeat: int) -> bool:
    rate = rate_of(BIG_TABLE, expansions, repeat)
    return report("expansions a second", f"{rate:,.0f}", f"{RATE_BAR:,.0f}", rate >= RATE_BAR)


def measure_threads(expansions: int, repeat: int) -> bool:
    one, two = (rate_of(BIG_TABLE + threads, expansions, repeat) for threads in ("", "+threads-2"))
    good = report("two threads, expansions a second", f"{two / one:.2f}", f"{THREADS_BAR}", two >= THREADS_BAR * one)
    times = []
    for threads in ("", "+threads-2"):
        seconds = []
        for _ in range(repeat):
            search = new_search("connect-four:6x5", "", 1, BIG_TABLE + threads)
            assert search.run().status == "disproved"
            seconds.append(search.progress().seconds)
        times.append(statistics.median(seconds))
    ratio = times[0] / times[1]
    return report("two threads, time to solve 6x5", f"{ratio:.2f}", f"{THREADS_BAR}", ratio >= THREADS_BAR) and good


def measure_solving() -> bool:
    print(f"{'position':<28}{'algorithm':<26}{'nodes':>14}{'seconds':>9}{'MB':>7}{'records':>10}")
    for name, moves, at_least, answer in SOLVED:
        for algorithm in (BIG_TABLE, "df-pn+effort+weak+table-1024", "df-pn+effort+table-8", "pn-dag+effort"):
            search = new_search(name, moves, at_least, algorithm)
            assert search.run(memory=2_500_000_000).status == answer
            solution = search.solution()
            assert solution.check().failed == 0
            run = search.progress()
            print(
                f"{name + ' ' + moves:<28}{algorithm:<26}{run.nodes:>14,}{run.seconds:>9.1f}"
                f"{run.memory / 1e6:>7.0f}{len(solution):>10,}",
                flush=True,
            )
    return True


def measure_cancelling() -> bool:
    """The longest of many latencies, of one thread and of two."""
    latencies = []
    for algorithm in (BIG_TABLE, BIG_TABLE + "+threads-2"):
        search = new_search("connect-four", "", 1, algorithm)
        for _ in range(50):
            worker = threading.Thread(target=search.run)
            worker.start()
            worker.join(0.04)
            assert worker.is_alive()
            called = time.perf_counter()
            search.cancel()
            worker.join()
            latencies.append(time.perf_counter() - called)
            assert search.reason == "cancelled"
    print(f"{'cancel, median':<34} {statistics.median(latencies) * 1e3:>11.1f} ms")
    longest = max(latencies)
    return report(f"cancel, {len(latencies)} times", f"{longest * 1e3:.1f} ms", "50 ms", longest <= CANCEL_BAR)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--expansions", type=int, default=EXPANSIONS, help=f"of a search (default {EXPANSIONS:,})")
    parser.add_argument("--repeat", type=int, default=3, help="timed searches of a kind (default 3)")
    parser.add_argument("--part", choices=["rate", "threads", "solve", "cancel"], help="this part only")
    options = parser.parse_args()
    parts = {
        "rate": lambda: measure_rate(options.expansions, options.repeat),
        "threads": lambda: measure_threads(options.expansions, options.repeat),
        "solve": measure_solving,
        "cancel": measure_cancelling,
    }
    results = [measure() for name, measure in parts.items() if options.part in (None, name)]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
