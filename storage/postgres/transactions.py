"""Reading and writing transactions of a PostgreSQL store, and results that are fetched piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeVar

from sqlalchemy import Connection, CursorResult, Engine, Select

from proofbase.storage.chunks import ChunkedStore
from proofbase.storage.postgres.connection import storage_errors

__all__ = ["TransactionalStore", "stream_rows"]

T = TypeVar("T")
ROWS_A_FETCH = 5000


class TransactionalStore(ChunkedStore):
    """The part of a PostgreSQL store that runs transactions."""

    _engine: Engine

    def reading(self) -> AbstractContextManager[Connection]:
        """For parts of the store that are objects of their own: as `_read`."""
        return self._read()

    def writing(self, work: Callable[[Connection], T], *, unchanged: T | None = None) -> T:
        """The same: as `_write`, refused where the store is open read-only."""
        self._check_writable()
        return self._write(work, unchanged=unchanged)

    @contextmanager
    def _read(self) -> Iterator[Connection]:
        """A transaction that sees the database as of one moment."""
        self._check_open()
        with storage_errors(self._engine), self._engine.connect() as connection:
            yield connection.execution_options(isolation_level="REPEATABLE READ")

    def _write(self, work: Callable[[Connection], T], *, unchanged: T | None = None) -> T:
        """Commits what `work` does, unless its result is `unchanged`: then it changed nothing."""
        with storage_errors(self._engine), self._engine.connect() as connection:
            result = work(connection)
            if result != unchanged:
                connection.commit()
            return result


def stream_rows(
    connection: Connection, rows: Select[*tuple[Any, ...]], rows_a_fetch: int = ROWS_A_FETCH
) -> CursorResult[*tuple[Any, ...]]:
    """A result that is fetched piece by piece; the caller closes it."""
    return connection.execute(rows, execution_options={"stream_results": True, "yield_per": rows_a_fetch})
