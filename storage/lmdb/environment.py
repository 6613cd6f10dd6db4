"""The files of an LMDB store: opening, recognising, locking, growing, transactions.

LMDB forbids opening one environment twice in a process, so all stores of a process that use one directory share one
`Environment`. It also forbids resizing the map while a transaction is open, which `Environment` sees to.
"""

from __future__ import annotations

import errno
import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NoReturn, TypeVar

import lmdb

from proofbase import __version__
from proofbase.storage.errors import (
    NotAStoreError,
    StoreClosedError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
    StoreVersionError,
)
from proofbase.storage.lmdb.directory import DISK_FULL, MAGIC, UNWRITABLE, prepare_directory, sync_directory
from proofbase.storage.lmdb.writer_lock import WriterLock

T = TypeVar("T")

# 1: records without checksums, no fingerprints (storage/lmdb/upgrade.py).
FORMAT = 2
# Address space, not disk: the file grows with its contents.
MAP_SIZE = 256 << 30
MAX_MAP_SIZE = 16 << 40
MAX_READERS = 1024
RESIZE_WAIT_SECONDS = 10.0


@dataclass(frozen=True)
class Databases:
    """The named databases of an environment, with their keys and values."""

    meta: lmdb._Database  # magic, format, creator, how far an upgrade is
    games: lmdb._Database  # name -> number, rules version, records, generation, fingerprint
    sources: lmdb._Database  # number -> text, created
    records: lmdb._Database  # game number and key -> record, checksum
    quarantine: lmdb._Database  # game number and key -> record, reason
    jobs: lmdb._Database  # id -> job
    checkpoints: lmdb._Database  # id, NUL, sequence number -> chunk


class Environment:
    """One open environment, shared by all stores of this process that use its directory.

    Args:
        directory: its real path.
        read_only: opened for reading; `make_writable` changes that.
        create: whether a missing store is made.
        map_size: bytes of address space to begin with.
        max_map_size: how far the map may grow.
    """

    def __init__(self, directory: str, *, read_only: bool, create: bool, map_size: int, max_map_size: int) -> None:
        self.directory = directory
        self.read_only = read_only
        self.users = 1
        self._map_size = map_size
        self._max_map_size = max(map_size, max_map_size)
        self._writing = threading.Lock()
        # Guards the number of open transactions; notified when there is none.
        self._all_ended = threading.Condition()
        self._open_transactions = 0
        self._lock: WriterLock | None = None
        self._closed = False
        prepare_directory(directory, create=create and not read_only)
        self._open_or_release()

    def _open_or_release(self) -> None:
        try:
            self._open()
        except BaseException:
            if self._lock is not None:
                self._lock.release()
                self._lock = None
            raise

    def _open(self) -> None:
        if not self.read_only:
            self._lock = WriterLock.acquire(self.directory)
        self._env = self._open_files()
        try:
            if self.read_only:
                self._check_marks()
            else:
                self._env.reader_check()
                if not self._env.stat()["entries"]:
                    self._mark_new_store()
                self._check_marks()
            self.dbs = Databases(**{name: self._database(name) for name in Databases.__dataclass_fields__})
        except lmdb.Error as error:
            self._env.close()
            self._raise_for(error)
        except BaseException:
            self._env.close()
            raise

    def _open_files(self) -> lmdb.Environment:
        size = self._map_size
        lock = True
        while True:
            try:
                return lmdb.open(
                    self.directory,
                    map_size=size,
                    readonly=self.read_only,
                    create=not self.read_only,
                    mode=0o644,
                    max_dbs=16,
                    max_readers=MAX_READERS,
                    max_spare_txns=8,
                    lock=lock,
                )
            except lmdb.Error as error:
                if error.code == errno.ENOMEM and size >= 2 << 30:
                    size //= 2  # the address space is limited (ulimit -v): begin with a smaller map
                elif error.code in UNWRITABLE and self.read_only and lock:
                    # The table of readers cannot be written, so a writer would not see this reader: keep writers out.
                    self._lock = WriterLock.keep_writers_out(self.directory)
                    lock = False
                else:
                    self._raise_for(error)

    def _raise_for(self, error: lmdb.Error) -> NoReturn:
        if isinstance(error, (lmdb.InvalidError, lmdb.VersionMismatchError, lmdb.CorruptedError)):
            raise NotAStoreError(f"{self.directory} holds a data.mdb that is no store of proofbase: {error}") from None
        raise self._translate(error) from None

    def _mark_new_store(self) -> None:
        """Writes what marks a new store. One commit makes all of it durable at once."""

        def mark(txn: lmdb.Transaction[bytes]) -> None:
            for name in Databases.__dataclass_fields__:
                self._env.open_db(name.encode(), txn=txn)
            meta = self._env.open_db(b"meta", txn=txn)
            txn.put(b"magic", MAGIC, db=meta)
            txn.put(b"format", str(FORMAT).encode(), db=meta)
            txn.put(b"creator", f"proofbase {__version__}".encode(), db=meta)

        self.write(mark)
        for path in (self.directory, os.path.dirname(self.directory)):
            sync_directory(path)

    def _check_marks(self) -> None:
        with self._env.begin() as txn:
            try:
                meta = self._env.open_db(b"meta", txn=txn, create=False)
                magic, version = txn.get(b"magic", db=meta), txn.get(b"format", db=meta)
                creator = txn.get(b"creator", b"an unnamed release", db=meta)
            except lmdb.Error:
                magic = version = None
        if magic != MAGIC or version is None or not version.isdigit():
            raise NotAStoreError(f"{self.directory} is an LMDB environment of another program")
        if int(version) > FORMAT:
            raise StoreVersionError(
                f"the store {self.directory} has format {int(version)}, made by {creator.decode(errors='replace')}; "
                f"proofbase {__version__} reads formats up to {FORMAT}"
            )

    def _database(self, name: str) -> lmdb._Database:
        return self._env.open_db(name.encode(), create=False)

    def make_writable(self) -> None:
        """Turns a read-only environment, perhaps in use by other threads, into a writing one.

        Raises:
            StoreLockedError, StoreReadOnlyError: the environment cannot be written; it stays open for reading.
        """
        WriterLock.acquire(self.directory).release()
        with self._all_ended:
            if not self._all_ended.wait_for(lambda: not self._open_transactions, RESIZE_WAIT_SECONDS):
                raise StoreError(f"{self.directory} is being scanned in this process; close the scans before writing")
            self._env.close()
            if self._lock is not None:
                self._lock.release()
                self._lock = None
            self.read_only = False
            try:
                self._open_or_release()
            except BaseException:
                self.read_only = True
                self._open_or_release()
                raise

    # Transactions

    def begin(self) -> lmdb.Transaction[bytes]:
        """A read transaction on the records; end it with `end`."""
        while True:
            with self._all_ended:
                if self._closed:
                    raise StoreClosedError(f"the store {self.directory} is closed")
                self._open_transactions += 1
                env = self._env
            try:
                return env.begin(self.dbs.records)
            except lmdb.MapResizedError:
                self._end_transaction()
                self._resize(0)  # another process has grown the map: take over its size
            except lmdb.ReadersFullError:
                self._end_transaction()
                if not env.reader_check():
                    raise StoreError(f"the store {self.directory} has {MAX_READERS} readers already") from None
            except lmdb.Error as error:
                self._end_transaction()
                raise self._translate(error) from None

    def end(self, txn: lmdb.Transaction[bytes]) -> None:
        """Ends a read transaction."""
        txn.abort()
        self._end_transaction()

    @contextmanager
    def read(self) -> Iterator[lmdb.Transaction[bytes]]:
        """A read transaction as a context."""
        txn = self.begin()
        try:
            yield txn
        except lmdb.Error as error:
            raise self._translate(error) from None
        finally:
            self.end(txn)

    def write(self, work: Callable[[lmdb.Transaction[bytes]], T]) -> T:
        """Runs `work` in a write transaction and commits it durably.

        When the map is full, the transaction is undone, the map grows, and `work` runs again.

        Whatever `work` raises undoes the transaction; `Unchanged` does so silently.

        Raises:
            StoreFullError: neither the map nor the disk has room.
        """
        with self._writing:
            while True:
                with self._all_ended:
                    if self._closed:
                        raise StoreClosedError(f"the store {self.directory} is closed")
                    self._open_transactions += 1
                try:
                    with self._env.begin(write=True) as txn:
                        return work(txn)
                except Unchanged as unchanged:
                    result: T = unchanged.args[0]
                    return result
                except lmdb.MapFullError:
                    pass
                except lmdb.Error as error:
                    raise self._translate(error) from None
                finally:
                    self._end_transaction()
                self._grow()

    def _end_transaction(self) -> None:
        with self._all_ended:
            self._open_transactions -= 1
            if not self._open_transactions:
                self._all_ended.notify_all()

    def _grow(self) -> None:
        size = self._env.info()["map_size"]
        if size >= self._max_map_size:
            raise StoreFullError(
                errno.ENOSPC, f"the store {self.directory} is full: its map has reached the limit of {size} bytes"
            )
        self._resize(min(2 * size, self._max_map_size))

    def _resize(self, size: int) -> None:
        with self._all_ended:
            if not self._all_ended.wait_for(lambda: not self._open_transactions, RESIZE_WAIT_SECONDS):
                raise StoreFullError(
                    errno.ENOSPC,
                    f"the store {self.directory} must grow, and open scans of this process prevent it",
                )
            try:
                self._env.set_mapsize(size)
            except lmdb.Error as error:
                raise self._translate(error) from None

    def _translate(self, error: lmdb.Error) -> StoreError:
        # LMDB reports a write that a full disk cut short as an I/O error.
        if error.code in DISK_FULL or (error.code == errno.EIO and not self._has_room()):
            return StoreFullError(errno.ENOSPC, f"the disk of the store {self.directory} is full: {error}")
        if error.code in UNWRITABLE:
            return StoreReadOnlyError(errno.EACCES, f"the store {self.directory} cannot be written: {error}")
        if self._closed:
            return StoreClosedError(f"the store {self.directory} is closed")
        return StoreError(f"the store {self.directory}: {error}")

    def _has_room(self) -> bool:
        """Whether a file of 1 MiB can still be written into the directory."""
        try:
            with tempfile.TemporaryFile(dir=self.directory) as probe:
                os.posix_fallocate(probe.fileno(), 0, 1 << 20)
        except OSError as error:
            return error.errno not in DISK_FULL
        return True

    def close(self, *, forked: bool = False) -> None:
        """Closes the environment; in a forked child only the child's copy of the lock is closed."""
        if forked:
            self._closed = True
            if self._lock is not None:
                self._lock.release()
            return
        with self._writing, self._all_ended:
            if self._closed:
                return
            self._closed = True
            self._all_ended.wait_for(lambda: not self._open_transactions, timeout=1.0)
            self._env.close()
            if self._lock is not None:
                self._lock.release()


class Unchanged(Exception):
    """Raised by the work of a write transaction to undo it; its argument is the result of the work."""


_OPEN: dict[str, Environment] = {}
_OPENING = threading.Lock()


def open_environment(directory: str, *, read_only: bool, create: bool, map_size: int, max_map_size: int) -> Environment:
    """The one environment of this process for a directory, opened if need be; release it with `close_environment`."""
    path = os.path.realpath(directory)
    with _OPENING:
        environment = _OPEN.get(path)
        if environment is None:
            environment = Environment(
                path, read_only=read_only, create=create, map_size=map_size, max_map_size=max_map_size
            )
            _OPEN[path] = environment
            return environment
        if environment.read_only and not read_only:
            environment.make_writable()
        environment.users += 1
        return environment


def close_environment(environment: Environment) -> None:
    """Releases an environment; the last user closes it."""
    with _OPENING:
        environment.users -= 1
        if environment.users == 0:
            _OPEN.pop(environment.directory, None)
            environment.close()


def _forget_after_fork() -> None:
    global _OPENING
    _OPENING = threading.Lock()
    for environment in _OPEN.values():
        environment.close(forked=True)
    _OPEN.clear()


os.register_at_fork(after_in_child=_forget_after_fork)
