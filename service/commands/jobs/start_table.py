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
        InvalidRequestError: the store is no directory, a table to verify is not there, the disk has no room for the
            files, or a number makes no sense.
        LimitExceededError: a class needs more memory than a job may take, in parts as well.
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
    plan: Sequence[TableEntry | TableInfo] = work.plan(memory=largest)  # in parts where a class needs more as a whole
    memory = max((entry.verify_memory if action == "verify" else entry.build_memory for entry in plan), default=0)
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
        in_parts = [entry.verify_disk for entry in plan if entry.verify_parts]
        _check_disk(resources, size, "verifying", max(in_parts, default=0))
    else:
        if resources.store.read_only:
            raise StoreReadOnlyError(f"the store {resources.store.url} is open read-only: no tables can be built in it")
        files = sum(entry.build_file for entry in plan)
        _check_disk(resources, size, "building", files + max((entry.build_checkpoint for entry in plan), default=0))
    return jobs.start(TableSpec(game.name, size, action, threads, distances))


def _check_disk(resources: Resources, size: int, doing: str, needed: int) -> None:
    """Refuses work whose files, of so many bytes at most, have no room on the disk."""
    directory = resources.store.directory
    if not needed or directory is None:
        return
    free = disk_usage(directory).free
    if needed > free:
        raise InvalidRequestError(
            f"{doing} tables of size {size} needs up to {needed:,} bytes on the disk; {free:,} are free", field="size"
        )
