"""The stored records of a game as work sees them that will replace damaged ones."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from functools import partial

from proofbase.storage import MalformedRecordError, SolutionStore

__all__ = ["UndamagedRecords"]

_log = logging.getLogger(__name__)


class UndamagedRecords:
    """Reads a store. Damaged records count as absent: a search proves them anew, and its records take their place."""

    def __init__(self, store: SolutionStore) -> None:
        self._store = store

    def of(self, game: str) -> Callable[[Iterable[bytes]], list[bytes | None]]:
        """`get_many` for the records of one game."""
        return partial(self.get_many, game)

    def get_many(self, game: str, keys: Iterable[bytes]) -> list[bytes | None]:
        """The records of the keys, in the order asked, None where there is none or it is damaged."""
        faults: list[MalformedRecordError] = []
        records = self._store.get_many(game, keys, faults)
        for error in faults:
            _log.warning("a damaged record is taken as absent: %s", error)
        return records
