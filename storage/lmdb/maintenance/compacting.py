"""A smaller data file for a store: a copy without the pages that hold nothing takes the place of the file.

LMDB never gives pages back to the file system: what is deleted leaves pages that later writes use again. The copy
is made and read back while the store is locked for writing, and renamed over the file in one step; a process that is
killed leaves the old file or the new one. Readers of other processes would go on with the old file, so there must be
none.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from pathlib import Path

from proofbase.engine.system import lock_holder
from proofbase.storage.entries import Audit
from proofbase.storage.errors import StoreBusyError, StoreDamagedError, StoreError, StoreLockedError
from proofbase.storage.lmdb.data_file import DATA_FILE, DataFile
from proofbase.storage.lmdb.directory import READERS_TABLE, sync_directory
from proofbase.storage.lmdb.maintenance.hot_copy import copied_with_progress, read_back
from proofbase.storage.lmdb.maintenance.new_directory import NewDirectory, full_or_failed
from proofbase.storage.lmdb.store import LmdbStore
from proofbase.storage.lmdb.writer_lock import WriterLock
from proofbase.storage.progress import OnProgress
from proofbase.storage.sizes import StoreSizes

__all__ = ["compact_directory"]

NEW_FILE_DIRECTORY = "compacted"


def compact_directory(directory: Path, on_progress: OnProgress) -> tuple[StoreSizes, StoreSizes]:
    """Replaces the data file of a store by a smaller one with the same contents.

    Args:
        directory: of the store.
        on_progress: told how far it is.

    Returns:
        The sizes before and after.

    Raises:
        StoreLockedError: another process has the store open, for writing or for reading.
        StoreBusyError: another process wrote to the store in between; nothing was changed.
        StoreDamagedError: the store is damaged; nothing was changed.
        StoreError: it cannot be read or written; nothing was changed.
    """
    directory = Path(os.path.realpath(directory))
    with LmdbStore(str(directory), create=False) as store:
        before = store.sizes()
        others = [reader.pid for reader in before.readers if reader.pid != os.getpid()]
        if others:
            raise _open_elsewhere(directory, others[0])
        new = NewDirectory(directory / NEW_FILE_DIRECTORY)
        try:
            copied_with_progress(store, new.path, on_progress, compact=True)
            shutil.copymode(directory / DATA_FILE, new.path / DATA_FILE)
            _compare(store, read_back(new.path, on_progress))
            _sync(new.path / DATA_FILE)
            commit = _commit_of(directory)
            store.close()
            _replace(directory, new.path / DATA_FILE, commit)
        except OSError as error:
            if isinstance(error, StoreError):
                raise
            raise full_or_failed(error, f"the store {directory} cannot be compacted") from None
        finally:
            new.close()
    with LmdbStore(str(directory), read_only=True) as store:
        return before, store.sizes()


def _open_elsewhere(directory: Path, pid: int | None) -> StoreLockedError:
    error = StoreLockedError(str(directory), pid)
    holder = "another process" if pid is None else f"process {pid}"
    error.args = (
        f"the store {directory} is open for reading in {holder}: stop it to compact the store; nothing was changed",
    )
    return error


def _compare(store: LmdbStore, copied: dict[str, Audit]) -> None:
    for game in store.games():
        audit = copied.get(game.name)
        kept = store.fingerprint(game.name)
        if audit is None or audit.records != game.records or (kept is not None and audit.fingerprint != kept):
            raise StoreDamagedError(f"the compacted copy has other records of {game.name}: nothing was changed")


def _commit_of(directory: Path) -> int:
    file = DataFile(str(directory))
    try:
        return file.note().commit
    finally:
        file.close()


def _replace(directory: Path, new_file: Path, commit: int) -> None:
    """Renames the new file over the old one, with every other process kept out."""
    lock = WriterLock.acquire(str(directory))
    old = DataFile(str(directory))
    table = -1
    try:
        old.lock()
        if old.note().commit != commit:
            raise StoreBusyError(f"another process wrote to {directory} in between: nothing was changed, try again")
        table = os.open(directory / READERS_TABLE, os.O_RDWR | os.O_CLOEXEC)
        try:
            fcntl.lockf(table, fcntl.LOCK_EX | fcntl.LOCK_NB, 1)
        except OSError:
            raise _open_elsewhere(directory, lock_holder(table)) from None
        # The table of readers is about the old file. Without its mark nobody can use it; the next one makes it anew.
        os.pwrite(table, bytes(8), 0)
        # Killed from here on, the file is checked when it is opened again, whichever it is.
        lock.forget_line()
        os.replace(new_file, directory / DATA_FILE)
        sync_directory(str(directory))
        new = DataFile(str(directory))
        try:
            lock.write_line(str(new.note()))
        finally:
            new.close()
    finally:
        if table >= 0:
            os.close(table)
        old.close()
        lock.release()


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
