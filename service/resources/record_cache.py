"""In-memory copies of stored records, one native table a game: batches are answered from them, and searches use them.

A copy is used only while the store's generation of the game is the one that the copy was made from. A copy is made in
the background; until it is ready, and for games that do not fit, the store itself is asked. Damaged records are left
out of a copy, and its answers say so.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from proofbase.engine.checking.local_check import Finding
from proofbase.engine.tables import ValueTables
from proofbase.service.answers.batches import DAMAGED, INVALID, TERMINAL
from proofbase.service.resources.games import GameCache
from proofbase.service.resources.native import attach_tables, new_record_table
from proofbase.service.resources.tables import OpenTables
from proofbase.storage import MalformedRecordError, SolutionStore, StoreError
from proofbase.storage.fair_lock import FairLock

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable

__all__ = ["Copy", "RecordCache"]

_log = logging.getLogger(__name__)
LOAD_CHUNK = 50_000
MOST_COPIES = 64
"""Copies that are kept, over all games: even a copy without records takes memory."""
LOADS = 2
"""Copies that are made in the background at a time; for other games the store answers meanwhile."""
LOOK_SECONDS = 0.02
"""How often who waits for a copy looks whether it is to stop."""
SMALLEST_RECORD = 20
"""Bytes of memory for a record at the least: a game whose records do not even fit at this size is not loaded."""

Columns = tuple[bytes, bytes, bytes, bytes, bytes]
"""The columns of `PackedAnswers`."""


@dataclass
class Copy:
    """The records of a game in memory."""

    records: RecordTable
    generation: int
    """The store's generation of the game that the records are of."""
    tables: ValueTables | None
    """The tables of values that are attached."""
    used: float
    """When the copy was asked for last (time.monotonic)."""
    highest_value: int
    """The limit of the game's values."""
    damaged: set[bytes]
    """Keys of damaged records: they are not among `records`."""

    def answers(self, packed: bytes) -> Columns:
        """`RecordTable.answers`, in which damaged records are marked."""
        columns = self.records.answers(packed)
        if not self.damaged:
            return columns
        states, *numbers = map(bytearray, columns)
        size = len(packed) // max(len(states), 1)
        for index in range(len(states)):
            if packed[index * size : (index + 1) * size] in self.damaged and not states[index] & (INVALID | TERMINAL):
                states[index] = DAMAGED
                unknown = (-self.highest_value, self.highest_value, 0, 0)
                for column, number in zip(numbers, unknown, strict=True):
                    column[4 * index : 4 * index + 4] = number.to_bytes(4, "little", signed=True)
        lowers, uppers, lower_ranks, upper_ranks = map(bytes, numbers)
        return bytes(states), lowers, uppers, lower_ranks, upper_ranks

    def add(self, items: Sequence[tuple[bytes, bytes]]) -> None:
        """Takes over keys and records that the store has merged with its own."""
        self.records.load(items)
        self.damaged.difference_update(key for key, _ in items if self.damaged)

    def read_again(self, store: SolutionStore, game: str, keys: Sequence[bytes]) -> None:
        """Brings records to what the store has now, where claims have left it."""
        self.records.remove([key for key in keys if key not in self.damaged])
        left = zip(keys, store.get_many(game, keys, []), strict=True)
        self.records.load([(key, record) for key, record in left if record is not None])
        self.damaged.difference_update(keys)


class RecordCache:
    """The copies of one store.

    Args:
        store: what is copied.
        games: opens the games by name.
        limit: bytes of all copies together.
        tables: the tables of values, which searches, checks and answers that use a copy use as well.
    """

    def __init__(self, store: SolutionStore, games: GameCache, limit: int, tables: OpenTables) -> None:
        self.store, self.games, self.tables = store, games, tables
        self._limit = limit
        self._copies: dict[str, Copy] = {}
        self._cannot_be_copied: dict[str, int] = {}
        """Games whose records do not fit or cannot be read, with the generation for which that was found."""
        self._loading: dict[str, threading.Event] = {}
        self._lock = FairLock()
        """Held to write to a game whose copy has to follow. Readers do without."""
        self._loading_lock = threading.Lock()
        """Held to begin or end a load."""
        self._closed = False
        self.hits = self.misses = 0
        """Batches that a copy has answered, and those for which there was none."""

    def cached(self, game: str) -> int:
        """Number of records in the copy of a game, 0 when there is none."""
        copy = self._copies.get(game)
        return 0 if copy is None else len(copy.records)

    def answers(self, game: str, packed: bytes) -> Columns | None:
        """The answers of an up-to-date copy, None when there is none (and one is being made)."""
        copy = self._current(game)
        if copy is None:
            self.misses += 1
            return None
        self.hits += 1
        return copy.answers(packed)

    def records_in_memory(self) -> int:
        """The records of all copies together."""
        return sum(len(copy.records) for copy in list(self._copies.values()))

    def records(self, game: str, stop_if_asked: Callable[[], None] = lambda: None) -> RecordTable | None:
        """The up-to-date copy, made now when needed, for a search or a check; None when it does not fit.

        It may grow while it is used: a table of records lets writers in between its readers.

        Args:
            game: the game.
            stop: called while the copy is being made; what it raises ends the waiting.
        """
        copy = self._current(game, at_once=True)
        if copy is None:
            event = self._loading.get(game)
            while event is not None and not event.wait(LOOK_SECONDS):
                stop_if_asked()
            copy = self._current(game)
        return None if copy is None else copy.records

    def up_to_date(self, game: str) -> RecordTable | None:
        """The copy, if there is one that has what the store has now."""
        copy = self._copies.get(game)
        return copy.records if copy is not None and copy.generation == self.store.generation(game) else None

    @contextmanager
    def update_for_write(self, game: str) -> Iterator[Copy | None]:
        """Around one write to the store: the copy that the block has to change in the same way.

        None if there is no up-to-date copy.
        """
        with self._lock:
            copy = self._copies.get(game)
            # In a shared store a new generation may hold the writes of others as well: then the copy is made anew.
            alone = not self.store.shared
            up_to_date = alone and copy is not None and copy.generation == self.store.generation(game)
            yield copy if up_to_date else None
            if up_to_date and copy is not None:
                copy.used = time.monotonic()
                copy.generation = self.store.generation(game)

    def close(self) -> None:
        """Stops loading and drops the copies."""
        self._closed = True
        for event in list(self._loading.values()):
            event.wait(10)
        self._copies.clear()

    def _current(self, game: str, *, at_once: bool = False) -> Copy | None:
        """The copy if it is up to date; otherwise starts to make one.

        Args:
            game: canonical name.
            at_once: somebody waits for it, and adds to it: do not put it off until other copies are made, and make it
                even where it begins without records.
        """
        generation = self.store.generation(game)
        copy = self._copies.get(game)
        if copy is not None and copy.generation == generation:
            copy.used = time.monotonic()
            tables = self.tables.of(self.games.open(game))
            if tables is copy.tables:
                return copy
            if tables is not None:  # the files have changed since
                attach_tables(copy.records, tables)
                copy.tables = tables
                return copy
            self._copies.pop(game, None)  # the tables are gone, and cannot be detached from the copy
        if self._cannot_be_copied.get(game) != generation and (at_once or self._is_worth_a_copy(game, generation)):
            self._start_load(game, at_once=at_once)
        return None

    def _is_worth_a_copy(self, game: str, generation: int) -> bool:
        """Whether a copy has anything to answer with. Anybody can ask about games that nobody has.

        What comes over a network is not copied, and neither is what the copy's answers would leave out: tables that
        the store holds are read by Python.
        """
        if self.store.downloads or self.store.packed_tables(game) is not None:
            return False
        return generation > 0 or self.tables.of(self.games.open(game)) is not None

    def _start_load(self, game: str, *, at_once: bool) -> None:
        with self._loading_lock:
            if self._closed or game in self._loading or (len(self._loading) >= LOADS and not at_once):
                return
            event = self._loading[game] = threading.Event()
        threading.Thread(target=self._load, args=(game, event), name=f"copy of {game}", daemon=True).start()

    def _load(self, game: str, event: threading.Event) -> None:
        generation = -1
        try:
            generation = self.store.generation(game)
            self._copy(game, generation)
        except (StoreError, ValueError, ImportError, MemoryError) as error:
            # Batches are answered from the store meanwhile, and raise what is wrong with it.
            _log.warning("no in-memory copy of %s: %s", game, error)
            self._note_that_it_cannot_be_copied(game, generation)
        finally:
            with self._loading_lock:
                del self._loading[game]
            event.set()

    def _copy(self, game: str, generation: int) -> None:
        # A list, since other threads may add and drop copies meanwhile.
        others = sum(copy.records.nbytes for name, copy in list(self._copies.items()) if name != game)
        room = self._limit - others
        opened = self.games.open(game)
        tables = self.tables.of(opened)
        records = new_record_table(opened, tables)
        fits = self.store.count(game) * SMALLEST_RECORD <= room
        # The generation was read before the records: what is written in between makes the copy out of date at once.
        faults: list[MalformedRecordError] = []
        broken: list[Finding] = []
        items = self.store.scan(game, faults=faults)
        while fits and not self._closed and (chunk := list(islice(items, LOAD_CHUNK))):
            records.load(chunk, broken)
            fits = records.nbytes <= room
        damaged = {error.key or b"" for error in faults} | {fault.key for fault in broken}
        if self._closed:
            return
        if not fits:
            self._note_that_it_cannot_be_copied(game, generation)
            self._copies.pop(game, None)
            _log.info("the records of %s do not fit into the %d bytes left for copies", game, room)
            return
        if damaged:
            _log.warning("%d damaged records of %s are left out of its copy: verify it", len(damaged), game)
        self._copies[game] = Copy(records, generation, tables, time.monotonic(), opened.highest_value, damaged)
        for name, _ in sorted(self._copies.items(), key=lambda item: item[1].used)[:-MOST_COPIES]:
            self._copies.pop(name, None)

    def _note_that_it_cannot_be_copied(self, game: str, generation: int) -> None:
        while len(self._cannot_be_copied) >= MOST_COPIES:
            self._cannot_be_copied.pop(next(iter(self._cannot_be_copied)), None)
        self._cannot_be_copied[game] = generation
