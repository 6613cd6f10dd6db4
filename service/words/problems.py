"""The report on a problem in the words and the notation of composers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from proofbase.engine.problems.report import Dual, ProblemReport, Reply, Solution
from proofbase.service.words.amounts import amount

__all__ = [
    "dual_text",
    "duals_text",
    "incomplete_text",
    "key_text",
    "set_play_text",
    "variation_lines",
    "verdict_text",
]

USED_UP = "the time was over, or a search had used up its nodes or its memory,"
"""Why a report is not complete."""


def verdict_text(report: ProblemReport) -> str:
    """The verdict in a sentence without its end."""
    win, moves = "mate" if report.game == "chess" else "win", report.moves
    if report.verdict == "sound":
        return f"sound: {win} in {moves}, one key"
    if report.verdict == "cooked":
        return f"cooked: {win} in {moves} by {amount(len(report.keys), 'key')}"
    if report.verdict == "short":
        return f"short solution: {win} in {moves}, where {report.asked_moves} were asked for"
    if report.verdict == "unsolvable":
        return f"no solution: no {win} in {report.asked_moves or 'so many moves as were tried'}"
    return f"open: {USED_UP} before that was known"


def incomplete_text(report: ProblemReport) -> str:
    """Why a report is not complete, and whether the variations of a key are missing."""
    tree = "" if len(report.solutions) == len(report.keys) else "; the tree of variations is left out"
    return f"{USED_UP} before all of it was known{tree}"


def key_text(report: ProblemReport, solution: Solution) -> str:
    """`1.Qg6!  threat: 2.Qh7#`."""
    threat = f"  threat: {', '.join(f'2.{move}' for move in solution.threats)}" if solution.threats else ""
    return f"1.{solution.key}{'' if solution.key in report.cooks else '!'}{threat}"


def set_play_text(reply: Reply) -> str:
    """`1...Bd7 2.Nxf7#`."""
    return f"1...{reply.move} {' or '.join(f'2.{one.move}' for one in reply.continuations)}"


def duals_text(report: ProblemReport) -> str:
    """How many there are."""
    if not report.duals:
        return "none" if report.complete else "not all looked for"
    with_threat = sum(dual.with_threat for dual in report.duals)
    return f"{len(report.duals):,}" + (
        f", of them {with_threat:,} with the threat, which is not stopped" if with_threat else ""
    )


def dual_text(dual: Dual) -> str:
    """`after 1.Qg6 Bd7: 2.Nxf7# or 2.Qh7#`."""
    number = len(dual.after) // 2 + 1
    following = " or ".join(f"{number}.{move}" for move in dual.continuations)
    line = " ".join(f"{place // 2 + 1}.{move}" if place % 2 == 0 else move for place, move in enumerate(dual.after))
    return f"after {line}: {following}"


def variation_lines(solution: Solution) -> Iterator[tuple[int, str]]:
    """The replies that stop a threat, or all where none was made, each with its depth: 1 for those to the key.

    Replies with the same continuations are one line where these end the game.
    """
    yield from _lines(solution.replies, 1, set(solution.threats))


def _lines(replies: Sequence[Reply], number: int, threats: set[str]) -> Iterator[tuple[int, str]]:
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
        yield number, f"{number}...{names} {following}".rstrip()
        for one in group[0].continuations[:1]:
            yield from _lines(one.replies, number + 1, set())
