"""Notices when anything else than the store's own writer changes the data file, before liblmdb follows its pages."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from typing import Any

from proofbase.storage.errors import StoreDamagedError, StoreError, StoreLockedError
from proofbase.storage.lmdb.data_file import DataFile, Note, State
from proofbase.storage.lmdb.writer_lock import WriterLock, read_line


class FileWatch:
    """The data file of an open environment. Thread-safe.

    Args:
        directory: of the store.
        lock: of the writer; None in an environment that only reads.
        writing: held around every write transaction of this process.
    """

    def __init__(self, directory: str, lock: WriterLock | None, writing: AbstractContextManager[Any]) -> None:
        self._directory = directory
        self._lock = lock
        self._writing = writing
        self._file = DataFile(directory)
        self._known: State = (0, 0, 0)
        self._own_write = False
        self._damage: tuple[State, str] | None = None
        self._readers_table: os.stat_result | None = None
        if lock is not None:
            self._file.lock()

    def check_at_open(self) -> None:
        """Compares the file with what the last writer left, and checks its pages where it is not that.

        Raises:
            StoreDamagedError: it is not sound.
        """
        self._compare()

    def opened(self) -> None:
        """Called once liblmdb has opened its files."""
        self._readers_table = self._stat_readers_table()

    def look(self) -> None:
        """Called before every read transaction, and within long ones: raises if the file was changed or cut short.

        Raises:
            StoreDamagedError: it is not sound any more.
        """
        if self._file.state() == self._known:
            return
        while True:
            known, own_write = self._known, self._own_write
            state = self._file.state()
            if state == known:
                return
            if own_write:  # of another thread: it may only grow the file
                self._refuse_shrunk(known, state)
                return
            if known is self._known:
                break
        with self._writing:
            self._compare()

    def before_write(self) -> None:
        """Called before every write transaction, with `writing` held.

        Raises:
            StoreDamagedError: the file is not sound any more, or not in its directory.
            StoreLockedError: another process found no lock file, and became a writer.
        """
        if self._file.state() != self._known:
            self._compare()
        if not self._file.in_place():
            raise StoreDamagedError(f"{self._file.path} was deleted or replaced while the store was open")
        table = self._stat_readers_table()
        if table is None or self._readers_table is None or not os.path.samestat(table, self._readers_table):
            raise StoreError(
                f"lock.mdb of {self._directory} was deleted or replaced while the store was open, so readers in other "
                "processes cannot be seen: close the store in all processes before it is written again"
            )
        self._own_write = True

    def after_write(self) -> None:
        """Called after every write transaction that `before_write` began, with `writing` held."""
        try:
            self._note()
        except StoreDamagedError:
            pass  # changed during the transaction: the next one finds out, for this one was committed
        finally:
            self._own_write = False

    def relock(self, lock: WriterLock) -> None:
        """Takes over the lock file that stands in for a deleted one."""
        self._lock = lock
        self._note()

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def _note(self) -> None:
        note = self._file.note()
        self._known = note.state
        if self._lock is not None:
            self._lock.write_line(str(note))

    def _compare(self) -> None:
        state = self._file.state()
        if state == self._known:
            return
        if self._damage is not None and self._damage[0] == state:
            raise StoreDamagedError(self._damage[1])
        note = Note.read(read_line(self._directory))
        if note is not None and note.state == state:
            self._known = state
        elif self._lock is not None:
            self._check(self._lock, note)
        else:
            self._check_as_reader()

    def _check_as_reader(self) -> None:
        try:
            lock = WriterLock.keep_writers_out(self._directory)
        except StoreLockedError:
            # A writer is at work. It looks at the file before every transaction, and notes each of them afterwards.
            known = self._known
            self._refuse_shrunk(known, self._file.state())
            return
        try:
            # As it is now that no writer is at work.
            note = Note.read(read_line(self._directory))
            if note is not None and note.state == self._file.state():
                self._known = note.state
            else:
                self._check(lock, note)
        finally:
            if lock is not None:
                lock.release()

    def _check(self, lock: WriterLock | None, note: Note | None) -> None:
        state = self._file.state()
        try:
            self._file.check(note)
        except StoreDamagedError as error:
            self._damage = state, str(error)
            raise
        checked = self._file.note()
        self._known = checked.state
        if lock is not None:
            lock.write_line(str(checked))

    def _refuse_shrunk(self, known: State, state: State) -> None:
        """`known` was read before `state`: a transaction that ends between the two only makes the file larger."""
        if state[1] < known[1]:
            raise StoreDamagedError(
                f"{self._file.path} was cut from {known[1]} to {state[1]} bytes while the store was open"
            )

    def _stat_readers_table(self) -> os.stat_result | None:
        try:
            return os.stat(os.path.join(self._directory, "lock.mdb"))
        except OSError:
            return None
