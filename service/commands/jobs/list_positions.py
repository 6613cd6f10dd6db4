"""List what a job over positions has found out."""

from __future__ import annotations

from itertools import islice
from typing import Literal

from proofbase.service.answers import Cut
from proofbase.service.answers.bounds import first_page
from proofbase.service.errors import InvalidRequestError
from proofbase.service.jobs.positions.model import PositionOutcome, PositionsSpec
from proofbase.service.jobs.positions.position_log import PositionLog
from proofbase.service.jobs.runner import JobRunner
from proofbase.service.resources import Resources

__all__ = ["list_positions"]

USUAL_PAGE = 1_000
LARGEST_PAGE = 10_000


def list_positions(
    resources: Resources, jobs: JobRunner, job_id: str, *, skip: int = 0, limit: int | None = None
) -> tuple[list[PositionOutcome], Cut | None]:
    """Outcomes of the positions that a job has done so far, in the order of its list.

    Args:
        resources: the store and what belongs to it.
        jobs: the runner of the jobs.
        job_id: a job over positions.
        skip: so many outcomes are passed over.
        limit: outcomes of this page, at most 10,000; None for 1,000.

    Returns:
        The outcomes, and why there are not all of those that there are now.

    Raises:
        JobNotFoundError: no such job.
        InvalidRequestError: a job of another kind, or a number out of range.
        InvalidCheckpointError: the outcomes are damaged.
    """
    job = jobs.get(job_id)
    if not isinstance(job.spec, PositionsSpec):
        raise InvalidRequestError(f"job {job_id} is a {job.kind}: it has no list of positions", field="id")
    size = USUAL_PAGE if limit is None else limit
    if not 1 <= size <= LARGEST_PAGE:
        raise InvalidRequestError(f"a page of {size} positions: 1 to {LARGEST_PAGE} are possible", field="limit")
    if skip < 0:
        raise InvalidRequestError(f"skip is {skip}: 0 or more is needed", field="skip")
    outcomes = list(islice(PositionLog(resources.store, job_id).outcomes(skip), size + 1))
    page, by_bytes = first_page(outcomes, size)
    if len(page) == len(outcomes):
        return page, None
    reason: Literal["count", "bytes"] = "bytes" if by_bytes else "count"
    return page, Cut(reason, f"more outcomes are there: ask again with skip {skip + len(page)}")
