"""A full map, a full disk: one clear error each, and the store stays as it was."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Generator
from pathlib import Path

import pytest
from lmdb_stores import ENVIRONMENT, in_another_process, put

from proofbase.storage import (
    StoreFullError,
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
    environment = {**ENVIRONMENT, "PYTHONPATH": f"{Path(__file__).parent}{os.pathsep}{ENVIRONMENT['PYTHONPATH']}"}
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "store")],
        capture_output=True, text=True, timeout=60, env=environment, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "100 100\n"), done.stderr
    with open_store(str(tmp_path / "store")) as store:
        assert store.count("g") == 100
