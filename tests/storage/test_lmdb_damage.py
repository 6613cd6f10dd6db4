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
    encode_record,
)
from proofbase.storage.lmdb import LmdbStore


def test_damaged_bytes_are_named_and_never_read_as_something_else(tmp_path: Path) -> None:
    """Every single changed byte of a stored record gives a well-formed record or an error that names the place."""
    with LmdbStore(str(tmp_path)) as store:
        put(store, 1)
        data = next(store.scan("g"))[1]
        changed = [
            data[:place] + bytes([value]) + data[place + 1 :] for place in range(len(data)) for value in range(256)
        ]
        put(store, len(changed))
        keys = [key for key, _ in store.scan("g")]
        environment = store._environment

        def damage(txn: lmdb.Transaction[bytes]) -> None:
            for key, record in zip(keys, changed, strict=True):
                txn.put(b"\0\0\0\1" + key, record, db=environment.dbs.records)

        environment.write(damage)
        assert store.get_many("g", keys) == changed
        refused = []
        for key, record in zip(keys, changed, strict=True):
            try:
                found = store.get("g", key)
            except MalformedRecordError as error:
                refused.append((key, error))
            else:
                assert found is not None
                assert encode_record(found) == record
        for key, error in refused:
            assert (error.game, error.key) == ("g", key)
            assert key.hex() in str(error)
        with pytest.raises(MalformedRecordError, match=refused[0][0].hex()):
            put(store, len(changed))
        assert 300 < len(refused) < len(changed) - 300
        assert store.quarantine("g", [key for key, _ in refused], "damaged") == len(refused)
        assert store.count("g") == len(changed) - len(refused)


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


def test_killed_writers_lose_nothing_that_was_committed(tmp_path: Path) -> None:
    outcome = run(str(tmp_path / "store"), kills=50, seed=20261121)
    assert outcome.kills == 50
    assert outcome.batches > 50
    assert outcome.records >= 40 * outcome.batches / 2


def test_errors_are_store_errors(tmp_path: Path) -> None:
    with LmdbStore(str(tmp_path)) as store:
        put(store, 10)
        scan = store.scan("g")
        next(scan)
    with pytest.raises(StoreError):
        list(scan)
