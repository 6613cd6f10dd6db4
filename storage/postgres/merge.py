"""Merging in SQL: one chunk of a put, in a few statements over all its claims."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    Table,
    and_,
    any_,
    delete,
    func,
    insert,
    literal,
    literal_column,
    or_,
    select,
    text,
    tuple_,
    update,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateTable
from xxhash import xxh3_64_intdigest

from proofbase.engine.records import (
    MAX_CLAIMS,
    Claim,
    ContradictionError,
    Evidence,
    RecordOverflowError,
    Side,
    decode_record,
)
from proofbase.storage.checksums import claim_seeds, game_seed
from proofbase.storage.chunks import DAMAGED_WHEN_PUT, REPLACED_WHEN_PUT, Chunk
from proofbase.storage.entries import PROGRAM, PutResult, Source
from proofbase.storage.errors import RulesVersionError
from proofbase.storage.postgres.stored_claims import (
    COLUMNS,
    as_signed,
    is_one_of,
    is_sound,
    mark_of,
    remove_rows,
    stored_mark,
)
from proofbase.storage.postgres.tables import claims, games, sources, staging

_COLUMNS = ("key", "side", "bound", "rank", "evidence", "witness", "payload")
_TYPES = ("bytea", "int2", "int4", "int4", "int2", "int4", "bytea", "int8")
_MASK = (1 << 64) - 1
# Statistics of the staging table cost a millisecond: not for a few records.
_ANALYZE_FROM = 1000


def merge_chunk(connection: Connection, chunk: Chunk) -> PutResult:
    """Merges a chunk in the connection's transaction, which the caller commits, or rolls back when nothing changed.

    The row of the game stays locked until then, so puts of one game follow one another, and no put misses a claim that
    another put has not committed yet. Stored claims that are damaged are moved to the quarantine: they neither
    dominate nor contradict the new ones.
    """
    game = _lock_game(connection, chunk)
    staged = _stage(connection, chunk)
    stored = _stored_claims(connection, game.number)
    seed = game_seed(chunk.game)
    damaged = [row for row in stored.others if not is_sound(seed, row)]
    replaced = [row for row in stored.others if row not in damaged and is_one_of(row, chunk.instead_of.get(row[0], ()))]
    if not damaged and not replaced and stored.number - len(stored.others) == staged.number:
        return PutResult(unchanged=len(chunk.items))
    if stored.number == 0:
        return _store_new_records(connection, game, chunk, staged)
    if damaged:
        remove_rows(connection, game.number, damaged, DAMAGED_WHEN_PUT)
    if replaced:
        remove_rows(connection, game.number, replaced, REPLACED_WHEN_PUT)
    # There are many stored claims and few staged ones: always look the stored claims up by their key. The statistics of
    # a table that was filled a minute ago may suggest another plan.
    connection.execute(text("SET LOCAL enable_hashjoin = off"))
    _refuse_contradictions(connection, game.number, chunk)
    connection.execute(delete(staging).where(_adds_nothing(game.number)))
    removed = _Removed({row[0] for row in damaged + replaced}, bool(damaged), sum(map(mark_of, replaced)))
    return _merge_staged(connection, game, chunk, removed)


class _Removed(NamedTuple):
    """Stored claims that have been moved to the quarantine.

    Attributes:
        keys: of them.
        damaged: whether some were damaged: nobody can tell what these have added to the fingerprint.
        marks: what the others have added to it.
    """

    keys: set[bytes]
    damaged: bool
    marks: int


def _store_new_records(connection: Connection, game: _Game, chunk: Chunk, staged: _Staged) -> PutResult:
    """Stores a chunk none of whose keys has a record."""
    _insert(connection, game.number, _source_number(connection, chunk.source, game.closed_sources))
    _change_game(connection, game, len(chunk.items), staged.marks)
    return PutResult(added=len(chunk.items))


def _merge_staged(connection: Connection, game: _Game, chunk: Chunk, removed: _Removed) -> PutResult:
    """Merges the staged claims that add something.

    Args:
        connection, game, chunk: as in `merge_chunk`.
        removed: what was moved to the quarantine.
    """
    stored = select(claims.c.key).where(claims.c.game == game.number, claims.c.key == staging.c.key)
    known = stored.offset(0).correlate(staging).exists()  # the offset: see `_adds_nothing`
    fresh = select(staging.c.key, known.label("known"), func.sum(staging.c.mark).label("marks")).group_by(staging.c.key)
    counts = fresh.subquery()
    counting = select(func.count(), func.count().filter(counts.c.known), func.sum(counts.c.marks))
    changed, improved, marks = connection.execute(counting.select_from(counts)).one()
    added = changed - improved
    if removed.keys:
        # A key all of whose claims were removed had a record: it is no new one.
        keys_left = _keys_among(connection, claims, removed.keys, claims.c.game == game.number)
        staged = _keys_among(connection, staging, removed.keys)
        emptied = removed.keys - keys_left
        added, improved = added - len(emptied), improved + len(emptied | (removed.keys - staged))
    if changed:
        gone = _replaced_marks(connection, game.number) if improved else 0
        _insert(connection, game.number, _source_number(connection, chunk.source, game.closed_sources))
        gone += _delete_dominated(connection, game.number) if improved else 0
        _refuse_overflow(connection, game.number, chunk)
        marks -= gone
    if changed or removed.keys:
        marks = None if removed.damaged else (marks or 0) - removed.marks
        _change_game(connection, game, added, marks, removals=bool(removed.keys))
    return PutResult(added, improved, len(chunk.items) - added - improved)


def _keys_among(connection: Connection, table: Table, keys: set[bytes], *conditions: ColumnElement[bool]) -> set[bytes]:
    """Which of the keys a table has."""
    return set(connection.execute(select(table.c.key).where(table.c.key.in_(keys), *conditions)).scalars())


def _change_game(connection: Connection, game: _Game, added: int, marks: int | None, *, removals: bool = False) -> None:
    """Brings the entry of a game up to date.

    Args:
        connection: holds the lock of the entry.
        game: the entry as it was.
        added: records more.
        marks: what is added to the fingerprint; None: it is not known any more.
        removals: whether claims were moved to the quarantine.
    """
    known = marks is not None and game.fingerprint is not None
    fingerprint = as_signed((game.fingerprint or 0) + int(marks or 0) & _MASK) if known else None
    changed = {
        "records": games.c.records + added,
        "generation": games.c.generation + 1,
        "removals": games.c.removals + int(removals),
        "fingerprint": fingerprint,
    }
    connection.execute(update(games).where(games.c.number == game.number).values(changed))


class _Staged(NamedTuple):
    """Number of the staged claims, and the sum of their marks."""

    number: int
    marks: int


class _Stored(NamedTuple):
    """The stored claims of the staged keys.

    Attributes:
        number: how many there are.
        others: rows of those that are not the same, checksum included, as a staged claim.
    """

    number: int
    others: list[Sequence[Any]]


def _stored_claims(connection: Connection, game: int) -> _Stored:
    keys = select(staging.c.key).distinct().subquery()
    # The offset keeps the planner from turning this into a join, for which it may go through all stored claims.
    of_key = select(*(claims.c[name] for name in COLUMNS)).where(claims.c.game == game, claims.c.key == keys.c.key)
    claims_of_key = of_key.offset(0).lateral()
    stored = select(claims_of_key).select_from(keys.join(claims_of_key, literal(True))).cte("stored")
    same_place = and_(*(staging.c[name] == stored.c[name] for name in ("key", "side", "bound")))
    same_claim = and_(
        *(staging.c[name] == stored.c[name] for name in ("rank", "evidence", "payload")),
        staging.c.witness.is_not_distinct_from(stored.c.witness),
        staging.c.mark == stored_mark(stored),
    )
    compared = stored.outerjoin(staging, same_place)
    others = select(stored).select_from(compared).where(func.coalesce(same_claim, literal(False)).is_(False)).subquery()
    number = select(func.count().label("claims")).select_from(stored).subquery()
    rows = connection.execute(select(number, others).select_from(number.outerjoin(others, literal(True)))).all()
    return _Stored(rows[0][0], [tuple(row[1:]) for row in rows if row[1] is not None])


class _Game(NamedTuple):
    number: int
    fingerprint: int | None
    closed_sources: int


def _lock_game(connection: Connection, chunk: Chunk) -> _Game:
    entry = {
        "name": chunk.game, "rules_version": chunk.rules_version, "records": 0, "generation": 0, "fingerprint": 0
    }  # fmt: skip
    columns = games.c.number, games.c.rules_version, games.c.fingerprint, games.c.removals, games.c.closed_sources
    stored = select(*columns).where(games.c.name == chunk.game).with_for_update()
    row = connection.execute(stored).one_or_none()
    if row is None:
        connection.execute(postgresql.insert(games).values(entry).on_conflict_do_nothing())
        row = connection.execute(stored).one()
    number, rules_version, fingerprint, removals, closed_sources = row
    if rules_version != chunk.rules_version:
        raise RulesVersionError(chunk.game, rules_version, chunk.rules_version)
    chunk.check_removals(removals)
    return _Game(number, fingerprint, closed_sources)


def _stage(connection: Connection, chunk: Chunk) -> _Staged:
    connection.execute(CreateTable(staging, if_not_exists=True))
    copy_rows = f"COPY {staging.name} ({', '.join(_COLUMNS)}, mark) FROM STDIN (FORMAT BINARY)"
    number = marks = 0
    driver = connection.connection.driver_connection
    assert driver is not None, "a connection in a transaction is open"
    with driver.cursor() as cursor, cursor.copy(copy_rows) as copy:
        copy.set_types(_TYPES)
        for row in _claim_rows(chunk):
            copy.write_row(row)
            number += 1
            marks += row[-1]
    if len(chunk.items) >= _ANALYZE_FROM:
        connection.execute(text(f"ANALYZE {staging.name}"))
    # See merge_chunk: the stored claims are looked up by their key.
    for method in ("mergejoin", "seqscan"):
        connection.execute(text(f"SET LOCAL enable_{method} = off"))
    return _Staged(number, marks)


def _claim_rows(chunk: Chunk) -> Iterator[tuple[Any, ...]]:
    seed = game_seed(chunk.game)
    # Positions share few distinct records: each is worked out once a chunk.
    forms: dict[bytes, list[tuple[tuple[Any, ...], int]]] = {}
    for key, record in chunk.items:
        form = forms.get(record)
        if form is None:
            rows = map(_row, decode_record(record).claims)
            form = forms[record] = list(zip(rows, claim_seeds(record, seed), strict=True))
        for row, seed_of_claim in form:
            mark = xxh3_64_intdigest(key, seed_of_claim)
            yield (key, *row, mark - (mark >> 63 << 64))  # as_signed


def _row(claim: Claim) -> tuple[Any, ...]:
    """A claim as `_COLUMNS` have it behind the key."""
    return int(claim.side), claim.bound, claim.rank, int(claim.evidence), claim.witness, claim.payload


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


def _source_number(connection: Connection, source: str, closed: int) -> int:
    """The number of the newest source of a text, if that is above `closed`, or else a new one."""
    stored = select(func.max(sources.c.number)).where(
        sources.c.text == source, sources.c.number > closed, sources.c.program == PROGRAM
    )
    number = connection.execute(stored).scalar_one()
    if number is None:
        # Puts of different games may both bring a new source; numbers leave no gaps, so a sequence will not do.
        connection.execute(text(f"LOCK TABLE {sources.fullname} IN SHARE ROW EXCLUSIVE MODE"))
        number = connection.execute(stored).scalar_one()
    if number is None:
        number = connection.execute(select(func.coalesce(func.max(sources.c.number), 0) + 1)).scalar_one()
        connection.execute(insert(sources).values(asdict(Source.new(number, source))))
    return int(number)


def _insert(connection: Connection, game: int, source: int) -> None:
    number = literal(source)
    rows = select(literal(game), *(staging.c[name] for name in _COLUMNS), number, stored_mark(staging, number))
    columns = ["game", *_COLUMNS, "source", "checksum"]
    merging = postgresql.insert(claims).from_select(columns, rows.order_by(staging.c.key))
    incoming = merging.excluded
    better = tuple_(incoming.rank, incoming.evidence, func.coalesce(incoming.witness, -1), incoming.payload) < tuple_(
        claims.c.rank, *_tie(claims)
    )
    replaced = {name: incoming[name] for name in ("rank", "evidence", "witness", "payload", "source", "checksum")}
    keys = [claims.c.game, claims.c.key, claims.c.side, claims.c.bound]
    connection.execute(merging.on_conflict_do_update(index_elements=keys, set_=replaced, where=better))


def _replaced_marks(connection: Connection, game: int) -> int:
    """The marks of the stored claims that staged claims of the same side and bound will replace."""
    same_place = [staging.c[name] == claims.c[name] for name in ("key", "side", "bound")]
    stored = select(stored_mark(claims).label("mark")).where(claims.c.game == game, *same_place)
    replaced = stored.offset(0).lateral()  # the offset: see `_adds_nothing`
    marks = select(func.coalesce(func.sum(replaced.c.mark), 0)).select_from(staging.join(replaced, literal(True)))
    return int(connection.execute(marks).scalar_one())


def _delete_dominated(connection: Connection, game: int) -> int:
    """Deletes the stored claims that staged ones dominate. Returns the sum of their marks."""
    old = claims.alias("old")
    # A staged claim of the same bound replaced the stored one in the insert; here it dominates weaker bounds.
    weaker = (
        select(literal_column("old.ctid").label("place"))
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
    # By their places in the table, which only the holder of the game's lock changes. By their keys the planner goes
    # through all claims of a game that its statistics do not know, once for each staged one.
    places = select(weaker.c.place).select_from(staging.join(weaker, literal(True)))
    dominated = literal_column("claims.ctid") == any_(func.array(places.scalar_subquery()))
    deleting = delete(claims).where(dominated).returning(stored_mark(claims))
    return sum(connection.execute(deleting).scalars())


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
