"""Merging in SQL: one chunk of a put, in a few statements over all its claims."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    and_,
    delete,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    text,
    tuple_,
    update,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateTable

from proofbase.engine.records import (
    MAX_CLAIMS,
    Claim,
    ContradictionError,
    Evidence,
    RecordOverflowError,
    Side,
    decode_record,
)
from proofbase.storage.chunks import Chunk
from proofbase.storage.entries import PutResult
from proofbase.storage.errors import RulesVersionError
from proofbase.storage.postgres.tables import claims, games, sources, staging

_COLUMNS = ("key", "side", "bound", "rank", "evidence", "witness", "payload")
_TYPES = ("bytea", "int2", "int4", "int4", "int2", "int4", "bytea")
# Statistics of the staging table cost a millisecond: not for a few records.
_ANALYZE_FROM = 1000


def merge_chunk(connection: Connection, chunk: Chunk) -> PutResult:
    """Merges a chunk in the connection's transaction, which the caller commits, or rolls back when nothing changed.

    The row of the game stays locked until then, so puts of one game follow one another, and no put misses a claim that
    another put has not committed yet.
    """
    game = _lock_game(connection, chunk)
    _stage(connection, chunk)
    _refuse_contradictions(connection, game, chunk)
    connection.execute(delete(staging).where(_adds_nothing(game)))
    fresh = select(staging.c.key).distinct().subquery()
    known = exists().where(claims.c.game == game, claims.c.key == fresh.c.key)
    changed, improved = connection.execute(select(func.count(), func.count().filter(known)).select_from(fresh)).one()
    if changed:
        _insert(connection, game, _source_number(connection, chunk.source))
        _delete_dominated(connection, game)
        _refuse_overflow(connection, game, chunk)
        grown = {"records": games.c.records + (changed - improved), "generation": games.c.generation + 1}
        connection.execute(update(games).where(games.c.number == game).values(grown))
    return PutResult(changed - improved, improved, len(chunk.items) - changed)


def _lock_game(connection: Connection, chunk: Chunk) -> int:
    entry = {"name": chunk.game, "rules_version": chunk.rules_version, "records": 0, "generation": 0}
    stored = select(games.c.number, games.c.rules_version).where(games.c.name == chunk.game).with_for_update()
    row = connection.execute(stored).one_or_none()
    if row is None:
        connection.execute(postgresql.insert(games).values(entry).on_conflict_do_nothing())
        row = connection.execute(stored).one()
    number, rules_version = row
    if rules_version != chunk.rules_version:
        raise RulesVersionError(chunk.game, rules_version, chunk.rules_version)
    return int(number)


def _stage(connection: Connection, chunk: Chunk) -> None:
    connection.execute(CreateTable(staging, if_not_exists=True))
    copy_rows = f"COPY {staging.name} ({', '.join(_COLUMNS)}) FROM STDIN (FORMAT BINARY)"
    driver = connection.connection.driver_connection
    assert driver is not None, "a connection in a transaction is open"
    with driver.cursor() as cursor, cursor.copy(copy_rows) as copy:
        copy.set_types(_TYPES)
        for row in _claim_rows(chunk):
            copy.write_row(row)
    if len(chunk.items) >= _ANALYZE_FROM:
        connection.execute(text(f"ANALYZE {staging.name}"))
    # There are many stored claims and few staged ones: always look the stored claims up by their key. The statistics of
    # a table that was filled a minute ago may suggest another plan.
    for method in ("hashjoin", "mergejoin", "seqscan"):
        connection.execute(text(f"SET LOCAL enable_{method} = off"))


def _claim_rows(chunk: Chunk) -> Iterator[tuple[Any, ...]]:
    for key, record in chunk.items:
        for claim in decode_record(record).claims:
            yield (
                key,
                int(claim.side),
                claim.bound,
                claim.rank,
                int(claim.evidence),
                claim.witness,
                claim.payload,
            )


def _tie(table: FromClause) -> tuple[ColumnElement[Any], ...]:
    """What decides between claims of equal side, bound and rank; an upper claim has no witness."""
    return table.c.evidence, func.coalesce(table.c.witness, -1), table.c.payload


def _is_as_strong(one: FromClause, other: FromClause) -> ColumnElement[bool]:
    """Whether a bound is at least as strong as another of the same side."""
    return or_(
        and_(one.c.side == int(Side.LOWER), one.c.bound >= other.c.bound),
        and_(one.c.side == int(Side.UPPER), one.c.bound <= other.c.bound),
    )


def _adds_nothing(game: int) -> ColumnElement[bool]:
    smaller_tie = and_(
        claims.c.bound == staging.c.bound,
        claims.c.rank == staging.c.rank,
        tuple_(*_tie(staging)) < tuple_(*_tie(claims)),
    )
    stored = select(claims.c.key).where(
        claims.c.game == game,
        claims.c.key == staging.c.key,
        claims.c.side == staging.c.side,
        _is_as_strong(claims, staging),
        claims.c.rank <= staging.c.rank,
        ~smaller_tie,
    )
    # The offset keeps the planner from turning this into a join, for which it may go through all stored claims.
    return stored.offset(0).correlate(staging).exists()


def _refuse_contradictions(connection: Connection, game: int, chunk: Chunk) -> None:
    clash = or_(
        and_(staging.c.side == int(Side.LOWER), claims.c.side == int(Side.UPPER), staging.c.bound > claims.c.bound),
        and_(staging.c.side == int(Side.UPPER), claims.c.side == int(Side.LOWER), staging.c.bound < claims.c.bound),
    )
    against = (
        select(claims, sources.c.text)
        .join(sources, sources.c.number == claims.c.source)
        .where(claims.c.game == game, claims.c.key == staging.c.key, clash)
        .order_by(func.abs(claims.c.bound - staging.c.bound).desc())
        .limit(1)
        .lateral()
    )
    staged = [column.label(f"new_{column.name}") for column in staging.c]
    distance = func.abs(against.c.bound - staging.c.bound).desc()
    # The strongest of both sides, at the smallest key: what the other backends report.
    first = select(*staged, against).join(against, literal(True)).order_by(staging.c.key, distance).limit(1)
    row = connection.execute(first).mappings().one_or_none()
    if row is None:
        return
    new = _claim({name: row[f"new_{name}"] for name in _COLUMNS})
    old = _claim({name: row[name] for name in _COLUMNS})
    lower, upper = (new, old) if new.side == Side.LOWER else (old, new)
    texts = (chunk.source, row["text"]) if new.side == Side.LOWER else (row["text"], chunk.source)
    error = ContradictionError.between(lower, upper)
    raise error.at(chunk.game, row["new_key"], lower_source=texts[0], upper_source=texts[1])


def _claim(row: dict[str, Any]) -> Claim:
    side, evidence = Side(row["side"]), Evidence(row["evidence"])
    return Claim(side, row["bound"], row["rank"], evidence, row["witness"], row["payload"])


def _source_number(connection: Connection, source: str) -> int:
    stored = select(sources.c.number).where(sources.c.text == source)
    number = connection.execute(stored).scalar_one_or_none()
    if number is None:
        # Puts of different games may both bring a new source; numbers leave no gaps, so a sequence will not do.
        connection.execute(text(f"LOCK TABLE {sources.fullname} IN SHARE ROW EXCLUSIVE MODE"))
        number = connection.execute(stored).scalar_one_or_none()
    if number is None:
        number = connection.execute(select(func.coalesce(func.max(sources.c.number), 0) + 1)).scalar_one()
        connection.execute(insert(sources).values(number=number, text=source, created=time.time()))
    return int(number)


def _insert(connection: Connection, game: int, source: int) -> None:
    rows = select(literal(game), *(staging.c[name] for name in _COLUMNS), literal(source))
    merging = postgresql.insert(claims).from_select(["game", *_COLUMNS, "source"], rows.order_by(staging.c.key))
    incoming = merging.excluded
    better = tuple_(incoming.rank, incoming.evidence, func.coalesce(incoming.witness, -1), incoming.payload) < tuple_(
        claims.c.rank, *_tie(claims)
    )
    replaced = {name: incoming[name] for name in ("rank", "evidence", "witness", "payload", "source")}
    keys = [claims.c.game, claims.c.key, claims.c.side, claims.c.bound]
    connection.execute(merging.on_conflict_do_update(index_elements=keys, set_=replaced, where=better))


def _delete_dominated(connection: Connection, game: int) -> None:
    old = claims.alias("old")
    # A staged claim of the same bound replaced the stored one in the insert; here it dominates weaker bounds.
    weaker = (
        select(old.c.key, old.c.side, old.c.bound)
        .where(
            old.c.game == game,
            old.c.key == staging.c.key,
            old.c.side == staging.c.side,
            old.c.bound != staging.c.bound,
            _is_as_strong(staging, old),
            staging.c.rank <= old.c.rank,
        )
        .offset(0)
        .lateral()
    )
    found = select(weaker.c.key, weaker.c.side, weaker.c.bound).select_from(staging.join(weaker, literal(True)))
    primary_key = tuple_(claims.c.key, claims.c.side, claims.c.bound)
    connection.execute(delete(claims).where(claims.c.game == game, primary_key.in_(found)))


def _refuse_overflow(connection: Connection, game: int, chunk: Chunk) -> None:
    held = select(func.count().label("number")).where(claims.c.game == game, claims.c.key == staging.c.key).lateral()
    full = (
        select(staging.c.key, held.c.number)
        .join(held, literal(True))
        .where(held.c.number > MAX_CLAIMS)
        .order_by(staging.c.key)
        .limit(1)
    )
    row = connection.execute(full).one_or_none()
    if row is not None:
        error = RecordOverflowError(f"{row.number} undominated claims; a record holds at most {MAX_CLAIMS}")
        raise error.at(chunk.game, row.key)
