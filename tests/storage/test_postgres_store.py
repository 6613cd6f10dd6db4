"""What is particular to PostgreSQL: migrations, many writers, rows that were tampered with, and its errors."""

from __future__ import annotations

import socket
import threading

import psycopg
import pytest

from proofbase.migrations import head, migrate
from proofbase.storage import (
    Claim,
    ContradictionError,
    MalformedRecordError,
    Record,
    Side,
    StoreFullError,
    StoreNotFoundError,
    StoreReadOnlyError,
    StoreUnavailableError,
    StoreVersionError,
    encode_record,
    open_store,
)
from proofbase.storage.postgres.connection import connect_engine, storage_errors
from proofbase.storage.postgres.tables import REVISION, SCHEMA

RECORD = encode_record(Record.of([Claim(Side.LOWER, 1, 5, witness=3)]))


def execute(url: str, statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url) as connection:
        cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


def test_this_release_needs_its_newest_migration() -> None:
    assert head() == REVISION


def test_a_database_is_migrated_once(postgres_database: str) -> None:
    with pytest.raises(StoreVersionError, match="run `proofbase migrate`"):
        open_store(postgres_database)
    assert migrate(postgres_database) == (None, REVISION)
    assert migrate(postgres_database) == (REVISION, REVISION)
    with open_store(postgres_database) as store:
        store.put_many("g", [(b"k", RECORD)], source="s", rules_version=1)
    assert migrate(postgres_database) == (REVISION, REVISION)
    with open_store(postgres_database, read_only=True) as store:
        assert store.count("g") == 1
        with pytest.raises(StoreReadOnlyError):
            store.put_many("g", [(b"k", RECORD)], source="s", rules_version=1)


def test_the_migrated_schema_is_the_one_of_the_tables(migrated_database: str) -> None:
    """The migration declares its tables by itself; here both are compared."""
    from alembic.autogenerate import compare_metadata
    from alembic.runtime.migration import MigrationContext

    from proofbase.storage.postgres.tables import metadata

    engine = connect_engine(migrated_database, read_only=True)
    try:
        with engine.connect() as connection:
            options = {"include_schemas": True, "version_table_schema": SCHEMA, "compare_type": True}
            difference = compare_metadata(MigrationContext.configure(connection, opts=options), metadata)
    finally:
        engine.dispose()
    # Alembic makes the table of its versions itself, so that the one in `metadata` looks new or different.
    assert [entry for entry in difference if "alembic_version" not in repr(entry)] == []


def test_migrations_at_the_same_time_wait_for_one_another(postgres_database: str) -> None:
    outcomes: list[object] = []

    def work() -> None:
        try:
            outcomes.append(migrate(postgres_database).from_revision)
        except BaseException as error:
            outcomes.append(error)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(str, outcomes)) == [REVISION, REVISION, "None"]


def test_a_newer_database_is_refused(postgres_database: str) -> None:
    migrate(postgres_database)
    execute(postgres_database, f"UPDATE {SCHEMA}.alembic_version SET version_num = '9999'")
    with pytest.raises(StoreVersionError, match="9999 by a newer release"):
        open_store(postgres_database)
    with pytest.raises(StoreVersionError, match="9999 by a newer release"):
        migrate(postgres_database)


@pytest.mark.parametrize("revision", ["0002", "0007"])
def test_tables_of_a_time_between_two_releases_are_refused(postgres_database: str, revision: str) -> None:
    migrate(postgres_database)
    execute(postgres_database, f"UPDATE {SCHEMA}.alembic_version SET version_num = '{revision}'")
    for attempt in (open_store, migrate):
        with pytest.raises(StoreVersionError, match=f"{revision}, which no release has: copy the store"):
            attempt(postgres_database)


def test_a_missing_database_or_server_is_named(postgres_database: str) -> None:
    missing = postgres_database + "_missing"
    for attempt in (open_store, migrate):
        with pytest.raises(StoreNotFoundError, match="_missing"):
            attempt(missing)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        with pytest.raises(StoreUnavailableError, match=str(port)) as caught:
            open_store(f"postgresql://user:secret@127.0.0.1:{port}/none")
    assert "secret" not in str(caught.value)


def test_two_writers_never_miss_a_contradiction(migrated_database: str) -> None:
    """Each of two stores tells one side of the same positions; exactly one of them is believed at each."""
    sides = [Claim(Side.LOWER, 1, 5, witness=3), Claim(Side.UPPER, 0, 4)]
    refused: list[ContradictionError] = []
    barrier = threading.Barrier(2)

    def work(claim: Claim) -> None:
        with open_store(migrated_database) as store:
            for number in range(30):
                barrier.wait()
                items = [(bytes([number, part]), encode_record(Record.of([claim]))) for part in range(5)]
                try:
                    store.put_many("g", items, source=claim.side.name, rules_version=1)
                except ContradictionError as error:
                    refused.append(error)

    threads = [threading.Thread(target=work, args=(claim,)) for claim in sides]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 30
    assert {error.lower_source for error in refused} == {"LOWER"}
    assert {error.upper_source for error in refused} == {"UPPER"}
    with open_store(migrated_database) as store:
        assert store.count("g") == sum(1 for _ in store.scan("g")) == 150


@pytest.mark.parametrize(
    "damage",
    ["bound = 2000000000", "rank = -1", "evidence = 7", "payload = 'x'", "evidence = 3, payload = 'xxxx'"],
)
def test_tampered_rows_are_named(migrated_database: str, damage: str) -> None:
    with open_store(migrated_database) as store:
        store.put_many("g", [(b"good", RECORD), (b"key", RECORD)], source="s", rules_version=1)
        execute(migrated_database, f"UPDATE {SCHEMA}.claims SET {damage} WHERE key = 'key'")
        for read in (lambda: store.get("g", b"key"), lambda: list(store.scan("g"))):
            with pytest.raises(MalformedRecordError, match=b"key".hex()):
                read()
        assert store.get("g", b"good") is not None
        assert store.quarantine("g", [b"key"], "tampered with") == 1
        assert [reason for _, _, reason in store.quarantined("g")] == ["tampered with"]
        assert [key for key, _ in store.scan("g")] == [b"good"]


@pytest.mark.parametrize(
    ("state", "error"),
    [
        ("53100", StoreFullError),
        ("53200", StoreUnavailableError),
        ("42501", StoreReadOnlyError),
        ("57P01", StoreUnavailableError),
        ("42P01", StoreVersionError),
    ],
)
def test_states_of_the_server_become_errors_of_the_store(
    postgres_database: str, state: str, error: type[Exception]
) -> None:
    engine = connect_engine(postgres_database, read_only=False)
    try:
        raising = f"DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{state}'; END $$"
        with engine.connect() as connection, pytest.raises(error, match="proofbase_test"), storage_errors(engine):
            connection.exec_driver_sql(raising)
    finally:
        engine.dispose()


def test_a_put_that_is_undone_leaves_nothing(migrated_database: str) -> None:
    with open_store(migrated_database) as store:
        upper = encode_record(Record.of([Claim(Side.UPPER, 0, 4)]))
        store.put_many("g", [(b"key", RECORD)], source="first", rules_version=1)
        with pytest.raises(ContradictionError):
            store.put_many("g", [(b"a", upper), (b"key", upper)], source="second", rules_version=1)
        assert [source.text for source in store.sources()] == ["first"]
        assert store.games()[0].records == 1


def test_a_game_that_the_statistics_of_the_server_do_not_know_is_written_quickly(migrated_database: str) -> None:
    """Each claim is looked up by its key. By statistics of other games all were gone through for each."""
    weak, strong = (encode_record(Record.of([Claim(Side.LOWER, bound, 5, witness=3)])) for bound in (1, 2))
    records = [(number.to_bytes(3), weak) for number in range(12_000)]
    with open_store(migrated_database) as store:
        store.put_many("known", records[:100], source="s", rules_version=1)
        execute(migrated_database, f"ANALYZE {SCHEMA}.claims")
        execute(
            migrated_database, f"ALTER DATABASE {migrated_database.rpartition('/')[2]} SET statement_timeout = '15s'"
        )
    with open_store(migrated_database) as store:
        store.put_many("new", records, source="s", rules_version=1)
        store.put_many("new", [(key, strong) for key, _ in records], source="s", rules_version=1)
        assert store.put_many("new", records, source="s", rules_version=1).unchanged == len(records)
