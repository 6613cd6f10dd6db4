"""How many times the processor time of one build another one takes: a file of ratios.

    python tests/bench/ratios.py BEFORE NOW [WORD ...] [--name NAME] [--rounds 5] [--seconds 60] [--output ratios.json]

BEFORE and NOW are work trees that are built in place (CONTRIBUTING.md), for example of two releases. The command lines
of COMMANDS run in their order, on one new store for each tree and round. With words, only the commands that have one of
them in their text are counted. The trees take turns. A ratio is the median of the rounds, NOW by BEFORE: below 1, NOW
is faster. Both have to give the same status, value and counts of faults (ANSWERS), as far as both print them. A command
that BEFORE does not have, or does not end within the processor time of --seconds, has a row that says so and no ratio:
"not in NAME". A release from before in-place packages needs folders of links and generated files as today's builds make
them in build/in-place. Exit status 1: an answer differs, or a ratio is above 1.1.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from typing import Any

COMMANDS = (
    "solve connect-four --at-least 1",
    "solve connect-four:6x5 --at-least 1",
    "lookup connect-four:6x5 4",
    "verify connect-four:6x5",
    "export connect-four:6x5 - -o certificate",
    "solve connect-four:7x6,score 444444",
    "solve connect-four:5x5 --algorithm pn-dag",
    "solve connect-four:5x5 --at-least 1 --algorithm df-pn",
    "solve othello:4x4",
    "solve tic-tac-toe",
    "solve chess '4k3/8/8/8/8/8/R7/1R2K3 w - -' --at-least 1",
    "tables build awari --stones 13",
    "tables verify awari --stones 13",
    "tables build mens-morris:6 --men 12",
)
SLOWER = 1.1
ANSWERS = ("status", "value", "verified", "failed", "valid")
"""What has to be the same of the documents that two builds print."""


@dataclass(frozen=True)
class Answer:
    """What a build did with a command."""

    seconds: float = 0.0
    """Of the processor."""
    documents: tuple[int, Any] | None = None
    """Its exit status and what it printed, of ANSWERS; None where it has no such command, or does not end in time."""


def run(tree: Path, command: str, folder: str, most_seconds: int) -> Answer:
    """Runs a command of a build on the store in a folder."""
    words = [sys.executable, "-m", "proofbase", *shlex.split(command), "--json"]
    environment = os.environ | {"PYTHONPATH": str(tree / "build" / "in-place"), "PROOFBASE_STORE": f"{folder}/store"}
    before = getrusage(RUSAGE_CHILDREN)
    limit = ["prlimit", f"--cpu={most_seconds}"]
    done = subprocess.run([*limit, *words], check=False, cwd=folder, env=environment, capture_output=True, text=True)
    after = getrusage(RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        return Answer()
    documents = [json.loads(line) for line in done.stdout.splitlines()[:1]]
    answers = [{key: one[key] for key in ANSWERS if key in one} for one in documents if isinstance(one, dict)]
    return Answer(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, (done.returncode, answers))


def agree(one: Answer, other: Answer) -> bool:
    """Whether two builds say the same, as far as both say it."""
    if one.documents is None or other.documents is None:
        return False
    pairs = zip(one.documents[1], other.documents[1], strict=False)
    return one.documents[0] == other.documents[0] and all(a[key] == b[key] for a, b in pairs for key in a.keys() & b)


def row_of(rounds: list[tuple[Answer, Answer]], name: str) -> dict[str, Any]:
    """The row of a command: medians and their ratio, or which build has no answer."""
    before, now = zip(*rounds, strict=True)
    row: dict[str, Any] = {"before": None, "now": None, "ratio": None, "same": False}
    if any(one.documents is None for one in now):
        return row | {"missing": "not now"}
    row["now"] = round(median(one.seconds for one in now), 3)
    if any(one.documents is None for one in before):
        return row | {"same": True, "missing": f"not in {name}"}
    row["before"] = round(median(one.seconds for one in before), 3)
    row["ratio"] = round(median(n.seconds / b.seconds for b, n in rounds), 3)
    row["same"] = all(agree(one, now[0]) for one in (*before, *now))
    return row


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path, metavar="BEFORE")
    parser.add_argument("now", type=Path, metavar="NOW")
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--name", help="of BEFORE; its folder's by default")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=60, help="of the processor, the most for a command")
    parser.add_argument("--output", type=Path, default=Path("ratios.json"))
    args = parser.parse_args()
    trees = (args.before.resolve(), args.now.resolve())
    name = args.name or args.before.name
    measured: dict[str, list[tuple[Answer, Answer]]] = {command: [] for command in COMMANDS}
    without: set[str] = set()  # commands that BEFORE cannot answer, asked once
    for _ in range(args.rounds):
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            for command, rounds in measured.items():
                before = Answer() if command in without else run(trees[0], command, one, args.seconds)
                if before.documents is None:
                    without.add(command)
                rounds.append((before, run(trees[1], command, other, args.seconds)))
    rows: dict[str, dict[str, Any]] = {}
    for command, rounds in measured.items():
        if args.words and not any(word in command for word in args.words):
            continue
        rows[command] = row = row_of(rounds, name)
        figures = f"{row['ratio'] or '':>8} {row['before'] or '':>8} {row['now'] or '':>8}"
        print(f"{figures}  {command}  {row.get('missing', '')}".rstrip(), flush=True)
    load = [round(one, 2) for one in os.getloadavg()]
    args.output.write_text(
        json.dumps({"before": name, "rounds": args.rounds, "load": load, "commands": rows}, indent=1) + "\n"
    )
    return 0 if all(row["same"] and (row["ratio"] or 0) <= SLOWER for row in rows.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
