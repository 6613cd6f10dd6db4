"""Files of a package: each appears whole, and goes on in others where a host takes no larger one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import takewhile
from pathlib import Path
from typing import IO

from proofbase.storage.errors import StoreError, StoreFullError

__all__ = ["LARGEST_FILE", "MOST_FILES", "FileInParts", "new_file", "part_names"]

MOST_FILES, LARGEST_FILE = 90, 4 * 10**9
"""What hosts of data sets, of releases and archives take: files of a package, and bytes of each."""


@contextmanager
def new_file(path: Path) -> Iterator[IO[bytes]]:
    """A file that appears whole, or not at all where the block raises.

    Raises:
        StoreFullError: it cannot be written.
    """
    new = path.with_name(path.name + ".new")
    try:
        with new.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except BaseException as error:
        with suppress(OSError):
            new.unlink()
        if isinstance(error, OSError) and not isinstance(error, StoreError) and error.strerror:
            raise StoreFullError(error.errno, f"{path} cannot be written: {error.strerror}") from None
        raise


def part_names(path: Path) -> list[str]:
    """The names of a file of `write_solution` and of the files that it goes on in."""
    later = [path.with_name(f"{path.name}.{number}") for number in range(1, MOST_FILES)]
    return [path.name, *(file.name for file in takewhile(Path.exists, later))]


class FileInParts:
    """A file that goes on in others (`NAME.1`, `NAME.2`) where it would be too large. No block is cut.

    Args:
        path: of the first.
        stack: ends them all.
    """

    def __init__(self, path: Path, stack: ExitStack) -> None:
        self._path, self._stack = path, stack
        self._file = stack.enter_context(new_file(path))
        self._before = self._number = 0

    def tell(self) -> int:
        """Bytes of all of them."""
        return self._before + self._file.tell()

    def write(self, data: bytes) -> None:
        """Writes a block, or a page of an index."""
        if self._file.tell() and self._file.tell() + len(data) > LARGEST_FILE:
            self._before, self._number = self.tell(), self._number + 1
            self._file = self._stack.enter_context(new_file(self._path.with_name(f"{self._path.name}.{self._number}")))
        self._file.write(data)
