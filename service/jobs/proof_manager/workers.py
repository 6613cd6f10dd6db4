"""The workers of a proof manager, on an executor of `concurrent.futures`: threads of this process, or processes."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import lru_cache
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol

from proofbase.engine.checking.parallel_check import end_with_parent
from proofbase.engine.games import open_game
from proofbase.engine.rules import Game
from proofbase.service.jobs.proof_manager.kept_searches import KeptSearches
from proofbase.service.jobs.proof_manager.task import Task, TaskResult, run_task
from proofbase.service.positions import find_position
from proofbase.service.resources.native import new_record_table
from proofbase.service.resources.search_table import SearchTable

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable

__all__ = ["KNOWN_SENT", "Finished", "ProcessWorkers", "TaskLostError", "ThreadWorkers", "Workers"]

KEPT_SHARE = 4
"""Searches that are kept may hold one of so many parts of the job's memory."""
KNOWN_SENT = 20_000
"""Records of a game up to which they are sent with each task to another process: some hundred KB."""
Finished = tuple[int, TaskResult | BaseException]


class TaskLostError(RuntimeError):
    """A task was lost with the scheduler that had it: that is no failure of a worker."""


class Workers(Protocol):
    """Where tasks are searched."""

    @property
    def count(self) -> int:
        """How many tasks are searched at a time; 0 while a cluster has no workers."""

    @property
    def sends_known(self) -> bool:
        """Whether what is known has to be sent with the tasks."""

    @property
    def known_sent(self) -> int:
        """Records of a game up to which they are sent."""

    def task_memory(self, job_bytes: int) -> int:
        """Bytes that a task may hold.

        Args:
            job_bytes: the limit of the job.
        """

    def keeps(self, asked: tuple[str, int]) -> str | None:
        """By which algorithm a search of a question (position and bound) was begun that its next task goes on with.

        Returns:
            None if that task begins a new search.
        """

    def forget(self, asked: tuple[str, int]) -> None:
        """No task of the question will follow."""

    def submit(self, task: Task, known: RecordTable | None) -> None:
        """Begins a task."""

    def next_finished(self, seconds: float) -> Finished | None:
        """The number of a task that has ended, with its result or its error.

        Returns:
            None if there is none in that time, or `wake` was called.
        """

    def wake(self) -> None:
        """Ends a call of `next_finished`, from any thread: the manager has something else to look at."""

    def stop(self) -> None:
        """Tells all tasks to end soon. Their results still come."""

    def go_on(self) -> None:
        """After `stop`: new tasks may begin."""

    def close(self) -> None:
        """Ends all workers."""


class _Flag(Protocol):
    """An event of threads, or one of processes."""

    def set(self) -> None: ...
    def clear(self) -> None: ...
    def is_set(self) -> bool: ...


class _ExecutorWorkers:
    """What both kinds of workers share: finished tasks come through a queue, and no future is kept.

    Args:
        executor: runs the tasks.
        count: how many at a time.
        stopping: set while tasks are to end.
    """

    known_sent = KNOWN_SENT

    def __init__(self, executor: Executor, count: int, stopping: _Flag) -> None:
        self.count = count
        self._executor = executor
        self._stopping = stopping
        self._finished: SimpleQueue[Finished | None] = SimpleQueue()

    def _follow(self, number: int, future: Future[TaskResult]) -> None:
        def done(future: Future[TaskResult]) -> None:
            error = None if future.cancelled() else future.exception()
            if future.cancelled():
                self._finished.put((number, RuntimeError("the task was cancelled")))
            else:
                self._finished.put((number, error or future.result()))

        future.add_done_callback(done)

    def next_finished(self, seconds: float) -> Finished | None:
        """As in `Workers`."""
        try:
            return self._finished.get(timeout=seconds) if seconds > 0 else self._finished.get_nowait()
        except Empty:
            return None

    def wake(self) -> None:
        """As in `Workers`."""
        self._finished.put(None)

    def stop(self) -> None:
        """As in `Workers`."""
        self._stopping.set()

    def go_on(self) -> None:
        """As in `Workers`."""
        self._stopping.clear()

    def task_memory(self, job_bytes: int) -> int:
        """A share: all of them are on this machine."""
        return max(1 << 20, job_bytes // self.count)

    def keeps(self, asked: tuple[str, int]) -> str | None:
        """As in `Workers`."""
        return None

    def forget(self, asked: tuple[str, int]) -> None:
        """As in `Workers`."""

    def close(self) -> None:
        """As in `Workers`."""
        self._stopping.set()
        self._executor.shutdown(wait=True, cancel_futures=True)


class ThreadWorkers(_ExecutorWorkers):
    """Threads of this process: searches release the interpreter's lock, and share one table of what is known.

    A task goes on with the search of the last task of its question, whichever thread had it.

    Args:
        game: the game.
        count: how many.
        table: for a single one, whose tasks follow one another: the transposition table that they hand on. Then no
            search is kept beside it.
    """

    sends_known = False

    def __init__(self, game: Game[Any], count: int, table: SearchTable | None = None) -> None:
        super().__init__(ThreadPoolExecutor(count, thread_name_prefix="proof worker"), count, threading.Event())
        self._game = game
        self._table = table
        self._own = threading.local()
        """The transposition table of each thread's searches."""
        self._kept = KeptSearches()
        self._beside = 0
        """Bytes that searches of other questions may hold while a task is searched."""

    def task_memory(self, job_bytes: int) -> int:
        """A share of what is left beside the searches that are kept.

        Where one task is searched at a time, its search is kept up to that share: nothing else runs then.
        """
        if self._table is not None:
            return job_bytes
        self._beside = job_bytes // KEPT_SHARE
        share = max(1 << 20, (job_bytes - self._beside) // self.count)
        self._kept.limit(share if self.count == 1 else self._beside)
        return share

    def keeps(self, asked: tuple[str, int]) -> str | None:
        """As in `Workers`."""
        return self._kept.algorithm(asked)

    def forget(self, asked: tuple[str, int]) -> None:
        """As in `Workers`."""
        self._kept.take(asked)

    def close(self) -> None:
        """As in `Workers`."""
        super().close()
        self._kept.clear()

    def submit(self, task: Task, known: RecordTable | None) -> None:
        self._kept.make_room(self._beside, task.asked)
        self._follow(task.number, self._executor.submit(self._search, task, known))

    def _search(self, task: Task, known: RecordTable | None) -> TaskResult:
        table = self._table or self._own.__dict__.setdefault("table", SearchTable())
        position = find_position(self._game, task.position)
        return run_task(task, self._game, position, known, self._stopping.is_set, table, self._kept)


class ProcessWorkers(_ExecutorWorkers):
    """Processes of this machine, for built-in games. A worker that is killed ends all of them: they are begun anew.

    Args:
        count: how many.
    """

    sends_known = True

    def __init__(self, count: int) -> None:
        self._context = multiprocessing.get_context("spawn")
        stopping = self._context.Event()
        super().__init__(self._new_executor(count, stopping), count, stopping)

    def _new_executor(self, count: int, stopping: _Flag) -> Executor:
        return ProcessPoolExecutor(count, mp_context=self._context, initializer=_begin, initargs=(stopping,))

    def submit(self, task: Task, known: RecordTable | None) -> None:
        try:
            future = self._executor.submit(_search, task)
        except RuntimeError:  # a process was killed: the executor is of no use any more
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = self._new_executor(self.count, self._stopping)
            future = self._executor.submit(_search, task)
        self._follow(task.number, future)


# In a worker's process.

_stop: Callable[[], bool] = bool
_table = SearchTable()


def _begin(stopping: Any) -> None:
    global _stop
    _stop = stopping.is_set
    end_with_parent()


@lru_cache(1)
def _known_table(game: Any, items: tuple[tuple[bytes, bytes], ...]) -> RecordTable:
    """The records that came with a task; the next task often comes with the same ones."""
    table = new_record_table(game)
    table.load(list(items))
    return table


@lru_cache(4)
def _game(name: str) -> Any:
    return open_game(name)


def _search(task: Task) -> TaskResult:
    game = _game(task.game)
    known = _known_table(game, task.known) if task.known else None
    return run_task(task, game, find_position(game, task.position), known, _stop, _table)
