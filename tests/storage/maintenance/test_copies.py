"""Copies of whole stores: between kinds of stores, beside a writer, broken off, and of damaged stores."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import lmdb
import psycopg
import pytest
from filled_stores import everything, fill_store, unchecked
from hot_copies import copy_beside_a_writer
from lmdb_stores import ENVIRONMENT

from proofbase.migrations import migrate
from proofbase.storage import (
    NotAStoreError,
    StoreDamagedError,
    StoreError,
    StoreNotFoundError,
    StoreVersionError,
    copy_store,
    open_store,
)


def test_a_copy_holds_everything(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a")) as store:
        fill_store(store)
        expected = everything(store)
        (tmp_path / "a" / "tables").mkdir()
        (tmp_path / "a" / "tables" / "x.table").write_bytes(b"values")
        copied = copy_store(str(tmp_path / "a"), str(tmp_path / "b"), unchecked)
    with open_store(str(tmp_path / "b")) as copy:
        assert everything(copy) == expected
        assert {game.name: game.fingerprint for game in copied} == {
            g.name: copy.fingerprint(g.name) for g in copy.games()
        }
    assert (tmp_path / "b" / "tables" / "x.table").read_bytes() == b"values"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_to_a_database_and_back_nothing_changes(tmp_path: Path, postgres_database: str) -> None:
    with open_store(str(tmp_path / "a")) as store:
        fill_store(store)
        expected = everything(store)
    migrate(postgres_database)
    phases = set[str]()
    copy_store(str(tmp_path / "a"), postgres_database, unchecked, lambda phase, done, total, unit: phases.add(phase))
    with open_store(postgres_database) as database:
        assert everything(database) == expected
        assert all(database.audit(game.name).complete for game in database.games())
    copied = copy_store(postgres_database, str(tmp_path / "b"), unchecked)
    with open_store(str(tmp_path / "b")) as copy:
        assert everything(copy) == expected
        assert [(game.name, game.records) for game in copied] == [(g.name, g.records) for g in copy.games()]
        assert all(copy.audit(game.name).complete for game in copy.games())
    assert phases == {"copy jobs", "read back"}


def test_a_copied_database_takes_more_records(tmp_path: Path, postgres_database: str) -> None:
    from filled_stores import random_items

    with open_store(str(tmp_path / "a")) as store:
        fill_store(store, 100)
    migrate(postgres_database)
    copy_store(str(tmp_path / "a"), postgres_database, unchecked)
    for url in (str(tmp_path / "a"), postgres_database):
        with open_store(url) as store:
            store.put_many("g", random_items(300, 9), source="later", rules_version=3)
            store.put_many("other", random_items(10, 8), source="later still", rules_version=1)
    with open_store(str(tmp_path / "a")) as first, open_store(postgres_database) as second:
        assert [first.fingerprint(name) for name in ("g", "other")] == [second.fingerprint(n) for n in ("g", "other")]
        assert [source.text for source in first.sources()] == [source.text for source in second.sources()]


def test_a_target_that_is_not_empty_is_refused(tmp_path: Path, postgres_database: str) -> None:
    with open_store(str(tmp_path / "a")) as store:
        fill_store(store, 20)
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "notes.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    for target in ("used", "file", "a"):
        with pytest.raises(NotAStoreError, match=r"is not empty|is a file"):
            copy_store(str(tmp_path / "a"), str(tmp_path / target), unchecked)
    with pytest.raises(StoreVersionError, match="proofbase migrate"):
        copy_store(str(tmp_path / "a"), postgres_database, unchecked)
    migrate(postgres_database)
    copy_store(str(tmp_path / "a"), postgres_database, unchecked)
    with pytest.raises(NotAStoreError, match="is not empty"):
        copy_store(str(tmp_path / "a"), postgres_database, unchecked)
    with pytest.raises(StoreNotFoundError):
        copy_store(str(tmp_path / "none"), str(tmp_path / "b"), unchecked)
    with pytest.raises(ValueError, match="memory store"):
        copy_store(str(tmp_path / "a"), "memory:", unchecked)
    with pytest.raises(ValueError, match="memory store"):
        copy_store("memory:", str(tmp_path / "b"), unchecked)
    assert not (tmp_path / "b").exists()


def test_an_empty_directory_is_a_target(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a")) as store:
        fill_store(store, 20)
    (tmp_path / "b").mkdir()
    copy_store(str(tmp_path / "a"), str(tmp_path / "b"), unchecked)
    with open_store(str(tmp_path / "b"), read_only=True) as copy:
        assert copy.count("g")


def test_of_a_damaged_store_there_is_no_copy(tmp_path: Path, postgres_database: str) -> None:
    with open_store(str(tmp_path / "a")) as store:
        fill_store(store, 50)
    with lmdb.open(str(tmp_path / "a"), max_dbs=16) as env:
        records = env.open_db(b"records")
        with env.begin(write=True) as txn, txn.cursor(records) as cursor:
            cursor.first()
            key, row = cursor.item()
            txn.put(key, row[:-1] + bytes([row[-1] ^ 1]), db=records)
    migrate(postgres_database)
    for target in (str(tmp_path / "b"), postgres_database):
        with pytest.raises(StoreDamagedError, match=r"damaged|checksum"):
            copy_store(str(tmp_path / "a"), target, unchecked)
    assert not (tmp_path / "b").exists()
    with open_store(postgres_database) as database:
        assert database.games() == [] and database.sources() == []


def test_a_record_that_was_lost_in_the_database_is_noticed(tmp_path: Path, postgres_database: str) -> None:
    migrate(postgres_database)
    with open_store(postgres_database) as database:
        fill_store(database, 50)
    with psycopg.connect(postgres_database) as connection:
        connection.execute("DELETE FROM proofbase.claims WHERE ctid = (SELECT min(ctid) FROM proofbase.claims)")
    with pytest.raises(StoreDamagedError, match="proofbase store check"):
        copy_store(postgres_database, str(tmp_path / "b"), unchecked)
    assert list(tmp_path.iterdir()) == []


COPY = """
import sys
from proofbase.storage import copy_store
def report(phase, done, total, unit):
    print(phase, flush=True)
copy_store(sys.argv[1], sys.argv[2], lambda copy: None, report)
"""


@pytest.mark.parametrize("phase", ["copy jobs", "read back"])
@pytest.mark.parametrize("kind", ["directory", "database"])
def test_a_copy_that_is_killed_leaves_nothing_and_the_next_one_succeeds(
    tmp_path: Path, postgres_database: str, phase: str, kind: str
) -> None:
    migrate(postgres_database)
    with open_store(str(tmp_path / "a")) as store:
        fill_store(store, 30_000 if phase == "read back" else 500)
        expected = everything(store)
    source, target = str(tmp_path / "a"), postgres_database
    if kind == "directory":
        copy_store(source, target, unchecked)
        source, target = target, str(tmp_path / "b")
    with subprocess.Popen(
        [sys.executable, "-c", COPY, source, target], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT
    ) as copying:
        assert copying.stdout is not None
        for line in copying.stdout:
            if line.strip() == phase:
                copying.send_signal(signal.SIGKILL)
                break
        copying.wait(60)
    assert copying.returncode == -signal.SIGKILL
    if kind == "directory":
        assert not (tmp_path / "b").exists()
        with pytest.raises(StoreNotFoundError):
            open_store(str(tmp_path / "b"), create=False)
    else:
        with open_store(target) as database:
            assert database.games() == []
    for _ in range(600):  # PostgreSQL notices within moments that its client is gone
        try:
            copy_store(source, target, unchecked)
            break
        except NotAStoreError:
            raise
        except StoreError:
            time.sleep(0.1)
    with open_store(target) as copy:
        assert everything(copy) == expected


def test_two_copies_to_one_place_at_a_time_are_refused(tmp_path: Path) -> None:
    from proofbase.storage.lmdb.maintenance.new_directory import NewDirectory

    with open_store(str(tmp_path / "a")) as store:
        fill_store(store, 20)
    new = NewDirectory(tmp_path / "b")
    with pytest.raises(StoreError, match="another process is making"):
        copy_store(str(tmp_path / "a"), str(tmp_path / "b"), unchecked)
    new.close()
    copy_store(str(tmp_path / "a"), str(tmp_path / "b"), unchecked)
    assert os.listdir(tmp_path / "b")


def test_copies_beside_a_busy_writer_open_and_verify(tmp_path: Path, thorough: bool) -> None:
    copies = 5 if thorough else 3
    outcome = copy_beside_a_writer(tmp_path, copies=copies, records=20_000)
    assert outcome.verified == copies and outcome.commits > copies
