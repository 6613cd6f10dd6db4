"""Start the building or the verification of tables."""

from __future__ import annotations

from pathlib import Path
from shutil import disk_usage
from typing import Literal

from proofbase.service.errors import InvalidRequestError, LimitExceededError
from proofbase.service.jobs.model import Job
from proofbase.service.jobs.starting import JobStarter
from proofbase.service.jobs.table import TableSpec
from proofbase.service.jobs.table_needs import TableNeeds
from proofbase.service.resources import Resources
from proofbase.service.words.amounts import bytes_text
from proofbase.service.words.game_words import tables_to_size
from proofbase.storage import StoreReadOnlyError

__all__ = ["start_table"]

LARGEST_SIZE = (1 << 16) - 1
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
    memory_bytes: int | None = None,
    disk_bytes: int | None = None,
    present: bool = False,
    table: str | None = None,
    compress: bool = False,
) -> Job:
    """Queues work on the tables of a size, in the directory of tables, which is the folder `tables` of the store.

    Args:
        resources: the store and what belongs to it.
        jobs: starts the job.
        game_name: a game with tables.
        size: what the game means by it: the stones of awari, the men of chess. Othello has one set of tables, and any
            size means all of them.
        action: `build` those that are not there, or `verify` all, which have to be there.
        threads: 0: one for every processor.
        distances: tables of plies beside those of values are to be built, or to be there, as well.
        memory_bytes: a class that needs more is built or verified in parts; None: the limit `job_memory_bytes`.
        disk_bytes: the files may need no more; None: no more than the disk has room for.
        present: verify those of the tables that are there.
        table: only the one with this name, and those that it needs.
        compress: each table before the next one is built, those that are there too.

    Raises:
        UnknownGameError, NoTablesError, DamagedTableError: there is no such game, or no sound tables of it.
        InvalidRequestError: there is no directory of tables, a table to verify is not there, the work needs more memory
            or more disk than it was given, the disk has no room for the files, or a number makes no sense.
        LimitExceededError: a class needs more memory than a job may take, in parts as well.
        QueueFullError, StoreReadOnlyError: the service cannot take it.
    """
    if action not in ("build", "verify"):
        raise InvalidRequestError(f"tables are built or verified ('build', 'verify'), not {action!r}", field="action")
    if not 0 <= size <= LARGEST_SIZE:
        raise InvalidRequestError(f"a size of {size}: 0 to {LARGEST_SIZE} are possible", field="size")
    for name, number in (("memory_bytes", memory_bytes), ("disk_bytes", disk_bytes)):
        if number is not None and number < 1:
            raise InvalidRequestError(f"{name} is {number}: at least 1 is needed", field=name)
    if not 0 <= threads <= MOST_THREADS:
        raise InvalidRequestError(f"{threads} threads: 0 to {MOST_THREADS} are possible", field="threads")
    if present and action != "verify":
        raise InvalidRequestError("`present` is for verifications: what is there is not built", field="present")
    if compress and action != "build":
        raise InvalidRequestError("`compress` is for tables that are built", field="compress")
    memory_limit = resources.limits.job_memory_bytes
    if memory_bytes is not None and memory_bytes > memory_limit:
        raise LimitExceededError(
            f"{memory_bytes:,} bytes of memory: a job may use {memory_limit:,}",
            limit="job_memory_bytes",
            largest=memory_limit,
            field="memory_bytes",
        )
    game = resources.games.open(game_name)
    work = resources.tables.new_work(game, size, threads, plies=distances, table=table)
    plan = work.plan(memory_bytes or memory_limit)  # in parts where a class needs more
    present_entries = [entry for entry in plan if entry.present]
    if action == "build":
        if resources.store.read_only:
            raise StoreReadOnlyError(f"the store {resources.store.url} is open read-only: no tables can be built in it")
        needs = TableNeeds.of(action, [entry for entry in plan if not entry.present], compress=compress)
    else:
        if not present_entries and present:
            raise InvalidRequestError(f"no tables of {game.name} are there: build them first")
        if missing := [] if present else [entry for entry in plan if not entry.present]:
            raise InvalidRequestError(f"table {missing[0].name} is not there: build it first", field="size")
        needs = TableNeeds.of(action, present_entries)
    if needs is not None:
        tables = f"tables of {game.name if present or table else tables_to_size(game.name, size)}"
        _check_memory(needs, tables, memory_bytes, memory_limit)
        doing = "building" if action == "build" else "verifying"
        _check_disk(needs, resources.tables.directory, f"{doing} {tables}", disk_bytes)
    return jobs.start(TableSpec(game.name, size, action, threads, distances, memory_bytes, present, table, compress))


def _check_memory(needs: TableNeeds, tables: str, given: int | None, largest: int) -> None:
    memory, _ = needs.memory
    if memory <= (given or largest):
        return
    if given is None:
        raise LimitExceededError(
            f"{tables} need {memory:,} bytes of memory; {largest:,} are allowed (job_memory_bytes)",
            limit="job_memory_bytes",
            largest=largest,
            field="size",
        )
    least, table = needs.least_memory
    raise InvalidRequestError(
        f"table {table} needs {bytes_text(least)} of memory at least, more than {bytes_text(given)}",
        field="memory_bytes",
    )


def _check_disk(needs: TableNeeds, directory: Path | None, doing: str, given: int | None) -> None:
    """Refuses work whose files need more than they are given, or have no room on the disk."""
    if given is not None and needs.disk > given:
        raise InvalidRequestError(
            f"the files need up to {bytes_text(needs.disk)}, more than {bytes_text(given)}", field="disk_bytes"
        )
    if directory is None or not needs.disk_in_parts:
        return
    free = disk_usage(next(path for path in (directory, *directory.absolute().parents) if path.exists())).free
    if needs.disk_in_parts > free:
        raise InvalidRequestError(
            f"{doing} needs up to {needs.disk_in_parts:,} bytes on the disk; {free:,} are free",
            field="size",
        )
