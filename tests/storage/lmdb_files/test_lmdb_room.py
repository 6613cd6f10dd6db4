"""A full map, a full disk: one clear error each, and the store stays as it was."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Generator, Iterator
from pathlib import Path

import lmdb.verify
import pytest
from lmdb_stores import ENVIRONMENT, in_another_process, put

from proofbase.storage import (
    StoreFullError,
    StoreReadOnlyError,
    open_store,
)
from proofbase.storage.lmdb import LmdbStore


def test_the_map_grows(tmp_path: Path) -> None:
    with LmdbStore(str(tmp_path), map_size=1 << 18) as store:
        put(store, 60_000)
        assert store.count("g") == 60_000
        # Another process opens the grown file, and reads on while it grows.
        assert in_another_process(str(tmp_path), "read").stdout == "60000\n"
    with LmdbStore(str(tmp_path), map_size=1 << 18) as store:
        put(store, 70_000)
        assert store.count("g") == 70_000


def test_a_reader_follows_a_map_that_another_process_grows(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom proofbase.storage.lmdb import LmdbStore\n"
        "s = LmdbStore(sys.argv[1], read_only=True, map_size=1 << 18)\n"
        "print(s.count('g'), flush=True)\nsys.stdin.readline()\n"
        "print(s.count('g'), sum(1 for _ in s.scan('g')), flush=True)"
    )
    with LmdbStore(str(tmp_path), map_size=1 << 18) as store:
        put(store, 10)
        with subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT, text=True,
        ) as reader:  # fmt: skip
            assert reader.stdout is not None
            assert reader.stdin is not None
            assert reader.stdout.readline() == "10\n"
            put(store, 60_000)
            reader.stdin.write("\n")
            reader.stdin.flush()
            assert reader.stdout.readline() == "60000 60000\n"


def test_growth_waits_for_scans_of_other_threads(tmp_path: Path) -> None:
    with LmdbStore(str(tmp_path), map_size=1 << 18) as store:
        put(store, 1000)
        scan = store.scan("g")
        next(scan)
        assert isinstance(scan, Generator)
        timer = threading.Timer(0.3, scan.close)
        timer.start()
        put(store, 60_000)
        timer.join()
        assert store.count("g") == 60_000


def test_a_full_map_leaves_the_store_as_it_was(tmp_path: Path) -> None:
    with LmdbStore(str(tmp_path), map_size=1 << 19, max_map_size=1 << 20) as store:
        put(store, 100)
        before = list(store.scan("g"))
        generation = store.generation("g")
        with pytest.raises(StoreFullError, match=str(tmp_path)):
            put(store, 50_000, b"more")
        assert list(store.scan("g")) == before
        assert store.generation("g") == generation
        put(store, 200)
        assert store.count("g") == 200
    with LmdbStore(str(tmp_path)) as store:
        put(store, 50_000, b"more")
        assert store.count("g") == 50_200


def test_a_full_disk_leaves_the_store_as_it_was(tmp_path: Path) -> None:
    """A limit of the size of files stands in for the disk: the kernel refuses the write in the same place."""
    code = (
        "import resource, signal, sys\nfrom lmdb_stores import items\n"
        "from proofbase.storage import open_store, StoreFullError\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "store = open_store(sys.argv[1])\nstore.put_many('g', items(100), source='s', rules_version=1)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 19, 1 << 19))\n"
        "try:\n    store.put_many('g', items(50_000), source='s', rules_version=1)\n"
        "except StoreFullError as error:\n    assert sys.argv[1] in str(error)\n"
        "else:\n    sys.exit('the disk was not full')\n"
        "print(store.count('g'), sum(1 for _ in store.scan('g')))"
    )
    environment = {
        **ENVIRONMENT,
        "PYTHONPATH": f"{Path(__file__).parent.parent}{os.pathsep}{ENVIRONMENT['PYTHONPATH']}",
    }
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "store")],
        capture_output=True, text=True, timeout=60, env=environment, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "100 100\n"), done.stderr
    with open_store(str(tmp_path / "store")) as store:
        assert store.count("g") == 100


IN_LITTLE_SPACE = """
import resource, sys
from lmdb_stores import put
import proofbase.storage.lmdb
from proofbase.storage import StoreError, open_store
resource.setrlimit(getattr(resource, sys.argv[2]), (int(sys.argv[3]),) * 2)
try:
    with open_store(sys.argv[1]) as store:
        put(store, int(sys.argv[4]))
        print(store.count("g"))
except StoreError as error:
    sys.exit(f"{type(error).__name__}: {error}")
"""


def in_little_space(directory: Path, limit: str, amount: int, records: int) -> subprocess.CompletedProcess[str]:
    environment = {
        **ENVIRONMENT,
        "PYTHONPATH": f"{Path(__file__).parent.parent}{os.pathsep}{ENVIRONMENT['PYTHONPATH']}",
    }
    return subprocess.run(
        [sys.executable, "-c", IN_LITTLE_SPACE, str(directory), limit, str(amount), str(records)],
        capture_output=True, text=True, timeout=120, env=environment, check=False,
    )  # fmt: skip


def test_a_process_with_little_address_space_uses_a_store(tmp_path: Path) -> None:
    small = in_little_space(tmp_path, "RLIMIT_AS", 400 << 20, 1000)
    assert (small.returncode, small.stdout) == (0, "1000\n"), small.stderr


@pytest.mark.slow
def test_a_map_that_cannot_grow_is_one_error_and_nothing_is_lost(tmp_path: Path) -> None:
    with LmdbStore(str(tmp_path)) as store:
        put(store, 300_000)
    assert (tmp_path / "data.mdb").stat().st_size > 8 << 20
    # The limit allows a map of the size of the file, and none of twice that size.
    reached = [in_little_space(tmp_path, "RLIMIT_AS", size << 20, 2_000_000) for size in (230, 260)]
    for done in reached:
        assert done.returncode in (0, 1), done.stderr
        assert done.returncode == 0 or "Error: " in done.stderr.splitlines()[-1] or "MemoryError" in done.stderr
    with open_store(str(tmp_path)) as store:
        assert store.count("g") >= 300_000


@pytest.mark.parametrize("files", [4, 5, 6, 7, 8, 9, 12])
def test_too_many_open_files_are_one_error(tmp_path: Path, files: int) -> None:
    with LmdbStore(str(tmp_path)) as store:
        put(store, 10)
    done = in_little_space(tmp_path, "RLIMIT_NOFILE", files, 20)
    if done.returncode:
        assert "ulimit -n" in done.stderr or "Too many open files" in done.stderr
        assert done.stderr.count("\n") == 1, done.stderr
    assert done.returncode == 0 or files < 12, done.stderr
    assert in_another_process(str(tmp_path), "write").stdout in ("10\n", "20\n")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1 MiB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("a file system can be mounted by root only")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_small_disk_that_is_full_is_one_error_and_nothing_is_lost(small_disk: Path) -> None:
    directory = small_disk / "store"
    with LmdbStore(str(directory)) as store:
        put(store, 2000)
        before = list(store.scan("g"))
        for _ in range(3):
            with pytest.raises(StoreFullError, match=str(directory)):
                put(store, 50_000, b"more")
            assert list(store.scan("g")) == before
    with open_store(str(directory)) as store:
        assert list(store.scan("g")) == before
        put(store, 2010)
        assert store.count("g") == 2010
    assert lmdb.verify.verify(str(directory)) == []


def test_a_store_that_a_full_disk_prevented_can_be_made_later(small_disk: Path) -> None:
    other = small_disk / "other"
    with pytest.raises(OSError, match="No space"):
        other.write_bytes(bytes(2 << 20))
    with pytest.raises(StoreFullError):
        open_store(str(small_disk / "store"))
    other.unlink()
    with LmdbStore(str(small_disk / "store")) as store:
        put(store, 10)
        assert store.count("g") == 10


def test_a_read_only_file_system_is_read(tmp_path: Path) -> None:
    with LmdbStore(str(tmp_path / "store")) as store:
        put(store, 10)
    (tmp_path / "mounted").mkdir()
    bound = subprocess.run(
        ["mount", "--bind", str(tmp_path), str(tmp_path / "mounted")], capture_output=True, check=False
    )
    if bound.returncode:
        pytest.skip("a file system can be mounted by root only")
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", str(tmp_path / "mounted")], check=True)
        with open_store(str(tmp_path / "mounted" / "store"), read_only=True) as store:
            assert store.count("g") == 10
        with pytest.raises(StoreReadOnlyError, match="mounted"):
            open_store(str(tmp_path / "mounted" / "store"))
        os.utime(tmp_path / "store" / "data.mdb")
        with open_store(str(tmp_path / "mounted" / "store"), read_only=True) as store:
            assert store.count("g") == 10
    finally:
        subprocess.run(["umount", str(tmp_path / "mounted")], check=True)
