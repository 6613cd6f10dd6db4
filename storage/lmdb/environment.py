"""The files of an LMDB store: opening, recognising, locking, growing, transactions.

LMDB forbids resizing the map while a transaction is open, which `Environment` sees to.
"""

from __future__ import annotations

import errno
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import lmdb

from proofbase.storage.errors import (
    StoreClosedError,
    StoreDamagedError,
    StoreError,
    StoreFullError,
    StoreNotFoundError,
)
from proofbase.storage.fair_lock import FairLock
from proofbase.storage.lmdb.data_file import DATA_FILE, Note
from proofbase.storage.lmdb.databases import LATER_DATABASES, Databases
from proofbase.storage.lmdb.directory import prepare_directory, reserve_readers_table, sync_directory
from proofbase.storage.lmdb.failures import (
    UNWRITABLE,
    address_space,
    has_address_space,
    opening_error,
    store_error,
)
from proofbase.storage.lmdb.file_watch import FileWatch
from proofbase.storage.lmdb.format_rows import check_format_rows, write_format_rows
from proofbase.storage.lmdb.guarded_reads import ReadTransaction, SharedRead
from proofbase.storage.lmdb.writer_lock import NEW_STORE, WriterLock, read_line

T = TypeVar("T")

# Address space, not disk: the file grows with its contents.
MAP_SIZE = 256 << 30
MAX_MAP_SIZE = 16 << 40
MAX_READERS = 1024
RESIZE_WAIT_SECONDS = 10.0
# A map smaller than this is of no use: LMDB is refused when even that much address space is lacking.
SMALLEST_MAP = 16 << 20
READER_CHECK_SECONDS = 1.0


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
        self.removals: Counter[str] = Counter()
        """How often this process has moved records of a game to the quarantine."""
        self.rows_sealed = False
        """Whether every row has a checksum: one without is damaged then."""
        self._map_size = map_size
        self._max_map_size = max(map_size, max_map_size)
        self._writing = FairLock()
        # Guards the number of open transactions; the condition is notified when there is none.
        self._counting = threading.RLock()
        self._all_ended = threading.Condition(self._counting)
        self._open_transactions = 0
        self._shared = threading.local()
        """Of each thread: the transaction that its reads share now, as `txn` (`SharedRead`)."""
        self._lock: WriterLock | None = None
        self._watch: FileWatch | None = None
        self._readers_checked = 0.0
        self._closed = False
        prepare_directory(directory, create=create and not read_only)
        self._open_or_release()

    def _open_or_release(self) -> None:
        try:
            self._open()
        except BaseException:
            self._release()
            raise

    def _release(self) -> None:
        """Frees everything but the files of liblmdb."""
        if self._watch is not None:
            self._watch.close()
            self._watch = None
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _open(self) -> None:
        if not self.read_only:
            self._lock = WriterLock.acquire(self.directory)
        line = read_line(self.directory)
        if self._has_data():
            # Before liblmdb follows any page.
            self._watch = FileWatch(self.directory, self._lock, self._writing)
            self._watch.check_at_open()
        elif self._lock is not None:
            self._lock.write_line(NEW_STORE)
        self._env = self._open_files()
        try:
            if self._watch is None:
                self._watch = FileWatch(self.directory, self._lock, self._writing)
            self._watch.opened()
            if not self.read_only:
                self._env.reader_check()
            if not self._env.stat()["entries"]:
                self._mark_new_store(line)
            self.rows_sealed = check_format_rows(self._env, self.directory)
            self.dbs = Databases(**{name: self._database(name) for name in Databases.__dataclass_fields__})  # type: ignore[arg-type]
        except lmdb.Error as error:
            self._env.close()
            raise opening_error(error, self.directory) from None
        except BaseException:
            self._env.close()
            raise

    def _has_data(self) -> bool:
        try:
            return os.path.getsize(os.path.join(self.directory, DATA_FILE)) > 0
        except OSError:
            return False

    def _open_files(self) -> lmdb.Environment:
        size = min(self._map_size, max(address_space() // 4, SMALLEST_MAP))
        lock = True
        reserve_readers_table(self.directory, MAX_READERS)
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
                if error.code == errno.ENOMEM and size > SMALLEST_MAP:
                    size = max(size // 2, SMALLEST_MAP)  # so little address space is left
                elif error.code in UNWRITABLE and self.read_only and lock:
                    # The table of readers cannot be written, so a writer would not see this reader: keep writers out.
                    self._lock = WriterLock.keep_writers_out(self.directory)
                    lock = False
                else:
                    raise opening_error(error, self.directory) from None

    def _mark_new_store(self, line: str | None) -> None:
        """Writes what marks a new store. One commit makes all of it durable at once.

        Args:
            line: of the lock file.
        """
        note = Note.read(line)
        if note is not None and note.commit > 0:  # with commit 0 a process was killed before it made the store
            raise StoreDamagedError(f"{self.directory} was a store, and its {DATA_FILE} holds nothing now")
        if self.read_only:
            raise StoreNotFoundError(
                errno.ENOENT, f"there is no store in {self.directory} yet: who was making one has not come to its end"
            )
        self.write(lambda txn: write_format_rows(self._env, txn))
        for path in (self.directory, os.path.dirname(self.directory)):
            sync_directory(path)

    def _database(self, name: str) -> lmdb._Database | None:
        try:
            return self._env.open_db(name.encode(), create=name in LATER_DATABASES and not self.read_only)
        except lmdb.NotFoundError:
            if name in LATER_DATABASES:
                return None
            raise

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
            self._release()
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
            with self._counting:  # quicker than entering the condition
                if self._closed:
                    raise StoreClosedError(f"the store {self.directory} is closed")
                self._open_transactions += 1
                env = self._env
            try:
                self.look()
                return env.begin(self.dbs.records)
            except lmdb.MapResizedError:
                self._end_transaction()
                self._follow_growth()
            except lmdb.ReadersFullError:
                self._end_transaction()
                if not env.reader_check():
                    raise StoreError(f"the store {self.directory} has {MAX_READERS} readers already") from None
            except lmdb.Error as error:
                self._end_transaction()
                raise self._translate(error) from None
            except BaseException:
                self._end_transaction()
                raise

    def look(self) -> None:
        """Within a long transaction, now and then: raises if the file was changed or cut short by something else.

        Raises:
            StoreDamagedError: the file is not sound any more.
            StoreClosedError: the environment was closed.
        """
        watch = self._watch
        if self._closed or watch is None:
            raise StoreClosedError(f"the store {self.directory} is closed")
        watch.look()

    def end(self, txn: lmdb.Transaction[bytes]) -> None:
        """Ends a read transaction."""
        txn.abort()
        self._end_transaction()

    def read(self) -> ReadTransaction:
        """A read transaction as a context: that of `shared_read`, or a new one."""
        txn: lmdb.Transaction[bytes] | None = getattr(self._shared, "txn", None)
        if txn is None:
            return ReadTransaction(self.begin, self.end, self._translate)
        return ReadTransaction(lambda: txn, _stays_open, self._translate)

    def shared_read(self) -> SharedRead:
        """A context in which the reads of this thread are one transaction."""
        return SharedRead(self._shared, self.read())

    @contextmanager
    def files(self) -> Iterator[lmdb.Environment]:
        """The environment of liblmdb itself, which keeps its map for as long as the context lasts."""
        with self._all_ended:
            if self._closed:
                raise StoreClosedError(f"the store {self.directory} is closed")
            self._open_transactions += 1
        try:
            yield self._env
        except lmdb.Error as error:
            raise self._translate(error) from None
        finally:
            self._end_transaction()

    def copy(self, directory: str, *, compact: bool) -> None:
        """Copies the data file into a directory, as of one moment.

        Raises:
            OSError: the new file cannot be written.
        """
        self.end(self.begin())  # a file that has grown beyond this map is mapped anew first
        with self.files() as env:
            try:
                env.copy(directory, compact)
            except lmdb.Error as error:
                if error.code is not None and error.code > 0:  # of the operating system
                    raise OSError(error.code, os.strerror(error.code)) from None
                raise

    def write(self, work: Callable[[lmdb.Transaction[bytes]], T]) -> T:
        """Runs `work` in a write transaction and commits it durably.

        When the map is full, the transaction is undone, the map grows, and `work` runs again.

        Whatever `work` raises undoes the transaction; `Unchanged` does so silently.

        Raises:
            StoreFullError: neither the map nor the disk has room.
            StoreDamagedError, StoreLockedError: the files are not those that were opened.
        """
        with self._writing:
            while True:
                with self._all_ended:
                    if self._closed or self._watch is None:
                        raise StoreClosedError(f"the store {self.directory} is closed")
                    self._open_transactions += 1
                    watch = self._watch
                try:
                    self._free_pages_of_dead_readers()
                    self._hold_the_lock(watch)
                    watch.before_write()
                    try:
                        with self._env.begin(write=True) as txn:
                            return work(txn)
                    finally:
                        watch.after_write()
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

    def _free_pages_of_dead_readers(self) -> None:
        """A killed reader holds on to the pages that it saw, so that the file grows with every write."""
        if time.monotonic() - self._readers_checked > READER_CHECK_SECONDS:
            self._env.reader_check()
            self._readers_checked = time.monotonic()

    def _hold_the_lock(self, watch: FileWatch) -> None:
        """Takes the lock anew when its file was deleted or replaced: the data file is still locked by this process."""
        if self._lock is not None and not self._lock.in_place():
            lock = WriterLock.acquire(self.directory)
            self._lock.release()
            self._lock = lock
            watch.relock(lock)

    def _end_transaction(self) -> None:
        with self._counting:
            self._open_transactions -= 1
            if not self._open_transactions:
                self._all_ended.notify_all()

    def _grow(self) -> None:
        if self._env.reader_check():
            return  # the pages of readers that were killed may be room enough
        size = self._env.info()["map_size"]
        if size >= self._max_map_size:
            raise StoreFullError(
                errno.ENOSPC, f"the store {self.directory} is full: its map has reached the limit of {size} bytes"
            )
        self._resize(min(2 * size, self._max_map_size))

    def _follow_growth(self) -> None:
        """Another process has grown the file beyond the map of this one."""
        page = self._env.stat()["psize"]
        self._resize(max(self._env.info()["map_size"], 2 * page * (self._env.info()["last_pgno"] + 1)))

    def _resize(self, size: int) -> None:
        with self._all_ended:
            if not self._all_ended.wait_for(lambda: not self._open_transactions, RESIZE_WAIT_SECONDS):
                raise StoreFullError(
                    errno.ENOSPC,
                    f"the store {self.directory} must grow, and open scans of this process prevent it",
                )
            if self._closed:
                raise StoreClosedError(f"the store {self.directory} is closed")
            if not has_address_space(size - self._env.info()["map_size"]):
                raise StoreFullError(
                    errno.ENOMEM,
                    f"the store {self.directory} must grow to a map of {size} bytes, and the address space of this "
                    "process is limited (ulimit -v)",
                )
            try:
                self._env.set_mapsize(size)
            except lmdb.Error as error:
                # liblmdb has given up the old map: the environment cannot be used any more.
                self._closed = True
                self._env.close()
                self._release()
                raise self._translate(error) from None

    def _translate(self, error: lmdb.Error) -> StoreError:
        if self._closed:
            return StoreClosedError(f"the store {self.directory} is closed")
        return store_error(error, self.directory)

    def close(self, *, forked: bool = False) -> None:
        """Closes the environment; in a forked child only the child's copies of the locks are closed."""
        if forked:
            self._closed = True
            self._release()
            return
        with self._writing, self._all_ended:
            if self._closed:
                return
            self._closed = True
            self._all_ended.wait_for(lambda: not self._open_transactions, timeout=1.0)
            self._env.close()
            self._release()


def _stays_open(txn: lmdb.Transaction[bytes]) -> None:
    """The end of a read in a transaction that others share."""


class Unchanged(Exception):
    """Raised by the work of a write transaction to undo it; its argument is the result of the work."""
