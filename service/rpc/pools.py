"""Small pools of threads, one for each kind of work, that serve all connections in turn."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import Context, copy_context
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, TypeVar

from proofbase.engine.errors import GameFailedError
from proofbase.engine.rules.failures import printable
from proofbase.engine.rules.process_end import may_outlast
from proofbase.service.errors import TooManyCallsError

__all__ = ["FairPool", "Kind", "Pools"]

T = TypeVar("T")

Kind = Literal["fast", "batch", "rules", "search", "proof", "census", "export", "upload", "import", "control", "access"]
"""Kinds of work. Calls of one kind never wait for calls of another.

* fast: reads a few records or jobs, or a small batch, by compiled rules: some milliseconds.
* batch: reads a large batch.
* rules: whatever is about a user's game, whose rules may take any time; and reading by rules in plain Python.
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
    "rules": 4,
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
RULES_SECONDS = 60.0
"""A call by the rules of a user's game that takes longer is left alone."""
CLOSING_SECONDS = 2.0
"""How long calls that run are waited for when the server ends."""
LEFT_ALONE = 32
"""Threads that may be left alone with calls that do not return; others take their places."""


@dataclass(eq=False, slots=True)
class _Task:
    command: Callable[[], Any]
    answer: asyncio.Future[Any]
    context: Context
    """The context of the call: log lines of the thread have its id as well."""
    game: str
    """The user's game whose rules it asks; empty where it asks none."""
    began: float = 0.0
    timer: asyncio.TimerHandle | None = None
    replaced: bool = False
    """It has not returned in time, and another thread has taken the place of its own."""


class FairPool:
    """Threads that take the calls of all connections in turn: a connection with many calls delays only itself.

    The rules of users' games may hang. So calls by the rules of one game get half of the threads at most, and those of
    all of them leave one free. A call that does not return in time fails. Its thread is left alone, and further calls
    by the rules of that game are refused until it returns.

    For one event loop, in which all methods are called.

    Args:
        name: of the threads.
        threads: how many calls run at a time.
        waiting: how many calls may wait.
        waiting_of_a_connection: how many of these may come from one connection.
        rules_seconds: how long a call by the rules of a user's game may take.
    """

    def __init__(
        self,
        name: str,
        threads: int,
        waiting: int = WAITING_CALLS,
        waiting_of_a_connection: int = WAITING_CALLS_OF_A_CONNECTION,
        rules_seconds: float = RULES_SECONDS,
    ) -> None:
        self._name = name
        self._threads = self._idle = threads
        self._most = waiting
        self._most_of_a_connection = waiting_of_a_connection
        self._most_of_a_game = max(1, threads // 2)
        self._most_of_games = max(1, threads - 1)
        self._rules_seconds = rules_seconds
        # It starts a thread when one is needed.
        self._executor = ThreadPoolExecutor(threads + LEFT_ALONE, thread_name_prefix=name)
        self._queues: OrderedDict[str, deque[_Task]] = OrderedDict()
        """The waiting calls of each connection. The connection whose turn it is comes first."""
        self._waiting = 0
        self._running_of: Counter[str] = Counter()
        """Calls that have a thread, by user's game."""
        self._left_alone: list[_Task] = []
        self._returned = asyncio.Event()
        """A call has returned."""

    async def run(self, connection: str, command: Callable[[], T], game: str = "") -> T:
        """Calls a command in a thread of the pool.

        A call that is cancelled while it waits is never made. One that runs already runs to its end.

        Args:
            connection: whose turn it takes.
            command: the command.
            game: the user's game whose rules it asks; empty where it asks none.

        Raises:
            TooManyCallsError: too many calls wait already.
            GameFailedError: a call by the rules of that game has not returned in time.
        """
        if any(task.game == game for task in self._left_alone):
            raise self._hanging(game)
        task = _Task(command, asyncio.get_running_loop().create_future(), copy_context(), game)
        if self._may_start(task):
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

    async def ended(self) -> None:
        """Waits for the calls that run, but for those by the rules of users' games."""
        while self._threads - self._idle > self._running_of.total():
            self._returned.clear()
            await self._returned.wait()

    def _enqueue(self, connection: str, task: _Task) -> None:
        queue = self._queues.get(connection)
        if self._waiting >= self._most or (queue is not None and len(queue) >= self._most_of_a_connection):
            waiting = 0 if queue is None else len(queue)
            raise TooManyCallsError(
                f"{self._waiting} calls wait for a thread ({self._name}), {waiting} of them from this connection: "
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

    def _may_start(self, task: _Task) -> bool:
        if not self._idle or not task.game:
            return self._idle > 0
        of_game, of_games = self._running_of[task.game], self._running_of.total()
        return of_game < self._most_of_a_game and of_games < self._most_of_games

    def _start(self, task: _Task) -> None:
        self._idle -= 1
        if task.game:
            self._running_of[task.game] += 1
            task.began = time.monotonic()
            task.timer = task.answer.get_loop().call_later(self._rules_seconds, self._leave_alone, task)
        self._executor.submit(self._run, task)

    def _run(self, task: _Task) -> None:
        """In a thread of the pool."""
        may_outlast(threading.current_thread())
        result, error = None, None
        try:
            result = task.context.run(task.command)
        except BaseException as raised:
            error = raised
        with suppress(RuntimeError):  # the event loop is closed: nobody waits for the answer
            task.answer.get_loop().call_soon_threadsafe(self._finish, task, result, error)

    def _finish(self, task: _Task, result: Any, error: BaseException | None) -> None:
        if task.timer is not None:
            task.timer.cancel()
        if task in self._left_alone:
            self._left_alone.remove(task)
        if not task.replaced:
            self._free_place(task)
        self._returned.set()
        if not task.answer.done():
            if error is None:
                task.answer.set_result(result)
            elif isinstance(error, Exception) and not isinstance(error, StopIteration):
                task.answer.set_exception(error)
            else:  # what must not end the event loop, such as the SystemExit of a user's game
                task.answer.set_exception(RuntimeError(f"{type(error).__name__} in a command"))
        self._start_waiting()

    def _free_place(self, task: _Task) -> None:
        self._idle += 1
        if task.game:
            self._running_of[task.game] -= 1

    def _start_waiting(self) -> None:
        """Starts calls of one connection after the other while there are threads for them."""
        while self._idle:
            next_task = next(
                (
                    (connection, task)
                    for connection, queue in self._queues.items()
                    if (task := next(filter(self._may_start, queue), None)) is not None
                ),
                None,
            )
            if next_task is None:
                return
            connection, task = next_task
            self._forget(connection, task)
            if connection in self._queues:
                self._queues.move_to_end(connection)
            self._start(task)

    def _leave_alone(self, task: _Task) -> None:
        """A call by the rules of a user's game has not returned in time."""
        self._left_alone.append(task)
        if len(self._left_alone) <= LEFT_ALONE:
            task.replaced = True
            self._free_place(task)
        refused = [task]
        for connection, queue in list(self._queues.items()):
            for other in [other for other in queue if other.game == task.game]:
                self._forget(connection, other)
                refused.append(other)
        for other in refused:
            if not other.answer.done():
                other.answer.set_exception(self._hanging(task.game))
        self._start_waiting()

    def _hanging(self, game: str) -> GameFailedError:
        seconds = time.monotonic() - min(task.began for task in self._left_alone if task.game == game)
        return GameFailedError(
            f"{printable(game, 60)}: a call by its rules has not returned for {seconds:.3g} s; until it does, this "
            "server refuses calls by them"
        )


class Pools:
    """One pool for each kind of work."""

    def __init__(self) -> None:
        self._pools = {kind: FairPool(kind, threads, rules_seconds=RULES_SECONDS) for kind, threads in THREADS.items()}

    async def run(self, kind: Kind, connection: str, command: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """Calls a command in a thread of the pool for its kind of work.

        Raises:
            TooManyCallsError: too many calls wait already.
        """
        return await self._pools[kind].run(connection, partial(command, *args, **kwargs))

    async def run_by_rules(self, game: str, connection: str, command: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """Calls a command that asks the rules of a user's game, whatever else it does.

        Raises:
            TooManyCallsError: too many calls wait already.
            GameFailedError: a call by the rules of that game has not returned in time.
        """
        return await self._pools["rules"].run(connection, partial(command, *args, **kwargs), game)

    async def close(self) -> None:
        """Makes no more calls; waits a little for those that run, so that they do not meet a store that is closed.

        Those that ask the rules of users' games may never end, and are not waited for.
        """
        for pool in self._pools.values():
            pool.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.gather(*(pool.ended() for pool in self._pools.values())), CLOSING_SECONDS)
