"""From a URL to a store. Adding a backend is one file and one line here."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

from proofbase.storage.store import SolutionStore


def open_store(url: str, *, read_only: bool = False, create: bool = True) -> SolutionStore:
    """Opens the store at a URL.

    Args:
        url: a directory or `lmdb:///dir`; `postgresql://user@host/database`; `memory:` (a new one every time).
        read_only: refuse writes; for LMDB also: do not become the directory's one writer.
        create: make an LMDB store that does not exist (never when read-only). A database is made by
            `proofbase migrate` instead.

    Raises:
        StoreNotFoundError, NotAStoreError, StoreVersionError: the URL names no store that this release can open.
        StoreLockedError: another process writes to the directory.
        StoreReadOnlyError, StoreFullError, StoreUnavailableError: the store cannot be opened in this way.
        ValueError: the URL names no known kind of store.
    """
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]+):", url)
    kind = scheme[1].lower() if scheme else "lmdb"
    if kind not in _BACKENDS:
        raise ValueError(f"unknown kind of store {kind!r} in {url!r}; there are {', '.join(sorted(_BACKENDS))}")
    if not url:
        raise ValueError("the URL of a store is empty")
    return _BACKENDS[kind](url, read_only, create)


def _memory(url: str, read_only: bool, create: bool) -> SolutionStore:
    from proofbase.storage.memory import MemoryStore

    if url.lower() not in ("memory:", "memory://"):
        raise ValueError(f"a memory store has no name: write memory:, not {url!r}")
    return MemoryStore(read_only=read_only)


def _lmdb(url: str, read_only: bool, create: bool) -> SolutionStore:
    from proofbase.storage.lmdb import LmdbStore

    directory = url
    if url.lower().startswith("lmdb:"):
        directory = unquote(url[5:])
        if directory.startswith("//"):
            directory = directory[2:]
            if directory and not directory.startswith("/"):
                raise ValueError(f"write lmdb:///directory with three slashes, not {url!r}")
    if not directory or "\0" in directory:
        raise ValueError(f"the URL {url!r} names no directory")
    return LmdbStore(str(Path(directory).expanduser()), read_only=read_only, create=create)


def _postgres(url: str, read_only: bool, create: bool) -> SolutionStore:
    from proofbase.storage.postgres import PostgresStore

    return PostgresStore(url, read_only=read_only)


_BACKENDS: dict[str, Callable[[str, bool, bool], SolutionStore]] = {
    "lmdb": _lmdb,
    "memory": _memory,
    "postgresql": _postgres,
    "postgresql+psycopg": _postgres,
}
