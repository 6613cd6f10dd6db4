"""The data file of an LMDB store: whether it is what the last writer left, and a check of its pages where it is not.

liblmdb trusts its file. A page number out of range or a file that was cut short ends the process with SIGSEGV or
SIGBUS, and a wrong list of free pages makes it overwrite records. So a file that anything else than a writer of this
store has changed is checked page by page before liblmdb sees it. That takes about 1 s for a million records, so the
writer notes after every commit how it left the file (in the line of its lock file), and a file that is still like that
is not checked again.
"""

from __future__ import annotations

import logging
import os
import re
import struct
import time
import zlib
from dataclasses import dataclass
from typing import Self

import lmdb.verify

from proofbase.storage.errors import NotAStoreError, StoreDamagedError, StoreError, StoreReadOnlyError
from proofbase.storage.lmdb.failures import reason
from proofbase.storage.lmdb.page_walk import MisledSearchError, pages_in_use
from proofbase.storage.lmdb.writer_lock import lock_exclusively

DATA_FILE = "data.mdb"
_log = logging.getLogger(__name__)
_LINE = re.compile(r"file ([0-9]+) size ([0-9]+) changed ([0-9]+) commit ([0-9]+) head ([0-9a-f]{8})")
# A meta page of LMDB 0.9: a header of 16 bytes, of which 8 are the page number, then magic, version, address, map size,
# two descriptions of trees of 48 bytes each (the first of which begins with the page size), last page, transaction.
_META = struct.Struct("=Q8xII16x I92x QQ")
_MAGIC = 0xBEEFC0DE
_LARGE_FILE = 1 << 30
_UNREADABLE = "{0} is damaged: {1}; restore the store from a backup, the damaged file was not changed"

State = tuple[int, int, int]
"""Inode, bytes and time of the last change of a file."""


@dataclass(frozen=True, slots=True)
class Note:
    """How a data file was left.

    Attributes:
        state: of the file.
        commit: number of the last transaction.
        head: checksum of both meta pages.
    """

    state: State
    commit: int
    head: int

    @classmethod
    def read(cls, line: str | None) -> Self | None:
        """The note in the line of a lock file, None when there is none."""
        fields = _LINE.fullmatch((line or "").strip())
        if fields is None:
            return None
        return cls((int(fields[1]), int(fields[2]), int(fields[3])), int(fields[4]), int(fields[5], 16))

    def __str__(self) -> str:
        inode, size, changed = self.state
        return f"file {inode} size {size} changed {changed} commit {self.commit} head {self.head:08x}"


class DataFile:
    """An open data file, beside liblmdb's own. liblmdb takes its locks elsewhere, so this one may be closed at will."""

    def __init__(self, directory: str) -> None:
        self.path = os.path.join(directory, DATA_FILE)
        self._directory = directory
        try:
            self._descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        except PermissionError as error:
            raise StoreReadOnlyError(error.errno, f"{self.path} cannot be read: {error.strerror}") from None
        except OSError as error:
            raise StoreError(f"{self.path} cannot be opened: {reason(error)}") from None

    def lock(self) -> None:
        """Locks the file against other writers, also those that found another lock file in the directory.

        Raises:
            StoreLockedError: another process writes to the file.
        """
        try:
            lock_exclusively(self._descriptor, self._directory)
        except BaseException:
            self._descriptor = -1
            raise

    def state(self) -> State:
        """What tells whether the file was changed.

        Raises:
            StoreDamagedError: the file was deleted.
        """
        status = os.fstat(self._descriptor)
        if not status.st_nlink:
            raise StoreDamagedError(f"{self.path} was deleted while the store was open")
        return status.st_ino, status.st_size, status.st_ctime_ns

    def in_place(self) -> bool:
        """Whether this is the file that is in the directory now."""
        try:
            return os.path.samestat(os.stat(self.path), os.fstat(self._descriptor))
        except OSError:
            return False

    def note(self) -> Note:
        """How the file is now. No transaction may be writing to it.

        Raises:
            StoreDamagedError: its meta pages cannot be those of a file that was written to the end.
        """
        state, metas = self.state(), self._metas()
        return Note(state, max(_META.unpack(meta)[5] for meta in metas), zlib.crc32(b"".join(metas)))

    def _metas(self) -> list[bytes]:
        head = os.pread(self._descriptor, _META.size, 0)
        metas = [head]
        if len(head) == _META.size and _META.unpack(head)[1] == _MAGIC:
            metas.append(os.pread(self._descriptor, _META.size, _META.unpack(head)[3]))
        problem = _problem_of(metas)
        if problem:
            raise StoreDamagedError(_UNREADABLE.format(self.path, problem))
        return metas

    def _pages_missing(self) -> int:
        """How many pages that are in use lie behind the end of the file, whose other pages are sound.

        Raises:
            MisledSearchError: searches would miss keys that are there.
        """
        meta = max(self._metas(), key=lambda meta: _META.unpack(meta)[5])
        page: int = _META.unpack(meta)[3]
        there = self.state()[1] // page
        used = pages_in_use(meta, page, lambda number: os.pread(self._descriptor, page, number * page))
        return max(used - there, 0)

    def check(self, note: Note | None) -> None:
        """Checks every page that can be reached, and what the file was when it was last seen.

        Args:
            note: how the file was left, None when that is not known.

        Raises:
            StoreDamagedError: the file is not sound, or older than it was.
        """
        size = self.state()[1]
        if size > _LARGE_FILE:
            _log.warning("%s was changed since the store was closed: its %d MiB are checked", self.path, size >> 20)
        began = time.monotonic()
        try:
            problems: list[str] = lmdb.verify.verify(self.path)  # type: ignore[no-untyped-call]
            if not problems and (missing := self._pages_missing()):
                problems = [f"it was cut short: {missing} pages in use are missing"]
        except (lmdb.verify.VerifyError, MisledSearchError) as error:
            problems = [str(error)]
        except StoreDamagedError:
            raise
        except OSError as error:
            raise StoreError(f"{self.path} cannot be read: {reason(error)}") from None
        except Exception as error:  # whatever bytes are there, they are at fault and not the caller
            problems = [f"its pages cannot be followed ({error!r})"]
        if problems:
            more = f" (and {len(problems) - 1} more problems)" if problems[1:] else ""
            raise StoreDamagedError(_UNREADABLE.format(self.path, f"{problems[0]}{more}"))
        present = self.note()
        _log.debug("the pages of %s are sound (%.1f s)", self.path, time.monotonic() - began)
        if note is not None and present.commit < note.commit:
            raise StoreDamagedError(
                f"{self.path} is at commit {present.commit}, and the store was at commit {note.commit}: the file is an "
                "older copy, or damaged. To take it as it is, delete writer.lock"
            )
        if note is not None and present.commit == note.commit and present.head != note.head:
            raise StoreDamagedError(_UNREADABLE.format(self.path, "its meta pages were changed by something else"))

    def close(self) -> None:
        """Closes the file, and frees its lock unless this is a forked child."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def _problem_of(metas: list[bytes]) -> str | None:
    """What is wrong with the two meta pages."""
    if len(metas) < 2 or any(len(meta) < _META.size for meta in metas):
        return "it has no meta pages"
    first, second = (_META.unpack(meta) for meta in metas)
    if any(meta[1] != _MAGIC for meta in (first, second)) or first[3] != second[3]:
        return "its meta pages are not those of an LMDB file"
    if abs(first[5] - second[5]) != 1 and (first[5] or second[5]):
        # Commits are numbered without gaps, and the two meta pages hold the last two.
        return f"its meta pages are of the commits {first[5]} and {second[5]}, which do not follow each other"
    return None


def refuse_foreign_file(directory: str) -> None:
    """Refuses a data file that nothing says to be a store's and that is no sound LMDB file.

    Raises:
        NotAStoreError: it is not.
    """
    file = DataFile(directory)
    try:
        file.check(None)
    except StoreDamagedError as error:
        raise NotAStoreError(f"{directory} holds a data.mdb that is no store of proofbase: {error}") from None
    finally:
        file.close()
