"""The use cases of jobs: start, look at, stop and resume them, and take up those that another process has left."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace

from proofbase.service.errors import JobStateError
from proofbase.service.jobs.control import STOP_SECONDS, StopReason
from proofbase.service.jobs.kinds import KINDS, kind_of
from proofbase.service.jobs.model import FINISHED, UNFINISHED, Job, Spec, State, new_job_id
from proofbase.service.jobs.running.checkpoint_retention import CheckpointRetention
from proofbase.service.jobs.running.job_run import JobRun, RunnerParts
from proofbase.service.jobs.running.ledger import JobLedger
from proofbase.service.jobs.running.periodic_tasks import PeriodicTask, repeat, start_periodic_tasks
from proofbase.service.jobs.running.queue import JobQueue
from proofbase.service.jobs.running.watchers import Watcher, Watchers, updates_of
from proofbase.service.jobs.servers import RENEWAL_SECONDS, JobServers
from proofbase.service.resources import Resources
from proofbase.storage import JobNotFoundError, StoreError, TransientStoreError

__all__ = ["JobRunner"]

_log = logging.getLogger(__name__)
PROGRESS_SECONDS = 0.3
LOOK_SECONDS = 15.0
"""How often the jobs of the store are looked after."""
PRUNE_SECONDS = 600.0
"""How often a server forgets old jobs."""
OLD_CHECKPOINTS_SECONDS = 1.0
"""How often it looks whether a call has asked it to forget the work of old solves."""
ELSEWHERE_SECONDS = 1.0
"""How often a job that is watched here and does not run here is read from the store."""


class JobRunner:
    """The jobs of one service. Thread-safe.

    Every change of a job's state is stored before anybody hears of it. A job that was queued or running when the
    process ended is found again by `resume_unfinished`.
    """

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._watchers = Watchers()
        self._ledger = JobLedger(resources.store)
        self._servers = JobServers(resources.store)
        limits = resources.limits
        self._queue = JobQueue(
            limits.concurrent_jobs, limits.queued_jobs, limits.client_running_jobs, limits.job_turn_seconds
        )
        self._checkpoint_retention = CheckpointRetention(self._ledger, limits.kept_searches)
        self._parts = RunnerParts(resources, self._ledger, self._watchers, self._queue.remove)
        # Held while a job enters this process or leaves the queue, so that it does so once.
        self._lock = threading.RLock()
        self._end = threading.Event()
        self._threads: list[threading.Thread] = []
        self._resumes_jobs = False
        """Whether this process takes up the jobs that others have left."""
        self._seen_elsewhere: dict[str, float] = {}
        """`updated` of jobs that are watched here and run elsewhere."""

    # Use cases

    def start(
        self, spec: Spec, checkpoint: Iterable[bytes] = (), started_by: str | None = None, call: str | None = None
    ) -> Job:
        """Stores a new job and queues it.

        Args:
            spec: what is asked.
            checkpoint: chunks of a checkpoint to begin with, such as a list that the spec has no room for.
            started_by: the client that asks for it.
            call: the id of the call that asks for it.

        Raises:
            QueueFullError: too many wait.
            StoreError: it cannot be stored.
        """
        self._enter()
        now = time.time()
        with self._lock:  # to its end: what is stored as queued and is not in the queue would be taken up
            self._queue.check_room()
            job = Job(new_job_id(now), kind_of(spec), "queued", now, now, spec, started_by=started_by, call=call)
            job = replace(job, server=self._servers.own)
            self._ledger.keep(job, {})
            try:
                for chunk in checkpoint:
                    self._resources.store.append_checkpoint(job.id, chunk)
            except BaseException:
                self._give_up(job)
                raise
            self._queue.add(JobRun(job, {}, self._parts))
        return job

    def get(self, job_id: str) -> Job:
        """The job as it is now.

        Raises:
            JobNotFoundError: no such job.
        """
        run = self._queue.get(job_id)
        return self._ledger.find(job_id)[0] if run is None else run.job

    def list(
        self, states: Collection[str] | None, limit: int, before: str | None, kinds: Collection[str] | None = None
    ) -> list[Job]:
        """Stored jobs, newest first; those that run in this process as they are now."""
        page = self._ledger.page(states, limit, before, kinds)
        runs = {run.job.id: run for run in self._queue.all()}
        return [runs[job.id].job if job.id in runs else job for job in page]

    def here(self) -> tuple[Job, ...]:
        """The jobs that run or wait in this process, in the order in which they came."""
        return tuple(run.job for run in self._queue.all())

    def unreadable(self) -> int:
        """How many stored jobs were passed over so far because their rows cannot be read."""
        return len(self._ledger.unreadable())

    def cancel(self, job_id: str) -> Job:
        """Ends a job for good.

        While the store cannot take the new state, the job is returned as it is, with a message that says so.

        Raises:
            JobStateError: it has ended already.
        """
        self._let_leave(job_id)
        while True:
            job = self._stop(job_id, "cancel")
            if job is not None and (job.state != "paused" or job_id in self._queue):
                return job
            with self._lock:
                if job_id in self._queue:
                    continue  # it has just entered this process
                job = self.get(job_id)
                if job.finished:
                    raise JobStateError(
                        f"job {job_id} is {job.state}: it has ended already", job_id=job_id, state=job.state
                    )
                self._refuse_elsewhere(job)
                changed = self._change_stored(job, "cancelled")
            break
        if not KINDS[job.kind].keeps_checkpoint:
            self._ledger.drop_checkpoint_or_later(job_id)
        return changed

    def pause(self, job_id: str) -> Job:
        """Stops a job so that it can be resumed.

        While the store cannot take the new state, the job is returned as it is, with a message that says so.

        Raises:
            JobStateError: it is not queued or running.
        """
        self._let_leave(job_id)
        while True:
            job = self._stop(job_id, "pause")
            if job is not None:
                return job
            with self._lock:
                if job_id in self._queue:
                    continue  # it has just entered this process
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
        """Queues a job that is paused or has failed, that its budget ended, or that another process left behind.

        Args:
            job_id: the job.
            spec: what the job is asked from now on; None for what it was asked.

        Raises:
            JobStateError: it has ended, or it runs.
            QueueFullError: too many wait.
        """
        self._enter()
        self._let_leave(job_id)
        with self._lock:
            job = self.get(job_id)
            resumable = job.resumable or job.state in ("failed", *UNFINISHED)
            if job_id in self._queue or not resumable or not self._servers.has_no_server(job):
                raise JobStateError(
                    f"job {job_id} is {self._place(job)}: only a paused or failed job can be resumed",
                    job_id=job_id,
                    state=job.state,
                )
            self._queue.check_room()
            private = self._ledger.find(job_id)[1]
            job = replace(job, spec=spec or job.spec, state="queued", result=None, error=None, error_reason=None)
            job = self._ledger.change(job, server=self._servers.own)
            self._queue.add(JobRun(job, private, self._parts))
        self._watchers.publish(job)
        return job

    def prune(self, older_than: float | None = None, keep: int | None = None, *, wait: bool = True) -> int:
        """Forgets finished jobs, and the work of solves that their budget ended beyond the limit `kept_searches`.

        Args:
            older_than: only those that ended at least so many seconds ago; None for the limit `kept_job_days`.
            keep: so many of the newest finished jobs stay; None for the limit `kept_jobs`.
            wait: until the work is forgotten as well, which may take seconds; otherwise the upkeep does it soon.

        Returns:
            How many.
        """
        limits = self._resources.limits
        seconds = limits.kept_job_days * 86_400.0 if older_than is None else older_than
        kept = limits.kept_jobs if keep is None else keep
        pruned = self._resources.store.prune_jobs(FINISHED, updated_before=time.time() - seconds, keep=kept)
        if wait:
            self._checkpoint_retention.drop()
        else:
            self._checkpoint_retention.ask()
            self._start_threads()
        return pruned

    def resume_unfinished(self, address: str | None = None) -> int:
        """Queues what earlier processes left queued or running. For a server that has just started.

        Args:
            address: `host:port` where this process answers calls.

        Returns:
            How many jobs.
        """
        if self._resources.store.read_only:
            return 0
        self._resumes_jobs = True
        self._enter(address)
        try:
            return self._take_over()
        except TransientStoreError as error:
            _log.warning("the jobs of the store are taken up when it answers: %s", error)
            return 0

    def subscribe(self, job_id: str, watcher: Watcher) -> Callable[[], None]:
        """Calls `watcher` with the job now, at every change of state, and with all progress, from any thread.

        Of a job of another process the stored progress is shown, which is renewed every few seconds.

        Returns:
            A function that ends it.

        Raises:
            JobNotFoundError: no such job.
        """
        self._start_threads()
        return self._watchers.add(job_id, watcher, lambda: self.get(job_id))

    def watch(self, job_id: str) -> Iterator[Job]:
        """The job now and whenever it changes, until it is finished or paused; states in between may be missed."""
        return updates_of(lambda watcher: self.subscribe(job_id, watcher))

    def close(self) -> None:
        """Stops all jobs so that the next process can go on with them. Takes little more than `STOP_SECONDS`."""
        self._queue.close()
        runs = self._queue.all()
        for run in runs:
            if self._queue.take_waiting(run):
                run.ended.set()  # it is stored as queued
            else:
                run.request_stop("shutdown")
        deadline = time.monotonic() + STOP_SECONDS
        for run in runs:
            if not run.ended.wait(max(0.0, deadline - time.monotonic())):
                run.abandon(None)
        self._end.set()
        for thread in self._threads:
            # It holds the works that it shows, searches with their memory included.
            thread.join(max(0.1, deadline - time.monotonic()))
        self._servers.leave()

    # This process

    def _enter(self, address: str | None = None) -> None:
        """Before this process has its first job."""
        try:
            self._servers.enter(address)
        except TransientStoreError as error:
            _log.warning("the store does not answer: %s", error)  # the upkeep will tell it of this process
        self._start_threads()

    def _start_threads(self) -> None:
        with self._lock:
            if self._threads or self._end.is_set():
                return
            tasks = (
                PeriodicTask("tell that this server lives", RENEWAL_SECONDS, self._servers.renew),
                PeriodicTask("follow jobs of other servers", ELSEWHERE_SECONDS, self._follow_elsewhere),
                PeriodicTask("look after the jobs of the store", LOOK_SECONDS, self._look_after),
                PeriodicTask("forget old jobs", PRUNE_SECONDS, self._prune),
                PeriodicTask("drop old checkpoints", OLD_CHECKPOINTS_SECONDS, self._checkpoint_retention.drop_if_asked),
            )
            self._threads = [
                repeat(self._show_progress, PROGRESS_SECONDS, self._end, "job progress"),
                repeat(self._queue.make_way, PROGRESS_SECONDS, self._end, "turns of jobs"),
                start_periodic_tasks(tasks, self._end),
            ]

    def _show_progress(self) -> None:
        for run in self._queue.all():
            run.show_progress()

    def _follow_elsewhere(self) -> None:
        """Tells watchers of jobs that do not run in this process."""
        watched = [job_id for job_id in self._watchers.watched() if job_id not in self._queue]
        seen, self._seen_elsewhere = self._seen_elsewhere, {}
        for job_id in watched:
            try:
                job = self._ledger.find(job_id)[0]
            except JobNotFoundError:
                continue
            self._seen_elsewhere[job_id] = job.updated
            if seen.get(job_id) != job.updated and job_id not in self._queue:
                self._watchers.publish(job)

    def _look_after(self) -> None:
        self._ledger.drop_left_checkpoints()
        if self._resumes_jobs:
            self._take_over()
            self._servers.forget_dead()

    def _prune(self) -> None:
        if self._resumes_jobs:
            pruned = self.prune(wait=False)
            if pruned:
                _log.info("%d old jobs are forgotten", pruned)

    def _take_over(self) -> int:
        """Queues the unfinished jobs that no process works on."""
        stored = self._ledger.unfinished()
        private = {job.id: data for job, data in stored}
        unclaimed = [job for job, _ in stored if job.id not in self._queue]
        count = 0
        for job in self._servers.dead(unclaimed) if unclaimed else ():
            with self._lock:
                if job.id in self._queue or self._end.is_set():
                    continue
                queued = replace(job, state="queued", updated=time.time(), server=self._servers.own)
                if not self._ledger.replace(queued, private[job.id], job.updated):
                    continue  # another server was faster, or it has ended here since
                _log.info("job %s was left %s: it goes on", job.id, self._place(job))
                self._queue.add(JobRun(queued, private[job.id], self._parts))
                count += 1
            self._watchers.publish(queued)
        return count

    # One job

    def _give_up(self, job: Job) -> None:
        """Ends a job that could not be stored whole. Nobody knows it yet."""
        try:
            ended = replace(job, state="cancelled", updated=time.time(), server=None, error="it was not stored whole")
            self._ledger.keep(ended, {})
        except StoreError as error:
            _log.warning("job %s was not stored whole, and will fail: %s", job.id, error)

    def _place(self, job: Job) -> str:
        return job.state if job.server is None else f"{job.state} in {job.server}"

    def _refuse_elsewhere(self, job: Job) -> None:
        if not self._servers.has_no_server(job):
            raise JobStateError(
                f"job {job.id} is {job.state} in another server of this database, {job.server}: ask that one",
                job_id=job.id,
                state=job.state,
            )

    def _let_leave(self, job_id: str) -> None:
        """Waits for a job whose last state is stored and was seen, and which is just leaving this process."""
        run = self._queue.get(job_id)
        if run is not None and run.job.resting:
            run.ended.wait(STOP_SECONDS)

    def _stop(self, job_id: str, reason: StopReason) -> Job | None:
        """Stops a job of this process; None when it is not one."""
        state: State = "cancelled" if reason == "cancel" else "paused"
        while (run := self._queue.get(job_id)) is not None:
            with self._lock:  # between the queue and the store nobody may take it for a job that was left
                taken = self._queue.take_waiting(run)
                if taken:
                    try:
                        run.change_state(state)
                    except StoreError:
                        self._queue.put_back(run)
                        raise
            if taken:
                run.ended.set()
                self._watchers.publish(run.job)
                return run.job
            run.request_stop(reason)
            deadline = time.monotonic() + STOP_SECONDS
            while not run.ended.wait(0.05) and not run.waits_for_store:
                if time.monotonic() > deadline:
                    run.abandon(state)
            if not run.gave_way:
                return run.job
        return None

    def _change_stored(self, job: Job, state: State) -> Job:
        """Changes the state of a job that does not run here, and tells its watchers."""
        changed = self._ledger.change(job, state=state, server=None)
        self._watchers.publish(changed)
        return changed
