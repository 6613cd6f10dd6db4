"""Rows of sources."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable
from typing import TYPE_CHECKING

import lmdb

from proofbase.storage.entries import Source
from proofbase.storage.lmdb.databases import Databases
from proofbase.storage.lmdb.environment import Unchanged
from proofbase.storage.lmdb.rows import damaged_row, open_row, seal_row

if TYPE_CHECKING:
    Transaction = lmdb.Transaction[bytes]

__all__ = [
    "NUMBER",
    "KnownSources",
    "close_sources",
    "closed_sources",
    "put_closed_sources",
    "read_source",
    "source_row",
]

NUMBER = struct.Struct(">I")
"""The key of a source."""
_CLOSED = b"closed_sources:"
"""In `meta`, with the number of a game behind it: up to which number its sources are closed."""


class KnownSources:
    """The sources of a store as far as they were read. Stored sources never change.

    Attributes:
        texts: by number.
    """

    def __init__(self) -> None:
        self.texts: dict[int, str] = {}
        self._newest: dict[str, Source] = {}

    def add(self, sources: Iterable[Source]) -> None:
        """Adds sources, by ascending numbers."""
        for source in sources:
            self.texts[source.number] = source.text
            self._newest[source.text] = source

    def newest(self, text: str, closed: int) -> Source | None:
        """The newest source of a text, if this release may use it where sources up to `closed` are closed."""
        source = self._newest.get(text)
        return source if source is not None and source.takes(closed) else None


def closed_sources(txn: Transaction, meta: lmdb._Database, game: int) -> int:
    """Up to which number the sources of a game are closed."""
    place = _CLOSED + NUMBER.pack(game)
    row = txn.get(place, db=meta)
    return 0 if row is None else int(NUMBER.unpack(open_row("meta", place, row, sealed=True))[0])


def put_closed_sources(txn: Transaction, meta: lmdb._Database, game: int, closed: int) -> None:
    """Notes up to which number the sources of a game are closed."""
    place = _CLOSED + NUMBER.pack(game)
    txn.put(place, seal_row("meta", place, NUMBER.pack(closed)), db=meta)


def close_sources(txn: Transaction, dbs: Databases, game: int) -> int:
    """Closes the sources of a game, and gives the highest number of a source.

    Raises:
        Unchanged: with that number, where they are closed already.
    """
    with txn.cursor(dbs.sources) as cursor:
        highest = int(NUMBER.unpack(cursor.key())[0]) if cursor.last() else 0
    if closed_sources(txn, dbs.meta, game) == highest:
        raise Unchanged(highest)
    put_closed_sources(txn, dbs.meta, game, highest)
    return highest


def source_row(source: Source) -> tuple[bytes, bytes]:
    """The key and the row of a source."""
    place, row = NUMBER.pack(source.number), {"text": source.text, "created": source.created, "program": source.program}
    return place, seal_row("sources", place, json.dumps(row).encode())


def read_source(number: bytes, stored: bytes, *, sealed: bool) -> Source:
    """Inverse of `source_row`; `sealed` as in `open_row`.

    Raises:
        StoreDamagedError: the row is not what was stored.
    """
    row = open_row("sources", number, stored, sealed=sealed)
    try:
        entries = json.loads(row)
        return Source(NUMBER.unpack(number)[0], entries["text"], entries["created"], entries.get("program", ""))
    except (ValueError, TypeError, KeyError, struct.error) as error:
        raise damaged_row("sources", number, str(error)) from None
