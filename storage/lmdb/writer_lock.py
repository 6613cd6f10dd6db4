"""One writing process per directory, by flock: the kernel frees the lock of a killed process.

The lock file also keeps what the writer last knew of the data file (see `data_file`): 64 bytes with the number of the
process, then one line that no program but proofbase writes.
"""

from __future__ import annotations

import errno
import fcntl
import os
import time
from contextlib import suppress
from typing import Self

from proofbase.storage.errors import StoreError, StoreLockedError, StoreReadOnlyError
from proofbase.storage.lmdb.failures import UNWRITABLE, reason

LOCK_FILE = "writer.lock"
NEW_STORE = "new store"
"""The line while a store is being made: its data file may be empty or missing."""

_LINE_OFFSET = 64
_LINE_BYTES = 256
# How long a writer waits for readers that hold the lock while they check the data file.
_READERS_SECONDS = 2.0


def read_line(directory: str) -> str | None:
    """The line of the lock file: "" when there is none, as in files of release 0.1.0; None without a lock file.

    An empty lock file has the line `NEW_STORE`: a writer died before it could write even its number, or had no room.
    """
    try:
        descriptor = os.open(os.path.join(directory, LOCK_FILE), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        if not os.fstat(descriptor).st_size:
            return NEW_STORE
        return os.pread(descriptor, _LINE_BYTES, _LINE_OFFSET).partition(b"\n")[0].decode("ascii", "replace")
    except OSError:
        return ""
    finally:
        os.close(descriptor)


class WriterLock:
    """A lock that is held until `release`, or until the process ends."""

    def __init__(self, path: str, descriptor: int) -> None:
        self._path = path
        self._descriptor = descriptor

    @classmethod
    def acquire(cls, directory: str) -> Self:
        """Becomes the one writer of `directory`.

        Raises:
            StoreLockedError: another process is the writer.
            StoreReadOnlyError: the lock file cannot be written.
        """
        path = os.path.join(directory, LOCK_FILE)
        while True:
            try:
                descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            except OSError as error:
                if error.errno in UNWRITABLE:
                    raise StoreReadOnlyError(
                        f"the store {directory} cannot be written: {error.strerror} ({path})"
                    ) from None
                raise StoreError(f"the store {directory} cannot be opened: {reason(error)} ({path})") from None
            lock_exclusively(descriptor, directory)
            lock = cls(path, descriptor)
            if lock.in_place():
                break
            lock.release()  # the file was replaced between open and lock: lock the one that is there now
        # On a full disk the lock holds even without the number of its process.
        with suppress(OSError):
            os.pwrite(descriptor, b"%-63d\n" % os.getpid(), 0)
        return lock

    @classmethod
    def keep_writers_out(cls, directory: str) -> Self | None:
        """Holds the lock for reading: while LMDB cannot note this reader down, or while the data file is checked.

        Returns:
            None when there is no lock file: then no writer of proofbase is at work.

        Raises:
            StoreLockedError: a writer is at work.
        """
        path = os.path.join(directory, LOCK_FILE)
        for mode in (os.O_RDWR, os.O_RDONLY):  # a reader that may write the line saves the next one a check
            try:
                descriptor = os.open(path, mode | os.O_CLOEXEC)
            except OSError:
                continue
            _lock(descriptor, fcntl.LOCK_SH, directory)
            return cls(path, descriptor)
        return None

    def in_place(self) -> bool:
        """Whether the locked file is the one that other processes find in the directory."""
        try:
            return os.path.samestat(os.stat(self._path), os.fstat(self._descriptor))
        except OSError:
            return False

    def write_line(self, line: str) -> None:
        """Replaces the line. It is not flushed to the disk: after a power failure the line may be an older one."""
        # On a full disk the data file is checked once more than needed.
        with suppress(OSError):
            os.pwrite(self._descriptor, f"{line}\n".ljust(_LINE_BYTES).encode("ascii"), _LINE_OFFSET)

    def forget_line(self) -> None:
        """Makes durable that nothing is known of the data file: the next process checks all of it.

        Raises:
            OSError: the disk does not take it.
        """
        os.pwrite(self._descriptor, b"\n".ljust(_LINE_BYTES), _LINE_OFFSET)
        os.fsync(self._descriptor)

    def release(self) -> None:
        """Releases the lock. In a forked child only the child's copy is closed: the parent still holds the lock."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def lock_exclusively(descriptor: int, directory: str) -> None:
    """Locks an open file against all other processes, and closes it when that fails.

    Raises:
        StoreLockedError: another process holds a lock on the file.
    """
    deadline = time.monotonic() + _READERS_SECONDS
    while _only_readers_hold(descriptor) and time.monotonic() < deadline:
        time.sleep(0.01)
    _lock(descriptor, fcntl.LOCK_EX, directory)


def _only_readers_hold(descriptor: int) -> bool:
    """Whether others hold the lock, and all of them for reading."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return False
    except OSError:
        pass
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return False
    fcntl.flock(descriptor, fcntl.LOCK_UN)
    return True


def _lock(descriptor: int, kind: int, directory: str) -> None:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except OSError as error:
        owner = os.pread(descriptor, 32, 0).split()
        os.close(descriptor)
        if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
            raise StoreError(f"the store {directory} cannot be locked: {error.strerror}") from None
        raise StoreLockedError(directory, int(owner[0]) if owner and owner[0].isdigit() else None) from None
