"""Connecting to PostgreSQL, and what its errors mean for a store."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from sqlalchemy import URL, Engine, create_engine, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from proofbase.storage.errors import (
    StoreBusyError,
    StoreError,
    StoreFullError,
    StoreNotFoundError,
    StoreReadOnlyError,
    StoreUnavailableError,
    StoreVersionError,
)

CONNECT_SECONDS = 10


def connect_engine(url: str, *, read_only: bool) -> Engine:
    """A pool of connections; nothing is connected yet.

    Raises:
        ValueError: the URL is malformed.
    """
    try:
        parsed = make_url(url).set(drivername="postgresql+psycopg")
    except (ArgumentError, ValueError):
        raise ValueError("malformed PostgreSQL URL; write postgresql://user@host:port/database") from None
    if "@" in (parsed.host or ""):  # it is a part of the password, which messages would show as the host
        raise ValueError("malformed PostgreSQL URL: write an @ in a password as %40")
    if not parsed.database:
        raise ValueError(f"the URL {shown_url(parsed)} names no database")
    if "connect_timeout" not in parsed.query:
        parsed = parsed.update_query_dict({"connect_timeout": str(CONNECT_SECONDS)})
    if "client_encoding" not in parsed.query:  # else a database with the encoding SQL_ASCII answers in bytes
        parsed = parsed.update_query_dict({"client_encoding": "utf8"})
    # A connection that the server has dropped meanwhile is replaced before use.
    engine = create_engine(parsed, pool_pre_ping=True)
    return engine.execution_options(postgresql_readonly=True) if read_only else engine


def shown_url(url: URL) -> str:
    """The URL as messages show it: without password, driver and options."""
    return url.set(drivername="postgresql", password=None, query={}).render_as_string()


def check_released(url: str, revision: str | None) -> None:
    """Refuses the tables of a time between two releases: no migration leads on from them.

    Raises:
        StoreVersionError: the database has such tables.
    """
    if revision is not None and "0002" <= revision <= "0007":
        raise StoreVersionError(
            f"{url} has the format of migration {revision}, which no release has: copy the store into a directory "
            "by the version of proofbase that made it (`proofbase store copy`), and by this one into a new database"
        )


@contextmanager
def storage_errors(engine: Engine) -> Iterator[None]:
    """Turns the errors of the driver into those of storage/errors.py."""
    try:
        yield
    except DBAPIError as error:
        raise _translate(shown_url(engine.url), error.orig) from error
    except psycopg.Error as error:  # from COPY, which goes past SQLAlchemy
        raise _translate(shown_url(engine.url), error) from error
    except PoolTimeoutError as error:
        raise StoreUnavailableError(f"{shown_url(engine.url)}: no free connection: {error}") from error


def _translate(where: str, error: BaseException | None) -> StoreError:
    state: str = getattr(error, "sqlstate", None) or ""
    lines = str(error).strip().splitlines()
    message = f"{where}: {lines[0] if lines else type(error).__name__}"
    # libpq reports a refused start of a session without its SQLSTATE.
    if state == "3D000" or (not state and "database" in message and "does not exist" in message):
        return StoreNotFoundError(errno.ENOENT, message)
    if state in ("42P01", "3F000", "42703"):
        return StoreVersionError(f"{message}; run `proofbase migrate`")
    if state in ("42501", "25006"):
        return StoreReadOnlyError(errno.EACCES, message)
    if state == "53100":  # the disk is full
        return StoreFullError(errno.ENOSPC, message)
    if state == "22P05":
        return StoreError(f"{message}: make the database with the encoding UTF8 (docs/operating.md)")
    if state in ("40001", "40P01", "55P03"):
        return StoreBusyError(message)
    # 08 connection, 53 resources, 57 intervention of an operator, 58 error of the operating system
    if state[:2] in ("08", "53", "57", "58"):
        return StoreUnavailableError(message)
    if not state and isinstance(error, (psycopg.OperationalError, psycopg.InterfaceError)):
        return StoreUnavailableError(message)
    return StoreError(message)
