"""How many times the processor time of one build another one takes: a file of ratios.

    python tests/bench/ratios.py BEFORE NOW [WORD ...] [--rounds 5] [--output ratios.json]

BEFORE and NOW are work trees that are built in place (CONTRIBUTING.md), for example of two releases. The command lines
of COMMANDS run in their order, on one new store for each tree and round. With words, only the commands that have one of
them in their text are counted. The trees take turns. A ratio is the median of the rounds, NOW by BEFORE: below 1, NOW
is faster. Both have to give the same status, value and counts of faults (ANSWERS). A command that BEFORE does not have
yet counts as missing. Exit status 1: an answer differs, or a ratio is above 1.1.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from typing import Any

COMMANDS = (
    "solve connect-four --at-least 1",
    "lookup connect-four 4",
    "verify connect-four",
    "export connect-four - -o certificate",
    "solve connect-four:7x6,score 444444",
    "solve connect-four:5x5 --algorithm pn-dag",
    "solve connect-four:5x5 --at-least 1 --algorithm df-pn",
    "solve othello:4x4",
    "solve tic-tac-toe",
    "solve chess '4k3/8/8/8/8/8/R7/1R2K3 w - -' --at-least 1",
    "tables build awari --stones 13",
    "tables verify awari",
    "tables build mens-morris:6 --men 12",
)
SLOWER = 1.1
ANSWERS = ("status", "value", "verified", "failed", "valid")
"""What has to be the same of the documents that two builds print."""


def run(tree: Path, command: str, folder: str) -> tuple[float, Any] | None:
    """Seconds of the processor, and what was answered; None where the build has no such command."""
    words = [sys.executable, "-m", "proofbase", *shlex.split(command), "--json"]
    environment = os.environ | {"PYTHONPATH": str(tree / "build" / "in-place"), "PROOFBASE_STORE": f"{folder}/store"}
    before = getrusage(RUSAGE_CHILDREN)
    done = subprocess.run(words, check=False, cwd=folder, env=environment, capture_output=True, text=True)
    after = getrusage(RUSAGE_CHILDREN)
    if done.returncode > 1:
        return None
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    found = [json.loads(line) for line in done.stdout.splitlines()[:1]]
    answers = [{key: one[key] for key in ANSWERS if key in one} for one in found if isinstance(one, dict)]
    return seconds, (done.returncode, answers)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path, metavar="BEFORE")
    parser.add_argument("now", type=Path, metavar="NOW")
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--output", type=Path, default=Path("ratios.json"))
    args = parser.parse_args()
    trees = (args.before.resolve(), args.now.resolve())
    measured: dict[str, list[list[tuple[float, Any] | None]]] = {command: [] for command in COMMANDS}
    for _ in range(args.rounds):
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            for command, rounds in measured.items():
                rounds.append([run(tree, command, folder) for tree, folder in zip(trees, (one, other), strict=True)])
    rows: dict[str, dict[str, Any]] = {}
    for command, rounds in measured.items():
        if args.words and not any(word in command for word in args.words):
            continue
        before, now = ([one for one in column if one is not None] for column in zip(*rounds, strict=True))
        row: dict[str, Any] = {"before": None, "now": None, "ratio": None, "same": False}
        if len(now) == args.rounds:
            row |= {"now": round(median(seconds for seconds, _ in now), 3), "same": True}
        if row["same"] and len(before) == args.rounds:
            row["before"] = round(median(seconds for seconds, _ in before), 3)
            row["ratio"] = round(median(n[0] / b[0] for b, n in zip(before, now, strict=True)), 3)
            row["same"] = all(answer == now[0][1] for _, answer in (*before, *now))
        rows[command] = row
        print(f"{row['ratio'] or 'missing':>8} {row['before'] or '':>8} {row['now'] or '':>8}  {command}", flush=True)
    load = [round(one, 2) for one in os.getloadavg()]
    args.output.write_text(json.dumps({"rounds": args.rounds, "load": load, "commands": rows}, indent=1) + "\n")
    return 0 if all(row["same"] and (row["ratio"] or 0) <= SLOWER for row in rows.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
