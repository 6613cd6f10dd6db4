"""Stores of release 0.1.0 get checksums and fingerprints, and lose nothing on the way, whatever ends the process."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import lmdb
import psycopg
import pytest
from lmdb_stores import ENVIRONMENT
from old_stores import Records, write_lmdb_format_1, write_postgres_0001

from proofbase.migrations import migrate
from proofbase.storage import (
    Claim,
    Evidence,
    MalformedRecordError,
    Record,
    Side,
    SolutionStore,
    decode_record,
    encode_record,
    line_payload,
    open_store,
    without_sources,
)
from proofbase.storage.lmdb import LmdbStore
from proofbase.storage.lmdb import upgrade as upgrading

ASSET = json.loads((Path(__file__).parent / "assets" / "records-0.1.0.json").read_text(encoding="utf-8"))


def old_records(number: int) -> Records:
    """The records of the asset, and `number` others of one game."""
    records: Records = {}
    for entry in ASSET["records"]:
        records.setdefault(entry["game"], {})[bytes.fromhex(entry["key"])] = bytes.fromhex(entry["record"])
    chance = random.Random(7)
    for index in range(number):
        upper = Claim(Side.UPPER, 1, 3, Evidence.LINE, payload=line_payload([1, index % 200]))
        claims = [Claim(Side.LOWER, 0, index % 9, witness=index % 7), upper]
        record = Record.of(claims[: 1 + index % 2]).with_source(1 + index % 2)
        records.setdefault("many", {})[chance.randbytes(7)] = encode_record(record)
    return records


def with_sources(records: Records) -> Records:
    """The same records, where those that name no source come from source 1: rows of claims always name one."""

    def sourced(data: bytes) -> bytes:
        record = decode_record(data)
        return data if record.has_sources else encode_record(record.with_source(1))

    return {game: {key: sourced(data) for key, data in found.items()} for game, found in records.items()}


def check(store: SolutionStore, records: Records) -> None:
    """All records are there, with their sources."""
    assert {entry.name: entry.records for entry in store.games()} == {
        name: len(found) for name, found in records.items()
    }
    for game, found in records.items():
        assert dict(store.scan(game)) == found
        assert store.get_many(game, found) == list(found.values())


def fingerprints(records: Records) -> dict[str, int | None]:
    """The fingerprints of a new store with these records."""
    with open_store("memory:") as store:
        for game, found in records.items():
            plain = [(key, without_sources(record)) for key, record in found.items()]
            store.put_many(game, plain, source="s", rules_version=1)
        return {game: store.fingerprint(game) for game in records}


def test_an_lmdb_store_of_format_1_is_upgraded(tmp_path: Path) -> None:
    records = old_records(1000)
    write_lmdb_format_1(tmp_path / "store", records)
    with LmdbStore(str(tmp_path / "store")) as store:
        check(store, records)
        assert {game: store.fingerprint(game) for game in records} == fingerprints(records)
        assert all(store.audit(game).complete for game in records)
        assert [store.generation(game) for game in records] == [5] * len(records)
        with store._environment.read() as txn:
            meta = dict(txn.cursor(store._environment.dbs.meta))
    marks = {b"magic": b"proofbase store", b"format": b"2", b"creator": b"proofbase 0.1.0", b"rows_sealed": b"1"}
    assert meta == marks
    with LmdbStore(str(tmp_path / "store"), read_only=True) as store:
        check(store, records)


def test_an_lmdb_store_of_format_1_is_read_as_it_is(tmp_path: Path) -> None:
    records = old_records(100)
    write_lmdb_format_1(tmp_path / "store", records)
    with LmdbStore(str(tmp_path / "store"), read_only=True) as store:
        check(store, records)
        assert {store.fingerprint(game) for game in records} == {None}
        assert all(store.audit(game).complete for game in records)
        assert list(store.scan_below("many", records["many"], lambda _: ())) != []
    with lmdb.open(str(tmp_path / "store"), max_dbs=16, readonly=True) as env:
        meta = env.open_db(b"meta", create=False)
        with env.begin() as txn:
            assert txn.get(b"format", db=meta) == b"1"


def test_a_reader_in_the_same_process_sees_the_upgrade(tmp_path: Path) -> None:
    records = old_records(300)
    write_lmdb_format_1(tmp_path / "store", records)
    with LmdbStore(str(tmp_path / "store"), read_only=True) as reader:
        check(reader, records)
        with LmdbStore(str(tmp_path / "store")) as writer:
            check(reader, records)
            check(writer, records)


def test_an_upgrade_that_is_broken_off_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records = old_records(1000)
    write_lmdb_format_1(tmp_path / "store", records)
    monkeypatch.setattr(upgrading, "_BATCH", 40)
    seal, sealed = upgrading.seal, 0

    def failing(seed: int, key: bytes, record: bytes) -> bytes:
        nonlocal sealed
        sealed += 1
        if sealed % 333 == 0:
            raise InterruptedError
        return seal(seed, key, record)

    monkeypatch.setattr(upgrading, "seal", failing)
    broken_off = 0
    while True:
        try:
            with LmdbStore(str(tmp_path / "store")) as store:
                check(store, records)
                assert {game: store.fingerprint(game) for game in records} == fingerprints(records)
                break
        except InterruptedError:
            broken_off += 1
        with LmdbStore(str(tmp_path / "store"), read_only=True) as store:
            check(store, records)
            assert {store.fingerprint(game) for game in records} == {None}
    assert broken_off == 3


UPGRADE = """
import sys
from proofbase.storage.lmdb import LmdbStore, upgrade
upgrade._BATCH = 50
print("begins", flush=True)
LmdbStore(sys.argv[1]).close()
"""


def test_killed_upgrades_lose_nothing(tmp_path: Path) -> None:
    records = old_records(4000)
    write_lmdb_format_1(tmp_path / "store", records)
    chance, kills = random.Random(3), 0
    for _ in range(60):
        process = subprocess.Popen(
            [sys.executable, "-c", UPGRADE, str(tmp_path / "store")],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=ENVIRONMENT,
        )  # fmt: skip
        assert process.stdout is not None and process.stdout.readline() == b"begins\n"
        time.sleep(chance.random() * 0.2)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
            kills += 1
        process.wait()
        process.stdout.close()
        with LmdbStore(str(tmp_path / "store"), read_only=True) as store:
            check(store, records)
            if store.fingerprint("many") is not None:
                break
    assert kills > 0
    with LmdbStore(str(tmp_path / "store")) as store:
        check(store, records)
        assert {game: store.fingerprint(game) for game in records} == fingerprints(records)


def test_records_that_were_damaged_before_stay_damaged(tmp_path: Path) -> None:
    records = old_records(10)
    game, keys = "many", sorted(old_records(10)["many"])
    records[game][keys[0]] = b"\x77" + records[game][keys[0]][1:]
    records[game][keys[1]] = encode_record(
        Record((Claim(Side.LOWER, 32, 1, witness=0, source=1), Claim(Side.UPPER, 0, 1, source=1)))
    )
    write_lmdb_format_1(tmp_path / "store", records)
    with LmdbStore(str(tmp_path / "store")) as store:
        for key in keys[:2]:
            with pytest.raises(MalformedRecordError, match=key.hex()):
                store.get_many(game, [key])
        faults: list[MalformedRecordError] = []
        assert len(list(store.scan(game, faults=faults))) == 8
        assert [error.key for error in faults] == keys[:2]
        assert store.audit(game).damaged == 2
        new = encode_record(Record.of([Claim(Side.UPPER, 0, 4)]))
        result = store.put_many(game, [(key, new) for key in keys[:2]], source="anew", rules_version=1)
        assert (result.added, result.improved, store.count(game)) == (0, 2, 10)
        assert [key for key, _, _ in store.quarantined(game)] == keys[:2]
        assert store.audit(game).complete


def test_a_database_of_revision_0001_is_migrated(postgres_database: str) -> None:
    records = with_sources(old_records(1000))
    write_postgres_0001(postgres_database, records)
    assert migrate(postgres_database)[0] == "0001"
    with open_store(postgres_database) as store:
        check(store, records)
        assert {game: store.fingerprint(game) for game in records} == fingerprints(records)
        assert all(store.audit(game).complete for game in records)


def test_rows_that_were_no_claims_stay_damaged(postgres_database: str) -> None:
    records = with_sources(old_records(10))
    write_postgres_0001(postgres_database, records)
    key = min(records["many"])
    with psycopg.connect(postgres_database) as connection:
        connection.execute("UPDATE proofbase.claims SET evidence = 9 WHERE key = %s", (key,))
    migrate(postgres_database)
    with open_store(postgres_database) as store:
        with pytest.raises(MalformedRecordError, match=key.hex()):
            store.get_many("many", [key])
        assert store.audit("many").damaged == 1
