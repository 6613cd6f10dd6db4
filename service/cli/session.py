"""The service that a command asks: a store opened in this process, or a server."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from proofbase.engine.system import machine_memory
from proofbase.service.cli import screen
from proofbase.service.cli.credentials import given_credentials
from proofbase.service.cli.exit_status import UsageError
from proofbase.service.cli.plugins import load_plugins
from proofbase.service.client.connect import is_address, open_service
from proofbase.service.limits import Limits
from proofbase.storage import StoreReadOnlyError, shown_url, store_class, store_directory, tables_directory

if TYPE_CHECKING:
    from proofbase.service.client.contract import Service
    from proofbase.service.resources.cluster import Cluster

__all__ = [
    "DEFAULT_STORE",
    "check_tables",
    "limits_with",
    "opened",
    "opened_for_reading",
    "store_url",
    "tables_directory_of",
    "tables_options",
    "usage_errors_of_urls",
]

DEFAULT_STORE = "proofbase-store"
"""The directory that is opened when neither an option nor the environment names a store."""


def store_url(store: str | None) -> str:
    """The store that was named, or the default one."""
    if store == "":
        raise UsageError("the URL of the store is empty")
    return store or DEFAULT_STORE


@contextmanager
def usage_errors_of_urls() -> Iterator[None]:
    """Makes a URL of no known kind a mistake in what was asked."""
    try:
        yield
    except ValueError as error:
        if type(error) is ValueError:
            raise UsageError(str(error)) from None
        raise


def tables_directory_of(store: str | None, tables: Path | None) -> Path:
    """Where tables are: beside the store, if no other directory is named."""
    if tables is not None:
        return tables
    with usage_errors_of_urls():
        directory = store_directory(store_url(store))
    if directory is None:
        raise UsageError(
            f"--store {shown_url(store_url(store))} is no directory: say with --tables where the tables are"
        )
    return tables_directory(directory)


def check_tables(tables: Path | None) -> None:
    """Refuses a directory of tables that is not there.

    Raises:
        UsageError: `--tables` names it.
    """
    if tables is not None and not tables.is_dir():
        raise UsageError(f"--tables {tables}: there is no such directory")


def tables_options() -> list[str]:
    """The option by which another command reads the same tables."""
    return [word for directory in _given_tables for word in ("--tables", str(directory))]


@contextmanager
def opened(
    store: str | None,
    server: str | None,
    plugins: list[str] | None,
    *,
    read_only: bool = False,
    create: bool = True,
    missing: str | None = None,
    tables: Path | None = None,
    or_read_only: bool = False,
    cluster: Cluster | None = None,
    memory: int | None = None,
) -> Iterator[Service]:
    """A client for the time of one command.

    Args:
        store: URL of a store, None for the default one.
        server: `host:port` of a server, which is asked instead.
        plugins: users' games to load first.
        read_only: open a store without becoming its writer.
        create: make a store that is not there (never when read-only).
        or_read_only: open a store that cannot be written (a read-only directory, say) for reading.
        missing: what to open instead of the default store when the default store does not exist.
        tables: directory of the tables of values, None for the one in the store.
        cluster: searches for the jobs with workers.
        memory: bytes that the user gives a job of this process, be it more than a server would.

    Raises:
        UsageError: both a store or tables and a server, an address or URL that makes no sense, or no such directory.
    """
    load_plugins(plugins)
    check_tables(tables)
    _given_tables[:] = [] if tables is None else [tables]
    if server is not None:
        if tables is not None:
            raise UsageError("--tables and --server exclude each other: a server has its tables beside its store")
        if store is not None and store != os.environ.get("PROOFBASE_STORE"):
            raise UsageError("--store and --server exclude each other")
        if not is_address(server):
            raise UsageError(f"--server {shown_url(server)}: an address is written HOST:PORT")
        target = server
    else:
        target = store_url(store)
        if store is None and missing is not None and not Path(target).exists():
            target = missing
        if is_address(target):
            raise UsageError(f"--store {target} looks like an address: use --server, or write ./{target}")
    with usage_errors_of_urls():
        if server is None and store_class(target).temporary:
            read_only = False  # a new store of this process, with nothing in it to read
        try:
            credentials = given_credentials() if server is not None else {}
            limits = None if server is not None else limits_with(memory)
            client = open_service(
                target, read_only=read_only, create=create, tables=tables, cluster=cluster, limits=limits, **credentials
            )
        except StoreReadOnlyError:
            if not or_read_only:
                raise
            client = open_service(target, read_only=True, tables=tables)
    with client:
        yield client


def limits_with(memory: int | None) -> Limits:
    """The limits of a service in this process, where the user gives a job so many bytes.

    Raises:
        UsageError: the machine has less.
    """
    usual = Limits()
    if memory is None or memory <= usual.job_memory_bytes:
        return usual
    machine = machine_memory()
    if memory > machine:
        raise UsageError(f"--memory {memory}: this machine has {machine} bytes of memory")
    return Limits(job_memory_bytes=memory)


@contextmanager
def opened_for_reading(
    store: str | None, server: str | None, plugins: list[str] | None, tables: Path | None
) -> Iterator[Service]:
    """A client for a command that answers about positions; where no store was made yet, nothing is known.

    Args:
        store, server, plugins, tables: as of `opened`.
    """
    with opened(store, server, plugins, read_only=True, missing="memory:", tables=tables) as client:
        yield client
        if store is None and client.is_temporary:
            screen.note(f"proofbase: there is no store at {Path(DEFAULT_STORE).resolve()} yet, so no records are known")


_given_tables: list[Path] = []
"""What the command of this process was given."""
