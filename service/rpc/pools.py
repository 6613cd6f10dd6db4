"""Small pools of threads, one for each kind of work, that serve all connections in turn."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import Context, copy_context
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, TypeVar

from proofbase.service.errors import TooManyCallsError

__all__ = ["FairPool", "Kind", "Pools"]

T = TypeVar("T")

Kind = Literal["fast", "batch", "rules", "search", "proof", "census", "export", "upload", "import", "control", "access"]
"""Kinds of work. Calls of one kind never wait for calls of another.

* fast: reads a few records or jobs, or a small batch, by compiled rules: some milliseconds.
* batch: reads a large batch.
* rules: the same by the rules of a user's game, which may take any time.
* search: lookups that search, lines, analyses.
* proof: pages of proofs, and the list of games.
* census: reads all records of a game.
* export: reads a file's records.
* upload: receives an import.
* import: checks and stores one.
* control: cancels and pauses, which wait for the end of a job's work.
* access: reads the tokens of the clients.
"""

THREADS: dict[Kind, int] = {
    "fast": 3,
    "batch": 2,
    "rules": 2,
    "search": 2,
    "proof": 2,
    "census": 1,
    "export": 2,
    "upload": 2,
    "import": 1,
    "control": 4,
    "access": 1,
}
WAITING_CALLS = 1000
"""Calls that may wait for a thread of one kind."""
WAITING_CALLS_OF_A_CONNECTION = 100


@dataclass(eq=False, slots=True)
class _Task:
    command: Callable[[], Any]
    answer: asyncio.Future[Any]
    context: Context
    """Of the call: log lines of the thread have its id as well."""


class FairPool:
    """Threads that take the calls of all connections in turn: a connection with many calls delays only itself.

    For one event loop, in which all methods are called.

    Args:
        name: of the threads.
        threads: how many calls run at a time.
        waiting: how many calls may wait.
        waiting_of_a_connection: how many of these may come from one connection.
    """

    def __init__(
        self,
        name: str,
        threads: int,
        waiting: int = WAITING_CALLS,
        waiting_of_a_connection: int = WAITING_CALLS_OF_A_CONNECTION,
    ) -> None:
        self._name = name
        self._idle = threads
        self._most = waiting
        self._most_of_a_connection = waiting_of_a_connection
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._queues: OrderedDict[str, deque[_Task]] = OrderedDict()
        """The waiting calls of each connection. The connection whose turn it is comes first."""
        self._waiting = 0

    async def run(self, connection: str, command: Callable[[], T]) -> T:
        """Calls a command in a thread of the pool.

        A call that is cancelled while it waits is never made. One that runs already runs to its end.

        Raises:
            TooManyCallsError: too many calls wait already.
        """
        task = _Task(command, asyncio.get_running_loop().create_future(), copy_context())
        if self._idle:
            self._start(task)
        else:
            self._enqueue(connection, task)
        try:
            return await task.answer  # type: ignore[no-any-return]
        except asyncio.CancelledError:
            self._forget(connection, task)
            raise

    def close(self) -> None:
        """Makes no more calls; does not wait for those that run."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _enqueue(self, connection: str, task: _Task) -> None:
        queue = self._queues.get(connection)
        if self._waiting >= self._most or (queue is not None and len(queue) >= self._most_of_a_connection):
            own = 0 if queue is None else len(queue)
            raise TooManyCallsError(
                f"{self._waiting} calls wait for a thread ({self._name}), {own} of them from this connection: "
                f"{self._most} may wait, {self._most_of_a_connection} of a connection"
            )
        if queue is None:
            queue = self._queues[connection] = deque()
        queue.append(task)
        self._waiting += 1

    def _forget(self, connection: str, task: _Task) -> None:
        queue = self._queues.get(connection)
        if queue is not None and task in queue:
            queue.remove(task)
            self._waiting -= 1
            if not queue:
                del self._queues[connection]

    def _start(self, task: _Task) -> None:
        self._idle -= 1
        self._executor.submit(self._run, task)

    def _run(self, task: _Task) -> None:
        """In a thread of the pool."""
        result, error = None, None
        try:
            result = task.context.run(task.command)
        except BaseException as raised:
            error = raised
        with suppress(RuntimeError):  # the event loop is closed: nobody waits for the answer
            task.answer.get_loop().call_soon_threadsafe(self._finish, task, result, error)

    def _finish(self, task: _Task, result: Any, error: BaseException | None) -> None:
        self._idle += 1
        if not task.answer.done():
            if error is None:
                task.answer.set_result(result)
            elif isinstance(error, Exception) and not isinstance(error, StopIteration):
                task.answer.set_exception(error)
            else:  # what must not end the event loop, such as the SystemExit of a user's game
                task.answer.set_exception(RuntimeError(f"{type(error).__name__} in a command"))
        if self._queues:
            connection, queue = next(iter(self._queues.items()))
            following = queue.popleft()
            self._waiting -= 1
            if queue:
                self._queues.move_to_end(connection)
            else:
                del self._queues[connection]
            self._start(following)


class Pools:
    """One pool for each kind of work."""

    def __init__(self) -> None:
        self._pools = {kind: FairPool(kind, threads) for kind, threads in THREADS.items()}

    async def run(self, kind: Kind, connection: str, command: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """Calls a command in a thread of the pool for its kind of work.

        Raises:
            TooManyCallsError: too many calls wait already.
        """
        return await self._pools[kind].run(connection, partial(command, *args, **kwargs))

    def close(self) -> None:
        """Makes no more calls."""
        for pool in self._pools.values():
            pool.close()
