"""What may be asked about a position by a job: checked before there is a job."""

from __future__ import annotations

from typing import Any, NamedTuple

from proofbase.engine.errors import UnknownAlgorithmError
from proofbase.engine.rules import Game
from proofbase.service.errors import InvalidRequestError, LimitExceededError
from proofbase.service.jobs.budget import Budget
from proofbase.service.jobs.parallelism import threads_of_algorithm
from proofbase.service.jobs.solve.thresholds import THRESHOLD_ORDERS, ThresholdOrder
from proofbase.service.resources import Resources
from proofbase.service.resources.algorithm_choice import is_automatic
from proofbase.service.resources.native import full_algorithm_name
from proofbase.storage import StoreReadOnlyError

__all__ = ["ValueQuestion", "check_algorithm", "check_memory", "check_threads", "check_writable"]


class ValueQuestion(NamedTuple):
    """What is asked about a position.

    Attributes:
        at_least: "is the value at least this?"; None asks for the exact value.
        result_at_least: the same question about the result of the game as a whole, which is the score of the side to
            move so far (`Game.score`) plus its value. Not together with `at_least`.
        thresholds: for the exact value, which questions lead to it.
    """

    at_least: int | None = None
    result_at_least: int | None = None
    thresholds: ThresholdOrder = "auto"

    def check(self, game: Game[Any]) -> None:
        """Refuses what is no question about any position of the game.

        Raises:
            InvalidRequestError: a threshold outside the game's range of values, or two thresholds; thresholds in an
                unknown order, or an order of a single one.
        """
        thresholds, highest = self.thresholds, game.highest_value
        if thresholds not in THRESHOLD_ORDERS:
            raise InvalidRequestError(
                f"thresholds {thresholds!r}: there are {', '.join(THRESHOLD_ORDERS)}", field="thresholds"
            )
        if thresholds != "auto" and not self.at_least is self.result_at_least is None:
            raise InvalidRequestError(
                f"thresholds {thresholds!r} ask for the exact value, not for one", field="thresholds"
            )
        if self.at_least is not None and self.result_at_least is not None:
            raise InvalidRequestError("at_least and result_at_least are two questions", field="result_at_least")
        if self.at_least is not None and not -highest < self.at_least <= highest:
            raise InvalidRequestError(
                f"at_least {self.at_least}: values of {game.name} lie in {-highest}..{highest}, "
                f"so a question is at least {1 - highest} and at most {highest}",
                field="at_least",
            )

    def threshold(self, game: Game[Any], position: Any) -> int | None:
        """The threshold for the value of a position; None for the exact value.

        Raises:
            InvalidRequestError: no value of the game decides the question there.
        """
        if self.result_at_least is None:
            return self.at_least
        highest, score = game.highest_value, game.score(position)
        threshold = self.result_at_least - score
        if not -highest < threshold <= highest:
            raise InvalidRequestError(
                f"result_at_least {self.result_at_least}: the score so far is {score:+d}, and what is still to come "
                f"lies in {-highest}..{highest}",
                field="result_at_least",
            )
        return threshold


def check_algorithm(game: Game[Any], algorithm: str, *, searches: bool = True) -> None:
    """Refuses the name of an algorithm that there is not.

    Args:
        game: what it has to treat.
        algorithm: name of a search with its policies.
        searches: whether there is anything to search: a finished game needs no search.

    Raises:
        UnknownAlgorithmError: no such algorithm, or it cannot treat the game.
    """
    if len(algorithm) > 200:
        raise UnknownAlgorithmError(f"a name of {len(algorithm)} characters is no search")
    if searches:
        full_algorithm_name(game, "auto" if is_automatic(algorithm) else algorithm)


def check_threads(resources: Resources, algorithm: str, workers: int = 0) -> None:
    """Refuses more threads and worker processes than a job may use.

    Args:
        resources: with the limits.
        algorithm: of each search.
        workers: how many search at a time; 0 for one search.

    Raises:
        LimitExceededError: that is so.
    """
    largest, threads = resources.limits.job_threads, max(1, workers) * threads_of_algorithm(algorithm)
    if threads > largest:
        request = f"{workers} workers" if workers == threads else f"{threads} threads"
        raise LimitExceededError(
            f"{request}: a job may have {largest} (job_threads)",
            limit="job_threads",
            largest=largest,
            field="workers" if workers else "algorithm",
        )


def check_memory(resources: Resources, budget: Budget) -> None:
    """Refuses more memory than a job may use.

    Raises:
        LimitExceededError: it is more.
    """
    largest = resources.limits.job_memory_bytes
    if budget.memory_bytes is not None and budget.memory_bytes > largest:
        raise LimitExceededError(
            f"a memory budget of {budget.memory_bytes} bytes: a job may use {largest}",
            limit="job_memory_bytes",
            largest=largest,
            field="budget.memory_bytes",
        )


def check_writable(resources: Resources) -> None:
    """Refuses a solve in a store that cannot keep what it finds.

    Raises:
        StoreReadOnlyError: the store is open read-only.
    """
    if resources.store.read_only:
        raise StoreReadOnlyError(
            f"the store {resources.store.url} is open read-only: it cannot keep what a solve finds"
        )
