"""The trial of longer wins: where one is seen soon, one refutation stands for all shorter ones."""

from __future__ import annotations

from typing import NamedTuple

from proofbase.service.client.shortest.questions import Questions
from proofbase.service.jobs.solve.model import SolveResult

__all__ = ["Trial", "is_tried", "shortest_by_trial"]

REFUTED_BY, TRIED_BY = "df-pn-plies", "df-pn"
"""The search that refutes short wins soonest, and the one that sees longer ones soonest: of 24 mates in 8 to 12 that
were not proved shortest within a minute it proves 18 with 300,000 nodes."""
HARD_NODES, TRIALS = 20_000, 8
"""After a question with so many nodes the next ones are tried, so many questions at most."""
TRIAL_NODES = (50_000, 300_000)
"""Nodes of each trial, the first and then the second."""
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
    return result.nodes > HARD_NODES and result.algorithm.startswith(REFUTED_BY)


def shortest_by_trial(questions: Questions, longer: range, refuted: int) -> Trial:
    """Tries to see a win, then to refute the next shorter ones.

    Args:
        questions: asks.
        longer: the plies to try, in this order.
        refuted: so many plies are too few.
    """
    result: SolveResult | None = None
    for plies, nodes in [(plies, nodes) for nodes in TRIAL_NODES for plies in longer[:TRIALS]]:
        if plies <= refuted:
            continue
        result = questions.ask_within(plies, 1, most_nodes=nodes, algorithm=TRIED_BY)
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
