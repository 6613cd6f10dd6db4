"""Searches for mates in positions of chess, and what the reports say of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from proofbase.engine.papers.reproduce.answer import Answer, ask
from proofbase.engine.papers.reproduce.reinfeld import PROBLEMS, Problem
from proofbase.engine.papers.reproduce.report import Progress, Row, until_stopped

__all__ = ["COUNTING", "ORDER", "Answers", "Asking", "asked", "failed_row", "node_row", "sampled"]

COUNTING = (
    "A node counts when it is created, the root included. Mirrored positions are not merged. A new node begins with "
    "the numbers 1 and the number of its moves (Schijf 1993, 5.5)."
)
ORDER = (
    "Nodes of one problem depend on the order of moves, which the paper does not give: ours are in the order of the "
    "rules. So they are compared and never off; totals are."
)

Answers = dict[str, dict[Problem, Answer]]
"""By search, for each problem."""


class Asking(NamedTuple):
    """A search of mates: the game, the algorithm, and the nodes after which it is given up."""

    game: str
    algorithm: str
    most: int


def asked(
    searches: Mapping[str, Asking], problems: Sequence[Problem], progress: Progress
) -> tuple[Answers, Sequence[Problem], list[str]]:
    """Asks each search of each problem whether the side to move wins, and checks the proofs.

    Returns:
        The answers of the problems that all searches were asked, these problems, and a note where Ctrl-C ended it.
    """
    answers: Answers = {name: {} for name in searches}
    last = answers[list(searches)[-1]]
    with until_stopped(last) as stopped:
        for number, problem in enumerate(problems):
            for index, (name, (game, algorithm, most)) in enumerate(searches.items()):
                progress((number + index / len(searches)) / len(problems), f"{problem.name}, {name}")
                answers[name][problem] = ask(game, problem.fen, algorithm, most, check=True)
    problems = problems[: len(last)]
    return (
        {name: {problem: by_problem[problem] for problem in problems} for name, by_problem in answers.items()},
        problems,
        stopped,
    )


def sampled(problems: Sequence[Problem]) -> list[str]:
    """A note where these are not all problems."""
    asked_of_all = f"{len(problems)} of the {len(PROBLEMS)} problems were asked."
    return [asked_of_all] if len(problems) < len(PROBLEMS) else []


def node_row(label: str, printed: int | None, answer: Answer) -> Row:
    """The nodes of an answer; the label says if it is none."""
    remark = "" if answer.proved else ", no win, it says" if answer.denied else ", not solved"
    return Row(label + remark, printed, answer.nodes, "nodes", tolerance=None)


def failed_row(answers: Answers) -> Row:
    """The records of all proofs that the local check refuses."""
    failed = sum(answer.failed for by_problem in answers.values() for answer in by_problem.values())
    return Row("records of proofs that fail the local check", 0, failed)
