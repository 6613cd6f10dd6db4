"""Start a solve."""

from __future__ import annotations

from proofbase.service.commands.jobs.questions import (
    ValueQuestion,
    check_algorithm,
    check_memory,
    check_threads,
    check_writable,
)
from proofbase.service.errors import InvalidRequestError, LimitExceededError
from proofbase.service.jobs.budget import Budget
from proofbase.service.jobs.model import Job
from proofbase.service.jobs.parallelism import MOST_CLUSTER_WORKERS, MOST_WORKERS
from proofbase.service.jobs.solve.model import SolveSpec
from proofbase.service.jobs.solve.thresholds import ThresholdOrder
from proofbase.service.jobs.starting import JobStarter
from proofbase.service.positions import Where, find_position, text_of_job
from proofbase.service.resources import Resources
from proofbase.storage import Capability

__all__ = ["start_solve"]


def start_solve(
    resources: Resources,
    jobs: JobStarter,
    game_name: str,
    where: Where = None,
    *,
    at_least: int | None = None,
    result_at_least: int | None = None,
    algorithm: str = "auto",
    thresholds: ThresholdOrder = "auto",
    budget: Budget | None = None,
    workers: int = 0,
    worker_processes: bool = False,
) -> Job:
    """Queues a solve of a position. Everything that can be wrong with the request is found now, not later.

    Args:
        resources: the store and what belongs to it.
        jobs: starts the job.
        game_name: any name of the game.
        where: the position.
        at_least, result_at_least, thresholds: what is asked (`ValueQuestion`).
        algorithm: name of a search with its policies.
        budget: limits of the job; the memory is limited by the service in any case.
        workers: 0 for one search; otherwise a proof manager gives tasks to so many.
        worker_processes: whether they are processes; threads otherwise.

    Raises:
        UnknownGameError, InvalidPositionError, UnknownAlgorithmError: there is no such thing.
        InvalidRequestError: that is no question.
        LimitExceededError: more memory or workers than a job may use.
        QueueFullError, StoreReadOnlyError: the service cannot take it.
    """
    game = resources.games.open(game_name)
    position = find_position(game, where)
    budget = budget or Budget()
    question = ValueQuestion(at_least, result_at_least, thresholds)
    question.check(game)
    threshold = question.threshold(game, position)
    check_memory(resources, budget)
    algorithm = algorithm or "auto"
    check_algorithm(game, algorithm, searches=game.terminal(position) is None)
    check_writable(resources)
    _check_workers(resources, algorithm, workers, worker_processes)
    text = text_of_job(game, position)
    return jobs.start(
        SolveSpec(game.name, text, threshold, algorithm, budget, thresholds, workers, bool(worker_processes))
    )


def _check_workers(resources: Resources, algorithm: str, workers: int, processes: bool) -> None:
    if workers < 0 or (processes and not workers):
        raise InvalidRequestError(
            f"{workers} workers: 1 or more are possible, and 0 without processes for one search", field="workers"
        )
    on_this_machine = resources.cluster is None or processes
    most = MOST_WORKERS if on_this_machine else MOST_CLUSTER_WORKERS
    if workers > most:
        raise LimitExceededError(
            f"{workers} workers: a job may have {most}",
            limit="workers",
            largest=most,
            field="workers",
        )
    check_threads(resources, algorithm, workers if on_this_machine else 0)
    if workers and Capability.ESTIMATES not in resources.store.capabilities:
        raise InvalidRequestError(f"the store {resources.store.url} keeps no estimates", field="workers")
