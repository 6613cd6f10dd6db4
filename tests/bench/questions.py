"""What people ask: how many questions of a set get their answer, within 10 and within 60 seconds.

    python tests/bench/questions.py [FILE ...] [--seconds 60] [--nodes N] [--group NAME]
        [--tables DIRECTORY] [--json FILE]

A file has one JSON object a line (without a file: all of tests/bench/questions/): `id`, `game`, `input` (as its source
writes it), `right`, `source`, and where it is wanted `group` (else the game). There are two kinds:

* The question is the value of a position: the command is `solve GAME INPUT --json --seconds N`. `right` begins with
  win, draw, loss, or the value as a number.
* `commands` has what a person would type behind `proofbase`, in a folder with `files` (names to texts); `{seconds}` is
  the limit. What the last command prints is right where it has every regular expression of `says`, and wrong where it
  has one of `never`.

Each command runs in a process of its own, with a new store. A question is *unread* where a command refuses it (exit
status 2 or more), else *open* where the answer is neither right nor wrong. The seconds are those of the processor,
since the machine may be busy. `overdue` counts commands with a limit of N seconds that ran longer than N + 2 by the
clock. Exit status 1 if an answer is wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import Any

FILES = Path(__file__).parent / "questions"
WORDS = {"win": 1, "draw": 0, "loss": -1}
LIMITS = (10, 60)
OVERDUE = 2.0
"""Seconds that a command may take beyond its own."""
VERDICTS = ("open", "unread", "wrong")
ROW = "| {} | {} | {} | {} | {} | {} | {} | {} |"


@dataclass(frozen=True)
class Question:
    """One question, and how its answer is judged.

    Attributes:
        right: the value for the side to move; None where `says` and `never` judge.
    """

    id: str
    group: str
    commands: Sequence[str]
    right: int | None = None
    says: Sequence[str] = ()
    never: Sequence[str] = ()
    files: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Answer:
    """What was said of it: `right`, or one of VERDICTS."""

    verdict: str
    seconds: float
    clock: float
    value: str


def read_questions(path: Path) -> list[Question]:
    """The questions of a file."""
    return [read_question(json.loads(line)) for line in path.read_text().splitlines()]


def read_question(asked: Mapping[str, Any]) -> Question:
    """A line of a file.

    Raises:
        ValueError: its right answer is no value, and it has no commands.
    """
    name, group = asked["id"], asked.get("group", asked["game"])
    if "commands" in asked:
        judged = asked["says"], asked.get("never", ()), asked.get("files")
        return Question(name, group, asked["commands"], None, *judged)
    value = re.match(r"(win|draw|loss|[+-]?\d+)(?=$|[ ,(])", asked["right"])
    if value is None:
        raise ValueError(f"{name}: {asked['right']!r} is no value")
    command = shlex.join(["solve", asked["game"], asked["input"], "--json", "--seconds"]) + " {seconds}"
    return Question(name, group, [command], WORDS[value[1]] if value[1] in WORDS else int(value[1]))


def ask(question: Question, seconds: float, tables: Path | None, nodes: str | None = None) -> Answer:
    """Has the command line answer a question."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (question.files or {}).items():
            Path(folder, name).write_bytes(text.encode("utf-8", "surrogateescape"))
        before, began = getrusage(RUSAGE_CHILDREN), time.monotonic()
        for command in question.commands:
            words = shlex.split(command.replace("{seconds}", f"{seconds:g}"))
            if tables is not None and words[0] in ("solve", "lookup", "analyse"):
                words += ["--tables", str(tables.resolve())]
            if nodes is not None and words[0] == "solve":
                words += ["--nodes", nodes]
            done = subprocess.run(
                [sys.executable, "-m", "proofbase", *words], cwd=folder, capture_output=True, text=True, check=False
            )
        clock, after = time.monotonic() - began, getrusage(RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if question.right is None or done.returncode not in (0, 1):
        verdict, value = judge_text(question, done.returncode, done.stdout + done.stderr)
    else:
        verdict, value = judge_value(question.right, json.loads(done.stdout)["value"])
    return Answer(verdict, used, clock, value)


def judge_value(right: int, value: Mapping[str, int]) -> tuple[str, str]:
    """The verdict on an interval, and the interval in words."""
    lower, upper = value["lower"], value["upper"]
    if lower == upper == right:
        return "right", str(right)
    return "open" if lower <= right <= upper else "wrong", f"{lower} to {upper}"


def judge_text(question: Question, status: int, text: str) -> tuple[str, str]:
    """The verdict on what a command printed, and the first thing that it lacks."""
    refuted = next((pattern for pattern in question.never if re.search(pattern, text, re.MULTILINE)), None)
    if refuted is not None:
        return "wrong", refuted
    lacking = next((pattern for pattern in question.says if not re.search(pattern, text, re.MULTILINE)), None)
    if lacking is None and question.says:
        return "right", ""
    if status >= 2:
        return "unread", text.strip().splitlines()[-1][:200]
    return "open", f"lacks {lacking}"


def row(group: str, answers: list[Answer], seconds: float) -> str:
    """A row of the table."""
    within = [
        str(sum(a.verdict == "right" and a.seconds <= limit for a in answers)) if limit <= seconds else ""
        for limit in LIMITS
    ]
    counts = [sum(a.verdict == verdict for a in answers) for verdict in VERDICTS]
    overdue = sum(a.clock > seconds + OVERDUE for a in answers)
    return ROW.format(group, len(answers), *within, *counts, overdue)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--seconds", type=float, default=60.0, help="of each question (60)")
    parser.add_argument("--nodes", help="of each solve: answers that do not depend on how busy the machine is")
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
        answer = ask(question, args.seconds, args.tables, args.nodes)
        groups.setdefault(question.group, []).append(answer)
        lines.append(json.dumps({"id": question.id, "group": question.group, **vars(answer)}))
        print(f"{question.group} {question.id}: {answer.verdict} ({answer.value}) in {answer.seconds:.1f} s",
              file=sys.stderr, flush=True)  # fmt: skip
    if args.json:
        args.json.write_text("".join(line + "\n" for line in lines))
    print(f"{args.seconds:g} seconds a question, load {os.getloadavg()[0]:.1f}")
    print(ROW.format("group", "asked", *(f"within {limit} s" for limit in LIMITS), *VERDICTS, "overdue"))
    print(ROW.format("---", *["---:"] * 7))
    for group, answers in sorted(groups.items()):
        print(row(group, answers, args.seconds))
    every = [answer for answers in groups.values() for answer in answers]
    print(row("all", every, args.seconds))
    return int(any(answer.verdict == "wrong" for answer in every))


if __name__ == "__main__":
    sys.exit(main())
