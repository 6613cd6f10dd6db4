"""The report on a problem: in lines, as a row, or as one JSON document."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from proofbase.service.words.amounts import amount
from proofbase.service.words.problems import (
    dual_text,
    duals_text,
    incomplete_text,
    key_text,
    set_play_text,
    variation_lines,
    verdict_text,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofbase.engine.problems.report import ProblemReport

__all__ = ["COLUMNS", "problem_document", "problem_lines", "problem_row"]

COLUMNS = ("verdict", "moves", "keys", "cooks", "tries", "duals", "complete", "questions")
"""Of CSV."""
MOST_LINES = 60
"""Lines of variations on the screen; the document has all."""
SHOWN = 5
"""Duals on the screen, and first moves with their refutations where nothing solves."""


def problem_document(report: ProblemReport) -> dict[str, Any]:
    """All that is known of a problem."""
    return asdict(report)


def problem_lines(report: ProblemReport) -> Iterator[str]:
    """The report in lines."""
    yield f"{report.game} {report.position}"
    yield ""
    yield f"verdict      {verdict_text(report)}"
    for key in report.failing_keys:
        refutations = [attempt.refutation for attempt in report.attempts if attempt.move == key]
        yield f"key fails    1.{key}? {''.join(refutations)}".rstrip()
    for solution in report.solutions:
        yield f"{'cook' if solution.key in report.cooks else 'key':<13}{key_text(report, solution)}"
        lines = [f"{'  ' * depth}           {line}" for depth, line in variation_lines(solution)]
        yield from lines[:MOST_LINES]
        if len(lines) > MOST_LINES:
            yield f"             and {len(lines) - MOST_LINES:,} lines more (--json has all)"
    for key in report.keys[len(report.solutions) :]:
        yield f"{'cook' if key in report.cooks else 'key':<13}1.{key}"
    for reply in report.set_play:
        yield f"set play     {set_play_text(reply)}"
    for attempt in report.tries:
        yield f"try          1.{attempt.move}? {attempt.refutation}!"
    if report.verdict == "unsolvable":
        others = [attempt for attempt in report.attempts if not attempt.only]
        for attempt in others[:SHOWN]:
            yield f"refuted      1.{attempt.move} {attempt.refutation}".rstrip()
        if len(others) > SHOWN:
            yield f"             and {len(others) - SHOWN} first moves more (--json has all)"
    if report.keys:
        yield f"duals        {duals_text(report)}"
    for dual in sorted(report.duals, key=lambda dual: dual.with_threat)[:SHOWN]:
        yield f"             {dual_text(dual)}"
    if not report.complete and report.verdict != "open":
        yield f"open         {incomplete_text(report)}"
    yield f"proved by    {amount(report.questions, 'question')}, {amount(report.records, 'record')}"
    if report.tables:
        yield f"tables       {', '.join(report.tables)} (the proofs rest on them)"


def problem_row(report: ProblemReport) -> dict[str, Any]:
    """The members of a row of CSV."""
    return {
        "position": report.position,
        "verdict": report.verdict,
        "moves": report.moves,
        "keys": " ".join(report.keys),
        "cooks": " ".join(report.cooks),
        "tries": " ".join(f"{attempt.move}?{attempt.refutation}!" for attempt in report.tries),
        "duals": len(report.duals),
        "complete": report.complete,
        "questions": report.questions,
    }
