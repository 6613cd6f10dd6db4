"""A check of every page of the data file, whether or not anything says that it was changed."""

from __future__ import annotations

from proofbase.storage.errors import StoreLockedError
from proofbase.storage.lmdb.data_file import DataFile, Note
from proofbase.storage.lmdb.environment import Environment
from proofbase.storage.lmdb.writer_lock import WriterLock, read_line

__all__ = ["check_pages"]


def check_pages(environment: Environment) -> str | None:
    """Checks the pages while no writer is at work.

    Returns:
        Why they were not checked; None where they are sound.

    Raises:
        StoreDamagedError: they are not sound.
    """
    if not environment.read_only:
        return "the pages of the file are not checked while this process writes to it"
    try:
        lock = WriterLock.keep_writers_out(environment.directory)
    except StoreLockedError as error:
        holder = "another process" if error.pid is None else f"process {error.pid}"
        return f"the pages of the file were not checked, since {holder} has the store open for writing"
    file = DataFile(environment.directory)
    try:
        file.check(Note.read(read_line(environment.directory)))
    finally:
        file.close()
        if lock is not None:
            lock.release()
    return None
