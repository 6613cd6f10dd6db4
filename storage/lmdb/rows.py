"""Checksums of the rows that are no records: games, sources, jobs, checkpoints, quarantine (docs/store-format.md)."""

from __future__ import annotations

from functools import lru_cache

from xxhash import xxh3_64_digest, xxh3_64_intdigest

from proofbase.storage.errors import StoreDamagedError

__all__ = ["damaged_row", "open_row", "seal_row"]

# A row begins with the mark and its checksum: the first page of a value is the one that LMDB itself knows most of. No
# row of release 0.1.0 begins like that, for those are JSON, counted text, or the frame of a checkpoint.
_MARK = b"\xf1\xc5\x9e\xfd"
_CHECKSUM_BYTES = 8
_HEAD = len(_MARK) + _CHECKSUM_BYTES


def seal_row(database: str, key: bytes, row: bytes) -> bytes:
    """A row with its checksum, which covers the name of the database and the key as well."""
    return b"%b%b%b" % (_MARK, _checksum(database, key, row), row)


def open_row(database: str, key: bytes, stored: bytes, *, sealed: bool) -> bytes:
    """Inverse of `seal_row`.

    Args:
        database, key: where the row was found.
        stored: what was found.
        sealed: all rows of the store have checksums; otherwise rows of release 0.1.0 are given as they are.

    Raises:
        StoreDamagedError: the row is not what was stored.
    """
    if not stored.startswith(_MARK):
        if not sealed:
            return stored
        raise damaged_row(database, key, "it has no checksum")
    row = stored[_HEAD:]
    if stored[len(_MARK) : _HEAD] != _checksum(database, key, row):
        raise damaged_row(database, key)
    return row


def damaged_row(database: str, key: bytes, why: str = "its checksum does not match") -> StoreDamagedError:
    """The error for a row that cannot be what was stored."""
    name = key.split(b"\0")[0].decode("ascii", "backslashreplace") if key[:1].isalnum() else key.hex()
    return StoreDamagedError(f"the row {name} of the {database} of this store is damaged: {why}")


def _checksum(database: str, key: bytes, row: bytes) -> bytes:
    return xxh3_64_digest(key, xxh3_64_intdigest(row, _seed(database)))


@lru_cache(16)
def _seed(database: str) -> int:
    return xxh3_64_intdigest(database.encode())
