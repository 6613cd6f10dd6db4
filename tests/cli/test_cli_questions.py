"""What people asked in public (tests/bench/questions) is answered right."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from trials import load_trial

bench = load_trial("bench/questions")
ASKED = bench.read_questions(bench.FILES / "asked.jsonl")
OPEN = {"psq-1", "sf-4365", "ega-276", "edax-ffo-obf"}
"""Not answered so far, or after a minute, beside most problems of checkers."""


def test_questions_are_well_formed() -> None:
    for path in sorted(bench.FILES.glob("*.jsonl")):
        for question in bench.read_questions(path):
            assert (question.right is None) == bool(question.says), question.id
            for pattern in (*question.says, *question.never):
                re.compile(pattern, re.MULTILINE)
    with pytest.raises(ValueError, match="'yes' is no value"):
        bench.read_question({"id": "a", "game": "chess", "input": "-", "right": "yes"})


def test_answers_are_judged(tmp_path: Path) -> None:
    question = bench.Question("a", "g", ["solve"], None, ["win in 3"], ["draw"])
    for status, text, verdict in [
        (0, "a win in 3 plies", "right"),
        (1, "a draw", "wrong"),
        (1, "unknown", "open"),
        (2, "no position", "unread"),
    ]:
        assert bench.judge_text(question, status, text)[0] == verdict
    for lower, upper, verdict in [(1, 1, "right"), (-1, 1, "open"), (-1, 0, "wrong")]:
        assert bench.judge_value(1, {"lower": lower, "upper": upper})[0] == verdict
    file = tmp_path / "one.jsonl"
    file.write_text(json.dumps({"id": "a", "game": "tic-tac-toe", "input": "xx./oo./...", "right": "win, 3"}) + "\n")
    (solved,) = bench.read_questions(file)
    assert bench.ask(solved, 5, None).verdict == "right"
    large = bench.read_question({"id": "b", "game": "connect-four:5x4", "input": "-", "right": "draw"})
    assert bench.ask(large, 60, None, "10").verdict == "open"


@pytest.mark.slow
@pytest.mark.parametrize(
    "question",
    [asked for asked in ASKED if asked.id not in OPEN and asked.group != "checkers problems"],
    ids=lambda question: question.id,
)
def test_what_people_asked_is_answered(question: object) -> None:
    answer = bench.ask(question, 60, None)
    assert answer.verdict == "right", answer
