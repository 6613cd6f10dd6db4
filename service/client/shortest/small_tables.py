"""Tables of plies that are built within a minute, where they answer sooner than searches."""

from __future__ import annotations

from contextlib import suppress
from threading import TIMEOUT_MAX, Timer
from time import monotonic

from proofbase.engine.rules import open_rules
from proofbase.service.answers import PositionAnswer
from proofbase.service.client.contract import Service
from proofbase.service.client.shortest.questions import Questions
from proofbase.service.errors import ServiceError

__all__ = ["build_small_table", "has_small_table"]

MOST_MEN = {"chess": 4, "giveaway": 4, "checkers": 5}
"""Men of positions whose tables of plies are built within a minute, for each of these families."""


def has_small_table(answer: PositionAnswer) -> bool:
    """Whether the position has a table that is built within a minute."""
    family = answer.game.partition(":")[0]
    return family in MOST_MEN and _men(answer) <= MOST_MEN[family]


def build_small_table(client: Service, answer: PositionAnswer, questions: Questions) -> None:
    """Builds the table of a position and those that it needs, if they are missing, with the time of the questions.

    What is built when the time is over is kept: the next build goes on from there.
    """
    rules = open_rules(answer.game)
    place = rules.table_entry(rules.parse(answer.position))
    if place is None:
        return
    began, timer = monotonic(), None

    def cancel(job_id: str) -> None:
        with suppress(ServiceError):  # it has ended just now
            client.cancel(job_id)

    # Where there is no place for tables, or no room or time for these, the searches go on.
    with suppress(ServiceError, ValueError):
        job = client.start_table(answer.game, _men(answer), table=place[0])
        seconds = questions.seconds_left()
        if seconds is not None:
            timer = Timer(min(max(1e-3, seconds), TIMEOUT_MAX), cancel, (job.id,))
            timer.daemon = True
            timer.start()
        try:
            questions.run(job)
        finally:
            if timer is not None:
                timer.cancel()
    questions.seconds += monotonic() - began


def _men(answer: PositionAnswer) -> int:
    rules = open_rules(answer.game)
    men = rules.men_on_board(rules.parse(answer.position))
    assert men is not None, "the families of MOST_MEN count them"
    return men
