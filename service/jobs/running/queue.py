"""The jobs of this process: those that run, each in a slot, and those that wait for one."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict

from proofbase.service.errors import QueueFullError
from proofbase.service.jobs.running.job_run import JobRun

__all__ = ["JobQueue"]


class JobQueue:
    """Clients take turns: a slot goes to the client that got one longest ago, and to its jobs in order. Thread-safe.

    A job that has had its turn gives its slot to one of a client that has fewer slots, and waits behind the other jobs
    of its client. Jobs that cannot give way soon leave one slot to those that can, where there are several.

    Jobs of no client, where a server does not check its clients, wait in one line together, and none gives way to
    another. No client has more slots than it may.

    Args:
        slots: jobs that run at a time.
        most_waiting: jobs that may wait.
        slots_of_a_client: jobs of one client that run at a time.
        turn_seconds: of a turn.
    """

    def __init__(self, slots: int, most_waiting: int, slots_of_a_client: int, turn_seconds: float) -> None:
        self._slots = slots
        self._most_waiting = most_waiting
        self._slots_of_a_client = slots_of_a_client
        self._turn_seconds = turn_seconds
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
        if waiting >= self._most_waiting:
            raise QueueFullError(f"{waiting} jobs wait already: that is the limit (queued_jobs)")

    def add(self, run: JobRun) -> None:
        """Adds a job, and starts it if there is a slot."""
        with self._lock:
            self._runs[run.job.id] = run
        self.fill_slots()

    def remove(self, run: JobRun, successor: JobRun | None = None) -> None:
        """A job has left its slot: the next one gets it.

        Args:
            run: the job.
            successor: the same job, where it waits for its next turn.
        """
        with self._lock:
            if self._runs.get(run.job.id) is run:
                del self._runs[run.job.id]
                if successor is not None:
                    self._runs[run.job.id] = successor
                    self._note_turn(run.job.started_by)  # it has just had one: that of the others is longer ago
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
            running = self._running()
            while not self._closed and len(running) < self._slots:
                run = next((run for run in self._in_turn() if self._may_start(run, running)), None)
                if run is None:
                    return
                self._note_turn(run.job.started_by)
                run.start()
                running.append(run)

    def make_way(self) -> None:
        """Asks a job that has had its turn to give its slot to one that waits: one at a time."""
        with self._lock:
            running = self._running()
            if self._closed or any(run.gives_way for run in running):
                return
            turns_over = [(began, run) for run in running if (began := run.turn_began(self._turn_seconds)) is not None]
            slots_of = Counter(run.job.started_by for run in running)
            for candidate in self._in_turn() if turns_over else ():
                for _, run in sorted(turns_over, key=lambda entry: entry[0]):
                    others = [other for other in running if other is not run]
                    has_fewer = slots_of[candidate.job.started_by] < slots_of[run.job.started_by]
                    if has_fewer and self._may_start(candidate, others):
                        run.request_stop("turn")
                        return

    def _running(self) -> list[JobRun]:
        return [run for run in self._runs.values() if not run.waits_for_slot]

    def _in_turn(self) -> list[JobRun]:
        """The jobs that wait: those of the client whose turn is longest ago first, and of each client in order."""
        candidates = [run for run in self._runs.values() if run.waits_for_slot]
        return sorted(candidates, key=lambda run: self._last_turn.get(run.job.started_by, 0))

    def _may_start(self, run: JobRun, running: list[JobRun]) -> bool:
        """Whether a job may run beside these."""
        client = run.job.started_by
        if len(running) >= self._slots:
            return False
        if client is None:
            return True
        if sum(other.job.started_by == client for other in running) >= self._slots_of_a_client:
            return False
        taken_slots = sum(not other.gives_way_soon for other in running)
        return run.gives_way_soon or taken_slots < max(1, self._slots - 1)

    def _note_turn(self, client: str | None) -> None:
        self._turns += 1
        self._last_turn[client] = self._turns

    def close(self) -> None:
        """Starts no more jobs."""
        with self._lock:
            self._closed = True
