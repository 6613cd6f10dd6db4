"""Where jobs are kept: in the store, or, when that is open read-only, as long as this process lives."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from proofbase.service.answers.bounds import message_bytes
from proofbase.service.errors import JobStateError
from proofbase.service.jobs.kinds import KINDS
from proofbase.service.jobs.model import UNFINISHED, Job
from proofbase.service.jobs.stored_jobs import from_stored, to_stored
from proofbase.service.resources.lru_cache import LRUCache
from proofbase.storage import JobNotFoundError, SolutionStore, StoreError
from proofbase.storage.entries import Job as StoredJob

__all__ = ["KEPT_JOBS", "JobLedger"]

_log = logging.getLogger(__name__)
KEPT_JOBS = 300
KEPT_BYTES = 8_192
"""Finished jobs that are kept in memory after a listing, and how large each may be."""
NO_REPORTS = "this release checks no reports of wrong values: verify the records below the position instead"


class JobLedger:
    """The jobs of a store, typed. Thread-safe.

    Each job has private data beside it: JSON values that only its own work understands.
    """

    def __init__(self, store: SolutionStore) -> None:
        self._store = store
        self._untyped: dict[str, str] = {}
        """Jobs of which the store knows more or less than their kinds have, with the reason."""
        self._own: dict[str, Job] = {}
        """Jobs of this process, when the store cannot keep them."""
        self._finished: LRUCache[tuple[str, float, str], Job] = LRUCache(KEPT_JOBS)
        self._to_forget: deque[str] = deque()
        """Jobs that have ended and still have a checkpoint."""
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

    def change(self, job: Job, **changes: Any) -> Job:
        """Stores changes of a job that does not run in this process, and returns the job.

        Raises:
            JobStateError: another server has changed the job since it was read.
        """
        changed = replace(job, **changes, updated=time.time())
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

    def page(
        self, states: Collection[str] | None, limit: int, before: str | None, kinds: Collection[str] | None = None
    ) -> list[Job]:
        """Jobs, newest first.

        Raises:
            JobNotFoundError: there is no job `before`.
        """
        kinds = [kind for kind in KINDS if kinds is None or kind in kinds]
        with self._lock:
            own_jobs = dict(self._own)
        last = own_jobs.get(before) if before is not None else None
        if last is None:
            jobs = self._typed_page(states, limit, before, kinds)
            last = None if before is None or not own_jobs else self.find(before)[0]
        else:  # a job of this process only: its place among the stored ones is told by its time
            jobs = self._typed_page(states, limit, (last.created, last.id), kinds)
        for job in own_jobs.values():
            behind = last is None or (job.created, job.id) < (last.created, last.id)
            if behind and job.kind in kinds and (states is None or job.state in states):
                jobs.append(job)
        return sorted(jobs, key=lambda job: (job.created, job.id), reverse=True)[:limit]

    def _typed_page(
        self, states: Collection[str] | None, limit: int, before: str | tuple[float, str] | None, kinds: list[str]
    ) -> list[Job]:
        """Stored jobs. Those that cannot be read are passed over, and do not shorten the page."""
        jobs: list[Job] = []
        while len(jobs) < limit:
            wanted = limit - len(jobs)
            stored = self._store.list_jobs(states, limit=wanted, before=before, kinds=kinds)
            jobs += [job for entry in stored if (job := self._typed(entry)) is not None]
            if len(stored) < wanted:
                break
            before = stored[-1].created, stored[-1].id
        return jobs

    def _typed(self, stored: StoredJob) -> Job | None:
        """A stored job, None if it cannot be read. Finished ones, which seldom change, are kept for later listings."""
        key = (stored.id, stored.updated, stored.state)
        kept = self._finished.get(key)
        if kept is not None:
            return kept
        try:
            job = from_stored(stored)
            if job.finished and message_bytes(job) <= KEPT_BYTES:
                self._finished.keep(key, job)
            return job
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            if stored.id not in self._untyped:
                _log.warning("job %s is passed over, its row cannot be read: %s", stored.id, error)
                self._untyped[stored.id] = str(error)
            return None

    def unreadable(self) -> dict[str, str]:
        """Jobs that were passed over so far because their rows cannot be read, by id, with the reason."""
        return {**self._store.unreadable_jobs(), **self._untyped}

    def unfinished(self) -> list[tuple[Job, dict[str, Any]]]:
        """Jobs that are stored as queued or running, oldest first, with their private data.

        Those of the kind `report`, which is gone, fail here.
        """
        stored = self._store.list_jobs(UNFINISHED, kinds=[*KINDS, "report"])
        for job in stored:
            if job.kind == "report" and not self._store.read_only:
                ended = replace(job, state="failed", updated=time.time(), error=NO_REPORTS)
                self._store.replace_job(ended, job.updated)
        typed = ((self._typed(job), job.progress.get("private", {})) for job in reversed(stored) if job.kind in KINDS)
        return [(job, private) for job, private in typed if job is not None]

    def updated(self, job_id: str) -> float | None:
        """When the stored job was changed last; None if there is no such job."""
        stored = self._store.get_job(job_id)
        return None if stored is None else stored.updated

    def drop_checkpoint_or_later(self, job_id: str) -> None:
        """Forgets what a job that has ended would need to go on: now, or when the store can be written again."""
        if self._store.read_only:
            return
        with self._lock:
            self._to_forget.append(job_id)
        try:
            self.drop_left_checkpoints()
        except StoreError as error:
            _log.warning("the checkpoint of job %s is kept for now: %s", job_id, error)

    def drop_left_checkpoints(self) -> None:
        """Forgets the checkpoints that could not be dropped before.

        Raises:
            StoreError: they still cannot.
        """
        while True:
            with self._lock:
                if not self._to_forget:
                    return
                job_id = self._to_forget.popleft()
            try:
                self._store.drop_checkpoint(job_id)
            except StoreError:
                with self._lock:
                    self._to_forget.append(job_id)
                raise
