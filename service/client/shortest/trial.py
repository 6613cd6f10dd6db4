"""The trial of longer wins: where one is seen soon, one refutation stands for all shorter ones."""

from __future__ import annotations

from typing import NamedTuple

from proofbase.service.client.shortest.questions import Questions
from proofbase.service.jobs.solve.model import SolveResult

__all__ = ["Trial", "is_tried", "shortest_by_trial"]

TRIED_BY = "df-pn-plies"
"""The search that often sees a win within so many plies long before it has refuted the shorter ones."""
HARD_NODES, TRIAL_NODES, TRIALS = 20_000, 100_000, 8
"""After a question with so many nodes the next ones are tried with so many each, so many questions at most."""
SHARE_FOR_JUMP = 4 / 5
"""The part of what is left of the budget that the refutation of all shorter wins may take. The rest is for some of
them, so that something is proved."""


class Trial(NamedTuple):
    """What a trial has shown.

    Attributes:
        refuted: so many plies are too few for a win.
        proved: plies of a win, None where none was seen.
        is_shortest: no win in fewer plies is left open.
    """

    refuted: int
    proved: int | None = None
    is_shortest: bool = False


def is_tried(result: SolveResult) -> bool:
    """Whether longer wins are tried after this question, which was refuted."""
    return result.nodes > HARD_NODES and result.algorithm.startswith(TRIED_BY)


def shortest_by_trial(questions: Questions, longer: range, refuted: int) -> Trial:
    """Tries to see a win, then to refute the next shorter ones.

    Args:
        questions: asks.
        longer: the plies to try, in this order.
        refuted: so many plies are too few.
    """
    for plies in longer[:TRIALS]:
        result = questions.ask_within(plies, 1, most_nodes=TRIAL_NODES)
        if result is None:
            return Trial(refuted)
        if result.status == "proved":
            break
        if result.status == "disproved":
            refuted = plies
    else:
        return Trial(refuted)
    while result is not None and result.status == "proved":
        proved = plies
        plies -= longer.step
        if plies <= refuted:
            return Trial(refuted, proved, True)
        is_next = plies - longer.step <= refuted
        result = questions.ask_within(plies, 1, share=1.0 if is_next else SHARE_FOR_JUMP)
    if result is None or result.status == "unknown":
        return Trial(refuted, proved)
    return Trial(plies, proved, True)
