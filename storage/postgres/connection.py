"""Connecting to PostgreSQL, and what its errors mean for a store."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import URL, Engine, create_engine, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from proofbase.storage.errors import (
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
    if not parsed.database:
        raise ValueError(f"the URL {shown_url(parsed)} names no database")
    if "connect_timeout" not in parsed.query:
        parsed = parsed.update_query_dict({"connect_timeout": str(CONNECT_SECONDS)})
    # A connection that the server has dropped meanwhile is replaced before use.
    engine = create_engine(parsed, pool_pre_ping=True)
    return engine.execution_options(postgresql_readonly=True) if read_only else engine


def shown_url(url: URL) -> str:
    """The URL as messages show it: without password, driver and options."""
    return url.set(drivername="postgresql", password=None, query={}).render_as_string()


@contextmanager
def storage_errors(engine: Engine) -> Iterator[None]:
    """Turns the errors of the driver into those of storage/errors.py."""
    try:
        yield
    except DBAPIError as error:
        raise _translate(shown_url(engine.url), error) from error
    except PoolTimeoutError as error:
        raise StoreUnavailableError(f"{shown_url(engine.url)}: no free connection: {error}") from error


def _translate(where: str, error: DBAPIError) -> StoreError:
    state: str = getattr(error.orig, "sqlstate", None) or ""
    lines = str(error.orig).strip().splitlines()
    message = f"{where}: {lines[0] if lines else type(error.orig).__name__}"
    # libpq reports a refused start of a session without its SQLSTATE.
    if state == "3D000" or (not state and "database" in message and "does not exist" in message):
        return StoreNotFoundError(errno.ENOENT, message)
    if state in ("42P01", "3F000", "42703"):
        return StoreVersionError(f"{message}; run `proofbase migrate`")
    if state in ("42501", "25006"):
        return StoreReadOnlyError(errno.EACCES, message)
    if state in ("53100", "53200"):
        return StoreFullError(errno.ENOSPC, message)
    if state[:2] in ("08", "53", "57") or (not state and isinstance(error, (OperationalError, InterfaceError))):
        return StoreUnavailableError(message)
    return StoreError(message)
