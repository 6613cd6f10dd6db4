"""Lock files that were deleted or replaced: never two writers, and no writer that sees no readers."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from lmdb_stores import ENVIRONMENT, in_another_process, put

from proofbase.storage import StoreError, StoreLockedError, open_store
from proofbase.storage.lmdb import LmdbStore


@pytest.mark.parametrize("replaced", [False, True])
def test_without_its_lock_file_a_writer_stays_the_only_one(tmp_path: Path, replaced: bool) -> None:
    with LmdbStore(str(tmp_path)) as store:
        put(store, 10)
        (tmp_path / "writer.lock").unlink()
        if replaced:
            (tmp_path / "writer.lock").touch()
        second = in_another_process(str(tmp_path), "write")
        assert second.returncode == 1
        assert "StoreLockedError" in second.stderr
        put(store, 20)  # takes the new lock file
        second = in_another_process(str(tmp_path), "write")
        assert "StoreLockedError" in second.stderr
        assert in_another_process(str(tmp_path), "read").stdout == "20\n"
        put(store, 30)
    assert in_another_process(str(tmp_path), "write").stdout == "30\n"


def test_a_writer_that_lost_its_lock_to_another_program_writes_no_more(tmp_path: Path) -> None:
    code = (
        "import fcntl, sys, time\nlock = open(sys.argv[1], 'w')\nfcntl.flock(lock, fcntl.LOCK_EX)\n"
        "print('locked', flush=True)\ntime.sleep(60)"
    )
    with LmdbStore(str(tmp_path)) as store:
        put(store, 10)
        lock = tmp_path / "writer.lock"
        lock.unlink()
        with subprocess.Popen([sys.executable, "-c", code, str(lock)], stdout=subprocess.PIPE) as other:
            assert other.stdout is not None
            assert other.stdout.readline() == b"locked\n"
            with pytest.raises(StoreLockedError):
                put(store, 20)
            assert store.count("g") == 10
            other.kill()
        put(store, 20)
        assert store.count("g") == 20


def test_a_writer_that_cannot_see_its_readers_writes_no_more(tmp_path: Path) -> None:
    with LmdbStore(str(tmp_path)) as store:
        put(store, 10)
        (tmp_path / "lock.mdb").unlink()
        with pytest.raises(StoreError, match=r"lock\.mdb"):
            put(store, 20)
        assert store.count("g") == 10
    with LmdbStore(str(tmp_path)) as store:
        put(store, 20)
        assert store.count("g") == 20


@pytest.mark.parametrize("content", [b"", b"\xff" * 70_000, b"\0" * 10])
def test_a_damaged_lock_file_of_lmdb_is_made_anew(tmp_path: Path, content: bytes) -> None:
    with LmdbStore(str(tmp_path)) as store:
        put(store, 10)
    (tmp_path / "lock.mdb").write_bytes(content)
    for mode in ("read", "write", "read"):
        done = in_another_process(str(tmp_path), mode)
        assert (done.returncode, done.stdout) == (0, "10\n"), done.stderr


def test_a_killed_reader_does_not_let_the_file_grow(tmp_path: Path) -> None:
    code = (
        "import sys, time\nfrom proofbase.storage import open_store\n"
        "store = open_store(sys.argv[1], read_only=True)\nscan = store.scan('g')\nnext(scan)\n"
        "print('reading', flush=True)\ntime.sleep(60)"
    )

    def rewrite(store: LmdbStore, times: int) -> None:
        for number in range(times):
            store.quarantine("g", [key.to_bytes(4, "big") for key in range(0, 2000, 7)], f"{number}")
            put(store, 2000)

    with LmdbStore(str(tmp_path)) as store:
        put(store, 2000)
        rewrite(store, 10)
        with subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, env=ENVIRONMENT
        ) as reader:
            assert reader.stdout is not None
            assert reader.stdout.readline() == b"reading\n"
            reader.kill()
        time.sleep(1.1)
        rewrite(store, 10)
        before = (tmp_path / "data.mdb").stat().st_size
        rewrite(store, 100)
        assert (tmp_path / "data.mdb").stat().st_size <= before + (1 << 18)


def test_a_check_by_a_reader_does_not_refuse_a_writer(tmp_path: Path) -> None:
    code = (
        "import fcntl, sys, time\nlock = open(sys.argv[1])\nfcntl.flock(lock, fcntl.LOCK_SH)\n"
        "print('locked', flush=True)\ntime.sleep(0.5)"
    )
    with LmdbStore(str(tmp_path)) as store:
        put(store, 10)
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "writer.lock")], stdout=subprocess.PIPE
    ) as reader:
        assert reader.stdout is not None
        assert reader.stdout.readline() == b"locked\n"
        with open_store(str(tmp_path)) as opened:
            assert opened.count("g") == 10
