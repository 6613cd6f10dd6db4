"""Damaged files and killed writers of an LMDB store."""

from __future__ import annotations

from pathlib import Path

import lmdb
import pytest
from kill_writer import run
from lmdb_stores import in_another_process, put

from proofbase.storage import (
    MalformedRecordError,
    StoreError,
)
from proofbase.storage.lmdb import LmdbStore


def test_every_changed_byte_of_a_stored_record_is_noticed_and_named(tmp_path: Path) -> None:
    with LmdbStore(str(tmp_path)) as store:
        put(store, 1)
        size = len(next(store.scan("g"))[1]) + 8
        put(store, size * 255 + 1)
        keys = [key for key, _ in store.scan("g")]
        environment = store._environment

        def damage(txn: lmdb.Transaction[bytes]) -> None:
            for number, key in enumerate(keys[:-1]):
                value = bytearray(txn.get(b"\0\0\0\1" + key, b"", db=environment.dbs.records))
                value[number // 255] ^= number % 255 + 1
                txn.put(b"\0\0\0\1" + key, bytes(value), db=environment.dbs.records)

        environment.write(damage)
        for key in keys[:-1]:
            with pytest.raises(MalformedRecordError, match=f"g key {key.hex()}: the checksum does not match") as caught:
                store.get("g", key)
            assert (caught.value.game, caught.value.key) == ("g", key)
        faults: list[MalformedRecordError] = []
        assert [key for key, _ in store.scan("g", faults=faults)] == keys[-1:]
        assert [error.key for error in faults] == keys[:-1]
        assert store.get("g", keys[-1]) is not None
        assert store.quarantine("g", keys[:-1], "damaged") == len(keys) - 1
        assert store.count("g") == 1
        assert store.fingerprint("g") is None
        assert store.recount("g", store.audit("g"))
        assert store.fingerprint("g") == store.audit("g").fingerprint


@pytest.mark.parametrize("part", ["head", "middle"])
def test_a_damaged_file_never_crashes_the_process_silently(tmp_path: Path, part: str) -> None:
    with LmdbStore(str(tmp_path)) as store:
        put(store, 1000)
    data = bytearray((tmp_path / "data.mdb").read_bytes())
    start = 0 if part == "head" else len(data) // 2
    for place in range(start, start + 32):
        data[place] ^= 0x5A
    (tmp_path / "data.mdb").write_bytes(data)
    done = in_another_process(str(tmp_path), "read")
    # A message that names the store, or the count as it was; never a wrong count.
    assert done.stdout == "1000\n" or str(tmp_path) in done.stderr


def test_killed_writers_lose_nothing_that_was_committed(tmp_path: Path, thorough: bool) -> None:
    kills = 25 if thorough else 12
    outcome = run(str(tmp_path / "store"), kills=kills, seed=20261121)
    assert outcome.kills == kills
    assert outcome.batches > kills // 5  # more than the kills on a quiet machine
    assert outcome.records >= 40 * outcome.batches / 2


def test_errors_are_store_errors(tmp_path: Path) -> None:
    with LmdbStore(str(tmp_path)) as store:
        put(store, 10)
        scan = store.scan("g")
        next(scan)
    with pytest.raises(StoreError):
        list(scan)
