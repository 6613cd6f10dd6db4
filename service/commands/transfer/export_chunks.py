"""The file of an export in chunks, counted and with its fingerprint; a reader may break it off at any time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable, Iterator

from proofbase.engine.errors import SearchCancelledError
from proofbase.service.answers import Cut, ExportSummary
from proofbase.service.commands.transfer.fingerprints import FileFingerprint
from proofbase.service.resources.stop_signal import StopSignal

__all__ = ["Export", "Item"]

Item = tuple[bytes, bytes]
"""The key and the record of a position, as they are stored."""
CHUNK_BYTES = 1 << 18


class Export(Iterator[bytes]):
    """A file in chunks of at most 256 KiB; `summary` is set after the last chunk.

    An export that is under way holds a read transaction of the store, which keeps the pages (or rows) of its moment:
    exhaust it or `close()` it.

    Attributes:
        stop: ends the export at its next record, in whatever thread that is.
    """

    def __init__(
        self,
        package: str | None,
        parts: Callable[[Export], Iterator[bytes]],
        cut: Callable[[], Cut | None] = lambda: None,
    ) -> None:
        self.stop = StopSignal()
        self._reading = threading.Lock()
        self._package = package
        self._cut = cut
        self._buffer = bytearray()
        self._bytes = 0
        self.records = 0
        self.fingerprint: FileFingerprint | None = None
        self.summary: ExportSummary | None = None
        self._parts = _as_generator(parts(self))

    def __next__(self) -> bytes:
        try:
            with self._reading:
                if self.stop.is_set:
                    raise StopIteration
                try:
                    return self._next()
                except SearchCancelledError:
                    self.stop.check()
                    raise
        finally:
            if self.stop.is_set:
                self.close()

    def close(self) -> None:
        """Ends the export and its transaction, from any thread. A chunk that another thread reads now ends soon."""
        self.stop.set()
        if self._reading.acquire(blocking=False):
            try:
                self._parts.close()
            finally:
                self._reading.release()

    def _next(self) -> bytes:
        while len(self._buffer) < CHUNK_BYTES:
            part = next(self._parts, None)
            if part is None:
                break
            self._buffer += part
        if not self._buffer:
            stated = None if self.fingerprint is None else self.fingerprint.text
            self.summary = ExportSummary(self.records, self._bytes, self._cut(), stated, self._package)
            raise StopIteration
        chunk = bytes(self._buffer[:CHUNK_BYTES])
        del self._buffer[:CHUNK_BYTES]
        self._bytes += len(chunk)
        return chunk

    def counted(self, game: str, items: Iterable[Item]) -> Iterator[Item]:
        """The same items of a game; each is counted, and added to the fingerprint, when it is taken."""
        added = self.fingerprint = FileFingerprint(game)
        for item in self.stop.checked(items):
            self.records += 1
            added.add(*item)
            yield item

    def counted_lines(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """The same lines, each of which is about one estimate: those have no fingerprint."""
        for line in self.stop.checked(lines):
            self.records += 1
            yield line

    def stated_fingerprint(self) -> str:
        """The fingerprint of the items that were taken so far."""
        assert self.fingerprint is not None, "asked after the items"
        return self.fingerprint.text


def _as_generator(parts: Iterator[bytes]) -> Generator[bytes]:
    """The same parts, to be closed."""
    yield from parts
