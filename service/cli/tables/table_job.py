"""Building and verifying tables: a job of a server, or of a service in this process that has the tables and no store.

Tables are files, and work on them goes on from what the files say. So the service in this process needs no store for
its jobs, and it works beside a server that has the store open.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from proofbase.engine.system import machine_memory
from proofbase.service.cli import screen
from proofbase.service.cli.exit_status import UsageError
from proofbase.service.cli.output.watching import run_job
from proofbase.service.cli.session import limits_with, opened, store_url, tables_directory_of
from proofbase.service.client.connect import open_service
from proofbase.service.client.contract import Service
from proofbase.service.errors import InvalidRequestError
from proofbase.service.jobs.table import TableProgress
from proofbase.storage import StoreNotFoundError, open_store

if TYPE_CHECKING:
    from proofbase.service.jobs.model import Job

__all__ = ["TableRequest", "run_table_job"]

OPTIONS = {"memory_bytes": "--memory", "disk_bytes": "--disk"}
"""By the fields of a request."""


@dataclass(frozen=True, slots=True)
class TableRequest:
    """What a job does with tables: the options of `Service.start_table`."""

    action: Literal["build", "verify"]
    threads: int = 0
    distances: bool = False
    memory_bytes: int | None = None
    disk_bytes: int | None = None
    present: bool = False
    table: str | None = None
    compress: bool = False


def run_table_job(
    store: str | None,
    server: str | None,
    tables: Path | None,
    game: str,
    size: int,
    request: TableRequest,
) -> Job | None:
    """Runs a job on tables to its end. What the work needs is said before it begins.

    Args:
        store: beside which the tables are; None: the default one.
        server: `host:port` of a server, which is asked instead.
        tables: another directory of the tables.
        game: the game.
        size: of the tables.
        request: what is done with them.

    Returns:
        The job with its result; None if it was interrupted in this process.

    Raises:
        UsageError: it needs more memory or disk than it is given. Then nothing has been written.
    """
    if server is not None:
        with opened(store, server, None, tables=tables) as client:
            return _run(client, _start(client, game, size, request))
    directory = tables_directory_of(store, tables)
    memory = request.memory_bytes
    limits = limits_with(machine_memory() if memory is None else memory)
    with open_service("memory:", tables=directory, limits=limits) as client:
        job = _start(client, game, size, request)
        if tables is None and request.action == "build":
            _make_store(store_url(store))
        try:
            return _run(client, job, f"stopped; the same command goes on with it in {directory}")
        except KeyboardInterrupt:
            return None


def _start(client: Service, game: str, size: int, request: TableRequest) -> Job:
    try:
        return client.start_table(game, size, **asdict(request))
    except InvalidRequestError as error:
        if option := OPTIONS.get(error.field):
            raise UsageError(str(error).replace(" more than ", f" more than {option} ")) from None
        raise


def _make_store(url: str) -> None:
    """Makes the store beside which tables are built: a directory with tables and nothing else is none."""
    try:
        open_store(url, read_only=True, create=False).close()
    except StoreNotFoundError:
        open_store(url).close()


def _run(client: Service, job: Job, interrupted: str | None = None) -> Job:
    plans_shown: set[str] = set()

    def say_plan(job: Job) -> None:
        plan = job.progress.plan if isinstance(job.progress, TableProgress) else None
        if plan is not None and not plans_shown:
            plans_shown.add(plan)
            screen.note(f"proofbase: {plan}")

    return run_job(client, job, on_state=say_plan, interrupted=interrupted)
