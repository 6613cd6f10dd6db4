"""The numbers that sources of records have in a package."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from proofbase.engine.records import Record, decode_record, encode_record
from proofbase.storage.entries import Source

__all__ = ["SourceNumbers"]


class SourceNumbers:
    """Gives the sources of records the numbers that they have in a package.

    Args:
        stored: the sources of the store, by number.
        known: those that the package has already; new ones come behind them.

    Attributes:
        sources: of the package, by number.
        highest: the highest number in the store of a source that was given one.
        used: numbers in the package that were given.
    """

    def __init__(self, stored: Sequence[Source], known: Sequence[Source]) -> None:
        self._stored = {source.number: source for source in stored}
        self._numbers = {(source.text, source.program): source.number for source in known}
        self.sources = list(known)
        self.highest = 0
        self.used: set[int] = set()
        self._changed: dict[bytes, bytes] = {}

    def of(self, record: bytes) -> bytes:
        """The record with the new numbers. Few records of a game differ, so each is worked out once."""
        renumbered = self._changed.get(record)
        if renumbered is None:
            claims = decode_record(record).claims
            renumbered = encode_record(Record(tuple(claim.with_source(self._number(claim.source)) for claim in claims)))
            if len(self._changed) > 100_000:
                self._changed.clear()
            self._changed[record] = renumbered
        return renumbered

    def _number(self, number: int | None) -> int | None:
        source = None if number is None else self._stored.get(number)
        if source is None:
            return None
        self.highest = max(self.highest, source.number)
        about = source.text, source.program
        if about not in self._numbers:
            self._numbers[about] = len(self.sources) + 1
            self.sources.append(replace(source, number=len(self.sources) + 1))
        self.used.add(self._numbers[about])
        return self._numbers[about]
