"""Jobs, their checkpoints, and the processes that run them, in PostgreSQL."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, Select, delete, extract, func, select, tuple_, union_all, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError

from proofbase.storage.arguments import check_limit
from proofbase.storage.entries import JOB_KINDS, JOB_STATES, MAX_CHECKPOINT_BYTES, Job, ServerEntry
from proofbase.storage.errors import JobNotFoundError
from proofbase.storage.postgres.connection import storage_errors
from proofbase.storage.postgres.tables import checkpoints, jobs, servers
from proofbase.storage.postgres.transactions import TransactionalStore, stream_rows

__all__ = ["PostgresJobs"]

_log = logging.getLogger(__name__)
_PRUNED_A_STEP = 1000
_PLACE = (jobs.c.created, jobs.c.id)


class PostgresJobs(TransactionalStore):
    """The part of a PostgreSQL store that keeps jobs."""

    _unreadable: dict[str, str]
    """Jobs whose rows could not be read, with the reason."""

    def put_job(self, job: Job) -> None:
        self._check_writable()
        row = {column.name: getattr(job, column.name) for column in jobs.c}
        putting = insert(jobs).values(row).on_conflict_do_update(index_elements=["id"], set_=row)
        self._write(lambda connection: connection.execute(putting).rowcount)

    def replace_job(self, job: Job, updated: float) -> bool:
        self._check_writable()
        row = {column.name: getattr(job, column.name) for column in jobs.c}
        replacing = update(jobs).where(jobs.c.id == job.id, jobs.c.updated == updated).values(row)
        return self._write(lambda connection: connection.execute(replacing).rowcount, unchanged=0) == 1

    def get_job(self, job_id: str) -> Job | None:
        with self._read() as connection:
            row = connection.execute(select(jobs).where(jobs.c.id == job_id)).mappings() if _storable(job_id) else ()
            return next((Job(**fields) for fields in row), None)

    def list_jobs(
        self,
        states: Collection[str] | None = None,
        *,
        kinds: Collection[str] | None = None,
        limit: int | None = None,
        before: str | tuple[float, str] | None = None,
    ) -> list[Job]:
        check_limit(limit)
        with self._read() as connection:
            if isinstance(before, str):
                before = _place_of(connection, before)
            pages = [
                _newest_first(page, limit, before)
                for page in _pages(states, kinds)  # each is read by an index
            ]
            if not pages:
                return []
            ids = select(union_all(*pages).subquery().c.id) if len(pages) > 1 else select(pages[0].subquery().c.id)
            rows = select(jobs).where(jobs.c.id.in_(ids)).order_by(jobs.c.created.desc(), jobs.c.id.desc()).limit(limit)
            return list(self._readable(connection.execute(rows).mappings()))

    def count_jobs(self) -> dict[str, int]:
        with self._read() as connection:
            rows = connection.execute(select(jobs.c.state, func.count()).group_by(jobs.c.state))
            return {str(state): int(count) for state, count in rows}

    def prune_jobs(self, states: Collection[str], *, updated_before: float, keep: int) -> int:
        self._check_writable()
        newest = select(*_PLACE).where(jobs.c.state.in_(list(states)))
        with self._read() as connection:
            ordered = newest.order_by(jobs.c.created.desc(), jobs.c.id.desc()).offset(max(0, keep - 1)).limit(1)
            last_kept = connection.execute(ordered).one_or_none()
        if last_kept is None:
            return 0
        old = select(jobs.c.id).where(jobs.c.state.in_(list(states)), jobs.c.updated < updated_before)
        if keep:
            old = old.where(tuple_(*_PLACE) < tuple_(last_kept.created, last_kept.id))
        step = old.limit(_PRUNED_A_STEP).with_for_update(skip_locked=True)

        def prune(connection: Connection) -> int:
            ids = list(connection.execute(step).scalars())
            connection.execute(delete(checkpoints).where(checkpoints.c.job.in_(ids)))
            connection.execute(delete(jobs).where(jobs.c.id.in_(ids)))
            return len(ids)

        pruned = 0
        while done := self._write(prune, unchanged=0):
            pruned += done
        return pruned

    def unreadable_jobs(self) -> dict[str, str]:
        return dict(self._unreadable)

    def _readable(self, rows: Iterable[Mapping[Any, Any]]) -> Iterator[Job]:
        for row in rows:
            try:
                yield Job(**row)
            except (ValueError, TypeError) as error:  # changed from outside, or of a later release
                if row["id"] not in self._unreadable:
                    _log.warning("the row of job %s cannot be read, it is passed over: %s", row["id"], error)
                    self._unreadable[row["id"]] = str(error)

    # Checkpoints

    def append_checkpoint(self, job_id: str, chunk: bytes) -> None:
        self._check_writable()
        if len(chunk) > MAX_CHECKPOINT_BYTES:
            raise ValueError(f"a chunk of a checkpoint has {len(chunk)} bytes; up to 512 MiB are accepted")
        if not _storable(job_id):
            raise JobNotFoundError(job_id)
        adding = insert(checkpoints).values(job=job_id, chunk=chunk)
        with storage_errors(self._engine), self._engine.begin() as connection:
            try:
                connection.execute(adding)
            except IntegrityError:
                raise JobNotFoundError(job_id) from None

    def checkpoint(self, job_id: str) -> Iterator[bytes]:
        chunks = select(checkpoints.c.chunk).where(checkpoints.c.job == job_id).order_by(checkpoints.c.number)
        with self._read() as connection:
            if _storable(job_id):
                # Chunks may be large: one at a time.
                with stream_rows(connection, chunks, rows_a_fetch=1) as result:
                    yield from result.scalars()

    def drop_checkpoint(self, job_id: str) -> None:
        self._check_writable()
        dropping = delete(checkpoints).where(checkpoints.c.job == job_id)
        if _storable(job_id):
            self._write(lambda connection: connection.execute(dropping).rowcount, unchanged=0)

    # Processes

    def renew_server(self, server_id: str, about: dict[str, Any]) -> None:
        self._check_writable()
        row = {"about": about, "renewed": func.clock_timestamp()}
        renewing = insert(servers).values(id=server_id, **row).on_conflict_do_update(index_elements=["id"], set_=row)
        self._write(lambda connection: connection.execute(renewing).rowcount)

    def servers(self) -> list[ServerEntry]:
        since = func.greatest(servers.c.renewed, func.pg_postmaster_start_time())
        silent = extract("epoch", func.clock_timestamp() - since)
        with self._read() as connection:
            rows = connection.execute(select(servers.c.id, servers.c.about, silent).order_by(servers.c.id))
            return [ServerEntry(name, about, max(0.0, float(seconds))) for name, about, seconds in rows]

    def drop_server(self, server_id: str) -> None:
        self._check_writable()
        dropping = delete(servers).where(servers.c.id == server_id)
        self._write(lambda connection: connection.execute(dropping).rowcount, unchanged=0)


def _pages(states: Collection[str] | None, kinds: Collection[str] | None) -> list[Select[Any]]:
    """The jobs that are asked for, in parts that one index each has in the order of time."""
    page = select(jobs.c.id, jobs.c.created)
    if states is None and kinds is None:
        return [page]
    return [
        page.where(jobs.c.state == state, jobs.c.kind == kind)
        for state in JOB_STATES
        if states is None or state in states
        for kind in JOB_KINDS
        if kinds is None or kind in kinds
    ]


def _newest_first(page: Select[Any], limit: int | None, before: tuple[float, str] | None) -> Select[Any]:
    if before is not None:
        page = page.where(tuple_(*_PLACE) < tuple_(*before))
    return page.order_by(jobs.c.created.desc(), jobs.c.id.desc()).limit(limit)


def _place_of(connection: Connection, job_id: str) -> tuple[float, str]:
    place = connection.execute(select(*_PLACE).where(jobs.c.id == job_id)).one_or_none() if _storable(job_id) else None
    if place is None:
        raise JobNotFoundError(job_id)
    return place.created, place.id


def _storable(job_id: str) -> bool:
    return "\0" not in job_id
