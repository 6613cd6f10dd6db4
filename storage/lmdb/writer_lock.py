"""One writing process per directory, by flock: the kernel frees the lock of a killed process."""

from __future__ import annotations

import errno
import fcntl
import os
from typing import Self

from proofbase.storage.errors import StoreError, StoreLockedError, StoreReadOnlyError

LOCK_FILE = "writer.lock"
_UNWRITABLE = (errno.EACCES, errno.EPERM, errno.EROFS)


class WriterLock:
    """A lock that is held until `release`, or until the process ends."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @classmethod
    def acquire(cls, directory: str) -> Self:
        """Becomes the one writer of `directory`.

        Raises:
            StoreLockedError: another process is the writer.
            StoreReadOnlyError: the lock file cannot be written.
        """
        path = os.path.join(directory, LOCK_FILE)
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            if error.errno in _UNWRITABLE:
                raise StoreReadOnlyError(
                    f"the store {directory} cannot be written: {error.strerror} ({path})"
                ) from None
            raise StoreError(f"the store {directory} cannot be opened: {error.strerror} ({path})") from None
        cls._lock(descriptor, fcntl.LOCK_EX, directory)
        try:
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, b"%d\n" % os.getpid(), 0)
        except OSError:
            pass  # a full disk: the lock holds even without the number of its process
        return cls(descriptor)

    @classmethod
    def keep_writers_out(cls, directory: str) -> Self | None:
        """Holds the lock for reading, where LMDB cannot write this reader into its table of readers.

        Returns:
            None when there is no lock file: then no writer of proofbase is at work.

        Raises:
            StoreLockedError: a writer is at work.
        """
        try:
            descriptor = os.open(os.path.join(directory, LOCK_FILE), os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return None
        cls._lock(descriptor, fcntl.LOCK_SH, directory)
        return cls(descriptor)

    @staticmethod
    def _lock(descriptor: int, kind: int, directory: str) -> None:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        except OSError as error:
            owner = os.pread(descriptor, 32, 0).strip()
            os.close(descriptor)
            if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                raise StoreError(f"the store {directory} cannot be locked: {error.strerror}") from None
            raise StoreLockedError(directory, int(owner) if owner.isdigit() else None) from None

    def release(self) -> None:
        """Releases the lock. In a forked child only the child's copy is closed: the parent still holds the lock."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
