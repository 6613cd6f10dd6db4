"""What people ask: how many questions of a set get their answer, within 10 and within 60 seconds.

    python tests/bench/questions.py [FILE ...] [--seconds 60] [--group NAME] [--tables DIRECTORY] [--json FILE]

A file has one JSON object a line (without a file: all of tests/bench/questions/): `id`, `game`, `input` (the position
as its source writes it), `right` (win, draw, loss, or the value as a number; a comma or a bracket and anything may
follow), `source`, and where it is wanted `group` (else the game). Lines whose `right` is no value are left out.

Each question is one `proofbase solve GAME INPUT --seconds N` with a store in memory, in a process of its own. What it
says of the value is compared with the right one: *wrong* is what contradicts it. The seconds are those of the
processor, since the machine may be busy. `overdue` counts commands that ran longer than their seconds plus 2, by the
clock. Exit status 1 if an answer is wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import Any

FILES = Path(__file__).parent / "questions"
WORDS = {"win": 1, "draw": 0, "loss": -1}
LIMITS = (10, 60)
OVERDUE = 2.0
"""Seconds that a command may take beyond its own."""
ROW = "| {} | {} | {} | {} | {} | {} | {} |"


@dataclass(frozen=True)
class Question:
    """One question, and the right value for the side to move."""

    id: str
    group: str
    game: str
    position: str
    right: int


@dataclass(frozen=True)
class Answer:
    """What was said of it: `right`, `open` (unknown, or an interval that holds the right value) or `wrong`."""

    verdict: str
    seconds: float
    clock: float
    value: str


def read_value(text: str) -> int | None:
    """The value that the text begins with; None where it is no value."""
    found = re.match(r"(win|draw|loss|[+-]?\d+)(?=$|[ ,(])", text)
    if found is None:
        return None
    word = found[1]
    return WORDS[word] if word in WORDS else int(word)


def read_questions(path: Path) -> list[Question]:
    """Those of a file that ask for a value."""
    questions = []
    for line in path.read_text().splitlines():
        asked = json.loads(line)
        value = read_value(asked["right"])
        if value is not None:
            group = asked.get("group", asked["game"])
            questions.append(Question(asked["id"], group, asked["game"], asked["input"], value))
    return questions


def ask(question: Question, seconds: float, tables: Path | None) -> Answer:
    """Has the command line answer a question."""
    command = [sys.executable, "-m", "proofbase", "solve", question.game, question.position, "--store", "memory:"]
    if tables is not None:
        command += ["--tables", str(tables)]
    before, began = getrusage(RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(
        [*command, "--seconds", f"{seconds:g}", "--json"], capture_output=True, text=True, check=False
    )
    clock, after = time.monotonic() - began, getrusage(RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode not in (0, 1):
        return Answer("open", used, clock, done.stderr.strip().splitlines()[-1][:200])
    value: dict[str, Any] = json.loads(done.stdout)["value"]
    lower, upper = value.get("lower"), value.get("upper")
    if lower is not None and lower == upper == question.right:
        return Answer("right", used, clock, str(lower))
    holds = (lower is None or lower <= question.right) and (upper is None or question.right <= upper)
    return Answer("open" if holds else "wrong", used, clock, f"{lower} to {upper}")


def row(group: str, answers: list[Answer], seconds: float) -> str:
    """A row of the table."""
    within = [
        str(sum(a.verdict == "right" and a.seconds <= limit for a in answers)) if limit <= seconds else ""
        for limit in LIMITS
    ]
    counted = {verdict: sum(a.verdict == verdict for a in answers) for verdict in ("open", "wrong")}
    overdue = sum(a.clock > seconds + OVERDUE for a in answers)
    return ROW.format(group, len(answers), *within, counted["open"], counted["wrong"], overdue)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--seconds", type=float, default=60.0, help="of each question (60)")
    parser.add_argument("--group", help="only the questions of this group")
    parser.add_argument("--tables", type=Path, help="where tables of values are; without it there are none")
    parser.add_argument("--json", type=Path, help="a file for each question's answer")
    args = parser.parse_args()
    asked = [q for path in args.files or sorted(FILES.glob("*.jsonl")) for q in read_questions(path)]
    groups: dict[str, list[Answer]] = {}
    lines = []
    for question in asked:
        if args.group not in (None, question.group):
            continue
        answer = ask(question, args.seconds, args.tables)
        groups.setdefault(question.group, []).append(answer)
        lines.append(json.dumps({"id": question.id, "group": question.group, **vars(answer)}))
        print(f"{question.group} {question.id}: {answer.verdict} ({answer.value}) in {answer.seconds:.1f} s",
              file=sys.stderr, flush=True)  # fmt: skip
    if args.json:
        args.json.write_text("".join(line + "\n" for line in lines))
    print(f"{args.seconds:g} seconds a question, load {os.getloadavg()[0]:.1f}")
    print(ROW.format("group", "asked", *(f"within {limit} s" for limit in LIMITS), "open", "wrong", "overdue"))
    print(ROW.format("---", *["---:"] * 6))
    for group, answers in sorted(groups.items()):
        print(row(group, answers, args.seconds))
    every = [answer for answers in groups.values() for answer in answers]
    print(row("all", every, args.seconds))
    return int(any(answer.verdict == "wrong" for answer in every))


if __name__ == "__main__":
    sys.exit(main())
