"""What is stored of a question that is still open: the checkpoint of its search, and the estimate of the question."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from proofbase.service.answers import Value
from proofbase.service.jobs.solve.context import SolveContext
from proofbase.service.jobs.solve.estimates import QuestionEstimates
from proofbase.service.jobs.solve.search_checkpoint import NoCheckpoint, SearchCheckpoint

__all__ = ["SavedSearch"]


class SavedSearch:
    """Stores the search of a question, so that a later process, or a later job, can go on with it.

    Methods wait while the store does not answer, but for `restore`.

    Args:
        context: the solve.
        checkpoint: keeps the search; None for that of the job.
    """

    def __init__(self, context: SolveContext, checkpoint: NoCheckpoint | None) -> None:
        store, job = context.resources.store, context.control.job
        self._with_retries = context.control.with_retries
        self._checkpoint = checkpoint or SearchCheckpoint(store, job.id)
        self._estimates = QuestionEstimates(store, context.game, context.position, job.id)

    def save(self, search: Any, threshold: int) -> None:
        """Appends to the checkpoint what was expanded since the last time, and stores the estimate."""
        self._with_retries(lambda: self._checkpoint.append(search, threshold))
        report = search.progress()
        self._with_retries(lambda: self._estimates.save(threshold, search.algorithm, report))

    def take_over(self, search: Any, threshold: int) -> bool:
        """Gets the checkpoint of an earlier job that was given up with this question open; whether there was one."""

        def take_over() -> bool:
            earlier = self._estimates.earlier_job(threshold)
            return earlier is not None and self._checkpoint.take_over(search, threshold, earlier)

        return self._with_retries(take_over)

    def restore(
        self, search: Any, threshold: int, stop_if_asked: Callable[[], None], limit: Callable[[float], float]
    ) -> bool:
        """Brings a new search to the checkpoint, if there is one (`SearchCheckpoint.restore`)."""
        return self._checkpoint.restore(search, threshold, stop_if_asked, limit)

    def goes_on(self, search: Any, threshold: int) -> bool:
        """Whether a search was brought to a stored checkpoint."""
        return self._checkpoint.goes_on(search, threshold)

    def drop(self, is_open: Callable[[int], bool]) -> None:
        """Forgets the checkpoint when none of its questions is open any more."""
        self._with_retries(lambda: self._checkpoint.drop(is_open))

    def drop_settled_estimates(self, value: Value) -> None:
        """Forgets the estimates of the questions that are settled by what is known now."""
        self._with_retries(lambda: self._estimates.drop_settled(value))
