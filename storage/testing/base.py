"""What the parts of the conformance suite share: the games and keys that a store is tested with."""

from __future__ import annotations

from typing import ClassVar

import pytest

from proofbase.engine.records import without_sources
from proofbase.storage.capabilities import Capability
from proofbase.storage.entries import PutResult
from proofbase.storage.store import SolutionStore

__all__ = ["ConformanceBase", "need"]


def need(store: SolutionStore, *capabilities: Capability) -> None:
    """Skips the running test, saying why, when the store does not offer what the test is about."""
    lacking = [capability for capability in capabilities if capability not in store.capabilities]
    if lacking:
        pytest.skip(f"{type(store).__name__} does not offer {', '.join(lacking)}")


class ConformanceBase:
    """The games and keys that a store is tested with; a store that accepts other ones overrides them."""

    games: ClassVar[tuple[str, str]] = ("conformance:one", "conformance:two")
    highest_value: ClassVar[int] = 40
    rules_version: ClassVar[int] = 1

    def key(self, number: int) -> bytes:
        """A key of `games[0]`, another one for each number in 0..255; not all of one length if the game allows."""
        return bytes([number]) if number % 3 else bytes([number, 0, 255 - number])

    def put(self, store: SolutionStore, *items: tuple[bytes, bytes], source: str = "a source") -> PutResult:
        """Puts items of the first game."""
        return store.put_many(self.games[0], items, source=source, rules_version=self.rules_version)

    def plain(self, store: SolutionStore, game: str | None = None) -> list[tuple[bytes, bytes]]:
        """All records, without sources."""
        return [(key, without_sources(record)) for key, record in store.scan(game or self.games[0])]
