"""A store in an empty PostgreSQL database, from the contents of another store: one transaction, all or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Table, func, insert, select, text
from xxhash import xxh3_64_intdigest

from proofbase.engine.records import MalformedRecordError, decode_record
from proofbase.storage.annotations import Annotation
from proofbase.storage.auditing import tally
from proofbase.storage.checksums import claim_seed, game_seed
from proofbase.storage.contents import GameContents
from proofbase.storage.entries import Audit, Job, Source
from proofbase.storage.errors import NotAStoreError, StoreVersionError
from proofbase.storage.estimates import Estimate
from proofbase.storage.filling import Filling
from proofbase.storage.postgres.annotations import annotation_values
from proofbase.storage.postgres.connection import storage_errors
from proofbase.storage.postgres.estimates import estimate_values
from proofbase.storage.postgres.store import PostgresStore
from proofbase.storage.postgres.stored_claims import COLUMNS, SOURCE_FACTOR, as_signed, read_records, select_claims
from proofbase.storage.postgres.tables import (
    SCHEMA,
    annotation_rows,
    checkpoints,
    claims,
    estimates,
    games,
    jobs,
    quarantine,
    sources,
    tokens,
)
from proofbase.storage.postgres.transactions import stream_rows
from proofbase.storage.tokens import Token

__all__ = ["PostgresFilling"]

ROWS_AT_ONCE = 5_000
_TYPES = ("int4", "bytea", "int2", "int4", "int4", "int2", "int4", "bytea", "int4", "int8")
_FILLED = (games, sources, claims, quarantine, estimates, annotation_rows, jobs, checkpoints, tokens)


class PostgresFilling(Filling):
    """Fills a database that `proofbase migrate` has prepared, and that holds nothing yet.

    Its tables are locked: readers see an empty store, and writers wait.

    Raises:
        NotAStoreError: it holds something already.
        StoreVersionError: it was not migrated.
        StoreError: it cannot be reached or written.
    """

    def __init__(self, url: str) -> None:
        self._store = _StoreInTransaction(url)
        self._stack = ExitStack()
        self._games: dict[str, tuple[int, GameContents]] = {}
        try:
            self._stack.enter_context(storage_errors(self._store.engine))
            self._connection: Connection = self._stack.enter_context(self._store.engine.connect())
            self._store.connection = self._connection
            self._lock_empty()
        except BaseException as error:
            self._leave(error)
            raise

    def _lock_empty(self) -> None:
        names = ", ".join(f"{SCHEMA}.{table.name}" for table in _FILLED)
        self._connection.execute(text(f"LOCK TABLE {names} IN SHARE ROW EXCLUSIVE MODE"))
        for table in _FILLED:
            if self._connection.execute(select(func.count()).select_from(select(table).limit(1).subquery())).scalar():
                raise NotAStoreError(
                    f"{self._store.url} is not empty (it has {table.name}): name a database without a store's contents"
                )

    def add_sources(self, rows: Iterable[Source]) -> None:
        self._insert(sources, map(asdict, rows))

    def add_game(self, game: GameContents, items: Iterable[tuple[bytes, bytes]]) -> None:
        row = {
            "name": game.name,
            "rules_version": game.rules_version,
            "records": game.records,
            "generation": game.generation,
            "fingerprint": None if game.fingerprint is None else as_signed(game.fingerprint),
            "closed_sources": game.closed_sources,
        }
        number = self._connection.execute(insert(games).values(row).returning(games.c.number)).scalar_one()
        self._games[game.name] = number, game
        driver = self._connection.connection.driver_connection
        assert driver is not None, "a connection in a transaction is open"
        columns = f"COPY {SCHEMA}.{claims.name} (game, {', '.join(COLUMNS)}) FROM STDIN (FORMAT BINARY)"
        with driver.cursor() as cursor, cursor.copy(columns) as copy:
            copy.set_types(_TYPES)
            for claim in _claim_rows(game.name, number, items):
                copy.write_row(claim)

    def add_quarantined(self, game: str, rows: Iterable[tuple[bytes, bytes, str]]) -> None:
        number = self._games[game][0]
        entries = ({"game": number, "key": key, "record": record, "reason": reason} for key, record, reason in rows)
        self._insert(quarantine, entries)

    def add_estimates(self, game: str, entries: Iterable[Estimate]) -> None:
        number = self._games[game][0]
        self._insert(estimates, (estimate_values(number, estimate) for estimate in entries))

    def add_annotations(self, entries: Iterable[Annotation]) -> None:
        self._insert(annotation_rows, map(annotation_values, entries))

    def add_jobs(self, entries: Iterable[tuple[Job, Iterable[bytes]]]) -> None:
        for job, checkpoint in entries:
            if job.unknown:
                raise StoreVersionError(
                    f"job {job.id} has attributes of a later release ({', '.join(sorted(job.unknown))}), which a "
                    "database of this release cannot keep"
                )
            row = {column.name: getattr(job, column.name) for column in jobs.c}
            self._connection.execute(insert(jobs).values(row))
            for chunk in checkpoint:
                self._connection.execute(insert(checkpoints).values(job=job.id, chunk=chunk))

    def add_tokens(self, entries: Iterable[Token]) -> None:
        self._insert(tokens, ({column.name: getattr(token, column.name) for column in tokens.c} for token in entries))

    def _insert(self, table: Table, rows: Iterable[dict[str, Any]]) -> None:
        rows = iter(rows)
        while batch := list(islice(rows, ROWS_AT_ONCE)):
            self._connection.execute(insert(table), batch)

    def audits(self) -> Iterator[tuple[str, Audit]]:
        for name, (number, game) in self._games.items():
            faults: list[MalformedRecordError] = []
            with stream_rows(self._connection, select_claims(number)) as result:
                counted, total = tally(name, read_records(name, result, faults), faults, None)
            yield name, Audit.of(game.generation, game.records, game.fingerprint, counted, total, len(faults))

    @property
    def store(self) -> PostgresStore:
        return self._store

    def finish(self) -> None:
        self._connection.commit()
        self._connection.execute(text(f"ANALYZE {SCHEMA}.{claims.name}"))
        self._connection.commit()

    def close(self) -> None:
        self._leave(None)

    def _leave(self, error: BaseException | None) -> None:
        """Ends the transaction: what was not committed is gone."""
        try:
            self._stack.__exit__(type(error) if error else None, error, None)
        finally:
            self._store.close()


class _StoreInTransaction(PostgresStore):
    """A store that is read through one open transaction: it shows what is not committed yet."""

    connection: Connection | None = None

    @contextmanager
    def _read(self) -> Iterator[Connection]:
        if self.connection is not None:
            yield self.connection
        else:
            with super()._read() as connection:
                yield connection


def _claim_rows(game: str, number: int, items: Iterable[tuple[bytes, bytes]]) -> Iterator[tuple[Any, ...]]:
    seed = game_seed(game)
    # Positions share few distinct records: each is worked out once.
    forms: dict[bytes, list[tuple[tuple[Any, ...], int, int, int]]] = {}
    for key, record in items:
        form = forms.get(record)
        if form is None:
            if len(forms) >= 1 << 16:
                forms.clear()
            form = forms[record] = [
                (
                    (int(claim.side), claim.bound, claim.rank, int(claim.evidence), claim.witness, claim.payload),
                    claim.source or 0,
                    (claim.source or 0) * SOURCE_FACTOR,
                    claim_seed(claim, seed),
                )
                for claim in decode_record(record).claims
            ]
        for row, source, mask, seed_of_claim in form:
            mark = xxh3_64_intdigest(key, seed_of_claim)
            # The checksum of a stored row (stored_claims.py), from the mark as a bigint.
            yield (number, key, *row, source, (mark - (mark >> 63 << 64)) ^ mask)
