"""Smaller files with the same contents, and the sizes that tell what it brings."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from filled_stores import everything, fill_store, random_items
from lmdb_stores import ENVIRONMENT, in_another_process

from proofbase.migrations import migrate
from proofbase.storage import SolutionStore, StoreLockedError, StoreNotFoundError, compact_store, open_store


def fill_and_delete(store: SolutionStore) -> None:
    fill_store(store)
    keys = [key for key, _ in random_items(5_000, 5)]
    store.put_many("gone", random_items(5_000, 5), source="x", rules_version=1)
    store.quarantine("gone", keys, "x")
    for _ in range(30):
        store.append_checkpoint("job 1", bytes(100_000))
    store.drop_checkpoint("job 1")


def test_a_compacted_store_is_smaller_and_the_same(tmp_path: Path) -> None:
    with open_store(str(tmp_path)) as store:
        fill_and_delete(store)
        expected = everything(store)
        sizes = store.sizes()
        assert sizes.free_bytes and sizes.used_bytes and sizes.used_bytes + sizes.free_bytes <= sizes.total_bytes
        assert {part.name: part.rows for part in sizes.parts}["jobs"] == 4
    before, after = compact_store(str(tmp_path))
    assert before.total_bytes == sizes.total_bytes
    assert after.total_bytes == after.used_bytes == before.used_bytes
    assert {path.name for path in tmp_path.iterdir()} == {"data.mdb", "lock.mdb", "writer.lock", "access"}
    with open_store(str(tmp_path)) as store:
        assert everything(store) == expected
        store.put_many("g", random_items(100, 6), source="later", rules_version=3)
        assert store.audit("g").complete
    assert in_another_process(str(tmp_path), "read").returncode == 0


def test_compacting_twice_changes_nothing(tmp_path: Path) -> None:
    with open_store(str(tmp_path)) as store:
        fill_store(store, 100)
        expected = everything(store)
    compact_store(str(tmp_path))
    before, after = compact_store(str(tmp_path))
    assert before.total_bytes == after.total_bytes
    with open_store(str(tmp_path), read_only=True) as store:
        assert everything(store) == expected


HOLD = """
import sys
from proofbase.storage import open_store
store = open_store(sys.argv[1], read_only=sys.argv[2] == "read")
scan = store.scan("g")
next(scan)
print("open", flush=True)
sys.stdin.read(1)
print(sum(1 for _ in scan), store.sizes().free_bytes is not None)
"""


@pytest.mark.parametrize("how", ["read", "write"])
def test_a_store_that_another_process_has_open_is_not_compacted(tmp_path: Path, how: str) -> None:
    with open_store(str(tmp_path)) as store:
        fill_and_delete(store)
        expected = everything(store)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path), how],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    ) as other:
        assert other.stdout is not None and other.stdout.readline() == "open\n"
        with pytest.raises(StoreLockedError, match=f"process {other.pid}"):
            compact_store(str(tmp_path))
        assert other.communicate("x", 60)[0].endswith("True\n")
    assert other.returncode == 0
    with open_store(str(tmp_path)) as store:
        assert everything(store) == expected


def test_the_lock_of_a_silent_reader_is_noticed(tmp_path: Path) -> None:
    """A reader that has not read yet is in no table of readers; only LMDB's lock tells of it."""
    with open_store(str(tmp_path)) as store:
        fill_store(store, 100)
    program = "import lmdb, sys; e = lmdb.open(sys.argv[1], readonly=True); print('open', flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    ) as other:
        assert other.stdout is not None and other.stdout.readline() == "open\n"
        with pytest.raises(StoreLockedError, match=f"process {other.pid}"):
            compact_store(str(tmp_path))
        other.communicate("x\n", 60)
    compact_store(str(tmp_path))


KILLED = """
import os, signal, sys
from proofbase.storage import compact_store
import proofbase.storage.lmdb.maintenance.compacting as compacting
place = sys.argv[2]
def die(*arguments):
    os.kill(os.getpid(), signal.SIGKILL)
def report(phase, done, total, unit):
    if phase == place:
        die()
if place == "before renaming":
    os.replace = die
elif place == "after renaming":
    compacting.sync_directory = die
compact_store(sys.argv[1], report)
"""


@pytest.mark.parametrize("place", ["read back", "before renaming", "after renaming"])
def test_compacting_that_is_killed_loses_nothing(tmp_path: Path, place: str) -> None:
    with open_store(str(tmp_path)) as store:
        fill_and_delete(store)
        store.put_many("many", random_items(15_000, 11), source="x", rules_version=1)
        expected = everything(store)
    command = [sys.executable, "-c", KILLED, str(tmp_path), place]
    assert subprocess.run(command, env=ENVIRONMENT, timeout=60, check=False).returncode == -signal.SIGKILL
    with open_store(str(tmp_path), read_only=True) as store:
        assert everything(store) == expected
    compact_store(str(tmp_path))
    with open_store(str(tmp_path)) as store:
        assert everything(store) == expected
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".")]


def test_readers_that_were_killed_are_cleared(tmp_path: Path) -> None:
    with open_store(str(tmp_path)) as store:
        fill_store(store, 100)
        with subprocess.Popen(
            [sys.executable, "-c", HOLD, str(tmp_path), "read"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=ENVIRONMENT,
        ) as other:
            assert other.stdout is not None and other.stdout.readline() == "open\n"
            store.put_many("g", random_items(10, 12), source="x", rules_version=3)
            readers = {reader.pid: reader.behind for reader in store.sizes().readers}
            assert readers[other.pid] == 1
            other.kill()
        sizes = store.sizes()
        assert sizes.cleared_readers == 1 and [reader.pid for reader in sizes.readers] == [os.getpid()]


def test_scans_of_this_process_are_readers_too(tmp_path: Path) -> None:
    with open_store(str(tmp_path)) as store:
        fill_store(store, 100)
        assert [reader.behind for reader in store.sizes().readers] == [None]
        scan = store.scan("g")
        next(scan)
        for seed in (12, 13):
            store.put_many("g", random_items(10, seed), source="x", rules_version=3)
        assert [reader.behind for reader in store.sizes().readers] == [2]
        del scan


def test_there_has_to_be_a_store_to_compact(tmp_path: Path) -> None:
    with pytest.raises(StoreNotFoundError):
        compact_store(str(tmp_path / "none"))
    with pytest.raises(ValueError, match="memory store"):
        compact_store("memory:")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("full", [False, True])
def test_a_database_is_vacuumed(postgres_database: str, full: bool) -> None:
    migrate(postgres_database)
    with open_store(postgres_database) as store:
        fill_and_delete(store)
        expected = everything(store)
    before, after = compact_store(postgres_database, full=full)
    assert {part.name for part in after.parts} >= {"claims", "jobs", "games"}
    assert sum(part.dead_rows for part in after.parts) == 0
    assert after.total_bytes < before.total_bytes if full else after.total_bytes <= before.total_bytes * 1.2
    with open_store(postgres_database) as store:
        assert everything(store) == expected
