"""The directory of an LMDB store: whether a place is a store, may become one, or belongs to another program."""

from __future__ import annotations

import errno
import os

import lmdb

from proofbase.engine.system import reserve_disk
from proofbase.storage.errors import (
    NotAStoreError,
    StoreDamagedError,
    StoreError,
    StoreFullError,
    StoreNotFoundError,
    StoreReadOnlyError,
)
from proofbase.storage.lmdb.data_file import DATA_FILE, refuse_foreign_file
from proofbase.storage.lmdb.failures import DISK_FULL, UNWRITABLE
from proofbase.storage.lmdb.writer_lock import LOCK_FILE, NEW_STORE, read_line

__all__ = ["MAGIC", "READERS_TABLE", "prepare_directory", "reserve_readers_table", "sync_directory"]

MAGIC = b"proofbase store"
READERS_TABLE = "lock.mdb"
# Files that a store's directory may hold before its first commit; tables of values may be built before it is a store.
_OWN_FILES = {LOCK_FILE, READERS_TABLE, DATA_FILE, "tables", "access"}


def prepare_directory(directory: str, *, create: bool) -> None:
    """Makes sure that a directory may be opened as a store, without a change to any file that is there.

    Raises:
        NotAStoreError: something else is there.
        StoreDamagedError: a store was there, and its data file is missing or empty.
        StoreNotFoundError: nothing is there, and `create` is not set.
        StoreReadOnlyError, StoreFullError, StoreError: the directory cannot be read or made.
    """
    try:
        names = set(os.listdir(directory))
    except NotADirectoryError:
        raise NotAStoreError(f"{directory} is a file; a store is a directory") from None
    except FileNotFoundError:
        if not create:
            raise StoreNotFoundError(errno.ENOENT, f"there is no store at {directory}") from None
        _make_directory(directory)
        return
    except OSError as error:
        raise StoreReadOnlyError(error.errno, f"{directory} cannot be read: {error.strerror}") from None
    missing = DATA_FILE not in names
    if missing or _is_empty(directory):
        if missing and names - _OWN_FILES:
            raise NotAStoreError(f"{directory} holds other files ({min(names - _OWN_FILES)}, ...) and no store")
        _refuse_lost_data(directory, missing=missing, used=READERS_TABLE in names)
        if not create:
            raise StoreNotFoundError(errno.ENOENT, f"there is no store in {directory}")
    elif LOCK_FILE not in names:
        # Every store has the lock file of proofbase from the beginning: a directory without one needs a closer look.
        refuse_foreign_file(directory)
        _refuse_other_programs(directory)


def _is_empty(directory: str) -> bool:
    try:
        return os.path.getsize(os.path.join(directory, DATA_FILE)) == 0
    except OSError:
        return False


def _refuse_lost_data(directory: str, *, missing: bool, used: bool) -> None:
    """Refuses a directory whose other files say that it was a store.

    A process that was killed while it made a store leaves an empty or no data file, and the line `NEW_STORE` in the
    lock file.

    Args:
        directory: of the store.
        missing: the data file is missing; otherwise it is empty.
        used: LMDB has opened a data file there.
    """
    line = read_line(directory)
    if line == NEW_STORE or (missing and not line and not used):
        return
    raise StoreDamagedError(
        f"{directory} was a store, and its {DATA_FILE} is {'missing' if missing else 'empty'} now: restore the file "
        "from a backup, or delete the directory to begin anew"
    )


def _refuse_other_programs(directory: str) -> None:
    """Refuses an LMDB environment that is not empty and does not have the marks of a store."""
    try:
        with lmdb.open(directory, readonly=True, create=False, lock=False, max_dbs=1) as env, env.begin() as txn:
            if not env.stat()["entries"]:
                return
            meta = env.open_db(b"meta", txn=txn, create=False)
            if txn.get(b"magic", db=meta) == MAGIC:
                return
    except (lmdb.NotFoundError, lmdb.IncompatibleError):
        pass
    except lmdb.Error as error:
        if error.code in UNWRITABLE:
            raise StoreReadOnlyError(error.code, f"{directory} cannot be read: {error}") from None
        raise NotAStoreError(f"{directory} holds a data.mdb that is no store of proofbase: {error}") from None
    raise NotAStoreError(f"{directory} is an LMDB environment of another program")


def _make_directory(directory: str) -> None:
    try:
        os.makedirs(directory, exist_ok=True)
    except (NotADirectoryError, FileExistsError):
        raise NotAStoreError(f"{directory} cannot be a directory: a file is in the way") from None
    except OSError as error:
        if error.errno in UNWRITABLE:
            raise StoreReadOnlyError(error.errno, f"{directory} cannot be made: {error.strerror}") from None
        if error.errno in DISK_FULL:
            raise StoreFullError(error.errno, f"{directory} cannot be made: {error.strerror}") from None
        raise StoreError(f"{directory} cannot be made: {error.strerror}") from None


def reserve_readers_table(directory: str, readers: int) -> None:
    """Allocates the table of readers, which LMDB writes through a map: on a full disk that would be a SIGBUS.

    Must not be called while this process has the environment open: closing the file frees LMDB's locks.

    Args:
        directory: of the store.
        readers: so many entries of 64 bytes, behind a head of 128 bytes.

    Raises:
        StoreFullError: the disk has no room for it.
    """
    path = os.path.join(directory, READERS_TABLE)
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError:
        return  # liblmdb says what is wrong
    try:
        reserve_disk(descriptor, 0, max(os.fstat(descriptor).st_size, 128 + 64 * readers))
    except OSError as error:
        if error.errno in DISK_FULL:
            raise StoreFullError(error.errno, f"the disk of the store {directory} is full ({path})") from None
    finally:
        os.close(descriptor)


def sync_directory(path: str) -> None:
    """Makes the entries of a directory durable."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return  # a parent directory that this user may not read: its durability cannot be promised
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
