"""The report on a problem: in the words and the notation of composers, or as one JSON document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from proofbase.service.words.amounts import amount

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from proofbase.engine.problems import ProblemReport, Reply

__all__ = ["COLUMNS", "problem_document", "problem_lines", "problem_row"]

COLUMNS = ("verdict", "moves", "keys", "cooks", "tries", "duals", "complete", "questions")
"""Of CSV."""
MOST_LINES = 60
"""Lines of variations on the screen; the document has all."""
SHOWN = 5
"""Duals on the screen, and first moves with their refutations where nothing solves."""


def problem_document(report: ProblemReport) -> dict[str, Any]:
    """All that is known of a problem."""
    return {
        "game": report.problem.game,
        "position": report.problem.position,
        "verdict": report.verdict,
        "asked_moves": report.problem.moves,
        "moves": report.moves,
        "keys": report.keys,
        "cooks": report.cooks,
        "failing_keys": report.failing_keys,
        "tries": [{"move": attempt.move, "refutation": attempt.refutation} for attempt in report.tries],
        "refutations": {attempt.move: attempt.refutation for attempt in report.attempts},
        "set_play": None if report.set_play is None else _replies(report.set_play),
        "threats": report.threats,
        "variations": {key: _replies(replies) for key, replies in report.variations.items()},
        "duals": [
            {
                "ply": len(dual.line) + 1,
                "after": list(dual.line),
                "continuations": list(dual.continuations),
                "with_threat": dual.with_threat,
            }
            for dual in report.duals
        ],
        "complete": report.complete,
        "questions": report.questions.asked if report.questions else 0,
    }


def _replies(replies: Sequence[Reply]) -> list[dict[str, Any]]:
    return [
        {
            "move": reply.move,
            "short": reply.short,
            "continuations": [{"move": one.move, "replies": _replies(one.replies)} for one in reply.continuations],
        }
        for reply in replies
    ]


def problem_lines(report: ProblemReport) -> Iterator[str]:
    """The report in lines."""
    chess = report.problem.game == "chess"
    win = "mate" if chess else "win"
    yield f"{report.problem.game} {report.problem.position}"
    yield ""
    yield f"verdict      {_verdict(report, win)}"
    for key in report.failing_keys:
        refutations = [attempt.refutation for attempt in report.attempts if attempt.move == key]
        yield f"key fails    1.{key}? {''.join(refutations)}".rstrip()
    for key in report.keys:
        threats = report.threats.get(key, [])
        threat = f"  threat: {', '.join(f'2.{move}' for move in threats)}" if threats else ""
        name = "cook" if key in report.cooks else "key"
        yield f"{name:<13}1.{key}{'!' if name == 'key' else ''}{threat}"
        lines = list(_variations(report.variations.get(key, ()), 1, set(threats)))
        yield from lines[:MOST_LINES]
        if len(lines) > MOST_LINES:
            yield f"             and {len(lines) - MOST_LINES:,} lines more (--json has all)"
    for reply in report.set_play or ():
        yield f"set play     1...{reply.move} {' or '.join(f'2.{one.move}' for one in reply.continuations)}"
    for attempt in report.tries:
        yield f"try          1.{attempt.move}? {attempt.refutation}!"
    if report.verdict == "unsolvable":
        others = [attempt for attempt in report.attempts if not attempt.only]
        for attempt in others[:SHOWN]:
            yield f"refuted      1.{attempt.move} {attempt.refutation}".rstrip()
        if len(others) > SHOWN:
            yield f"             and {len(others) - SHOWN} first moves more (--json has all)"
    if report.keys:
        yield f"duals        {_duals_text(report)}"
    for dual in sorted(report.duals, key=lambda dual: dual.with_threat)[:SHOWN]:
        number = len(dual.line) // 2 + 1
        following = " or ".join(f"{number}.{move}" for move in dual.continuations)
        yield f"             after {_numbered(dual.line)}: {following}"
    if not report.complete:
        yield f"open         the time was over before {'that' if report.verdict == 'open' else 'all of it'} was known"
    if report.questions is not None:
        asked, records = report.questions.asked, len(report.questions.table)
        yield f"proved by    {amount(asked, 'question')}, {amount(records, 'record')}"


def _duals_text(report: ProblemReport) -> str:
    if not report.duals:
        return "none" if report.complete else "not all looked for"
    with_threat = sum(dual.with_threat for dual in report.duals)
    return f"{len(report.duals):,}" + (
        f", of them {with_threat:,} with the threat, which is not stopped" if with_threat else ""
    )


def problem_row(report: ProblemReport) -> dict[str, Any]:
    """The members of a row of CSV."""
    row = problem_document(report)
    tries = " ".join(f"{attempt.move}?{attempt.refutation}!" for attempt in report.tries)
    return {
        **row,
        "keys": " ".join(report.keys),
        "cooks": " ".join(report.cooks),
        "tries": tries,
        "duals": len(report.duals),
    }


def _verdict(report: ProblemReport, win: str) -> str:
    moves = report.moves
    if report.verdict == "sound":
        return f"sound: {win} in {moves}, one key"
    if report.verdict == "cooked":
        return f"cooked: {win} in {moves} by {amount(len(report.keys), 'key')}"
    if report.verdict == "short":
        return f"short solution: {win} in {moves}, where {report.problem.moves} were asked for"
    if report.verdict == "unsolvable":
        return f"no solution: no {win} in {report.problem.moves or 'so many moves as were tried'}"
    return "open"


def _numbered(line: Sequence[str]) -> str:
    """`1.Qg6 Kg8 2.Qh7`."""
    return " ".join(f"{place // 2 + 1}.{move}" if place % 2 == 0 else move for place, move in enumerate(line))


def _variations(replies: Sequence[Reply], number: int, threats: set[str]) -> Iterator[str]:
    """The replies that stop a threat, or all where none was made; those with the same continuations in one line."""
    grouped: dict[tuple[str, ...], list[Reply]] = {}
    for reply in replies:
        moves = tuple(one.move for one in reply.continuations)
        if threats and threats <= set(moves):
            continue
        last = not any(one.replies for one in reply.continuations)
        grouped.setdefault(moves if last else (reply.move,), []).append(reply)
    for group in grouped.values():
        names = ",".join(reply.move for reply in group)
        following = " or ".join(f"{number + 1}.{one.move}" for one in group[0].continuations)
        yield f"{'  ' * number}           {number}...{names} {following}".rstrip()
        for one in group[0].continuations[:1]:
            yield from _variations(one.replies, number + 1, set())
