"""The part of the contract of a store that is about jobs, their checkpoints, and the processes that run them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any

from proofbase.storage.entries import Job, ServerEntry

__all__ = ["JobStore"]


class JobStore(ABC):
    """Keeps jobs and checkpoints; what holds for all methods is said in `SolutionStore`."""

    @abstractmethod
    def put_job(self, job: Job) -> None:
        """Stores a job durably, replacing the one of the same id."""

    @abstractmethod
    def replace_job(self, job: Job, updated: float) -> bool:
        """Replaces a stored job durably, in one step, if the stored job still has this `updated`.

        Of several writers that have read the same state of a job, exactly one succeeds.

        Returns:
            Whether the job was replaced. If not, or if there is no such job, nothing has changed.
        """

    @abstractmethod
    def get_job(self, job_id: str) -> Job | None:
        """The job of that id, None when there is none."""

    @abstractmethod
    def list_jobs(
        self,
        states: Collection[str] | None = None,
        *,
        kinds: Collection[str] | None = None,
        limit: int | None = None,
        before: str | tuple[float, str] | None = None,
    ) -> list[Job]:
        """Jobs, newest first (by `created`, then id). A job whose stored form cannot be read is left out.

        It takes time for the jobs that are returned, not for those that are stored. Do not change what is returned.

        Args:
            states: only jobs in these states; None for all.
            kinds: only jobs of these kinds; None for all.
            limit: at most so many.
            before: go on behind the job of this id, the last one of the page before, or behind a place in the order:
                `created` and id.

        Raises:
            JobNotFoundError: there is no job of the id `before`.
        """

    def count_jobs(self) -> dict[str, int]:
        """Number of jobs in each state that any job has. No job is read for it."""
        return dict(Counter(job.state for job in self.list_jobs()))

    @abstractmethod
    def prune_jobs(self, states: Collection[str], *, updated_before: float, keep: int) -> int:
        """Deletes jobs and their checkpoints, durably, in steps.

        Args:
            states: only jobs in these states.
            updated_before: only jobs that were changed last before this time (seconds since the epoch).
            keep: the newest jobs in these states stay, so many.

        Returns:
            How many jobs were deleted.
        """

    def unreadable_jobs(self) -> dict[str, str]:
        """Jobs that lists have passed over so far because their rows cannot be read: ids, with the reason."""
        return {}

    @abstractmethod
    def append_checkpoint(self, job_id: str, chunk: bytes) -> None:
        """Adds a chunk (up to 512 MiB) to a job's checkpoint, durably.

        Raises:
            JobNotFoundError: there is no such job.
        """

    @abstractmethod
    def checkpoint(self, job_id: str) -> Iterator[bytes]:
        """The chunks of a job's checkpoint as they were appended; nothing for a job without one."""

    @abstractmethod
    def drop_checkpoint(self, job_id: str) -> None:
        """Forgets a job's checkpoint; not an error when there is none."""

    # Processes that run the jobs of a shared store. In a store that is not shared they need not know of one another.

    def renew_server(self, server_id: str, about: dict[str, Any]) -> None:  # noqa: B027 - nothing to do
        """Stores that a process lives, and what it tells of itself (JSON values)."""

    def servers(self) -> list[ServerEntry]:
        """The processes that have an entry."""
        return []

    def drop_server(self, server_id: str) -> None:  # noqa: B027 - nothing to do
        """Removes an entry; not an error when there is none."""
