"""The directory of an LMDB store: whether a place is a store, may become one, or belongs to another program."""

from __future__ import annotations

import errno
import os

import lmdb

from proofbase.storage.errors import (
    NotAStoreError,
    StoreError,
    StoreFullError,
    StoreNotFoundError,
    StoreReadOnlyError,
)
from proofbase.storage.lmdb.writer_lock import LOCK_FILE

__all__ = ["DISK_FULL", "MAGIC", "UNWRITABLE", "prepare_directory", "sync_directory"]

MAGIC = b"proofbase store"
UNWRITABLE = (errno.EACCES, errno.EPERM, errno.EROFS)
DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
# Files that a store's directory may hold before its first commit.
_OWN_FILES = {LOCK_FILE, "lock.mdb", "data.mdb"}


def prepare_directory(directory: str, *, create: bool) -> None:
    """Makes sure that a directory may be opened as a store, without a change to any file that is there.

    Raises:
        NotAStoreError: something else is there.
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
    if "data.mdb" not in names:
        if names - _OWN_FILES:
            raise NotAStoreError(f"{directory} holds other files ({min(names - _OWN_FILES)}, ...) and no store")
        if not create:
            raise StoreNotFoundError(errno.ENOENT, f"there is no store in {directory}")
    elif LOCK_FILE not in names:
        # Every store has the lock file of proofbase from the beginning: a directory without one needs a closer look.
        _refuse_other_programs(directory)


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
