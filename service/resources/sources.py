"""The store's list of sources, read once for many answers."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from proofbase.service.answers import Source
from proofbase.storage import SolutionStore

__all__ = ["SourceList"]


class SourceList:
    """Where the claims of a store came from. Thread-safe. Entries never change, so only new ones are read."""

    def __init__(self, store: SolutionStore) -> None:
        self._store = store
        self._sources: list[Source] = []
        """By number, from 1 on."""
        self._lock = threading.Lock()

    def numbered(self, numbers: Iterable[int]) -> tuple[Source, ...]:
        """The sources with these numbers, in ascending order; numbers that the store does not know are left out."""
        wanted = sorted(set(numbers))
        if wanted and wanted[-1] > len(self._sources):
            self._read_new()
        known = self._sources
        return tuple(known[number - 1] for number in wanted if 0 < number <= len(known))

    def all(self) -> list[Source]:
        """Every source, by number, as the store has them now. Not to be changed."""
        self._read_new()
        return self._sources

    def _read_new(self) -> None:
        with self._lock:
            new = self._store.sources(len(self._sources) + 1)
            self._sources += [Source(entry.number, entry.text, entry.created, entry.program or None) for entry in new]
