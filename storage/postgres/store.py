"""The shared store: PostgreSQL, many writers at a time, one row a claim."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Select, any_, bindparam, case, delete, select, update
from sqlalchemy.dialects.postgresql import ARRAY, BYTEA, insert

from proofbase.engine.records import (
    MAX_CLAIMS,
    Claim,
    Evidence,
    MalformedRecordError,
    Record,
    Side,
    encode_record,
)
from proofbase.storage.chunks import (
    MAX_REASON_CHARACTERS,
    Chunk,
    check_limit,
    check_text,
)
from proofbase.storage.entries import GameEntry, PutResult, Source
from proofbase.storage.errors import StoreVersionError
from proofbase.storage.postgres.connection import connect_engine, shown_url, storage_errors
from proofbase.storage.postgres.jobs import PostgresJobs
from proofbase.storage.postgres.merge import merge_chunk
from proofbase.storage.postgres.tables import REVISION, claims, games, quarantine, sources, version
from proofbase.storage.postgres.transactions import stream_rows
from proofbase.storage.store import GetMany

_KEYS_A_QUERY = 10_000


class PostgresStore(PostgresJobs):
    """A store in a PostgreSQL database (in its schema `proofbase`); the contract is that of `SolutionStore`.

    Any number of processes may write; puts of one game wait for one another. `proofbase migrate` makes the tables.
    Claims are rows, so `get_many` and `scan`, too, raise `MalformedRecordError` when rows were changed from outside.

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
        try:
            self._check_version()
        except BaseException:
            self._engine.dispose()
            raise

    def _check_version(self) -> None:
        with storage_errors(self._engine), self._engine.connect() as connection:
            exists = self._engine.dialect.has_table(connection, version.name, schema=version.schema)
            revision = connection.execute(select(version.c.version_num)).scalar_one_or_none() if exists else None
        if revision is None or revision < REVISION:
            state = "holds no store yet" if revision is None else f"has the format of migration {revision}"
            raise StoreVersionError(f"{self.url} {state}; run `proofbase migrate` to bring it to {REVISION}")
        if revision > REVISION:
            raise StoreVersionError(
                f"{self.url} was migrated to {revision} by a newer release; this one knows {REVISION}"
            )

    # Records

    def games(self) -> list[GameEntry]:
        rows = select(games.c.name, games.c.rules_version, games.c.records).order_by(games.c.name.collate("C"))
        with self._read() as connection:
            return [GameEntry(*row) for row in connection.execute(rows)]

    def _game_number(self, connection: Connection, game: str) -> int | None:
        """The number of a game. It never changes, so it is cached."""
        number = self._game_numbers.get(game)
        if number is None and "\0" not in game:
            number = connection.execute(select(games.c.number).where(games.c.name == game)).scalar_one_or_none()
            if number is not None:
                self._game_numbers[game] = number
        return number

    def get_many(self, game: str, keys: Iterable[bytes]) -> list[bytes | None]:
        with self._snapshot(game) as get_many:
            return get_many(list(keys))

    @contextmanager
    def _snapshot(self, game: str) -> Iterator[GetMany]:
        with self._read() as connection:
            number = self._game_number(connection, game)
            yield lambda keys: _lookup(connection, game, number, keys)

    def _put_chunk(self, chunk: Chunk) -> PutResult:
        self._check_open()
        return self._write(
            lambda connection: merge_chunk(connection, chunk), unchanged=PutResult(unchanged=len(chunk.items))
        )

    def scan(self, game: str, *, after: bytes | None = None, limit: int | None = None) -> Iterator[tuple[bytes, bytes]]:
        check_limit(limit)
        return self._scan(game, after, limit)

    def _scan(self, game: str, after: bytes | None, limit: int | None) -> Iterator[tuple[bytes, bytes]]:
        with self._read() as connection:
            number = self._game_number(connection, game)
            if number is None:
                return
            rows = _select_claims(number)
            if after is not None:
                rows = rows.where(claims.c.key > after)
            if limit is not None:
                rows = rows.limit(limit * MAX_CLAIMS)
            with stream_rows(connection, rows) as result:
                yield from islice(_records(game, result), limit)

    def count(self, game: str) -> int:
        return self._column_of(games.c.records, game)

    def generation(self, game: str) -> int:
        return self._column_of(games.c.generation, game)

    def _column_of(self, column: Any, game: str) -> int:
        with self._read() as connection:
            number = self._game_number(connection, game)
            if number is None:
                return 0
            return int(connection.execute(select(column).where(games.c.number == number)).scalar_one())

    def sources(self) -> list[Source]:
        rows = select(sources.c.number, sources.c.text, sources.c.created).order_by(sources.c.number)
        with self._read() as connection:
            return [Source(*row) for row in connection.execute(rows)]

    def quarantine(self, game: str, keys: Iterable[bytes], reason: str) -> int:
        check_text("a reason", reason, MAX_REASON_CHARACTERS)
        self._check_writable()
        wanted = sorted(set(keys))
        return self._write(lambda connection: self._move_to_quarantine(connection, game, wanted, reason), unchanged=0)

    def _move_to_quarantine(self, connection: Connection, game: str, keys: list[bytes], reason: str) -> int:
        number = self._game_number(connection, game)
        if number is None:
            return 0
        connection.execute(select(games.c.number).where(games.c.number == number).with_for_update())
        moved = 0
        for start in range(0, len(keys), _KEYS_A_QUERY):
            batch = {"keys": keys[start : start + _KEYS_A_QUERY]}
            claim_rows = connection.execute(_select_claims(number).where(_KEY_ASKED), batch)
            rows = [
                {"game": number, "key": key, "record": _encode_or_describe(tuple(parts)), "reason": reason}
                for key, parts in _grouped(claim_rows)
            ]
            if rows:
                putting = insert(quarantine)
                kept = {"record": putting.excluded.record, "reason": putting.excluded.reason}
                connection.execute(putting.on_conflict_do_update(index_elements=["game", "key"], set_=kept), rows)
                connection.execute(delete(claims).where(claims.c.game == number, _KEY_ASKED), batch)
                moved += len(rows)
        if moved:
            shrunk = {"records": games.c.records - moved, "generation": games.c.generation + 1}
            connection.execute(update(games).where(games.c.number == number).values(shrunk))
        return moved

    def quarantined(self, game: str) -> Iterator[tuple[bytes, bytes, str]]:
        with self._read() as connection:
            rows = select(quarantine.c.key, quarantine.c.record, quarantine.c.reason).order_by(quarantine.c.key)
            number = self._game_number(connection, game)
            if number is not None:
                with stream_rows(connection, rows.where(quarantine.c.game == number)) as result:
                    yield from (tuple(row) for row in result)

    def close(self) -> None:
        self._closed = True
        self._engine.dispose()


_KEY_ASKED = claims.c.key == any_(bindparam("keys", type_=ARRAY(BYTEA)))


def _select_claims(number: int) -> Select[*tuple[Any, ...]]:
    """The claims of a game in the order of the encoding."""
    strength = case((claims.c.side == int(Side.LOWER), -claims.c.bound), else_=claims.c.bound)
    columns = (claims.c[name] for name in ("key", "side", "bound", "rank", "evidence", "witness", "payload", "source"))
    return select(*columns).where(claims.c.game == number).order_by(claims.c.key, claims.c.side, strength)


def _lookup(connection: Connection, game: str, number: int | None, keys: list[bytes]) -> list[bytes | None]:
    found: dict[bytes, bytes] = {}
    for start in range(0, len(keys) if number is not None else 0, _KEYS_A_QUERY):
        batch = {"keys": keys[start : start + _KEYS_A_QUERY]}
        assert number is not None
        found.update(_records(game, connection.execute(_select_claims(number).where(_KEY_ASKED), batch)))
    return list(map(found.get, keys))


def _grouped(rows: Iterable[Sequence[Any]]) -> Iterator[tuple[bytes, list[tuple[Any, ...]]]]:
    for key, group in groupby(rows, itemgetter(0)):
        yield key, [tuple(row[1:]) for row in group]


def _records(game: str, rows: Iterable[Sequence[Any]]) -> Iterator[tuple[bytes, bytes]]:
    for key, parts in _grouped(rows):
        try:
            yield key, _encode(tuple(parts))
        except ValueError as error:
            raise MalformedRecordError(str(error), repr(parts).encode(), game=game, key=key) from None


@lru_cache(1 << 16)
def _encode(rows: tuple[tuple[Any, ...], ...]) -> bytes:
    """Cached, since positions share few distinct records."""
    return encode_record(
        Record(
            tuple(
                Claim(Side(side), bound, rank, Evidence(evidence), witness, payload, source)
                for side, bound, rank, evidence, witness, payload, source in rows
            )
        )
    )


def _encode_or_describe(rows: tuple[tuple[Any, ...], ...]) -> bytes:
    """The encoded record. For rows that are no record: their text, which decodes as no record either."""
    try:
        return _encode(rows)
    except ValueError:
        return repr(rows).encode()
