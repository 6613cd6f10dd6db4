"""Damaged records: they neither dominate nor contradict what is written, reads name them, and nothing sound is lost."""

from __future__ import annotations

import random
import threading
from pathlib import Path

import psycopg
import pytest
from damage_records import flip_bits

from proofbase.migrations import migrate
from proofbase.storage import (
    Claim,
    ContradictionError,
    MalformedRecordError,
    PutResult,
    Record,
    Side,
    SolutionStore,
    encode_record,
    open_store,
    without_sources,
)
from proofbase.storage.lmdb import LmdbStore

WIN = encode_record(Record.of([Claim(Side.LOWER, 1, 5, witness=3)]))
NO_WIN = encode_record(Record.of([Claim(Side.UPPER, 0, 4)]))
DRAW = encode_record(Record.of([Claim(Side.LOWER, 0, 5, witness=3), Claim(Side.UPPER, 0, 4)]))


@pytest.fixture(params=["lmdb", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "lmdb":
        return str(tmp_path / "store")
    database: str = request.getfixturevalue("postgres_database")
    migrate(database)
    return database


def put(store: SolutionStore, record: bytes, *keys: bytes, source: str = "s") -> PutResult:
    return store.put_many("g", [(key, record) for key in keys], source=source, rules_version=1)


def test_a_put_takes_the_place_of_a_damaged_record(url: str) -> None:
    with open_store(url) as store:
        keys = [bytes([number]) for number in range(50)]
        put(store, WIN, *keys)
        generation = store.generation("g")
        flip_bits(store, url, [("g", key) for key in keys[:20]], random.Random(1))
        with pytest.raises(ContradictionError):
            put(store, NO_WIN, *keys)
        assert store.generation("g") == generation, "the chunk was undone as a whole"
        assert put(store, NO_WIN, *keys[:20], b"new") == PutResult(added=1, improved=20)
        assert [without_sources(data or b"") for data in store.get_many("g", keys)] == [NO_WIN] * 20 + [WIN] * 30
        assert store.count("g") == 51
        assert store.generation("g") > generation
        assert [key for key, _, _ in store.quarantined("g")] == keys[:20]
        assert all("damaged" in reason for _, _, reason in store.quarantined("g"))
        assert store.fingerprint("g") is None
        audit = store.audit("g")
        assert audit.complete and store.recount("g", audit)
        assert store.fingerprint("g") == audit.fingerprint


def test_the_same_record_repairs_a_damaged_one(url: str) -> None:
    with open_store(url) as store:
        for seed in range(20):
            put(store, DRAW, b"k", source=f"s{seed % 3}")
            flip_bits(store, url, [("g", b"k")], random.Random(seed))
            with pytest.raises(MalformedRecordError):
                store.get("g", b"k")
            assert put(store, DRAW, b"k") == PutResult(improved=1), seed
            assert [without_sources(data) for _, data in store.scan("g")] == [DRAW]
            assert store.count("g") == 1


def test_the_sound_claim_of_a_damaged_record_stays_in_postgresql(postgres_database: str) -> None:
    migrate(postgres_database)
    with open_store(postgres_database) as store:
        put(store, DRAW, b"k")
        with psycopg.connect(postgres_database) as connection:
            connection.execute("UPDATE proofbase.claims SET bound = 2 WHERE side = 0")
        weak = encode_record(Record.of([Claim(Side.LOWER, -1, 7, witness=1)]))
        assert put(store, weak, b"k") == PutResult(improved=1)
        expected = Record.of([Claim(Side.LOWER, -1, 7, witness=1), Claim(Side.UPPER, 0, 4)])
        assert [without_sources(data) for _, data in store.scan("g")] == [encode_record(expected)]
        assert store.audit("g").records == store.count("g") == 1


def test_a_record_under_another_key_or_game_is_damaged(tmp_path: Path) -> None:
    with LmdbStore(str(tmp_path / "store")) as store:
        for game in ("one", "two"):
            store.put_many(game, [(b"a", WIN), (b"b", NO_WIN)], source="s", rules_version=1)
        environment = store._environment

        def misplace(txn: object) -> None:
            values = {}
            for key in (b"\0\0\0\1a", b"\0\0\0\2b"):
                values[key] = txn.get(key, db=environment.dbs.records)  # type: ignore[attr-defined]
            txn.put(b"\0\0\0\2a", values[b"\0\0\0\1a"], db=environment.dbs.records)  # type: ignore[attr-defined]
            txn.put(b"\0\0\0\2c", values[b"\0\0\0\2b"], db=environment.dbs.records)  # type: ignore[attr-defined]

        environment.write(misplace)
        for key in (b"a", b"c"):
            with pytest.raises(MalformedRecordError, match=key.hex()):
                store.get("two", key)
        assert store.get("two", b"b") is not None
        assert store.get("one", b"a") is not None


def test_scans_and_snapshots_stop_at_a_damaged_record_unless_they_are_told_to_go_on(url: str) -> None:
    with open_store(url) as store:
        keys = [bytes([number]) for number in range(30)]
        put(store, WIN, *keys)
        flip_bits(store, url, [("g", key) for key in (keys[3], keys[29])], random.Random(2))
        scan = store.scan("g")
        assert [next(scan)[0] for _ in range(3)] == keys[:3]
        with pytest.raises(MalformedRecordError, match=f"key {keys[3].hex()}"):
            next(scan)
        faults: list[MalformedRecordError] = []
        assert [key for key, _ in store.scan("g", after=keys[1], limit=26, faults=faults)] == [*keys[2:3], *keys[4:29]]
        assert [error.key for error in faults] == [keys[3]]
        with pytest.raises(MalformedRecordError):
            list(store.scan_below("g", keys, lambda _: ()))
        below = {key for key, _ in store.scan_below("g", keys, lambda _: (), faults=faults)}
        assert below == {*keys} - {keys[3], keys[29]}
        assert [data is None for data in store.get_many("g", keys[2:5], faults)] == [False, True, False]
        with pytest.raises(MalformedRecordError):
            store.get_many("g", keys[2:5])


def test_two_servers_keep_one_fingerprint(migrated_database: str, thorough: bool) -> None:
    failures: list[BaseException] = []

    def work(number: int) -> None:
        chance = random.Random(number)
        try:
            with open_store(migrated_database) as store:
                for _ in range(40 if thorough else 20):
                    claims = [Claim(Side.LOWER, 0, chance.randrange(9), witness=0), Claim(Side.UPPER, 1, 3)]
                    record = encode_record(Record.of(claims[: chance.randrange(1, 3)]))
                    game = chance.choice(["g", "h"])
                    items = [(bytes([chance.randrange(60)]), record) for _ in range(10)]
                    store.put_many(game, items, source=f"{number}", rules_version=1)
                    store.quarantine(game, [bytes([chance.randrange(60)])], "now and then")
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    with open_store(migrated_database) as store:
        for game in ("g", "h"):
            audit = store.audit(game)
            assert audit.complete and audit.stored_fingerprint == audit.fingerprint != 0
