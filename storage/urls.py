"""From a URL to a store. Adding a backend is one file and an entry of `_BACKENDS` with its functions here."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn
from urllib.parse import unquote

from proofbase.storage.errors import StoreNotFoundError
from proofbase.storage.filling import Filling
from proofbase.storage.progress import OnProgress, ignore_progress
from proofbase.storage.sizes import StoreSizes
from proofbase.storage.store import SolutionStore
from proofbase.storage.tokens import TokenStore

if TYPE_CHECKING:
    from proofbase.storage.lmdb import LmdbStore
    from proofbase.storage.memory import MemoryStore
    from proofbase.storage.package import PackageStore
    from proofbase.storage.postgres import PostgresStore


def open_store(url: str, *, read_only: bool = False, create: bool = True) -> SolutionStore:
    """Opens the store at a URL.

    Args:
        url: a directory or `lmdb:///dir`; `postgresql://user@host/database`; `memory:` (a new one every time); a
            package, `https://host/folder`, `http://host/folder` or `file:///directory`, which can only be read.
        read_only: refuse writes; for LMDB also: do not become the directory's one writer.
        create: make an LMDB store that does not exist (never when read-only). A database is made by
            `proofbase migrate` instead.

    Raises:
        StoreNotFoundError, NotAStoreError, StoreVersionError: the URL names no store that this release can open.
        StoreLockedError: another process writes to the directory.
        StoreReadOnlyError, StoreFullError, StoreUnavailableError: the store cannot be opened in this way.
        ValueError: the URL names no known kind of store.
    """
    return _backend_of(url).open(url, read_only, create)


def open_tokens(url: str) -> TokenStore:
    """The tokens of the store at a URL, beside whatever process has the store open; close them.

    A directory without a store becomes one.

    Raises:
        StoreNotFoundError, NotAStoreError, StoreVersionError, StoreUnavailableError: there is no such store.
        ValueError: the URL names no known kind of store, or one that is not kept.
    """
    return _backend_of(url).tokens(url)


def open_filling(url: str) -> Filling:
    """A new store at a URL, to be filled with the contents of another one.

    Raises:
        NotAStoreError: there is something already.
        StoreVersionError: a database that was not migrated.
        StoreError: it cannot be made.
        ValueError: the URL names no known kind of store, or one that is not kept.
    """
    return _backend_of(url).filling(url)


def compact_store(
    url: str, on_progress: OnProgress = ignore_progress, *, full: bool = False
) -> tuple[StoreSizes, StoreSizes]:
    """Gives back what deleted rows take: to the file system (LMDB), or to later writes (PostgreSQL).

    Args:
        url: the store.
        on_progress: told how far it is.
        full: PostgreSQL: to the file system as well, while nobody can use a table.

    Returns:
        The sizes before and after.

    Raises:
        StoreLockedError: another process has the directory open.
        StoreError: it cannot be done; the store is as it was.
        ValueError: the URL names no known kind of store, or one that is not kept.
    """
    return _backend_of(url).compact(url, on_progress, full)


def store_class(url: str) -> type[SolutionStore]:
    """The class of the store at a URL, which is not opened and need not exist.

    Raises:
        ValueError: the URL names no known kind of store.
    """
    return _backend_of(url).load()


def store_directory(url: str) -> Path | None:
    """The directory of the store at a URL, which is not opened and need not exist; None for stores that are none.

    Raises:
        ValueError: the URL names no known kind of store, or no directory.
    """
    return _backend_of(url).directory(url)


def shown_url(url: str) -> str:
    """The URL of a store as messages may show it, whatever the URL looks like: malformed ones are shown, too.

    What stands between the user's name and the last `@` is left out, and so are parameters that hold a password.
    Directories stay as they are.
    """
    if re.match(r"(?i)(?!lmdb:|memory:)[a-z][a-z0-9+.-]*:", url) is None:
        return url
    before, slashes, rest = url.partition("://") if "://" in url else ("", "", url)
    rest, question, query = rest.partition("?")
    kept = "&".join(part for part in query.split("&") if "pass" not in part.partition("=")[0].lower())
    if "@" in query and "@" not in rest:  # a password with a question mark in it
        rest, kept = rest + query, ""
    user, _, place = rest.rpartition("@")
    name = user.partition(":")[0]
    return f"{before}{slashes}{name}{'@' if name else ''}{place}{question if kept else ''}{kept}"


class _Backend(NamedTuple):
    """A kind of store.

    Attributes:
        load: imports the class.
        open: from a URL, whether it is opened read-only and whether it is made.
        tokens: from a URL to the tokens of the store.
        filling: from a URL to a new store, to be filled.
        compact: gives back what deleted rows take.
        directory: from a URL to the directory that it names.
    """

    load: Callable[[], type[SolutionStore]]
    open: Callable[[str, bool, bool], SolutionStore]
    tokens: Callable[[str], TokenStore]
    filling: Callable[[str], Filling]
    compact: Callable[[str, OnProgress, bool], tuple[StoreSizes, StoreSizes]]
    directory: Callable[[str], Path | None] = lambda url: None


def _backend_of(url: str) -> _Backend:
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]+):", url)
    kind = scheme[1].lower() if scheme else "file" if _is_package(url) else "lmdb"
    if kind not in _BACKENDS:
        raise ValueError(
            f"unknown kind of store {kind!r} in {shown_url(url)!r}; there are {', '.join(sorted(_BACKENDS))}"
        )
    if not url:
        raise ValueError("the URL of a store is empty")
    return _BACKENDS[kind]


def _is_package(url: str) -> bool:
    """Whether a directory holds a package and no store."""
    return "\0" not in url and (Path(url) / "manifest.json").is_file() and not (Path(url) / "data.mdb").exists()


# The classes are imported here, when a store of that kind is asked for: their packages take long to import.


def _memory_class() -> type[MemoryStore]:
    from proofbase.storage.memory import MemoryStore

    return MemoryStore


def _lmdb_class() -> type[LmdbStore]:
    from proofbase.storage.lmdb import LmdbStore

    return LmdbStore


def _postgres_class() -> type[PostgresStore]:
    if find_spec("sqlalchemy") is None:
        raise ModuleNotFoundError("a PostgreSQL store needs SQLAlchemy: pip install 'proofbase[server]'")
    from proofbase.storage.postgres import PostgresStore

    return PostgresStore


def _package_class() -> type[PackageStore]:
    from proofbase.storage.package import PackageStore

    return PackageStore


def _open_memory(url: str, read_only: bool, create: bool) -> SolutionStore:
    if url.lower() not in ("memory:", "memory://"):
        raise ValueError(f"a memory store has no name: write memory:, not {shown_url(url)!r}")
    return _memory_class()(read_only=read_only)


def _open_lmdb(url: str, read_only: bool, create: bool) -> SolutionStore:
    return _lmdb_class()(str(_lmdb_directory(url)), read_only=read_only, create=create)


def _lmdb_directory(url: str) -> Path:
    directory = url
    if url.lower().startswith("lmdb:"):
        directory = unquote(url[5:])
        if directory.startswith("//"):
            directory = directory[2:]
            if directory and not directory.startswith("/"):
                raise ValueError(f"write lmdb:///directory with three slashes, not {shown_url(url)!r}")
    if not directory or "\0" in directory:
        raise ValueError(f"the URL {shown_url(url)!r} names no directory")
    return Path(directory).expanduser()


def _open_postgres(url: str, read_only: bool, create: bool) -> SolutionStore:
    return _postgres_class()(url, read_only=read_only)


def _no_tokens(url: str) -> TokenStore:
    raise ValueError("a memory store ends with its process: it has no tokens to make or to revoke from outside")


def _lmdb_tokens(url: str) -> TokenStore:
    from proofbase.storage.lmdb.tokens import LmdbTokens

    try:
        store = open_store(url, read_only=True)  # refuses what is no store
    except StoreNotFoundError:
        store = open_store(url)
    with store:
        return LmdbTokens(_lmdb_directory(url))


def _postgres_tokens(url: str) -> TokenStore:
    store = _postgres_class()(url)
    from proofbase.storage.postgres.tokens import PostgresTokens

    return PostgresTokens(store, owned=True)


def _nothing_kept(*_: object) -> NoReturn:
    raise ValueError("a memory store ends with its process: it cannot be copied or compacted")


def _lmdb_filling(url: str) -> Filling:
    from proofbase.storage.lmdb.maintenance.filling import LmdbFilling

    return LmdbFilling(_lmdb_directory(url))


def _compact_lmdb(url: str, on_progress: OnProgress, full: bool) -> tuple[StoreSizes, StoreSizes]:
    from proofbase.storage.lmdb.maintenance.compacting import compact_directory

    return compact_directory(_lmdb_directory(url), on_progress)


def _postgres_filling(url: str) -> Filling:
    _postgres_class()
    from proofbase.storage.postgres.filling import PostgresFilling

    return PostgresFilling(url)


def _compact_postgres(url: str, on_progress: OnProgress, full: bool) -> tuple[StoreSizes, StoreSizes]:
    from proofbase.storage.postgres.sizes import vacuum

    with _postgres_class()(url) as store:
        before = store.sizes()
        vacuum(store.engine, on_progress, full=full)
        return before, store.sizes()


def _open_package(url: str, read_only: bool, create: bool) -> SolutionStore:
    from proofbase.storage.package import open_folder

    folder = open_folder(url)
    try:
        return _package_class()(folder)
    except BaseException:
        folder.close()
        raise


def _only_read(url: str, *_: object) -> NoReturn:
    raise ValueError(f"{shown_url(url)} is a package: it can only be read (`proofbase publish` makes a new one)")


_PACKAGE = _Backend(_package_class, _open_package, _only_read, _only_read, _only_read)
_POSTGRES = _Backend(_postgres_class, _open_postgres, _postgres_tokens, _postgres_filling, _compact_postgres)
_BACKENDS = {
    "file": _PACKAGE,
    "http": _PACKAGE,
    "https": _PACKAGE,
    "lmdb": _Backend(_lmdb_class, _open_lmdb, _lmdb_tokens, _lmdb_filling, _compact_lmdb, _lmdb_directory),
    "memory": _Backend(_memory_class, _open_memory, _no_tokens, _nothing_kept, _nothing_kept),
    "postgresql": _POSTGRES,
    "postgresql+psycopg": _POSTGRES,
}
