"""The jobs of this process: those that run, each in a slot, and those that wait for one."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict

from proofbase.service.errors import QueueFullError
from proofbase.service.jobs.running.job_run import JobRun

__all__ = ["JobQueue"]


class JobQueue:
    """Clients take turns: a slot goes to the client that got one longest ago, and to its jobs in order. Thread-safe.

    Jobs of no client, where a server does not check its clients, wait in one line together. No client has more slots
    than it may.

    Args:
        slots: jobs that run at a time.
        waiting: jobs that may wait.
        slots_of_a_client: jobs of one client that run at a time.
    """

    def __init__(self, slots: int, waiting: int, slots_of_a_client: int) -> None:
        self._slots = slots
        self._waiting = waiting
        self._slots_of_a_client = slots_of_a_client
        self._runs: OrderedDict[str, JobRun] = OrderedDict()
        self._last_turn: dict[str | None, int] = {}
        """When each client got a slot last, in turns."""
        self._turns = 0
        self._closed = False
        self._lock = threading.RLock()

    def __contains__(self, job_id: object) -> bool:
        with self._lock:
            return job_id in self._runs

    def get(self, job_id: str) -> JobRun | None:
        """The job of that id, None if it is not in this process."""
        with self._lock:
            return self._runs.get(job_id)

    def all(self) -> list[JobRun]:
        """The jobs, in the order in which they came."""
        with self._lock:
            return list(self._runs.values())

    def check_room(self) -> None:
        """Refuses another job when too many wait.

        Raises:
            QueueFullError: that is so.
        """
        with self._lock:
            waiting = sum(run.waits_for_slot for run in self._runs.values())
        if waiting >= self._waiting:
            raise QueueFullError(f"{waiting} jobs wait already: that is the limit (queued_jobs)")

    def add(self, run: JobRun) -> None:
        """Adds a job, and starts it if there is a slot."""
        with self._lock:
            self._runs[run.job.id] = run
        self.fill_slots()

    def remove(self, run: JobRun) -> None:
        """A job has left this process: the next one gets its slot."""
        with self._lock:
            if self._runs.get(run.job.id) is run:
                del self._runs[run.job.id]
        self.fill_slots()

    def take_waiting(self, run: JobRun) -> bool:
        """Keeps a job that waits for a slot from being started; False if it has begun already."""
        with self._lock:
            if run.waits_for_slot and self._runs.get(run.job.id) is run:
                del self._runs[run.job.id]
                return True
            return False

    def put_back(self, run: JobRun) -> None:
        """Has a job that was taken out wait again, before the others."""
        with self._lock:
            self._runs[run.job.id] = run
            self._runs.move_to_end(run.job.id, last=False)
        self.fill_slots()

    def fill_slots(self) -> None:
        """Starts jobs that wait while there are slots."""
        with self._lock:
            running = Counter(run.job.started_by for run in self._runs.values() if not run.waits_for_slot)
            while not self._closed and running.total() < self._slots:
                run = self._next(running)
                if run is None:
                    return
                client = run.job.started_by
                running[client] += 1
                self._turns += 1
                self._last_turn[client] = self._turns
                run.start()

    def _next(self, running: Counter[str | None]) -> JobRun | None:
        """The job that gets the next slot; None where no job waits that may have one."""
        first: dict[str | None, JobRun] = {}
        for run in self._runs.values():
            client = run.job.started_by
            if run.waits_for_slot and (client is None or running[client] < self._slots_of_a_client):
                first.setdefault(client, run)
        return min(first.values(), key=lambda run: self._last_turn.get(run.job.started_by, 0), default=None)

    def close(self) -> None:
        """Starts no more jobs."""
        with self._lock:
            self._closed = True
