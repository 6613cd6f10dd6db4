"""The workers of a proof manager in a Dask cluster: they come and go, and none of them is trusted with a fact.

Dask gives the task of a worker that was lost to another one. When the scheduler is lost, its tasks have failed: the
manager gives them out again when a scheduler answers at the address. One thread looks after the cluster: how many
workers there are, whether they can search, and whether their tasks are to end.
"""

from __future__ import annotations

import logging
import threading
import time
import uuid
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from proofbase.service.errors import ClusterUnavailableError
from proofbase.service.jobs.proof_manager.cluster_task import end_tasks, search_task
from proofbase.service.jobs.proof_manager.task import Task, TaskResult
from proofbase.service.jobs.proof_manager.workers import KNOWN_SENT, Finished, TaskLostError
from proofbase.service.resources.cluster import Cluster

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable

__all__ = ["ClusterWorkers"]

_log = logging.getLogger(__name__)
CONNECT_SECONDS = 10.0
PATIENCE_SECONDS = 60.0
"""So long the scheduler may be away, or a cluster may have no worker at the beginning."""
LOOK_SECONDS = 1.0
END_SECONDS = 5.0
"""Tasks that were told to end and have not after so long are given up: no worker has them any more."""
CLOSE_SECONDS = 5.0
ALL_KNOWN_SENT = 320_000
"""Records that are sent with the tasks of all workers together: the scheduler passes them on."""


class ClusterWorkers:
    """Workers of a Dask cluster.

    Args:
        cluster: where its scheduler is.
        most: search at most so many tasks at a time.

    Raises:
        ClusterUnavailableError: the scheduler does not answer, or a worker has another Python or another proofbase.
    """

    def __init__(self, cluster: Cluster, most: int) -> None:
        self._cluster = cluster
        self._most = most
        self._run = uuid.uuid4().hex
        self._round = 1
        self._ending_round = 0
        """Tasks up to this round were told to end, at `_ending_since` (time.monotonic)."""
        self._ending_since = 0.0
        self._futures: dict[int, Any] = {}
        self._finished: SimpleQueue[Finished | None] = SimpleQueue()
        self._versions: dict[str, str | None] = {}
        """Why a worker cannot search, by its address; None if it can."""
        self._threads: dict[str, int] = {}
        self._failed: ClusterUnavailableError | None = None
        self._away_since = self._empty_since = time.monotonic()
        self._had_workers = False
        self._closing = False
        self._wake = threading.Event()
        self._client = self._connect()
        try:
            self._look_at_workers()
            bad = [reason for reason in self._versions.values() if reason is not None]
            if bad:
                raise ClusterUnavailableError(f"the cluster {cluster.address} cannot search: {bad[0]}")
        except BaseException:
            self._client.close(timeout=CLOSE_SECONDS)
            raise
        self._watcher = threading.Thread(target=self._watch, name="proof cluster", daemon=True)
        self._watcher.start()

    @property
    def count(self) -> int:
        """Threads of all workers that can search, at most the number that was asked for; 0 while there are none."""
        return min(self._most, sum(n for place, n in self._threads.items() if self._versions.get(place) is None))

    @property
    def sends_known(self) -> bool:
        """Whether what is known has to be sent with the tasks."""
        return self._cluster.reads is None

    @property
    def known_sent(self) -> int:
        """Records up to which they are sent."""
        return min(KNOWN_SENT, ALL_KNOWN_SENT // max(1, self.count))

    # Tasks

    def submit(self, task: Task, known: RecordTable | None) -> None:
        """As in `Workers`."""
        bad = any(reason is not None for reason in self._versions.values())
        able = [place for place in self._threads if self._versions.get(place) is None] if bad else None
        key = f"proof-task-{self._run}-{task.number}"
        try:
            future = self._client.submit(
                search_task, task, self._run, self._round, self._cluster, key=key, pure=False, workers=able
            )
            self._futures[task.number] = future
            future.add_done_callback(lambda done: self._bring(task.number, done))
        except Exception as error:  # the connection was lost just now
            self._futures.pop(task.number, None)
            self._finished.put((task.number, error))

    def _bring(self, number: int, future: Any) -> None:
        """In Dask's thread for callbacks: takes a result, and lets the cluster forget it."""
        from distributed.client import FutureCancelledError

        result: TaskResult | BaseException
        try:
            result = future.result()
        except FutureCancelledError as error:
            result = TaskLostError(str(error))
        except Exception as error:
            result = error
        except BaseException as error:  # Dask's cancellation is asyncio's
            result = TaskLostError(f"the task was lost: {error or 'its scheduler or its workers are gone'}")
        self._futures.pop(number, None)
        with suppress(Exception):
            future.release()
        self._finished.put((number, result))

    def next_finished(self, seconds: float) -> Finished | None:
        """As in `Workers`.

        Raises:
            ClusterUnavailableError: the cluster was away for too long.
        """
        if self._failed is not None:
            raise self._failed
        try:
            return self._finished.get(timeout=seconds) if seconds > 0 else self._finished.get_nowait()
        except Empty:
            self._give_up_tasks()
            return None

    def wake(self) -> None:
        """As in `Workers`."""
        self._finished.put(None)

    def _give_up_tasks(self) -> None:
        """Long after its tasks were told to end, the manager waits for none of them: the scheduler hangs."""
        if self._ending_round == self._round and time.monotonic() > self._ending_since + 3 * END_SECONDS:
            for number in list(self._futures):
                self._futures.pop(number, None)
                self._finished.put((number, RuntimeError("the cluster did not end the task")))

    def stop(self) -> None:
        """As in `Workers`."""
        self._ending_since = time.monotonic()
        self._ending_round = self._round
        self._wake.set()

    def go_on(self) -> None:
        """As in `Workers`."""
        self._round += 1

    def keeps(self, asked: tuple[str, int]) -> str | None:
        """As in `Workers`: a task may come to any machine."""
        return None

    def forget(self, asked: tuple[str, int]) -> None:
        """As in `Workers`."""

    def task_memory(self, job_bytes: int) -> int:
        """A worker has its own machine: it takes the job's limit, and less where it has less."""
        return job_bytes

    def close(self) -> None:
        """As in `Workers`. Workers whose tasks have not ended by then end them by themselves."""
        self.stop()
        self._closing = True
        self._wake.set()
        self._watcher.join(2 * CLOSE_SECONDS)
        with suppress(Exception):
            self._client.cancel(list(self._futures.values()))
        with suppress(Exception):
            self._client.close(timeout=CLOSE_SECONDS)

    # The cluster

    def _connect(self) -> Any:
        import distributed

        new_client: Any = distributed.Client  # most of its methods have no types
        try:
            return new_client(self._cluster.address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise ClusterUnavailableError(
                f"the scheduler of the cluster at {self._cluster.address} does not answer: "
                f"{error or type(error).__name__}"
            ) from None

    def _watch(self) -> None:
        round_told = 0
        while True:
            self._wake.wait(LOOK_SECONDS)
            self._wake.clear()
            try:
                if self._ending_round > round_told:
                    round_told = self._ending_round
                    self._client.run(end_tasks, self._run, round_told, wait=False, on_error="ignore")
                if self._closing:
                    return
                if self._ending_round == self._round and time.monotonic() > self._ending_since + END_SECONDS:
                    self._client.cancel(list(self._futures.values()))
                self._look_at_workers()
            except Exception as error:
                self._threads = {}
                if self._closing:
                    return
                self._find_again(error)
            if self._failed is not None:
                return

    def _look_at_workers(self) -> None:
        """How many there are, and whether the new ones can search."""
        if self._client.status != "running":
            raise ConnectionError(f"the connection is {self._client.status}")
        threads = self._client.nthreads()
        new = threads.keys() - self._versions.keys()
        if new:
            versions = self._client.get_versions(packages=["proofbase"])
            mine = versions["client"]["packages"]
            for place in new & versions["workers"].keys():
                reason = self._versions[place] = _difference(place, mine, versions["workers"][place]["packages"])
                if reason is not None:
                    _log.warning("a worker of the cluster is not used: %s", reason)
        self._versions = {place: reason for place, reason in self._versions.items() if place in threads}
        self._threads = {place: count for place, count in threads.items() if place in self._versions}
        self._away_since = time.monotonic()
        self._had_workers = self._had_workers or self.count > 0
        if self._had_workers:
            self._empty_since = time.monotonic()
        elif time.monotonic() > self._empty_since + PATIENCE_SECONDS:
            self._failed = ClusterUnavailableError(
                f"the cluster at {self._cluster.address} has had no worker for {PATIENCE_SECONDS:.0f} s: "
                f"start some with `dask worker {self._cluster.address}`"
            )

    def _find_again(self, error: Exception) -> None:
        """Connects again where Dask itself has given up."""
        away = time.monotonic() - self._away_since
        if away > PATIENCE_SECONDS:
            self._failed = ClusterUnavailableError(
                f"the scheduler of the cluster at {self._cluster.address} has not answered for {away:.0f} s: {error}"
            )
            return
        if self._client.status in ("closed", "closing"):
            _log.warning("the scheduler of the cluster at %s is lost: %s", self._cluster.address, error)
            with suppress(ClusterUnavailableError):
                self._client = self._connect()


def _difference(place: str, mine: dict[str, Any], theirs: dict[str, Any]) -> str | None:
    """Why a worker cannot search for a manager."""
    for name, parts in (("python", 2), ("proofbase", None)):
        have, need = (_version(versions.get(name), parts) for versions in (theirs, mine))
        if have != need:
            title = "Python" if name == "python" else name
            return f"the worker {place} has {title} {have or '(none)'}, and the manager has {need}"
    return None


def _version(version: str | None, parts: int | None) -> str:
    return ".".join((version or "").split(".")[:parts])
