"""Stores in directories for the tests of the LMDB backend, and another process that opens them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import lmdb

from proofbase.storage import (
    Claim,
    Record,
    Side,
    encode_record,
)
from proofbase.storage.lmdb import LmdbStore

__all__ = ["ENVIRONMENT", "RECORD", "change_database", "fingerprint", "in_another_process", "items", "put"]

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
RECORD = encode_record(Record.of([Claim(Side.LOWER, 1, 5, witness=3)]))


def change_database(directory: Path, name: bytes, change: object) -> None:
    """Changes a database of a store behind its back."""
    with lmdb.open(str(directory), max_dbs=16) as environment:
        database = environment.open_db(name, create=False)
        with environment.begin(write=True) as txn:
            change(txn, database)  # type: ignore[operator]


def items(number: int, prefix: bytes = b"") -> Iterator[tuple[bytes, bytes]]:
    for key in range(number):
        yield prefix + key.to_bytes(4, "big"), RECORD


def put(store: LmdbStore, number: int, prefix: bytes = b"") -> None:
    store.put_many("g", items(number, prefix), source="test", rules_version=1)


def fingerprint(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir() if path.name != "lock.mdb"}


OPEN = """
import os, sys
import proofbase.storage.lmdb
from proofbase.storage import open_store, StoreError
if len(sys.argv) > 3:
    os.setgroups([])
    os.setgid(int(sys.argv[3]))
    os.setuid(int(sys.argv[3]))
try:
    store = open_store(sys.argv[1], read_only=sys.argv[2] == "read")
except StoreError as error:
    sys.exit(f"{type(error).__name__}: {error}")
print(store.count("g"))
"""


def in_another_process(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Opens a store to `read` or `write`, perhaps as another user, and prints the number of its records."""
    return subprocess.run(
        [sys.executable, "-c", OPEN, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        env=ENVIRONMENT,
        check=False,
    )
