"""In-memory copies of stored records, one native table a game: what batches are answered from and what searches know.

A copy is used only while the store's generation of the game is the one that it was made from. It is made in the
background; until it is there, and for games that do not fit, the store itself is asked.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from proofbase.engine.tables import ValueTables
from proofbase.service.games import GameShelf
from proofbase.service.native import attach_tables, new_table
from proofbase.service.table_shelf import TableShelf
from proofbase.storage import SolutionStore, StoreError
from proofbase.storage.entries import PutResult

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable
__all__ = ["RecordCache"]

_log = logging.getLogger(__name__)
LOAD_CHUNK = 50_000
SMALLEST_RECORD = 20
"""Bytes that a record needs in a table at the least: a game with more records than fit at this size is not tried."""


@dataclass
class _Copy:
    table: RecordTable
    generation: int
    values: ValueTables | None
    """The tables of values that are attached."""


class RecordCache:
    """The copies of one store.

    Args:
        store: what is copied.
        games: opens the games by name.
        limit: bytes of all copies together.
        tables: what searches and checks that use a copy may ask as well.
    """

    def __init__(self, store: SolutionStore, games: GameShelf, limit: int, tables: TableShelf) -> None:
        self._store = store
        self._games = games
        self._limit = limit
        self._tables = tables
        self._copies: dict[str, _Copy] = {}
        self._hopeless: dict[str, int] = {}
        self._loading: dict[str, threading.Event] = {}
        self._lock = threading.Lock()
        self._closed = False
        # Where others may write too, an own write does not tell the whole difference between two generations.
        self._alone = not store.url.startswith("postgresql")

    def cached(self, game: str) -> int:
        """Number of records in the copy of a game, 0 when there is none."""
        copy = self._copies.get(game)
        return 0 if copy is None else len(copy.table)

    def answers(self, game: str, packed: bytes) -> tuple[bytes, bytes, bytes, bytes, bytes] | None:
        """`RecordTable.answers` of an up-to-date copy, None when there is none (and one is being made)."""
        copy = self._current(game)
        return None if copy is None else copy.table.answers(packed)

    def table(self, game: str) -> RecordTable | None:
        """The up-to-date copy, made now when needed, for a search or a check; None when it does not fit.

        It may grow while it is used: tables let writers in between their readers.
        """
        if self._current(game) is None:
            self._wait_for_load(game)
        copy = self._current(game)
        return None if copy is None else copy.table

    def put(self, game: str, items: Iterable[tuple[bytes, bytes]], *, source: str, rules_version: int) -> PutResult:
        """Stores records and brings the copy up to date with them."""
        items = iter(items)
        total = PutResult()
        while chunk := list(islice(items, LOAD_CHUNK)):
            with self._followed(game) as copy:
                total += self._store.put_many(game, chunk, source=source, rules_version=rules_version)
                if copy is not None:
                    copy.table.load(chunk)
        return total

    def quarantine(self, game: str, keys: Iterable[bytes], reason: str) -> int:
        """Moves records out of the store and out of the copy."""
        keys = list(keys)
        with self._followed(game) as copy:
            moved = self._store.quarantine(game, keys, reason)
            if copy is not None:
                copy.table.remove(keys)
        return moved

    @contextmanager
    def _followed(self, game: str) -> Iterator[_Copy | None]:
        """For one write: the copy that the block has to change in the same way, None when there is none to keep."""
        with self._lock:
            copy = self._copies.get(game)
            fresh = self._alone and copy is not None and copy.generation == self._store.generation(game)
            yield copy if fresh else None
            if fresh and copy is not None:
                copy.generation = self._store.generation(game)

    def close(self) -> None:
        """Stops loading and lets the copies go."""
        self._closed = True
        for event in list(self._loading.values()):
            event.wait(10)
        self._copies.clear()

    def _current(self, game: str) -> _Copy | None:
        """The copy if it is up to date; otherwise starts to make one."""
        generation = self._store.generation(game)
        copy = self._copies.get(game)
        if copy is not None and copy.generation == generation:
            opened = self._games.open(game)
            values = self._tables.of(opened)
            if values is not None and values is not copy.values:  # built since
                attach_tables(copy.table, values)
                copy.values = values
            return copy
        if self._hopeless.get(game) != generation:
            self._start_load(game)
        return None

    def _start_load(self, game: str) -> None:
        with self._lock:
            if self._closed or game in self._loading:
                return
            event = self._loading[game] = threading.Event()
        threading.Thread(target=self._load, args=(game, event), name=f"copy of {game}", daemon=True).start()

    def _wait_for_load(self, game: str) -> None:
        event = self._loading.get(game)
        if event is not None:
            event.wait()

    def _load(self, game: str, event: threading.Event) -> None:
        try:
            self._copy(game)
        except (StoreError, ValueError, ImportError, MemoryError) as error:
            # Batches go on from the store and say themselves what is wrong with it.
            _log.warning("no in-memory copy of %s: %s", game, error)
            self._hopeless[game] = self._store_generation(game)
        finally:
            with self._lock:
                del self._loading[game]
            event.set()

    def _copy(self, game: str) -> None:
        generation = self._store.generation(game)
        others = sum(copy.table.nbytes for name, copy in self._copies.items() if name != game)
        room = self._limit - others
        opened = self._games.open(game)
        values = self._tables.of(opened)
        table = new_table(opened, values)
        fits = self._store.count(game) * SMALLEST_RECORD <= room
        # Older than its own generation at most by what was written since: then it is stale at once and made again.
        items = self._store.scan(game)
        while fits and not self._closed and (chunk := list(islice(items, LOAD_CHUNK))):
            table.load(chunk)
            fits = table.nbytes <= room
        if self._closed:
            return
        if not fits:
            self._hopeless[game] = generation
            self._copies.pop(game, None)
            _log.info("the records of %s do not fit into the %d bytes left for copies", game, room)
            return
        self._copies[game] = _Copy(table, generation, values)

    def _store_generation(self, game: str) -> int:
        try:
            return self._store.generation(game)
        except StoreError:
            return -1
