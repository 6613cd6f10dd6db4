"""Searches for games with cycles on endgames of awari: nodes and seconds of each, with the same answers.

    python tests/bench/bench_awari_searches.py [--stones 6 7 8] [--positions 6] [--seconds 5] [--algorithm NAME ...]

Positions are drawn at random; asked is "at least 1?". Every answer is compared with those of the other searches, and
its solution must pass the local check.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))
from awari_positions.endgames import drawn_endgames

from proofbase.engine._core import Search, open_game

ALGORITHMS = ("df-pn", "pn-base-twin", "pn-cyclic", "alpha-beta+table-256")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stones", type=int, nargs="*", default=[6, 7, 8])
    parser.add_argument("--positions", type=int, default=6, help="of each number of stones")
    parser.add_argument("--seconds", type=float, default=5.0, help="limit of a search")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--algorithm", nargs="*", default=list(ALGORITHMS))
    options = parser.parse_args()
    game = open_game("awari")
    faults = 0
    print(f"{'stones':>6} {'algorithm':<22}{'solved':>8}{'nodes':>14}{'seconds':>9}{'records':>10}")
    for stones in options.stones:
        texts = drawn_endgames(stones, options.positions, Random(f"{options.seed}:{stones}"))
        statuses: dict[str, set[str]] = {text: set() for text in texts}
        for algorithm in options.algorithm:
            solved = nodes = records = 0
            seconds = 0.0
            for text in texts:
                search = Search(game, game.parse(text), 1, algorithm=algorithm)
                start = time.process_time()
                search.run(seconds=options.seconds)
                seconds += time.process_time() - start
                nodes += search.progress().nodes
                if search.status == "unknown":
                    continue
                solved += 1
                statuses[text].add(search.status)
                if algorithm.startswith("alpha-beta"):  # it searches every position of the solution again
                    continue
                solution = search.solution(small_search_nodes=0)
                records += len(solution)
                faults += solution.check().failed
            print(f"{stones:>6} {algorithm:<22}{solved:>5} of {len(texts)}{nodes:>12}{seconds:>9.2f}{records:>10}")
        faults += sum(len(found) > 1 for found in statuses.values())
    print(f"{faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
