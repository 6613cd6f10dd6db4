"""Start a solve."""

from __future__ import annotations

from proofbase.engine.errors import UnknownAlgorithmError
from proofbase.service.errors import InvalidRequestError, LimitExceededError
from proofbase.service.jobs.budget import Budget
from proofbase.service.jobs.model import Job
from proofbase.service.jobs.runner import JobRunner
from proofbase.service.jobs.solve_report import SolveSpec
from proofbase.service.jobs.thresholds import STRATEGIES, Strategy
from proofbase.service.positions import Where, find_position, text_of_job
from proofbase.service.resources import Resources
from proofbase.service.resources.native import full_algorithm_name
from proofbase.storage import StoreReadOnlyError

__all__ = ["check_memory", "start_solve"]


def start_solve(
    resources: Resources,
    jobs: JobRunner,
    game_name: str,
    where: Where = None,
    *,
    at_least: int | None = None,
    result_at_least: int | None = None,
    algorithm: str = "auto",
    thresholds: Strategy = "auto",
    budget: Budget | None = None,
) -> Job:
    """Queues a solve of a position. Everything that can be wrong with the request is found now, not later.

    Args:
        resources: the store and what belongs to it.
        jobs: the runner of the jobs.
        game_name: any name of the game.
        where: the position.
        at_least: the question "is the value at least this?"; None asks for the exact value.
        result_at_least: the same question about the result of the game as a whole, which is the score of the side to
            move so far (`Game.score`) plus its value. Not together with `at_least`.
        algorithm: name of a search with its policies.
        thresholds: for the exact value, which questions lead to it.
        budget: limits of the job; the memory is limited by the service in any case.

    Raises:
        UnknownGameError, InvalidPositionError, UnknownAlgorithmError: there is no such thing.
        InvalidRequestError: a threshold outside the game's range of values, or two thresholds; thresholds in an
            unknown order, or an order of a single one.
        LimitExceededError: more memory than a job may use.
        QueueFullError, StoreReadOnlyError: the service cannot take it.
    """
    game = resources.games.open(game_name)
    position = find_position(game, where)
    budget = budget or Budget()
    highest = game.highest_value
    if thresholds not in STRATEGIES:
        raise InvalidRequestError(f"thresholds {thresholds!r}: there are {', '.join(STRATEGIES)}", field="thresholds")
    if thresholds != "auto" and not at_least is result_at_least is None:
        raise InvalidRequestError(f"thresholds {thresholds!r} ask for the exact value, not for one", field="thresholds")
    if result_at_least is not None:
        if at_least is not None:
            raise InvalidRequestError("at_least and result_at_least are two questions", field="result_at_least")
        score = game.score(position)
        at_least = result_at_least - score
        if not -highest < at_least <= highest:
            raise InvalidRequestError(
                f"result_at_least {result_at_least}: the score so far is {score:+d}, and what is still to come lies in "
                f"{-highest}..{highest}",
                field="result_at_least",
            )
    if at_least is not None and not -highest < at_least <= highest:
        raise InvalidRequestError(
            f"at_least {at_least}: values of {game.name} lie in {-highest}..{highest}, "
            f"so a question is at least {1 - highest} and at most {highest}",
            field="at_least",
        )
    check_memory(resources, budget)
    algorithm = algorithm or "auto"
    if len(algorithm) > 200:
        raise UnknownAlgorithmError(f"a name of {len(algorithm)} characters is no search")
    if game.terminal(position) is None:  # a finished game needs no search
        full_algorithm_name(game, algorithm)  # raises if there is no such algorithm, or if it cannot treat the game
    if resources.store.read_only:
        raise StoreReadOnlyError(
            f"the store {resources.store.url} is open read-only: it cannot keep what a solve finds"
        )
    return jobs.start(SolveSpec(game.name, text_of_job(game, position), at_least, algorithm, budget, thresholds))


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
