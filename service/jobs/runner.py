"""Runs jobs in threads, keeps them in the store, and tells watchers of their changes."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from proofbase.service.errors import JobStateError, QueueFullError, error_mapping
from proofbase.service.jobs.control import JobControl, Stopped, StopReason, Work
from proofbase.service.jobs.identity import new_job_id
from proofbase.service.jobs.kinds import KINDS, kind_of
from proofbase.service.jobs.ledger import ABANDONED_SECONDS, JobLedger
from proofbase.service.jobs.model import UNFINISHED, Job, Progress, Result, Spec, State
from proofbase.service.jobs.watchers import Watcher, Watchers, updates_of
from proofbase.service.resources import Resources
from proofbase.storage import StoreError

__all__ = ["JobRunner"]

_log = logging.getLogger(__name__)
REPORT_SECONDS = 0.3
STOP_SECONDS = 10.0
_STATE_AFTER: dict[StopReason, State] = {"cancel": "cancelled", "pause": "paused", "shutdown": "queued"}
"""The state of a job whose work was stopped, by the reason."""


@dataclass
class _Active:
    """A job that is queued or running in this process."""

    job: Job
    private: dict[str, Any]
    stored: float
    """`updated` of the job as this process stored it last."""
    taken_over: bool = False
    """Another server has taken the job over."""
    control: JobControl | None = None
    work: Work | None = None
    ended: threading.Event = field(default_factory=threading.Event)


class JobRunner:
    """The jobs of one service. Thread-safe.

    Every change of a job's state is stored before watchers hear of it. A job that was queued or running when the
    process ended is found again by `resume_unfinished`.
    """

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._active: OrderedDict[str, _Active] = OrderedDict()
        self._watchers = Watchers()
        self._ledger = JobLedger(resources.store)
        self._lock = threading.RLock()
        self._end_of_reports = threading.Event()
        self._closed = False
        self._reporter: threading.Thread | None = None
        self._looked_after = time.monotonic()
        """When the jobs of a shared store were looked after last."""
        self._resumes_jobs = False
        """Whether this process takes up the jobs that other servers have left."""

    # Use cases

    def start(self, spec: Spec) -> Job:
        """Stores a new job and queues it.

        Raises:
            QueueFullError: too many wait.
        """
        now = time.time()
        with self._lock:
            self._check_room()
            job = Job(new_job_id(now), kind_of(spec), "queued", now, now, spec)
            self._ledger.keep(job, {})
            self._enqueue(job, {})
        return job

    def get(self, job_id: str) -> Job:
        """The job as it is now.

        Raises:
            JobNotFoundError: no such job.
        """
        with self._lock:
            active = self._active.get(job_id)
            if active is not None:
                return active.job
        return self._ledger.find(job_id)[0]

    def list(self, states: Collection[str] | None, limit: int, before: str | None) -> list[Job]:
        """Stored jobs, newest first; those that run in this process as they are now."""
        found = self._ledger.page(states, limit, before)
        with self._lock:
            return [self._active[job.id].job if job.id in self._active else job for job in found]

    def cancel(self, job_id: str) -> Job:
        """Ends a job for good.

        Raises:
            JobStateError: it has ended already.
        """
        job = self._stop(job_id, "cancel")
        if job is not None:
            return job
        job = self.get(job_id)
        if job.finished:
            raise JobStateError(f"job {job_id} is {job.state}: it has ended already", job_id=job_id, state=job.state)
        self._refuse_elsewhere(job)
        self._ledger.drop_checkpoint(job_id)
        return self._change_stored(job, "cancelled")

    def pause(self, job_id: str) -> Job:
        """Stops a job so that it can be resumed.

        Raises:
            JobStateError: it is not queued or running.
        """
        job = self._stop(job_id, "pause")
        if job is not None:
            return job
        job = self.get(job_id)
        if job.state not in UNFINISHED:
            raise JobStateError(
                f"job {job_id} is {job.state}: only a queued or running job can be paused",
                job_id=job_id,
                state=job.state,
            )
        self._refuse_elsewhere(job)
        return self._change_stored(job, "paused")  # another process left it behind

    def resume(self, job_id: str, spec: Spec | None = None) -> Job:
        """Queues a job that is paused, that its budget ended, or that another process left behind.

        Args:
            job_id: the job.
            spec: what the job is asked from now on; None for what it was asked.

        Raises:
            JobStateError: it has ended, or it runs.
            QueueFullError: too many wait.
        """
        with self._lock:
            job = self.get(job_id)
            if (
                job_id in self._active
                or (job.finished and not job.resumable)
                or (job.state in UNFINISHED and not self._ledger.has_no_server(job))
            ):
                raise JobStateError(
                    f"job {job_id} is {job.state}: only a paused job can be resumed", job_id=job_id, state=job.state
                )
            self._check_room()
            job = self._ledger.change_state(replace(job, spec=spec or job.spec, result=None), "queued")
            self._enqueue(job, self._ledger.find(job_id)[1])
        self._watchers.publish(job)
        return job

    def resume_unfinished(self) -> int:
        """Queues what earlier processes left queued or running. For a server that has just started.

        Returns:
            How many jobs.
        """
        if self._resources.store.read_only:
            return 0
        self._resumes_jobs = True
        count = 0
        for job, private in self._ledger.unfinished():
            with self._lock:
                if job.id in self._active or not self._ledger.has_no_server(job):
                    continue
                queued = replace(job, state="queued", updated=time.time())
                if not self._ledger.replace(queued, private, job.updated):
                    continue  # another server was faster
                _log.info("job %s was left %s: it goes on", job.id, job.state)
                self._enqueue(queued, private)
                count += 1
        return count

    def subscribe(self, job_id: str, watcher: Watcher) -> Callable[[], None]:
        """Calls `watcher` with the job now, at every change of state, and with every progress report, from any thread.

        Returns:
            A function that ends it.

        Raises:
            JobNotFoundError: no such job.
        """
        with self._lock:
            job = self.get(job_id)
            end = self._watchers.add(job_id, watcher)
        watcher(job)
        return end

    def watch(self, job_id: str) -> Iterator[Job]:
        """The job now and whenever it changes, until it is finished or paused; states in between may be missed."""
        return updates_of(lambda watcher: self.subscribe(job_id, watcher))

    def close(self) -> None:
        """Stops all jobs so that the next process can go on with them."""
        with self._lock:
            self._closed = True
            active = list(self._active)
        for job_id in active:
            self._stop(job_id, "shutdown", wait=False)
        deadline = time.monotonic() + STOP_SECONDS
        for entry in list(self._active.values()):
            entry.ended.wait(max(0.0, deadline - time.monotonic()))
        self._end_of_reports.set()
        if self._reporter is not None:
            # The thread holds the works that it reports on, searches with their memory included.
            self._reporter.join(STOP_SECONDS)

    # Queue

    def _check_room(self) -> None:
        waiting = sum(1 for entry in self._active.values() if entry.control is None)
        if waiting >= self._resources.limits.queued_jobs:
            raise QueueFullError(f"{waiting} jobs wait already: that is the limit (queued_jobs)")

    def _refuse_elsewhere(self, job: Job) -> None:
        if not self._ledger.has_no_server(job):
            raise JobStateError(
                f"job {job.id} is {job.state} in another server of this database: ask that one",
                job_id=job.id,
                state=job.state,
            )

    def _enqueue(self, job: Job, private: dict[str, Any]) -> None:
        self._active[job.id] = _Active(job, private, job.updated)
        self._start_waiting()
        if self._reporter is None:
            self._reporter = threading.Thread(target=self._report_until_closed, name="job progress", daemon=True)
            self._reporter.start()

    def _start_waiting(self) -> None:
        with self._lock:
            running = sum(1 for entry in self._active.values() if entry.control is not None)
            for entry in self._active.values():
                if self._closed or running >= self._resources.limits.concurrent_jobs:
                    return
                if entry.control is None:
                    running += 1
                    self._launch(entry)

    def _launch(self, entry: _Active) -> None:
        def save(progress: Progress, private: dict[str, Any]) -> bool:
            with self._lock:
                entry.job = replace(entry.job, progress=progress, updated=time.time())
                entry.private = dict(private)
            return self._keep(entry, entry.job, entry.private)

        entry.control = JobControl(entry.job, entry.private, save)
        threading.Thread(target=self._run, args=(entry,), name=f"job {entry.job.id}", daemon=True).start()

    # One job

    def _run(self, entry: _Active) -> None:
        control = entry.control
        assert control is not None
        try:
            # The work is made here, not before: if the job's game is no longer known, the job fails and nothing else.
            entry.work = KINDS[control.job.kind].work(self._resources, control, control.job.spec)
            self._set_running(entry)
            result = entry.work.run()
        except Stopped as stopped:
            reason = control.reason or "shutdown"
            self._end(entry, _STATE_AFTER[reason], result=stopped.result if reason == "cancel" else None)
        except Exception as error:
            mapping = error_mapping(error)
            _log.log(mapping.level, "job %s failed: %s", entry.job.id, error, exc_info=mapping.reason == "INTERNAL")
            text = str(error) or type(error).__name__
            self._end(entry, "failed", error=text.replace("\0", "?"), error_reason=mapping.reason)
        else:
            self._end(entry, "done", result=result)

    def _keep(self, entry: _Active, job: Job, private: dict[str, Any]) -> bool:
        """Stores a job of this process; False if another server has taken it over: then it ends here."""
        if not entry.taken_over and self._ledger.replace(job, private, entry.stored):
            entry.stored = job.updated
            return True
        if not entry.taken_over:
            _log.warning("job %s has another server now: it ends here", job.id)
            entry.taken_over = True
            if entry.control is not None:
                entry.control.request_stop("shutdown")
        return False

    def _set_running(self, entry: _Active) -> None:
        with self._lock:
            entry.job = replace(entry.job, state="running", updated=time.time())
        self._keep(entry, entry.job, entry.private)
        self._watchers.publish(entry.job)

    def _end(
        self,
        entry: _Active,
        state: State,
        *,
        result: Result | None = None,
        error: str | None = None,
        error_reason: str | None = None,
    ) -> None:
        assert entry.control is not None
        job = replace(
            entry.job,
            state=state,
            updated=time.time(),
            progress=entry.job.progress if entry.work is None else entry.work.progress(),
            result=result,
            error=error,
            error_reason=error_reason,
        )
        try:
            if not self._keep(entry, job, entry.control.private):
                job = self._ledger.find(job.id)[0]
            elif job.finished and not job.resumable:
                self._ledger.drop_checkpoint(job.id)
        except StoreError as failure:
            # The store keeps the state of the job that it had before, and the next start takes it up from there.
            _log.error("job %s is %s, but that cannot be stored: %s", job.id, state, failure)
        with self._lock:
            entry.job = job
            self._active.pop(job.id, None)
        # The watchers hear of the last state before cancel() and pause() return.
        self._watchers.publish(job)
        entry.ended.set()
        self._start_waiting()

    def _stop(self, job_id: str, reason: StopReason, *, wait: bool = True) -> Job | None:
        """Stops a job of this process; None when it is not one."""
        with self._lock:
            entry = self._active.get(job_id)
            if entry is None:
                return None
            if entry.control is None:  # it waits in the queue
                del self._active[job_id]
                entry.ended.set()
                if reason == "shutdown":
                    return entry.job  # it is stored as queued
                return self._change_stored(entry.job, "cancelled" if reason == "cancel" else "paused")
        entry.control.request_stop(reason)
        if wait:
            entry.ended.wait(STOP_SECONDS)
        return entry.job

    def _change_stored(self, job: Job, state: State) -> Job:
        """Changes the state of a job that does not run here, and tells its watchers."""
        changed = self._ledger.change_state(job, state)
        self._watchers.publish(changed)
        return changed

    # Progress

    def _report_until_closed(self) -> None:
        """The thread that tells watchers how far the running jobs are, and looks after the jobs of a shared store."""
        while not self._end_of_reports.wait(REPORT_SECONDS):
            with self._lock:
                running = [entry for entry in self._active.values() if entry.work is not None]
            for entry in running:
                self._report(entry)
            shared = self._resources.store.shared
            if shared and time.monotonic() - self._looked_after > ABANDONED_SECONDS / 2:
                self._looked_after = time.monotonic()
                try:
                    self._save_waiting()
                    if self._resumes_jobs:
                        self.resume_unfinished()
                except StoreError as error:
                    _log.warning("cannot look after the jobs of the database: %s", error)

    def _report(self, entry: _Active) -> None:
        assert entry.work is not None
        try:
            progress = entry.work.progress()
        except Exception:
            _log.exception("no progress report from job %s", entry.job.id)
            return
        with self._lock:
            if entry.ended.is_set() or entry.job.state != "running":
                return
            entry.job = replace(entry.job, progress=progress)
            job = entry.job
        self._watchers.publish(job)

    def _save_waiting(self) -> None:
        """Stores the waiting jobs once more, so that other servers see that these jobs have a server."""
        with self._lock:
            for entry in [entry for entry in self._active.values() if entry.control is None]:
                entry.job = replace(entry.job, updated=time.time())
                if not self._keep(entry, entry.job, entry.private):
                    del self._active[entry.job.id]
                    entry.ended.set()
