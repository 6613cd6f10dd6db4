"""Where jobs are kept: in the store, or, when that is open read-only, as long as this process lives."""

from __future__ import annotations

import threading
from collections.abc import Collection
from typing import Any

from proofbase.service.jobs.model import KINDS, UNFINISHED, Job
from proofbase.storage import JobNotFoundError, SolutionStore

__all__ = ["JobLedger"]


class JobLedger:
    """The jobs of a store, typed. Thread-safe.

    Each has private data beside it, JSON values that only its own work understands.
    """

    def __init__(self, store: SolutionStore) -> None:
        self._store = store
        self._own: dict[str, Job] = {}
        """Of this process, when the store cannot keep them."""
        self._lock = threading.Lock()

    def keep(self, job: Job, private: dict[str, Any]) -> None:
        """Stores a job durably."""
        if self._store.read_only:
            with self._lock:
                self._own[job.id] = job
        else:
            self._store.put_job(job.to_stored(private))

    def replace(self, job: Job, private: dict[str, Any], updated: float) -> bool:
        """Stores a job durably unless somebody else has stored it since `updated`; tells whether."""
        if self._store.read_only:
            self.keep(job, private)
            return True
        return self._store.replace_job(job.to_stored(private), updated)

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
        return Job.from_stored(stored), stored.progress.get("private", {})

    def page(self, states: Collection[str] | None, limit: int, before: str | None) -> list[Job]:
        """Jobs, newest first.

        Raises:
            JobNotFoundError: there is no job `before`.
        """
        if not self._store.read_only:
            stored = self._store.list_jobs(states, limit=limit, before=before)
            return [Job.from_stored(job) for job in stored if job.kind in KINDS]
        # The stored jobs of others, and the own ones.
        others = [Job.from_stored(job) for job in self._store.list_jobs() if job.kind in KINDS]
        with self._lock:
            jobs = sorted([*self._own.values(), *others], key=lambda job: (job.created, job.id), reverse=True)
        if before is not None:
            places = [place for place, job in enumerate(jobs) if job.id == before]
            if not places:
                raise JobNotFoundError(before)
            jobs = jobs[places[0] + 1 :]
        return [job for job in jobs if not states or job.state in states][:limit]

    def unfinished(self) -> list[tuple[Job, dict[str, Any]]]:
        """Jobs that are stored as queued or running, oldest first, with their private data."""
        stored = [job for job in self._store.list_jobs(UNFINISHED) if job.kind in KINDS]
        return [(Job.from_stored(job), job.progress.get("private", {})) for job in reversed(stored)]

    def drop_checkpoint(self, job_id: str) -> None:
        """Forgets what a job would need to go on."""
        if not self._store.read_only:
            self._store.drop_checkpoint(job_id)
