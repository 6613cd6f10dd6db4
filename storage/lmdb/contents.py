"""Everything that an LMDB store holds, in one read transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeVar

import lmdb

from proofbase.engine.records import MalformedRecordError
from proofbase.storage.annotations import Annotation
from proofbase.storage.contents import Contents, GameContents
from proofbase.storage.entries import Job, Source
from proofbase.storage.errors import StoreError
from proofbase.storage.estimates import Estimate
from proofbase.storage.lmdb.annotations import read_annotation
from proofbase.storage.lmdb.environment import Environment
from proofbase.storage.lmdb.estimates import read_estimate
from proofbase.storage.lmdb.guarded_reads import in_blocks
from proofbase.storage.lmdb.jobs import read_job
from proofbase.storage.lmdb.records import GameRow, StoredRecords, read_quarantine_row
from proofbase.storage.lmdb.rows import open_row
from proofbase.storage.lmdb.sources import closed_sources, read_source
from proofbase.storage.lmdb.upgrade import UpgradeState

if TYPE_CHECKING:
    Transaction = lmdb.Transaction[bytes]

__all__ = ["LmdbContents"]

T = TypeVar("T")


class LmdbContents(Contents):
    """What a read transaction sees.

    Args:
        environment: of the store.
        txn: the transaction, which the caller ends.
    """

    def __init__(self, environment: Environment, txn: Transaction) -> None:
        self._environment = environment
        self._txn = txn
        rows = [(name, GameRow.unpack(name, row)) for name, row in txn.cursor(environment.dbs.games)]
        self._rows = {name.decode(): row for name, row in sorted(rows, key=lambda entry: entry[1].number)}
        self._unchecked_after = UpgradeState(environment).unchecked_after(txn)

    def games(self) -> list[GameContents]:
        known = self._unchecked_after is None
        return [
            GameContents(
                name,
                row.rules_version,
                row.records,
                row.generation,
                row.fingerprint if known else None,
                closed_sources(self._txn, self._environment.dbs.meta, row.number),
            )
            for name, row in self._rows.items()
        ]

    def sources(self, faults: list[StoreError] | None = None) -> Iterator[Source]:
        rows = self._rows_of(self._environment.dbs.sources)
        return self._each(rows, lambda key, row: read_source(key, row, sealed=self._environment.rows_sealed), faults)

    def records(self, game: str, faults: list[MalformedRecordError] | None = None) -> Iterator[tuple[bytes, bytes]]:
        row = self._rows.get(game)
        if row is None:
            return iter(())
        records = StoredRecords(game, row, self._unchecked_after, faults)
        return in_blocks(self._environment.look, records.items(self._txn.cursor(self._environment.dbs.records), None))

    def quarantined(self, game: str, faults: list[StoreError] | None = None) -> Iterator[tuple[bytes, bytes, str]]:
        prefix, sealed = self._rows[game].prefix, self._environment.rows_sealed

        def read(key: bytes, row: bytes) -> tuple[bytes, bytes, str]:
            return key[4:], *read_quarantine_row(key, row, sealed=sealed)

        return self._each(self._rows_of(self._environment.dbs.quarantine, prefix), read, faults)

    def estimates(self, game: str, faults: list[StoreError] | None = None) -> Iterator[Estimate]:
        database = self._environment.dbs.estimates
        if database is None:  # a store of an earlier release
            return iter(())
        return self._each(self._rows_of(database, self._rows[game].prefix), read_estimate, faults)

    def annotations(self, faults: list[StoreError] | None = None) -> Iterator[Annotation]:
        database = self._environment.dbs.annotations
        if database is None:  # a store of an earlier release
            return iter(())
        annotations = self._each(self._rows_of(database), read_annotation, faults)
        return (annotation for annotation in annotations if annotation is not None)

    def jobs(self, faults: list[StoreError] | None = None) -> Iterator[Job]:
        sealed = self._environment.rows_sealed
        return self._each(
            self._rows_of(self._environment.dbs.jobs), lambda key, row: read_job(key, row, sealed=sealed), faults
        )

    def checkpoint(self, job_id: str, faults: list[StoreError] | None = None) -> Iterator[bytes]:
        rows = self._rows_of(self._environment.dbs.checkpoints, job_id.encode() + b"\0", 1)
        sealed = self._environment.rows_sealed
        return self._each(rows, lambda key, row: open_row("checkpoints", key, row, sealed=sealed), faults)

    def _rows_of(
        self, database: lmdb._Database, prefix: bytes = b"", block: int = 256
    ) -> Iterator[tuple[bytes, bytes]]:
        cursor = self._txn.cursor(database)
        if not (cursor.set_range(prefix) if prefix else cursor.first()):
            return
        for key, row in in_blocks(self._environment.look, iter(cursor), block):
            if not key.startswith(prefix):
                return
            yield key, row

    def _each(
        self,
        rows: Iterator[tuple[bytes, bytes]],
        read: Callable[[bytes, bytes], T],
        faults: list[StoreError] | None,
    ) -> Iterator[T]:
        for key, row in rows:
            try:
                entry = read(key, row)
            except StoreError as error:
                if faults is None:
                    raise
                faults.append(error)
            else:
                yield entry
