"""Errors of liblmdb and of the operating system as errors of a store."""

from __future__ import annotations

import errno
import mmap
import os
import resource
import tempfile

import lmdb

from proofbase.engine.system import reserve_disk
from proofbase.storage.errors import (
    NotAStoreError,
    StoreDamagedError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
)

UNWRITABLE = (errno.EACCES, errno.EPERM, errno.EROFS)
DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
TOO_MANY_FILES = (errno.EMFILE, errno.ENFILE)


def reason(error: OSError) -> str:
    """Why the operating system refused something, with what can be done where that is known."""
    if error.errno in TOO_MANY_FILES:
        return "this process has too many open files (ulimit -n)"
    return error.strerror or str(error)


def opening_error(error: lmdb.Error, directory: str) -> StoreError:
    """What it means that liblmdb could not open a directory."""
    if isinstance(error, lmdb.NotFoundError):
        return StoreDamagedError(f"the store {directory} is damaged: it lacks one of its databases")
    if isinstance(error, (lmdb.InvalidError, lmdb.VersionMismatchError)):
        return NotAStoreError(f"{directory} holds a data.mdb that is no store of proofbase: {error}")
    if error.code == errno.ENOMEM:
        return StoreError(f"the store {directory} cannot be opened: not enough address space (ulimit -v)")
    return store_error(error, directory)


def store_error(error: lmdb.Error, directory: str) -> StoreError:
    """What it means that liblmdb failed in an open store."""
    # LMDB reports a write that a full disk cut short as an I/O error.
    if error.code in DISK_FULL or (error.code == errno.EIO and not _has_room(directory)):
        return StoreFullError(errno.ENOSPC, f"the disk of the store {directory} is full: {error}")
    if error.code in UNWRITABLE:
        return StoreReadOnlyError(errno.EACCES, f"the store {directory} cannot be written: {error}")
    if error.code in TOO_MANY_FILES:
        return StoreError(f"the store {directory}: this process has too many open files (ulimit -n)")
    if isinstance(error, (lmdb.CorruptedError, lmdb.PageNotFoundError, lmdb.PanicError)):
        return StoreDamagedError(f"the store {directory} is damaged: {error}; restore it from a backup")
    return StoreError(f"the store {directory}: {error}")


def _has_room(directory: str) -> bool:
    """Whether 1 MiB can still be written into the directory, at the end of a file as large as that of the store."""
    try:
        size = os.path.getsize(os.path.join(directory, "data.mdb"))
        with tempfile.TemporaryFile(dir=directory) as probe:
            reserve_disk(probe.fileno(), size, 1 << 20)
    except OSError as error:
        return error.errno not in DISK_FULL
    return True


def address_space() -> int:
    """Bytes of address space that this process may use (ulimit -v)."""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return 1 << 47 if limit == resource.RLIM_INFINITY else limit


def has_address_space(more: int) -> bool:
    """Whether `more` bytes of address space are left to this process."""
    if more <= 0:
        return True
    try:
        mmap.mmap(-1, more, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ).close()
    except (OSError, ValueError, OverflowError):
        return False
    return True
