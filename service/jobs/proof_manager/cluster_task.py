"""The side of a cluster's worker: it searches tasks, reads what is known, and ends its tasks when the manager says so.

Runs in a process of Dask, whose threads search at the same time. Nothing here is kept when the process ends.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from proofbase.engine.games import open_game
from proofbase.service.jobs.proof_manager.task import Task, TaskResult, run_task
from proofbase.service.positions import find_position
from proofbase.service.resources.cluster import Cluster
from proofbase.service.resources.native import new_record_table
from proofbase.service.resources.search_table import SearchTable

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable

__all__ = ["KnownRecords", "end_tasks", "search_task"]

_log = logging.getLogger(__name__)
MEMORY_SHARE = 2
"""All searches of a worker together may hold one of so many parts of its memory; what it knows, as much again at most
half of that: the rest is for solutions and for Python."""
DEFAULT_MEMORY = 4 << 30
"""The memory of a worker that has no limit of its own."""
READ_SECONDS = 30.0
"""What is known is read again after so long, and not before `READ_SHARE` times the time that reading takes. Between
two reads a worker may search what was proved meanwhile, which costs work and nothing else."""
READ_SHARE = 20
CHUNK = 50_000

_ended: dict[str, int] = {}
"""The round up to which the tasks of a manager's run are to end, by run."""
_of_thread = threading.local()
"""The transposition table that each thread's searches hand on."""


async def end_tasks(run: str, round_: int) -> None:
    """Tells the tasks of a manager in this process to end soon. Dask wants a coroutine where it does not wait for it.

    Args:
        run: of the manager.
        round_: of its tasks, and those before it.
    """
    _ended[run] = max(round_, _ended.get(run, 0))


def search_task(task: Task, run: str, round_: int, cluster: Cluster) -> TaskResult:
    """Searches for the answer to a question, as a worker of a cluster.

    Args:
        task: the question.
        run, round_: tell which flag ends it (`end_tasks`).
        cluster: where it reads what is known, if that does not come with the task.
    """
    game = _game(task.game)
    memory, threads = _worker_memory()
    task = replace(task, memory_bytes=max(1 << 20, min(task.memory_bytes, memory // MEMORY_SHARE // threads)))
    known: RecordTable | None
    if cluster.reads is not None:
        known = _known.table(game, cluster, memory // MEMORY_SHARE // 2)
    else:
        known = _table_of(game, task.known) if task.known else None
    table = _of_thread.__dict__.setdefault("table", SearchTable())
    return run_task(task, game, find_position(game, task.position), known, lambda: _ended.get(run, 0) >= round_, table)


def _worker_memory() -> tuple[int, int]:
    """Bytes that the process may use, and how many tasks it searches at a time."""
    from distributed import get_worker

    try:
        worker = get_worker()
    except ValueError:  # no process of Dask: a test calls it
        return DEFAULT_MEMORY, 1
    return worker.memory_manager.memory_limit or DEFAULT_MEMORY, max(1, worker.state.nthreads)


@lru_cache(4)
def _game(name: str) -> Any:
    return open_game(name)


@lru_cache(2)
def _table_of(game: Any, items: tuple[tuple[bytes, bytes], ...]) -> RecordTable:
    """The records that came with a task; the next task often comes with the same ones."""
    table = new_record_table(game)
    table.load(list(items))
    return table


class KnownRecords:
    """What a worker has read from the store or the server of a manager, a table for each place and game."""

    def __init__(self) -> None:
        self._tables: dict[tuple[str, str], tuple[RecordTable | None, float]] = {}
        """The table, and when it is to be read again (time.monotonic)."""
        self._reading = threading.Lock()

    def table(self, game: Any, cluster: Cluster, limit: int) -> RecordTable | None:
        """What is known of a game; None if nothing could be read.

        While one thread reads, the others go on with what was read before.

        Args:
            game: the game.
            cluster: where to read.
            limit: bytes of the table: what comes after them is not read.
        """
        place = str(cluster.reads), game.name
        kept = self._tables.get(place)
        if kept is not None and time.monotonic() < kept[1]:
            return kept[0]
        if not self._reading.acquire(blocking=kept is None):
            return kept[0] if kept else None
        try:
            latest = self._tables.get(place)
            if latest is not kept and latest is not None:
                return latest[0]  # another thread has just read it
            began = time.monotonic()
            table = kept[0] if kept else None
            try:
                table = _read(game, cluster, limit)
            except Exception as error:
                _log.warning("a worker cannot read what is known of %s: %s", game.name, error)
            took = time.monotonic() - began
            self._tables[place] = table, time.monotonic() + max(READ_SECONDS, READ_SHARE * took)
            return table
        finally:
            self._reading.release()


def _read(game: Any, cluster: Cluster, limit: int) -> RecordTable:
    assert cluster.read is not None and cluster.reads is not None
    table = new_record_table(game)
    items: Iterator[tuple[bytes, bytes]] = iter(cluster.read(cluster.reads, game.name))
    while table.nbytes <= limit and (chunk := list(islice(items, CHUNK))):
        table.load(chunk)
    return table


_known = KnownRecords()
