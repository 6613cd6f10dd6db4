"""Files that are received before they are imported: on disk, and bounded all together."""

from __future__ import annotations

import errno
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Self

from proofbase.service.errors import LimitExceededError, SpoolFullError

__all__ = ["Upload", "Uploads", "temporary_file"]

IN_MEMORY = 1 << 20
"""Smaller files are kept in memory."""


class Uploads:
    """The files that are being received. Thread-safe.

    Args:
        limit: the most bytes of one file, and of all of them together.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._total = 0
        self._lock = threading.Lock()

    def new(self, beside: int = 0) -> Upload:
        """An empty file. `beside`: bytes of the file that it is made from, which count for its limit as well."""
        return Upload(self, beside)

    def take(self, held: int, size: int) -> None:
        """Takes room for more bytes of a file that has `held` of them.

        Raises:
            LimitExceededError: the file is too large.
            SpoolFullError: the room for all imports together is full.
        """
        limit = self.limit
        if held + size > limit:
            raise LimitExceededError(
                f"an import of more than {limit} bytes", limit="import_bytes", largest=limit, field="data"
            )
        with self._lock:
            if self._total + size > limit:
                raise SpoolFullError(
                    f"the imports that are being received have {limit} bytes together, which is the limit "
                    "(import_bytes): try again later"
                )
            self._total += size

    def give_back(self, size: int) -> None:
        """Gives room back."""
        with self._lock:
            self._total -= size


class Upload:
    """A file that is kept aside until it is complete. A context manager; the file is gone with the context."""

    def __init__(self, uploads: Uploads, beside: int = 0) -> None:
        self._uploads = uploads
        self._beside = beside
        self._size = 0
        self._file: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - closed by __exit__

    @property
    def size(self) -> int:
        """Bytes that were written."""
        return self._size

    def write(self, data: bytes) -> None:
        """Adds bytes.

        Raises:
            LimitExceededError: the file is too large.
            SpoolFullError: the disk, or the room for all imports together, is full.
        """
        self._uploads.take(self._size + self._beside, len(data))
        self._size += len(data)
        try:
            self._file.write(data)
        except OSError as error:
            raise _full(error) from None

    def complete(self) -> IO[bytes]:
        """The file, at its start.

        Raises:
            SpoolFullError: the disk is full.
        """
        try:
            self._file.seek(0)
        except OSError as error:
            raise _full(error) from None
        return self._file

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # what could not be written is not needed any more
            self._file.close()
        self._uploads.give_back(self._size)
        self._size = 0


@contextmanager
def temporary_file() -> Iterator[IO[bytes]]:
    """A file that is gone with the context.

    Raises:
        SpoolFullError: the disk is full.
    """
    try:
        with tempfile.TemporaryFile() as file:
            yield file
    except OSError as error:
        if type(error) is OSError and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise _full(error) from None
        raise


def _full(error: OSError) -> SpoolFullError:
    where = tempfile.tempdir or "the temporary directory (TMPDIR)"
    return SpoolFullError(f"the import cannot be received in {where}: {error.strerror or error}")
