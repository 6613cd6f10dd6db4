"""Endings of Othello with known scores, solved exactly on one thread.

    python tests/bench/othello/bench_endings.py [SET ...] [--table-mib N] [--records]

Sets: `fforum-1-19`, `fforum-20-39`, `fforum-40-59` (its problems 40 to 44 only, unless it is named `fforum-40-59-all`),
`13_14`, `15_16`, `17_18`, `19_20`, `21_22` (empty squares), from the independent data beside the repository
(PROOFBASE_SHARED, else ../shared). Without a set: all but the last one and `fforum-40-59-all`. Every score is held
against the data. With --records the solution of FFO 40 is taken out and checked by the native rules.

One line a set: positions, seconds of the processor, nodes, nodes a second. Exit status 1 if a score is wrong.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from proofbase.engine import open_game, solve_positions
from proofbase.engine._core import Search

SETS = ("fforum-1-19", "fforum-20-39", "fforum-40-59", "13_14", "15_16", "17_18", "19_20")
DATA = Path(os.environ.get("PROOFBASE_SHARED", Path(__file__).parents[4] / "shared")) / "data"
MOST_EMPTY = 24
"""FFO 40 to 44 have 20 to 24 empty squares."""


def problems(name: str) -> Iterator[tuple[str, int]]:
    """Positions with their scores. The scores of the sets by empty squares count no empty squares at the end."""
    everything = name.endswith("-all")
    name = name.removesuffix("-all")
    file = DATA / (f"othello_{name}.obf" if name.startswith("fforum") else f"othello_eg_{name}.txt")
    for row in file.read_text(encoding="utf-8").splitlines():
        if not row or row.startswith("#"):
            continue
        if file.suffix == ".obf":
            position, *moves = row.split(";")
            score = max(int(move.partition(":")[2]) for move in moves if ":" in move)
            if everything or name != "fforum-40-59" or position.count("-") <= MOST_EMPTY:
                yield position.strip(), score
        else:
            cells, side, _, black = row.split()
            yield f"{cells} {'X' if side == 'Black' else 'O'}", int(black) * (1 if side == "Black" else -1)


def solve(name: str, table_mib: int) -> int:
    """Solves the problems of a set and prints its line. The number of wrong scores."""
    game = "othello" if name.startswith("fforum") else "othello:8x8,discs"
    count = wrong = nodes = 0
    slowest = 0.0
    began = time.process_time()
    for position, score in problems(name):
        started = time.process_time()
        found = solve_positions(game, [position], table_mib=table_mib)
        slowest = max(slowest, time.process_time() - started)
        count += 1
        nodes += int(found.nodes[0])
        if not found.lower[0] == found.upper[0] == score:
            wrong += 1
            print(f"{name}: {position} is worth {found.lower[0]} to {found.upper[0]}, not {score}", file=sys.stderr)
    seconds = time.process_time() - began
    print(
        f"{name:17} {count:4} positions  {seconds:8.2f} s (slowest {slowest:.2f} s)  {nodes / 1e6:9.1f} M nodes  "
        f"{nodes / 1e6 / seconds:5.1f} M/s  {wrong} wrong",
        flush=True,
    )
    return wrong


def take_out_records() -> int:
    """The solution of FFO 40, checked. The number of records that failed."""
    position, score = next(problems("fforum-40-59"))
    game = open_game("othello")
    failed = 0
    for bound in (score, score + 1):
        began = time.process_time()
        search = Search(game, game.parse(position), bound, algorithm="null-window")
        search.run()
        searched = time.process_time()
        table = search.solution()
        taken = time.process_time()
        failed += table.check().failed + len(table.missing())
        print(
            f"FFO 40, at least {bound}: {search.status} in {searched - began:.2f} s; {len(table)} records taken out in "
            f"{taken - searched:.2f} s, checked in {time.process_time() - taken:.2f} s",
            flush=True,
        )
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", default=SETS)
    parser.add_argument("--table-mib", type=int, default=256)
    parser.add_argument("--records", action="store_true")
    arguments = parser.parse_args()
    wrong = sum(solve(name, arguments.table_mib) for name in arguments.sets)
    if arguments.records:
        wrong += take_out_records()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
