"""Where jobs are kept: in the store, or, when that is open read-only, as long as this process lives."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from proofbase.service.errors import JobStateError
from proofbase.service.jobs.kinds import KINDS
from proofbase.service.jobs.model import UNFINISHED, Job, State
from proofbase.service.jobs.stored_jobs import from_stored, to_stored
from proofbase.storage import JobNotFoundError, SolutionStore

__all__ = ["ABANDONED_SECONDS", "JobLedger"]

ABANDONED_SECONDS = 60.0
"""In a store that several servers share: a job that nobody has saved for so long has lost its server."""


class JobLedger:
    """The jobs of a store, typed. Thread-safe.

    Each job has private data beside it: JSON values that only its own work understands.
    """

    def __init__(self, store: SolutionStore) -> None:
        self._store = store
        self._own: dict[str, Job] = {}
        """Jobs of this process, when the store cannot keep them."""
        self._lock = threading.Lock()

    def keep(self, job: Job, private: dict[str, Any]) -> None:
        """Stores a job durably."""
        if self._store.read_only:
            with self._lock:
                self._own[job.id] = job
        else:
            self._store.put_job(to_stored(job, private))

    def replace(self, job: Job, private: dict[str, Any], updated: float) -> bool:
        """Stores a job durably unless somebody else has stored it since `updated`; returns whether it was stored."""
        if self._store.read_only:
            self.keep(job, private)
            return True
        return self._store.replace_job(to_stored(job, private), updated)

    def change_state(self, job: Job, state: State) -> Job:
        """Stores a new state of a job that does not run in this process, and returns the job.

        Raises:
            JobStateError: another server has changed the job since it was read.
        """
        changed = replace(job, state=state, updated=time.time())
        if not self.replace(changed, self.find(job.id)[1], job.updated):
            raise JobStateError(
                f"job {job.id} was changed by another server of this database just now",
                job_id=job.id,
                state=self.find(job.id)[0].state,
            )
        return changed

    def find(self, job_id: str) -> tuple[Job, dict[str, Any]]:
        """A job and its private data.

        Raises:
            JobNotFoundError: no such job.
        """
        with self._lock:
            if job_id in self._own:
                return self._own[job_id], {}
        stored = self._store.get_job(job_id) if job_id and "\0" not in job_id else None
        if stored is None:
            raise JobNotFoundError(job_id)
        return from_stored(stored), stored.progress.get("private", {})

    def page(self, states: Collection[str] | None, limit: int, before: str | None) -> list[Job]:
        """Jobs, newest first.

        Raises:
            JobNotFoundError: there is no job `before`.
        """
        if not self._store.read_only:
            stored = self._store.list_jobs(states, limit=limit, before=before)
            return [from_stored(job) for job in stored if job.kind in KINDS]
        # The stored jobs of others, and the own ones.
        others = [from_stored(job) for job in self._store.list_jobs() if job.kind in KINDS]
        with self._lock:
            jobs = sorted([*self._own.values(), *others], key=lambda job: (job.created, job.id), reverse=True)
        if before is not None:
            found = [index for index, job in enumerate(jobs) if job.id == before]
            if not found:
                raise JobNotFoundError(before)
            jobs = jobs[found[0] + 1 :]
        return [job for job in jobs if not states or job.state in states][:limit]

    def unfinished(self) -> list[tuple[Job, dict[str, Any]]]:
        """Jobs that are stored as queued or running, oldest first, with their private data."""
        stored = [job for job in self._store.list_jobs(UNFINISHED) if job.kind in KINDS]
        return [(from_stored(job), job.progress.get("private", {})) for job in reversed(stored)]

    def has_no_server(self, job: Job) -> bool:
        """Whether no other server works on a job that does not run in this process."""
        return job.resumable or not self._store.shared or time.time() - job.updated > ABANDONED_SECONDS

    def drop_checkpoint(self, job_id: str) -> None:
        """Forgets what a job would need to go on."""
        if not self._store.read_only:
            self._store.drop_checkpoint(job_id)
