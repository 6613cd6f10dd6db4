"""The LMDB backend: a store in a directory. Nothing else of proofbase imports lmdb."""

from __future__ import annotations

from proofbase.storage.lmdb.store import LmdbStore

__all__ = ["LmdbStore"]
