"""A directory that appears whole or not at all: it is filled under another name, and renamed at the end."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
from contextlib import suppress
from pathlib import Path

from proofbase.storage.errors import NotAStoreError, StoreError, StoreFullError, StoreReadOnlyError
from proofbase.storage.lmdb.directory import sync_directory
from proofbase.storage.lmdb.failures import DISK_FULL, UNWRITABLE, reason

__all__ = ["NewDirectory", "full_or_failed"]


class NewDirectory:
    """Makes a directory in which nobody sees a store before `appear`.

    It is locked: of two processes that make the same directory, the second one is refused. What a killed process has
    left is removed.

    Args:
        target: must not exist, or be empty.

    Raises:
        NotAStoreError: the target is not empty.
        StoreReadOnlyError, StoreFullError, StoreError: it cannot be made, or another process is making it.

    Attributes:
        path: where it is being made.
    """

    def __init__(self, target: Path) -> None:
        self.target = Path(os.path.abspath(target))
        self.path = self.target.parent / f".{self.target.name}.unfinished"
        self._refuse_used()
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            raise full_or_failed(error, f"{self.target} cannot be made") from None
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._descriptor)
            raise StoreError(f"another process is making {self.target} at this moment ({self.path})") from None
        if not os.path.samestat(os.stat(self.path), os.fstat(self._descriptor)):
            os.close(self._descriptor)
            raise StoreError(f"another process was making {self.target} until this moment: try again")
        for entry in self.path.iterdir():  # of a process that was killed
            shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()

    def _refuse_used(self) -> None:
        try:
            used = next(iter(sorted(os.listdir(self.target))), None)
        except FileNotFoundError:
            return
        except NotADirectoryError:
            raise NotAStoreError(f"{self.target} is a file; a store is a directory") from None
        except OSError as error:
            raise StoreReadOnlyError(error.errno, f"{self.target} cannot be read: {error.strerror}") from None
        if used is not None:
            raise NotAStoreError(f"{self.target} is not empty ({used}): name a directory that is not there yet")

    def appear(self) -> None:
        """Gives the directory its name, durably.

        Raises:
            NotAStoreError: something has appeared there meanwhile.
        """
        for folder, _, files in os.walk(self.path):
            for name in files:
                _sync_file(os.path.join(folder, name))
            sync_directory(folder)
        try:
            os.rename(self.path, self.target)
        except OSError as error:
            if error.errno in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR):
                raise NotAStoreError(
                    f"{self.target} was made by somebody else meanwhile: nothing was changed"
                ) from None
            raise full_or_failed(error, f"{self.target} cannot be made") from None
        sync_directory(str(self.target.parent))
        self._release()

    def close(self) -> None:
        """Removes the directory if it has not appeared."""
        if self._descriptor >= 0:
            with suppress(OSError):
                shutil.rmtree(self.path)
            self._release()

    def _release(self) -> None:
        os.close(self._descriptor)
        self._descriptor = -1


def _sync_file(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def full_or_failed(error: OSError, what: str) -> StoreError:
    """What it means that the operating system refused to make or write a file."""
    if error.errno in DISK_FULL:
        return StoreFullError(errno.ENOSPC, f"{what}: {reason(error)}")
    if error.errno in UNWRITABLE:
        return StoreReadOnlyError(error.errno, f"{what}: {reason(error)}")
    return StoreError(f"{what}: {reason(error)}")
