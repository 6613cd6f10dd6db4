"""List jobs, page by page."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from proofbase.service.answers import Cut
from proofbase.service.answers.bounds import message_bytes
from proofbase.service.errors import InvalidRequestError, StaleContinuationError
from proofbase.service.jobs.kinds import KINDS
from proofbase.service.jobs.model import JobPage
from proofbase.service.jobs.runner import JobRunner
from proofbase.service.jobs.running.ledger import KEPT_JOBS
from proofbase.service.limits import PAGE_BYTES
from proofbase.service.resources.lru_cache import cached_by_identity
from proofbase.storage import JOB_STATES, JobNotFoundError

__all__ = ["list_jobs"]

STEP = 100
USUAL_PAGE = 100
LARGEST_PAGE = 1000
_message_bytes = cached_by_identity(message_bytes, KEPT_JOBS)


def list_jobs(
    jobs: JobRunner,
    states: Collection[str] = (),
    *,
    kinds: Collection[str] = (),
    limit: int | None = None,
    continuation: str | None = None,
) -> tuple[JobPage, Cut | None]:
    """Jobs, newest first. A page ends as well where its message would be too large.

    Args:
        jobs: the runner of the jobs.
        states: only jobs in these states; none for all.
        kinds: only jobs of these kinds; none for all.
        limit: jobs of this page, at most 1000; None for 100.
        continuation: from the cut of the page before.

    Returns:
        The jobs, and how to go on when there are more.

    Raises:
        InvalidRequestError: an unknown state or kind, or a limit out of range.
        StaleContinuationError: that is no continuation.
    """
    for state in states:
        if state not in JOB_STATES:
            raise InvalidRequestError(f"unknown state {state!r}: there are {', '.join(JOB_STATES)}", field="states")
    for kind in kinds:
        if kind not in KINDS:
            raise InvalidRequestError(f"unknown kind of job {kind!r}: there are {', '.join(KINDS)}", field="kinds")
    size = USUAL_PAGE if limit is None else limit
    if not 1 <= size <= LARGEST_PAGE:
        raise InvalidRequestError(f"a page of {size} jobs: 1 to {LARGEST_PAGE} are possible", field="limit")
    page = JobPage()
    room, last = PAGE_BYTES, continuation or None
    while True:
        # Few at a time: the jobs of a page may be large. One more than the page holds tells whether there are more.
        wanted = min(STEP, size - len(page)) + 1
        try:
            of_state = jobs.list(states or None, wanted, last, kinds or None)
        except JobNotFoundError:
            raise StaleContinuationError("that is no continuation of a list of jobs", field="continuation") from None
        for job in of_state:
            room -= _message_bytes(job)
            if len(page) == size or (room < 0 and page):
                reason: Literal["count", "bytes"] = "bytes" if room < 0 else "count"
                message = f"{len(page)} jobs and more to come: go on with the continuation"
                page.unreadable = jobs.unreadable()
                return page, Cut(reason, message, page[-1].id)
            page.append(job)
        if len(of_state) < wanted:
            page.unreadable = jobs.unreadable()
            return page, None
        last = page[-1].id
