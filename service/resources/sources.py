"""The store's list of sources, read once for many answers."""

from __future__ import annotations

from collections.abc import Iterable

from proofbase.service.answers import Source
from proofbase.storage import SolutionStore

__all__ = ["SourceList"]


class SourceList:
    """Where the claims of a store came from. Thread-safe. Entries never change, so only unknown numbers are read."""

    def __init__(self, store: SolutionStore) -> None:
        self._store = store
        self._sources: dict[int, Source] = {}

    def numbered(self, numbers: Iterable[int]) -> tuple[Source, ...]:
        """The sources with these numbers, in ascending order; numbers that the store does not know are left out."""
        wanted = sorted(set(numbers))
        known = self._sources
        if any(number not in known for number in wanted):
            known = {source.number: source for source in self.all()}
            self._sources = known
        return tuple(known[number] for number in wanted if number in known)

    def all(self) -> tuple[Source, ...]:
        """Every source, by number, as the store has them now."""
        return tuple(Source(entry.number, entry.text, entry.created) for entry in self._store.sources())
