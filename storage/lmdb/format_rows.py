"""What marks an LMDB environment as a store of proofbase: the rows of its database `meta`."""

from __future__ import annotations

import lmdb

from proofbase import __version__
from proofbase.storage.errors import NotAStoreError, StoreVersionError
from proofbase.storage.lmdb.databases import Databases
from proofbase.storage.lmdb.directory import MAGIC

__all__ = ["FORMAT", "ROWS_SEALED", "check_format_rows", "write_format_rows"]

# 1: records without checksums, no fingerprints (storage/lmdb/upgrade.py).
FORMAT = 2
ROWS_SEALED = b"rows_sealed"
"""In `meta`: every row of every database has a checksum (storage/lmdb/rows.py)."""


def write_format_rows(environment: lmdb.Environment, txn: lmdb.Transaction[bytes]) -> None:
    """Makes the databases of a new store, and marks it."""
    for name in Databases.__dataclass_fields__:
        environment.open_db(name.encode(), txn=txn)
    meta = environment.open_db(b"meta", txn=txn)
    txn.put(b"magic", MAGIC, db=meta)
    txn.put(b"format", str(FORMAT).encode(), db=meta)
    txn.put(b"creator", f"proofbase {__version__}".encode(), db=meta)
    txn.put(ROWS_SEALED, b"1", db=meta)


def check_format_rows(environment: lmdb.Environment, directory: str) -> bool:
    """Refuses what this release cannot read.

    Returns:
        Whether all rows have checksums.

    Raises:
        NotAStoreError: the environment is of another program.
        StoreVersionError: the format is newer than this release.
    """
    sealed = False
    with environment.begin() as txn:
        try:
            meta = environment.open_db(b"meta", txn=txn, create=False)
            magic, version = txn.get(b"magic", db=meta), txn.get(b"format", db=meta)
            creator = txn.get(b"creator", b"an unnamed release", db=meta)
            sealed = txn.get(ROWS_SEALED, db=meta) is not None
        except (lmdb.NotFoundError, lmdb.IncompatibleError):  # no database of that name
            magic = version = None
    if magic != MAGIC or version is None or not version.isdigit():
        raise NotAStoreError(f"{directory} is an LMDB environment of another program")
    if int(version) > FORMAT:
        raise StoreVersionError(
            f"the store {directory} has format {int(version)}, made by {creator.decode(errors='replace')}; "
            f"proofbase {__version__} reads formats up to {FORMAT}"
        )
    return sealed
