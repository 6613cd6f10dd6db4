"""The exact values of a position and of all its moves."""

from __future__ import annotations

from collections.abc import Callable

from proofbase.service.client.contract import Service
from proofbase.service.jobs.budget import Budget
from proofbase.service.jobs.model import Job
from proofbase.service.jobs.solve.model import SolveResult
from proofbase.service.jobs.solve.thresholds import ThresholdOrder
from proofbase.service.positions import Where

__all__ = ["solve_all_moves"]


def solve_all_moves(
    client: Service,
    game: str,
    position: Where,
    wait_for: Callable[[Job], Job],
    *,
    algorithm: str = "auto",
    thresholds: ThresholdOrder = "auto",
    budget: Budget | None = None,
) -> list[Job]:
    """Solves a position, then each position behind a move of it, one job for each whose exact value is not known.

    Args:
        client: the service.
        game, position: where.
        wait_for: waits for a job and returns it with its result.
        algorithm, thresholds: as for `Service.start_solve`.
        budget: of all jobs together, its memory that of each.

    Returns:
        The jobs, in the order in which they ran. The first is the position's own, if its value was not known.
    """
    answer = client.lookup(game, position)
    budget = budget or Budget()
    nodes, seconds = 0, 0.0
    jobs = list[Job]()
    for where in (answer.position, *(move.position for move in answer.moves)):
        known = client.lookup(answer.game, where)  # anew: the solution of the position has those of some moves
        if known.terminal or known.known:
            continue
        if budget.used_up(nodes, seconds) is not None:
            break
        rest = Budget(
            None if budget.nodes is None else budget.nodes - nodes,
            None if budget.seconds is None else budget.seconds - seconds,
            budget.memory_bytes,
        )
        job = wait_for(client.start_solve(answer.game, where, algorithm=algorithm, thresholds=thresholds, budget=rest))
        assert isinstance(job.result, SolveResult)
        nodes, seconds = nodes + job.result.nodes, seconds + job.result.seconds
        jobs.append(job)
    return jobs
