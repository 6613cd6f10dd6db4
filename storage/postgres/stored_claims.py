"""Rows of stored claims: their checksums, and the records that they make up (docs/store-format.md)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Connection, FromClause, Select, case, cast, delete, select, tuple_
from sqlalchemy.dialects.postgresql import insert
from xxhash import xxh3_64_intdigest

from proofbase.engine.records import Claim, Evidence, MalformedRecordError, Record, Side, encode_record
from proofbase.storage.checksums import claim_seed, damaged_record, game_seed
from proofbase.storage.postgres.tables import claims, quarantine

__all__ = [
    "COLUMNS",
    "SOURCE_FACTOR",
    "as_signed",
    "encode_or_describe",
    "grouped",
    "is_one_of",
    "is_sound",
    "mark_of",
    "put_in_quarantine",
    "read_records",
    "remove_rows",
    "select_claims",
    "stored_mark",
]

COLUMNS = ("key", "side", "bound", "rank", "evidence", "witness", "payload", "source", "checksum")
SOURCE_FACTOR = 0x9E3779B1
"""The checksum of a row is its claim's mark, combined by XOR with the number of its source times this."""


def as_signed(number: int) -> int:
    """A number of 64 bits as PostgreSQL's bigint has it."""
    return number - (1 << 64) if number >> 63 else number


def stored_mark(table: FromClause, source: ColumnElement[int] | None = None) -> ColumnElement[int]:
    """The mark of a row of claims, from its checksum; or, the other way round, the checksum from the mark.

    Args:
        table: has the column `checksum`, or `mark` if `source` is given.
        source: number of the source; None for the one of the row.
    """
    number = table.c.source if source is None else source
    column = table.c.checksum if source is None else table.c.mark
    return column.op("#", return_type=BigInteger())(cast(number, BigInteger) * SOURCE_FACTOR)


def select_claims(number: int) -> Select[*tuple[Any, ...]]:
    """The claims of a game in the order of the encoding."""
    strength = case((claims.c.side == int(Side.LOWER), -claims.c.bound), else_=claims.c.bound)
    columns = (claims.c[name] for name in COLUMNS)
    return select(*columns).where(claims.c.game == number).order_by(claims.c.key, claims.c.side, strength)


def is_sound(seed: int, row: Sequence[Any]) -> bool:
    """Whether a row with `COLUMNS` is as it was written."""
    try:
        mark = as_signed(xxh3_64_intdigest(row[0], _seed_of_claim(seed, *row[1:7])))
    except ValueError:
        return False  # no claim at all
    return bool(mark ^ row[7] * SOURCE_FACTOR == row[8])


@lru_cache(1 << 12)
def _seed_of_claim(seed: int, side: int, bound: int, rank: int, evidence: int, witness: int | None, data: bytes) -> int:
    return claim_seed(Claim(Side(side), bound, rank, Evidence(evidence), witness, data), seed)


def grouped(rows: Iterable[Sequence[Any]]) -> Iterator[tuple[bytes, list[Sequence[Any]]]]:
    """The rows of each key."""
    for key, group in groupby(rows, itemgetter(0)):
        yield key, list(group)


def read_records(
    game: str, rows: Iterable[Sequence[Any]], faults: list[MalformedRecordError] | None
) -> Iterator[tuple[bytes, bytes]]:
    """The records of rows with `COLUMNS`, sorted as by `select_claims`.

    Args:
        game: name of the game.
        rows: claims.
        faults: damaged records are added here and passed over; None: the first one raises.

    Raises:
        MalformedRecordError: a record is damaged, and there is no list of faults.
    """
    seed = game_seed(game)
    for key, group in grouped(rows):
        try:
            if not all(is_sound(seed, row) for row in group):
                raise damaged_record(game, key, encode_or_describe(group))
            record = _encode(tuple(tuple(row[1:8]) for row in group))
        except ValueError as error:
            if not isinstance(error, MalformedRecordError):
                error = MalformedRecordError(str(error), encode_or_describe(group), game=game, key=key)
            if faults is None:
                raise error from None
            faults.append(error)
        else:
            yield key, record


@lru_cache(1 << 12)
def _encode(rows: tuple[tuple[Any, ...], ...]) -> bytes:
    """Cached, since positions share few distinct records."""
    record = _record(rows)
    if record.contradiction() is not None:
        raise ValueError("the lower bound lies above the upper bound")
    return encode_record(record)


def _record(rows: Iterable[Sequence[Any]]) -> Record:
    return Record(
        tuple(
            Claim(Side(side), bound, rank, Evidence(evidence), witness, payload, source)
            for side, bound, rank, evidence, witness, payload, source in rows
        )
    )


def encode_or_describe(rows: Sequence[Sequence[Any]]) -> bytes:
    """The encoded record. For rows that are no record: their text, which decodes as no record either."""
    parts = tuple(tuple(row[1:8]) for row in rows)
    try:
        return encode_record(_record(parts))
    except ValueError:
        return repr(parts).encode()


def put_in_quarantine(connection: Connection, game: int, records: Iterable[tuple[bytes, bytes]], reason: str) -> None:
    """Puts records into the quarantine, in place of those of the same keys."""
    rows = [{"game": game, "key": key, "record": record, "reason": reason} for key, record in records]
    putting = insert(quarantine)
    kept = {"record": putting.excluded.record, "reason": putting.excluded.reason}
    connection.execute(putting.on_conflict_do_update(index_elements=["game", "key"], set_=kept), rows)


def mark_of(row: Sequence[Any]) -> int:
    """The mark of a row with `COLUMNS` that is sound."""
    return int(row[8] ^ row[7] * SOURCE_FACTOR)


def is_one_of(row: Sequence[Any], some: Collection[Claim]) -> bool:
    """Whether a row with `COLUMNS` holds one of some claims."""
    return any((claim.side, claim.bound, claim.rank) == tuple(row[1:4]) for claim in some)


def remove_rows(
    connection: Connection, game: int, rows: Iterable[Sequence[Any]], reason: str
) -> list[tuple[bytes, bytes]]:
    """Moves claims to the quarantine; the other claims of their records stay.

    Args:
        connection: in a transaction that holds the lock of the game.
        game: its number.
        rows: the claims, with `COLUMNS`.
        reason: of the quarantine.

    Returns:
        The claims that were moved, as records, by key.
    """
    removed = sorted(rows, key=itemgetter(0))
    records = [(key, encode_or_describe(group)) for key, group in grouped(removed)]
    put_in_quarantine(connection, game, records, reason)
    primary_key = tuple_(claims.c.key, claims.c.side, claims.c.bound)
    gone = [tuple(row[:3]) for row in removed]
    connection.execute(delete(claims).where(claims.c.game == game, primary_key.in_(gone)))
    return records
