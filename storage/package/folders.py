"""Where the files of a package are read: what every such place offers, and a directory of this machine."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from proofbase.storage.closing import Closing
from proofbase.storage.errors import StoreDamagedError, StoreNotFoundError, StoreUnavailableError

__all__ = ["CHECKSUMS", "LARGEST_MANIFEST", "MANIFEST", "Allowance", "Folder", "LocalFolder", "Range", "joined"]

MANIFEST = "manifest.json"
CHECKSUMS = "SHA256SUMS"
"""The SHA-256 of all files but the manifest and itself, as `sha256sum -c` reads them."""
LARGEST_MANIFEST = 4 << 20
PART = 1 << 20
"""Bytes that a file is read by from its beginning to its end."""

Range = tuple[int, int]
"""Where bytes begin in a file, and how many they are, at least one."""


@dataclass(slots=True)
class Allowance:
    """How many requests one answer may take, from a server that answers one part of a file a request.

    Attributes:
        left: how many are left.
        kept: how many of them are for what is read later.
    """

    left: int
    kept: int = 0


class Folder(Closing):
    """A place with the files of a package. Thread-safe.

    Attributes:
        url: where it is, for messages.
        remote: whether every read is a request to another machine.
        places: all places of the package, those first that are asked first: this one, and its mirrors.
    """

    url: str
    remote: bool

    @cached_property
    def places(self) -> tuple[Folder, ...]:
        return (self,)

    @abstractmethod
    def manifest(self) -> bytes:
        """The bytes of the manifest.

        Raises:
            StoreNotFoundError: there is none.
            StoreUnavailableError: nobody answers.
        """

    @abstractmethod
    def read(self, name: str, ranges: Sequence[Range], allowance: Allowance | None = None) -> list[bytes]:
        """Bytes of a file: those of each range, in that order.

        Args:
            name: of the file.
            ranges: where they are.
            allowance: requests that are to do; they are taken off. None: as many as it takes.

        Raises:
            StoreDamagedError: there is no such file, or it is shorter.
            NotAStoreError: the server does not answer requests for parts of files.
            StoreUnavailableError: nobody answers.
        """

    def parts(self, name: str, size: int, start: int = 0) -> Iterator[bytes]:
        """A file of `size` bytes from `start` to its end, in parts of a megabyte."""
        for at in range(start, size, PART):
            yield self.read(name, [(at, min(PART, size - at))])[0]

    def close(self) -> None:
        """Ends connections."""


class LocalFolder(Folder):
    """A package in a directory of this machine."""

    remote = False

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.url = directory.absolute().as_uri()

    def manifest(self) -> bytes:
        try:
            with (self.directory / MANIFEST).open("rb") as file:
                return file.read(LARGEST_MANIFEST + 1)
        except (FileNotFoundError, NotADirectoryError):
            raise StoreNotFoundError(f"there is no package in {self.directory}: it has no {MANIFEST}") from None
        except OSError as error:
            raise StoreUnavailableError(f"the package in {self.directory} cannot be read: {error.strerror}") from None

    def read(self, name: str, ranges: Sequence[Range], allowance: Allowance | None = None) -> list[bytes]:
        try:
            file = os.open(self.directory / name, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            raise StoreDamagedError(f"the package in {self.directory} lacks its file {name}") from None
        except OSError as error:
            raise StoreUnavailableError(f"{self.directory / name} cannot be read: {error.strerror}") from None
        try:
            parts = [os.pread(file, size, start) for start, size in ranges]
        except OSError as error:
            raise StoreUnavailableError(f"{self.directory / name} cannot be read: {error.strerror}") from None
        finally:
            os.close(file)
        if any(len(data) < size for data, (_, size) in zip(parts, ranges, strict=True)):
            raise StoreDamagedError(f"{self.directory / name} is shorter than its manifest says")
        return parts


def joined(ranges: Sequence[Range], gap: int) -> list[Range]:
    """The ranges in ascending order, those together that have at most so many bytes between them."""
    joined_ranges: list[Range] = []
    for start, size in sorted(set(ranges)):
        if joined_ranges and start <= sum(joined_ranges[-1]) + gap:
            before = joined_ranges[-1][0]
            joined_ranges[-1] = before, max(sum(joined_ranges[-1]), start + size) - before
        else:
            joined_ranges.append((start, size))
    return joined_ranges
