"""Claimed mates of the matetrack file: how many are proved to be the shortest, by `solve chess FEN --shortest`.

    python tests/bench/chess/bench_shortest_mates.py [--sample 30] [--most-moves 12] [--seconds 60] [--results FILE]

The sample is spread evenly over the claims in the order of the file, which is that of their lengths. Each command runs
in a process of its own with a new store. A mate counts where the command took at most so many seconds of the processor,
since the machine may be busy: by the clock it may take `--patience` times as long. With --results a run goes on where
an earlier one ended. Exit status 1: another length than the claimed one was proved, or fewer than `--at-least` percent.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import Any

from mate_searches import DATA, Claimed, Kept, claimed_mates


def processor_seconds() -> float:
    """Of all commands that have ended."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def ask(claimed: Claimed, seconds: float) -> dict[str, Any]:
    """What the command says, with its seconds of the processor."""
    before = processor_seconds()
    command = [sys.executable, "-m", "proofbase", "solve", "chess", claimed.fen, "--shortest", "--json"]
    command += ["--seconds", str(seconds), "--store", "memory:"]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    found = {name: answer[name] for name in ("plies", "win_within", "no_win_within", "nodes")}
    return {"moves": claimed.moves, "cpu": round(processor_seconds() - before, 2), **found}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=30)
    parser.add_argument("--most-moves", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--patience", type=float, default=4)
    parser.add_argument("--at-least", type=float, default=0.0, help="percent that have to be proved")
    parser.add_argument("--results", type=Path)
    options = parser.parse_args()
    claims = [c for c in claimed_mates(DATA / "chess_matetrack_pv.epd") if 0 < c.moves <= options.most_moves]
    sample = [claims[number * len(claims) // options.sample] for number in range(options.sample)]
    kept, wrong, asked, proved = Kept(options.results), 0, Counter[int](), Counter[int]()
    for claimed in sample:
        if claimed.name not in kept.results:
            kept.add(claimed.name, **ask(claimed, options.seconds * options.patience))
        result = kept.results[claimed.name]
        in_time = result["plies"] is not None and result["cpu"] <= options.seconds
        asked[claimed.moves] += 1
        proved[claimed.moves] += in_time
        wrong += result["plies"] not in (None, claimed.plies)
        print(
            f"{'proved' if in_time else 'open':6} {result['cpu']:6.1f} s {result['nodes']:12,} #{claimed.moves:<3}",
            end="",
        )
        print(f"no mate within {result['no_win_within']} plies; {claimed.fen}", flush=True)
    for moves in sorted(asked):
        print(f"mates in {moves}: {proved[moves]} of {asked[moves]}")
    share = 100 * proved.total() / len(sample)
    within = f"within {options.seconds:g} s of the processor"
    print(f"proved shortest {within}: {proved.total()} of {len(sample)}, {share:.0f} %")
    print(f"other lengths than the claimed ones: {wrong}")
    return int(wrong > 0 or share < options.at_least)


if __name__ == "__main__":
    sys.exit(main())
