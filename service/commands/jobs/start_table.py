"""Start the building or the verification of tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from proofbase.service.errors import InvalidRequestError, LimitExceededError
from proofbase.service.jobs.model import Job
from proofbase.service.jobs.running.starting import JobStarter
from proofbase.service.jobs.table import TableSpec
from proofbase.service.resources import Resources
from proofbase.storage import StoreReadOnlyError

if TYPE_CHECKING:
    from proofbase.engine._core import TableEntry
    from proofbase.engine.tables import TableInfo

__all__ = ["start_table"]

LARGEST_SIZE = 1 << 16
MOST_THREADS = 256
BYTES_A_POSITION = 3.25
"""Bytes of memory for each number of the class that is built or verified, at most (tables of values take one less); the
tables that it needs come on top."""


def start_table(
    resources: Resources,
    jobs: JobStarter,
    game_name: str,
    size: int,
    *,
    action: Literal["build", "verify"] = "build",
    threads: int = 0,
    distances: bool = False,
) -> Job:
    """Queues work on the tables of a size, in the folder `tables` of the store's directory.

    Args:
        resources: the store and what belongs to it.
        jobs: starts the job.
        game_name: a game with tables.
        size: what the game means by it: the stones of awari, the men of chess.
        action: `build` those that are not there, or `verify` all, which have to be there.
        threads: 0: one for every processor.
        distances: tables of plies beside those of values are to be built, or to be there, as well.

    Raises:
        UnknownGameError, NoTablesError, DamagedTableError: there is no such game, or no sound tables of it.
        InvalidRequestError: the store is no directory, a table to verify is not there, or a number makes no sense.
        LimitExceededError: a class needs more memory than a job may take.
        QueueFullError, StoreReadOnlyError: the service cannot take it.
    """
    if action not in ("build", "verify"):
        raise InvalidRequestError(f"tables are built or verified ('build', 'verify'), not {action!r}", field="action")
    if not 0 <= size < LARGEST_SIZE:
        raise InvalidRequestError(f"a size of {size}: 0 to {LARGEST_SIZE - 1} are possible", field="size")
    if not 0 <= threads <= MOST_THREADS:
        raise InvalidRequestError(f"{threads} threads: 0 to {MOST_THREADS} are possible", field="threads")
    game = resources.games.open(game_name)
    plan: Sequence[TableEntry | TableInfo] = resources.tables.new_work(game, size, threads, plies=distances).plan()
    wanted = [entry for entry in plan if action == "verify" or not entry.present]
    memory = max((_memory(entry, plan) for entry in wanted), default=0)
    if memory > resources.limits.job_memory_bytes:
        raise LimitExceededError(
            f"tables of size {size} need {memory:,} bytes of memory; {resources.limits.job_memory_bytes:,} are allowed "
            "(job_memory_bytes)",
            limit="job_memory_bytes",
            largest=resources.limits.job_memory_bytes,
            field="size",
        )
    if action == "verify":
        for entry in plan:
            if not entry.present:
                raise InvalidRequestError(f"table {entry.name} is not there: build it first", field="size")
    elif resources.store.read_only:
        raise StoreReadOnlyError(f"the store {resources.store.url} is open read-only: no tables can be built in it")
    return jobs.start(TableSpec(game.name, size, action, threads, distances))


def _memory(wanted: TableEntry | TableInfo, plan: Sequence[TableEntry | TableInfo]) -> int:
    """Bytes of memory for the work on one class, with its file and those of the smaller classes.

    An entry of a table that is not there yet counts as a byte, the most that it may have.
    """
    files = sum(entry.bytes or entry.entries for entry in plan if entry.entries < wanted.entries)
    return max(wanted.build_memory, int(BYTES_A_POSITION * wanted.entries) + files + wanted.bytes)
