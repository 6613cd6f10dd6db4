"""Everything that a PostgreSQL store holds, in one transaction of one moment."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, select

from proofbase.engine.records import MalformedRecordError
from proofbase.storage.annotations import Annotation
from proofbase.storage.contents import Contents, GameContents
from proofbase.storage.entries import Job, Source
from proofbase.storage.errors import StoreDamagedError, StoreError
from proofbase.storage.estimates import Estimate
from proofbase.storage.postgres.annotations import read_annotation
from proofbase.storage.postgres.estimates import read_estimate, select_estimates
from proofbase.storage.postgres.stored_claims import read_records, select_claims
from proofbase.storage.postgres.tables import annotation_rows, checkpoints, games, jobs, quarantine, sources
from proofbase.storage.postgres.transactions import stream_rows

__all__ = ["PostgresContents"]


class PostgresContents(Contents):
    """What a transaction with the isolation level REPEATABLE READ sees.

    Args:
        connection: in the transaction, which the caller ends.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        rows = connection.execute(select(games).order_by(games.c.number)).all()
        self._numbers = {row.name: row.number for row in rows}
        self._games = [
            GameContents(
                row.name,
                row.rules_version,
                row.records,
                row.generation,
                None if row.fingerprint is None else row.fingerprint % (1 << 64),
                row.closed_sources,
            )
            for row in rows
        ]

    def games(self) -> list[GameContents]:
        return list(self._games)

    def sources(self, faults: list[StoreError] | None = None) -> Iterator[Source]:
        rows = select(sources).order_by(sources.c.number)
        with stream_rows(self._connection, rows) as result:
            for row in result:
                yield Source(*row)

    def records(self, game: str, faults: list[MalformedRecordError] | None = None) -> Iterator[tuple[bytes, bytes]]:
        if game in self._numbers:
            with stream_rows(self._connection, select_claims(self._numbers[game])) as result:
                yield from read_records(game, result, faults)

    def quarantined(self, game: str, faults: list[StoreError] | None = None) -> Iterator[tuple[bytes, bytes, str]]:
        rows = select(quarantine.c.key, quarantine.c.record, quarantine.c.reason).order_by(quarantine.c.key)
        with stream_rows(self._connection, rows.where(quarantine.c.game == self._numbers[game])) as result:
            yield from (tuple(row) for row in result)

    def estimates(self, game: str, faults: list[StoreError] | None = None) -> Iterator[Estimate]:
        with stream_rows(self._connection, select_estimates(self._numbers[game])) as result:
            for row in result:
                try:
                    estimate = read_estimate(row)
                except ValueError as error:
                    damage = StoreDamagedError(f"an estimate of {game} cannot be read: {error}")
                    if faults is None:
                        raise damage from None
                    faults.append(damage)
                else:
                    yield estimate

    def annotations(self, faults: list[StoreError] | None = None) -> Iterator[Annotation]:
        with stream_rows(self._connection, select(annotation_rows)) as result:
            for row in result.mappings():
                try:
                    annotation = read_annotation(row)
                except StoreDamagedError as damage:
                    if faults is None:
                        raise
                    faults.append(damage)
                else:
                    yield annotation

    def jobs(self, faults: list[StoreError] | None = None) -> Iterator[Job]:
        with stream_rows(self._connection, select(jobs).order_by(jobs.c.id)) as result:
            for row in result.mappings():
                try:
                    job = Job(**row)
                except (ValueError, TypeError) as error:
                    damage = StoreDamagedError(f"the row of job {row['id']} cannot be read: {error}")
                    if faults is None:
                        raise damage from None
                    faults.append(damage)
                else:
                    yield job

    def checkpoint(self, job_id: str, faults: list[StoreError] | None = None) -> Iterator[bytes]:
        chunks = select(checkpoints.c.chunk).where(checkpoints.c.job == job_id).order_by(checkpoints.c.number)
        with stream_rows(self._connection, chunks, rows_a_fetch=1) as result:
            yield from result.scalars()
