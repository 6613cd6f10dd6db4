"""Start the building or the verification of tables."""

from __future__ import annotations

from collections.abc import Sequence
from shutil import disk_usage
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
"""Bytes of memory for each number of the class that is built, at most (tables of values take one less); the tables that
it needs come on top."""


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
        InvalidRequestError: the store is no directory, a table to verify is not there, the disk has no room for
            verifying in parts, or a number makes no sense.
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
    largest = resources.limits.job_memory_bytes
    work = resources.tables.new_work(game, size, threads, plies=distances)
    # What is verified may be so in parts; what is built is built as a whole.
    plan: Sequence[TableEntry | TableInfo] = work.plan(memory=largest if action == "verify" else None)
    if action == "verify":
        memory = max((entry.verify_memory for entry in plan), default=0)
    else:
        memory = max((_memory(entry, plan) for entry in plan if not entry.present), default=0)
    if memory > largest:
        raise LimitExceededError(
            f"tables of size {size} need {memory:,} bytes of memory; {largest:,} are allowed (job_memory_bytes)",
            limit="job_memory_bytes",
            largest=largest,
            field="size",
        )
    if action == "verify":
        for entry in plan:
            if not entry.present:
                raise InvalidRequestError(f"table {entry.name} is not there: build it first", field="size")
        _check_disk(resources, plan)
    elif resources.store.read_only:
        raise StoreReadOnlyError(f"the store {resources.store.url} is open read-only: no tables can be built in it")
    return jobs.start(TableSpec(game.name, size, action, threads, distances))


def _check_disk(resources: Resources, plan: Sequence[TableEntry | TableInfo]) -> None:
    """Refuses a verification in parts whose files do not fit on the disk."""
    in_parts = [entry for entry in plan if entry.verify_parts]
    if not in_parts or resources.tables.directory is None:
        return
    largest, free = max(in_parts, key=lambda entry: entry.verify_disk), disk_usage(resources.tables.directory).free
    if largest.verify_disk > free:
        raise InvalidRequestError(
            f"verifying table {largest.name} in parts needs up to {largest.verify_disk:,} bytes on the disk; {free:,} "
            "are free",
            field="size",
        )


def _memory(wanted: TableEntry | TableInfo, plan: Sequence[TableEntry | TableInfo]) -> int:
    """Bytes of memory for building one class, with its file and those of the smaller classes.

    An entry of a table that is not there yet counts as a byte, the most that it may have.
    """
    files = sum(entry.bytes or entry.entries for entry in plan if entry.entries < wanted.entries)
    return max(wanted.build_memory, int(BYTES_A_POSITION * wanted.entries) + files + wanted.bytes)
