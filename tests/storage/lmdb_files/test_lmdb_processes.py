"""One writing process and many reading ones, and what other users may do."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from lmdb_stores import ENVIRONMENT, fingerprint, in_another_process, items, put

from proofbase.storage import (
    StoreClosedError,
    StoreLockedError,
    StoreReadOnlyError,
    open_store,
)
from proofbase.storage.lmdb import LmdbStore


def test_a_second_writing_process_is_refused(tmp_path: Path) -> None:
    with LmdbStore(str(tmp_path)) as store:
        put(store, 10)
        second = in_another_process(str(tmp_path), "write")
        assert second.returncode == 1
        assert "StoreLockedError" in second.stderr
        assert f"process {os.getpid()}" in second.stderr
        assert str(tmp_path) in second.stderr
        reader = in_another_process(str(tmp_path), "read")
        assert (reader.returncode, reader.stdout) == (0, "10\n")
        put(store, 20)
        assert store.count("g") == 20
    assert in_another_process(str(tmp_path), "write").stdout == "20\n"


def test_the_lock_of_a_killed_writer_does_not_linger(tmp_path: Path) -> None:
    code = (
        "import sys, time\nfrom proofbase.storage import open_store\n"
        "s = open_store(sys.argv[1])\nprint('open', flush=True)\ntime.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, env=ENVIRONMENT
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"open\n"
        with pytest.raises(StoreLockedError) as caught:
            open_store(str(tmp_path))
        assert caught.value.pid == writer.pid
        writer.send_signal(signal.SIGKILL)
        writer.wait()
    open_store(str(tmp_path)).close()


def test_reads_within_a_context_show_one_moment_to_their_thread_only(tmp_path: Path) -> None:
    with LmdbStore(str(tmp_path)) as store:
        put(store, 10)
        with store.reading_together():
            assert store.count("g") == 10
            with ThreadPoolExecutor(1) as other:
                other.submit(put, store, 20).result()
                assert store.count("g") == 10
                assert other.submit(store.count, "g").result() == 20
        assert store.count("g") == 20


def test_a_store_opened_twice_in_a_process_is_one(tmp_path: Path) -> None:
    with LmdbStore(str(tmp_path)) as first, LmdbStore(str(tmp_path / "." / "")) as second:
        put(first, 10)
        put(second, 20)
        assert first.count("g") == second.count("g") == 20
        first.close()
        assert second.count("g") == 20
        with open_store(str(tmp_path), read_only=True) as third:
            assert third.count("g") == 20
            with pytest.raises(StoreReadOnlyError):
                third.put_many("g", items(1), source="s", rules_version=1)
    assert in_another_process(str(tmp_path), "write").returncode == 0


def test_a_reading_process_may_become_the_writer(tmp_path: Path) -> None:
    with LmdbStore(str(tmp_path)) as store:
        put(store, 10)
    with open_store(str(tmp_path), read_only=True) as reader:
        assert reader.count("g") == 10
        with LmdbStore(str(tmp_path)) as writer:
            put(writer, 20)
            assert reader.count("g") == 20
            assert in_another_process(str(tmp_path), "write").returncode == 1
        with pytest.raises(StoreReadOnlyError):
            reader.quarantine("g", [b"x"], "reason")


def test_a_forgotten_store_frees_its_directory(tmp_path: Path) -> None:
    store = LmdbStore(str(tmp_path))
    del store
    gc.collect()
    assert in_another_process(str(tmp_path), "write").returncode == 0


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_child_cannot_use_the_store_nor_free_it(tmp_path: Path) -> None:
    with LmdbStore(str(tmp_path)) as store:
        put(store, 10)
        child = os.fork()
        if child == 0:
            status = 1
            try:
                store.count("g")
            except StoreClosedError:
                store.close()
                status = 0
            finally:
                os._exit(status)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        put(store, 20)
        assert in_another_process(str(tmp_path), "write").returncode == 1


@pytest.fixture
def others_directory() -> Iterator[Path]:
    """A store that an unprivileged user may read and not write."""
    home = Path(tempfile.mkdtemp(prefix="proofbase-rights-"))
    home.chmod(0o755)
    with LmdbStore(str(home / "store")) as store:
        put(store, 10)
    yield home / "store"
    home.chmod(0o755)
    (home / "store").chmod(0o755)
    shutil.rmtree(home)


def unprivileged(directory: Path) -> list[str]:
    """Has the directory bind whom it must: other users when this is root, whom nothing binds, else everybody."""
    if os.geteuid() == 0:
        return ["65534"]
    for path in directory.iterdir():
        path.chmod(0o444)
    directory.chmod(0o555)
    return []


def test_a_read_only_directory_can_be_read_and_not_written(others_directory: Path) -> None:
    user = unprivileged(others_directory)
    before = fingerprint(others_directory)
    writer = in_another_process(str(others_directory), "write", *user)
    assert writer.returncode == 1
    assert "StoreReadOnlyError" in writer.stderr, writer.stderr
    assert str(others_directory) in writer.stderr
    reader = in_another_process(str(others_directory), "read", *user)
    assert (reader.returncode, reader.stdout) == (0, "10\n"), reader.stderr
    assert fingerprint(others_directory) == before


def test_a_reader_whom_lmdb_cannot_note_down_stays_away_from_a_writer(others_directory: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("needs a second user, so it runs as root only")
    with LmdbStore(str(others_directory)):
        reader = in_another_process(str(others_directory), "read", *unprivileged(others_directory))
    assert "StoreLockedError" in reader.stderr, reader.stderr


def test_a_store_cannot_be_made_in_a_read_only_directory(others_directory: Path) -> None:
    writer = in_another_process(str(others_directory / "new"), "write", *unprivileged(others_directory))
    assert writer.returncode == 1
    assert "StoreReadOnlyError" in writer.stderr, writer.stderr
    assert str(others_directory / "new") in writer.stderr
