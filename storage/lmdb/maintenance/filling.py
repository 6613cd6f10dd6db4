"""A new LMDB store from the contents of another store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import lmdb

from proofbase.storage.annotations import Annotation
from proofbase.storage.checksums import game_seed, seal
from proofbase.storage.contents import GameContents
from proofbase.storage.entries import Audit, Job, Source
from proofbase.storage.estimates import Estimate
from proofbase.storage.filling import Filling
from proofbase.storage.lmdb.annotations import annotation_row
from proofbase.storage.lmdb.estimates import estimate_row
from proofbase.storage.lmdb.jobs import place_of
from proofbase.storage.lmdb.maintenance.new_directory import NewDirectory
from proofbase.storage.lmdb.records import GameRow, quarantine_row
from proofbase.storage.lmdb.rows import seal_row
from proofbase.storage.lmdb.sources import put_closed_sources, source_row
from proofbase.storage.lmdb.store import LmdbStore
from proofbase.storage.lmdb.tokens import LmdbTokens
from proofbase.storage.tokens import Token

if TYPE_CHECKING:
    Transaction = lmdb.Transaction[bytes]

__all__ = ["LmdbFilling"]

RECORDS_A_COMMIT = 200_000
ROWS_A_COMMIT = 10_000
BYTES_A_COMMIT = 64 << 20


class LmdbFilling(Filling):
    """Fills a directory that must not exist, or be empty.

    Raises:
        NotAStoreError: it is not empty.
        StoreError: it cannot be made.
    """

    def __init__(self, directory: Path) -> None:
        self._new = NewDirectory(directory)
        try:
            self._store = LmdbStore(str(self._new.path))
        except BaseException:
            self._new.close()
            raise
        self._games: dict[str, int] = {}

    def add_sources(self, sources: Iterable[Source]) -> None:
        self._put_rows("sources", map(source_row, sources), append=True)

    def add_game(self, game: GameContents, items: Iterable[tuple[bytes, bytes]]) -> None:
        number = self._games[game.name] = len(self._games) + 1
        row = GameRow(number, game.rules_version, game.records, game.generation, game.fingerprint)
        prefix, seed = row.prefix, game_seed(game.name)
        records = ((prefix + key, seal(seed, key, record)) for key, record in items)
        self._put_rows("records", records, append=True, rows_a_commit=RECORDS_A_COMMIT)
        name = game.name.encode()
        self._put_rows("games", [(name, row.pack(name))])
        if game.closed_sources:
            environment = self._store.environment
            environment.write(lambda txn: put_closed_sources(txn, environment.dbs.meta, number, game.closed_sources))

    def add_quarantined(self, game: str, rows: Iterable[tuple[bytes, bytes, str]]) -> None:
        prefix = self._games[game].to_bytes(4, "big")
        stored = ((prefix + key, quarantine_row(prefix + key, record, reason)) for key, record, reason in rows)
        self._put_rows("quarantine", stored, append=True)

    def add_estimates(self, game: str, estimates: Iterable[Estimate]) -> None:
        number = self._games[game]
        self._put_rows("estimates", (estimate_row(number, estimate) for estimate in estimates))

    def add_annotations(self, annotations: Iterable[Annotation]) -> None:
        self._put_rows("annotations", map(annotation_row, annotations))

    def add_jobs(self, jobs: Iterable[tuple[Job, Iterable[bytes]]]) -> None:
        rows: list[tuple[str, bytes, bytes]] = []
        size = 0
        for job, checkpoint in jobs:
            name = job.id.encode()
            rows.append(("jobs", name, seal_row("jobs", name, job.to_json().encode())))
            rows.append(("job_index", place_of(job), b""))
            for number, chunk in enumerate(checkpoint):
                place = name + b"\0" + number.to_bytes(8, "big")
                rows.append(("checkpoints", place, seal_row("checkpoints", place, chunk)))
                size += len(chunk)
                if size >= BYTES_A_COMMIT:
                    self._put_mixed(rows)
                    rows, size = [], 0
            if len(rows) >= ROWS_A_COMMIT:
                self._put_mixed(rows)
                rows, size = [], 0
        self._put_mixed(rows)

    def _put_mixed(self, rows: list[tuple[str, bytes, bytes]]) -> None:
        """Puts rows of several databases, in one transaction."""
        databases = self._store.environment.dbs

        def put(txn: Transaction) -> None:
            for database, key, row in rows:
                txn.put(key, row, db=getattr(databases, database))

        self._store.environment.write(put)

    def add_tokens(self, tokens: Iterable[Token]) -> None:
        with LmdbTokens(self._new.path) as kept:
            for token in tokens:
                kept.add(token)

    def _put_rows(
        self,
        database: str,
        rows: Iterable[tuple[bytes, bytes]],
        *,
        append: bool = False,
        rows_a_commit: int = ROWS_A_COMMIT,
    ) -> None:
        """Puts rows in transactions; `append`: their keys ascend, behind all that are there."""
        rows, environment = iter(rows), self._store.environment
        while batch := list(islice(rows, rows_a_commit)):

            def put(txn: Transaction, batch: list[tuple[bytes, bytes]] = batch) -> None:
                with txn.cursor(getattr(environment.dbs, database)) as cursor:
                    cursor.putmulti(batch, append=append)

            environment.write(put)

    def audits(self) -> Iterator[tuple[str, Audit]]:
        for name in self._games:
            yield name, self._store.audit(name)

    @property
    def store(self) -> LmdbStore:
        return self._store

    def finish(self) -> None:
        self._store.close()
        self._new.appear()

    def close(self) -> None:
        self._store.close()
        self._new.close()
