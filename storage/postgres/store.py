"""The shared store: PostgreSQL, many writers at a time, one row a claim."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Engine, any_, bindparam, delete, func, select, update
from sqlalchemy.dialects.postgresql import ARRAY, BYTEA

from proofbase.engine.records import MAX_CLAIMS, Claim, MalformedRecordError
from proofbase.storage.annotations import AnnotationStore
from proofbase.storage.arguments import MAX_REASON_CHARACTERS, check_limit, check_text
from proofbase.storage.auditing import tally
from proofbase.storage.checksums import fingerprint_of, game_seed
from proofbase.storage.chunks import Chunk
from proofbase.storage.entries import Audit, GameEntry, PutResult, Source
from proofbase.storage.errors import StoreVersionError
from proofbase.storage.estimates import EstimateStore
from proofbase.storage.postgres.annotations import PostgresAnnotations
from proofbase.storage.postgres.connection import check_released, connect_engine, shown_url, storage_errors
from proofbase.storage.postgres.contents import PostgresContents
from proofbase.storage.postgres.estimates import PostgresEstimates
from proofbase.storage.postgres.jobs import PostgresJobs
from proofbase.storage.postgres.merge import merge_chunk
from proofbase.storage.postgres.sizes import database_sizes
from proofbase.storage.postgres.stored_claims import (
    as_signed,
    encode_or_describe,
    grouped,
    is_one_of,
    is_sound,
    put_in_quarantine,
    read_records,
    remove_rows,
    select_claims,
)
from proofbase.storage.postgres.tables import REVISION, claims, games, quarantine, sources, version
from proofbase.storage.postgres.tokens import PostgresTokens
from proofbase.storage.postgres.transactions import stream_rows
from proofbase.storage.sizes import StoreSizes
from proofbase.storage.store import GetMany
from proofbase.storage.tokens import TokenStore

_KEYS_A_QUERY = 10_000


class PostgresStore(PostgresJobs):
    """A store in a PostgreSQL database (in its schema `proofbase`); the contract is that of `SolutionStore`.

    Any number of processes may write; puts of one game wait for one another. `proofbase migrate` makes the tables.
    Claims are rows with a checksum each.

    Args:
        url: `postgresql://user:password@host:port/database`.
        read_only: refuse writes.

    Raises:
        StoreVersionError: the database is not migrated, or by a newer release.
        StoreNotFoundError, StoreUnavailableError, StoreReadOnlyError: there is no such database, server, or right.
        ValueError: the URL is malformed.
    """

    shared = True
    migratable = True

    def __init__(self, url: str, *, read_only: bool = False) -> None:
        self._engine = connect_engine(url, read_only=read_only)
        super().__init__(shown_url(self._engine.url), read_only=read_only)
        self._game_numbers: dict[str, int] = {}
        self._unreadable: dict[str, str] = {}
        self._estimates = PostgresEstimates(self)
        try:
            self._check_version()
        except BaseException:
            self._engine.dispose()
            raise

    def _check_version(self) -> None:
        with storage_errors(self._engine), self._engine.connect() as connection:
            exists = self._engine.dialect.has_table(connection, version.name, schema=version.schema)
            revision = connection.execute(select(version.c.version_num)).scalar_one_or_none() if exists else None
        check_released(self.url, revision)
        if revision is None or revision < REVISION:
            state = "holds no store yet" if revision is None else f"has the format of migration {revision}"
            raise StoreVersionError(f"{self.url} {state}; run `proofbase migrate` to bring it to {REVISION}")
        if revision > REVISION:
            raise StoreVersionError(
                f"{self.url} was migrated to {revision} by a newer release; this one knows {REVISION}"
            )

    @property
    def revision(self) -> str:
        return REVISION  # another one is refused when the store is opened

    # Records

    def games(self) -> list[GameEntry]:
        set_aside = select(quarantine.c.game, func.count().label("number")).group_by(quarantine.c.game).subquery()
        columns = games.c.name, games.c.rules_version, games.c.records, func.coalesce(set_aside.c.number, 0)
        rows = select(*columns, games.c.generation, games.c.fingerprint)
        rows = rows.outerjoin_from(games, set_aside, games.c.number == set_aside.c.game)
        with self._read() as connection:
            entries = connection.execute(rows.order_by(games.c.name.collate("C")))
            return [GameEntry(*row[:-1], fingerprint=_unsigned(row.fingerprint)) for row in entries]

    def _game_number(self, connection: Connection, game: str) -> int | None:
        """The number of a game. It never changes, so it is cached."""
        number = self._game_numbers.get(game)
        if number is None and "\0" not in game:
            number = connection.execute(select(games.c.number).where(games.c.name == game)).scalar_one_or_none()
            if number is not None:
                self._game_numbers[game] = number
        return number

    def get_many(
        self, game: str, keys: Iterable[bytes], faults: list[MalformedRecordError] | None = None
    ) -> list[bytes | None]:
        with self._snapshot(game, faults) as get_many:
            return get_many(list(keys))

    @contextmanager
    def _snapshot(self, game: str, faults: list[MalformedRecordError] | None = None) -> Iterator[GetMany]:
        with self._read() as connection:
            number = self._game_number(connection, game)
            yield lambda keys: _lookup(connection, game, number, keys, faults)

    def _put_chunk(self, chunk: Chunk) -> PutResult:
        self._check_open()
        return self._write(
            lambda connection: merge_chunk(connection, chunk), unchanged=PutResult(unchanged=len(chunk.items))
        )

    def scan(
        self,
        game: str,
        *,
        after: bytes | None = None,
        limit: int | None = None,
        faults: list[MalformedRecordError] | None = None,
    ) -> Iterator[tuple[bytes, bytes]]:
        check_limit(limit)
        return self._scan(game, after, limit, faults)

    def _scan(
        self, game: str, after: bytes | None, limit: int | None, faults: list[MalformedRecordError] | None
    ) -> Iterator[tuple[bytes, bytes]]:
        with self._read() as connection:
            number = self._game_number(connection, game)
            if number is None:
                return
            rows = select_claims(number)
            if after is not None:
                rows = rows.where(claims.c.key > after)
            if limit is not None and faults is None:
                rows = rows.limit(limit * MAX_CLAIMS)
            with stream_rows(connection, rows) as result:
                yield from islice(read_records(game, result, faults), limit)

    def count(self, game: str) -> int:
        return int(self._column_of(games.c.records, game))

    def generation(self, game: str) -> int:
        return int(self._column_of(games.c.generation, game))

    def removals(self, game: str) -> int:
        return int(self._column_of(games.c.removals, game))

    def fingerprint(self, game: str) -> int | None:
        return _unsigned(self._column_of(games.c.fingerprint, game))

    def _column_of(self, column: Any, game: str) -> Any:
        with self._read() as connection:
            number = self._game_number(connection, game)
            if number is None:
                return 0
            return connection.execute(select(column).where(games.c.number == number)).scalar_one()

    def audit(self, game: str, progress: Callable[[int], object] | None = None) -> Audit:
        with self._read() as connection:
            number = self._game_number(connection, game)
            if number is None:
                return Audit(0, 0, 0, 0, 0, 0)
            row = connection.execute(select(games).where(games.c.number == number)).one()
            faults: list[MalformedRecordError] = []
            with stream_rows(connection, select_claims(number)) as result:
                counted, total = tally(game, read_records(game, result, faults), faults, progress)
            stored = _unsigned(row.fingerprint)
            return Audit.of(row.generation, row.records, stored, counted, total, len(faults))

    def recount(self, game: str, audit: Audit) -> bool:
        self._check_writable()
        audit.check_recount()
        counted = {"records": audit.records, "fingerprint": as_signed(audit.fingerprint)}
        unchanged = (games.c.name == game, games.c.generation == audit.generation)
        counting = update(games).where(*unchanged).values(counted)
        return self._write(lambda connection: connection.execute(counting).rowcount, unchanged=0) == 1

    def sources(self, first: int = 1) -> list[Source]:
        rows = select(sources).order_by(sources.c.number)
        rows = rows.where(sources.c.number >= first)
        with self._read() as connection:
            return [Source(*row) for row in connection.execute(rows)]

    def close_sources(self, game: str) -> int:
        self._check_writable()
        if "\0" in game:
            return 0
        highest = select(func.coalesce(func.max(sources.c.number), 0))

        def close(connection: Connection) -> int:
            # Whoever puts claims of the game holds its row: their source is committed before, or has a higher number.
            locked = select(games.c.number).where(games.c.name == game).with_for_update()
            number = connection.execute(locked).scalar_one_or_none()
            if number is None:
                return 0
            closed = int(connection.execute(highest).scalar_one())
            connection.execute(update(games).where(games.c.number == number).values(closed_sources=closed))
            return closed

        return self._write(close, unchanged=0)

    def quarantine(
        self,
        game: str,
        keys: Iterable[bytes],
        reason: str,
        *,
        claims: Mapping[bytes, Collection[Claim]] | None = None,
    ) -> int:
        check_text("a reason", reason, MAX_REASON_CHARACTERS)
        self._check_writable()
        unique_keys, selected = sorted(set(keys)), claims or {}
        return self._write(
            lambda connection: self._move_to_quarantine(connection, game, unique_keys, reason, selected), unchanged=0
        )

    def _move_to_quarantine(
        self,
        connection: Connection,
        game: str,
        keys: list[bytes],
        reason: str,
        selected: Mapping[bytes, Collection[Claim]],
    ) -> int:
        number = self._game_number(connection, game)
        if number is None:
            return 0
        locked = select(games.c.fingerprint).where(games.c.number == number).with_for_update()
        fingerprint: int | None = connection.execute(locked).scalar_one()
        moved, emptied, seed = 0, 0, game_seed(game)
        for start in range(0, len(keys), _KEYS_A_QUERY):
            parameters = {"keys": keys[start : start + _KEYS_A_QUERY]}
            rows = list[Sequence[Any]]()
            some_rows = list[Sequence[Any]]()
            whole = list[bytes]()
            for key, group in grouped(connection.execute(select_claims(number).where(_KEY_ASKED), parameters)):
                moved_rows = [row for row in group if is_one_of(row, selected[key])] if key in selected else group
                if len(moved_rows) == len(group) or not all(is_sound(seed, row) for row in group):
                    whole.append(key)
                    rows += group
                else:
                    some_rows += moved_rows
            if not rows and not some_rows:
                continue
            records = [(key, encode_or_describe(group)) for key, group in grouped(rows)]
            if records:
                put_in_quarantine(connection, number, records, reason)
                connection.execute(delete(claims).where(claims.c.game == number, _KEY_ASKED), {"keys": whole})
            if some_rows:
                records += remove_rows(connection, number, some_rows, reason)
            moved, emptied = moved + len(records), emptied + len(whole)
            if fingerprint is not None and all(is_sound(seed, row) for row in rows):
                fingerprint -= fingerprint_of(seed, records)
            else:
                fingerprint = None  # nobody can tell what a damaged claim has added to it
        if moved:
            shrunk = {
                "records": games.c.records - emptied,
                "generation": games.c.generation + 1,
                "removals": games.c.removals + 1,
                "fingerprint": None if fingerprint is None else as_signed(fingerprint % (1 << 64)),
            }
            connection.execute(update(games).where(games.c.number == number).values(shrunk))
        return moved

    def quarantined(self, game: str) -> Iterator[tuple[bytes, bytes, str]]:
        with self._read() as connection:
            rows = select(quarantine.c.key, quarantine.c.record, quarantine.c.reason).order_by(quarantine.c.key)
            number = self._game_number(connection, game)
            if number is not None:
                with stream_rows(connection, rows.where(quarantine.c.game == number)) as result:
                    yield from (tuple(row) for row in result)

    @property
    def engine(self) -> Engine:
        """Its connections, for the parts of the backend."""
        return self._engine

    def sizes(self) -> StoreSizes:
        with self._read() as connection:
            return database_sizes(connection)

    @contextmanager
    def contents(self) -> Iterator[PostgresContents]:
        with self._read() as connection:
            yield PostgresContents(connection)

    def annotations(self) -> AnnotationStore:
        self._check_open()
        return PostgresAnnotations(self)

    def estimates(self) -> EstimateStore:
        self._check_open()
        return self._estimates

    def tokens(self) -> TokenStore:
        return PostgresTokens(self)

    def close(self) -> None:
        self._closed = True
        self._engine.dispose()


_KEY_ASKED = claims.c.key == any_(bindparam("keys", type_=ARRAY(BYTEA)))


def _unsigned(fingerprint: int | None) -> int | None:
    """A fingerprint as a column has it, which is signed, as a store gives it."""
    return None if fingerprint is None else fingerprint % (1 << 64)


def _lookup(
    connection: Connection, game: str, number: int | None, keys: list[bytes], faults: list[MalformedRecordError] | None
) -> list[bytes | None]:
    records: dict[bytes, bytes] = {}
    for start in range(0, len(keys) if number is not None else 0, _KEYS_A_QUERY):
        batch = {"keys": keys[start : start + _KEYS_A_QUERY]}
        assert number is not None
        rows = connection.execute(select_claims(number).where(_KEY_ASKED), batch)
        records.update(read_records(game, rows, faults))
    return list(map(records.get, keys))
