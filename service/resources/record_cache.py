"""In-memory copies of stored records, one native table a game: batches are answered from them, and searches use them.

A copy is used only while the store's generation of the game is the one that the copy was made from. A copy is made in
the background; until it is ready, and for games that do not fit, the store itself is asked. Damaged records are left
out of a copy, and its answers say so.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from proofbase.engine.checking.cores import usable_cores
from proofbase.engine.checking.local_check import Finding, LocalCheck
from proofbase.engine.checking.plain_records import plain_game, plain_records
from proofbase.engine.records import decode_record
from proofbase.engine.rules import Game
from proofbase.engine.tables import ValueTables
from proofbase.service.answers.batches import DAMAGED, INVALID, TERMINAL
from proofbase.service.errors import UnsoundRecordsError
from proofbase.service.limits import TURN_SECONDS
from proofbase.service.resources.closed_sets import closed_chunks, merged, united
from proofbase.service.resources.games import GameCache
from proofbase.service.resources.native import attach_tables, is_native, new_record_table
from proofbase.service.resources.stop_signal import StopSignal
from proofbase.service.resources.tables import OpenTables
from proofbase.service.resources.timed_chunks import timed_chunks
from proofbase.service.resources.undamaged_records import UndamagedRecords
from proofbase.storage import Claim, MalformedRecordError, RecordsRemovedError, SolutionStore, StoreError
from proofbase.storage.entries import PutResult
from proofbase.storage.fair_lock import FairLock

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable

__all__ = ["CheckedRecords", "RecordCache"]

_log = logging.getLogger(__name__)
LOAD_CHUNK = 50_000
MOST_COPIES = 64
"""Copies that are kept, over all games: even a copy without records takes memory."""
LOADS = 2
"""Copies that are made in the background at a time; for other games the store answers meanwhile."""
LOOK_SECONDS = 0.02
"""How often who waits for a copy looks whether it is to stop."""
LEAST_WRITE, LARGEST_WRITE = 2_000, 50_000
"""Records of one transaction, whose size depends on the time that the last one took. Smaller ones take hardly less
time: a commit waits for the disk."""
CHECKED_AT_ONCE = 10_000
"""Records whose children are read from the store at a time, where there is no copy."""
CHECKED_BY_PYTHON = 100
"""The same for the rules in plain Python, which keep the positions of a chunk."""
SMALLEST_RECORD = 20
"""Bytes of memory for a record at the least: a game whose records do not even fit at this size is not loaded."""


Item = tuple[bytes, bytes]
"""A key and an encoded record."""
Columns = tuple[bytes, bytes, bytes, bytes, bytes]
"""The columns of `PackedAnswers`."""


@dataclass(frozen=True, slots=True)
class CheckedRecords:
    """Records whose claims have passed their local check with what was stored: only `RecordCache.check` makes them.

    Attributes:
        game: the game.
        records: of the native core, or, of a game in plain Python, by key.
        removals: `SolutionStore.removals` before the check.
    """

    game: Game[Any]
    records: RecordTable | Mapping[bytes, bytes]
    removals: int


@dataclass
class _Copy:
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


class RecordCache:
    """The copies of one store, and the only way by which records come into it: nothing is stored unchecked.

    Args:
        store: what is copied.
        games: opens the games by name.
        limit: bytes of all copies together.
        tables: the tables of values, which searches, checks and answers that use a copy use as well.
        writer_bytes: memory that the records of one put may take.
    """

    def __init__(
        self, store: SolutionStore, games: GameCache, limit: int, tables: OpenTables, writer_bytes: int
    ) -> None:
        self._store = store
        self._undamaged = UndamagedRecords(store)
        self._games = games
        self._limit = limit
        self._tables = tables
        self._writer_bytes = writer_bytes
        self._copies: dict[str, _Copy] = {}
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
        """Of all copies together."""
        return sum(len(copy.records) for copy in list(self._copies.values()))

    def records(self, game: str, stop: Callable[[], None] = lambda: None) -> RecordTable | None:
        """The up-to-date copy, made now when needed, for a search or a check; None when it does not fit.

        It may grow while it is used: a table of records lets writers in between its readers.

        Args:
            game: the game.
            stop: called while the copy is being made; what it raises ends the waiting.
        """
        copy = self._current(game, at_once=True)
        if copy is None:
            self._wait_for_load(game, stop)
            copy = self._current(game)
        return None if copy is None else copy.records

    def check(
        self, game: Game[Any], records: RecordTable | Mapping[bytes, bytes], *, stop: StopSignal | None = None
    ) -> CheckedRecords:
        """The local check of claims that are to be stored, with each other and with the claims that are stored.

        Damaged records of the store count as absent, and so does what it has of these positions: the claims have to
        pass as they are. All processors take part.

        Args:
            game: the game.
            records: a table of the native core, or, of a game in plain Python, records by key. They must not change
                until they are stored.
            stop: ends the check.

        Raises:
            UnsoundRecordsError: a claim fails. The message names the first one.
            CallCancelledError, SearchCancelledError: `stop` was set.
            StoreError: the store cannot be read.
        """
        removals = self._store.removals(game.name)
        findings = self._findings(game, records, stop)
        if findings:
            raise _unsound(game.name, findings)
        return CheckedRecords(game, records, removals)

    def _findings(
        self, game: Game[Any], records: RecordTable | Mapping[bytes, bytes], stop: StopSignal | None = None
    ) -> list[Finding]:
        stop = stop or StopSignal()
        if isinstance(records, Mapping):
            return self._findings_by_python(game, records, stop)
        attach_tables(records, self._tables.of(game))
        check = partial(records.check_with, threads=usable_cores(), stop=stop.native_flag())
        generation, copy = self._store.generation(game.name), self._copies.get(game.name)
        if generation == 0:
            return check(None).findings
        if copy is not None and copy.generation == generation:
            return check(copy.records).findings
        stored, findings = new_record_table(game), list[Finding]()

        def load(keys: list[bytes]) -> None:
            present = zip(keys, self._undamaged.get_many(game.name, keys), strict=True)
            stored.load([(key, data) for key, data in present if data is not None], [])

        chunks = [[key for key, _ in chunk] for chunk in records.chunks(CHECKED_AT_ONCE, stop=stop.native_flag())]
        for part in stop.checked(chunks):
            load(part)  # of a position the store may have one claim, and the records another one
        for part in stop.checked(timed_chunks(chain.from_iterable(chunks), CHECKED_AT_ONCE)):
            children = records.missing(part)
            load(children)
            findings += check(stored, part).findings
            stored.remove(children)
        return findings

    def _findings_by_python(self, game: Game[Any], records: Mapping[bytes, bytes], stop: StopSignal) -> list[Finding]:
        check = LocalCheck(game, self._tables.of(game))
        both = united(records, self._undamaged.of(game.name))
        findings = list[Finding]()
        for part in stop.checked(timed_chunks(iter(records), CHECKED_BY_PYTHON)):
            batch = [(key, data) for key, data in zip(part, both(part), strict=True) if data is not None]
            for finding in check.findings(batch, both):  # a finding about a claim that only the store has is none
                if finding.claim is None or finding.claim in decode_record(records[finding.key]).claims:
                    findings.append(finding)
        return findings

    def put(
        self,
        checked: Sequence[CheckedRecords],
        *,
        source: str,
        stop: StopSignal | None = None,
        stored: Callable[[PutResult], None] = lambda result: None,
    ) -> PutResult:
        """Stores records and brings the copy up to date with them.

        They are stored in short transactions (`TURN_SECONDS`), with room for other writers between them. After each one
        every claim of the store passes its local check (`closed_chunks`), whatever ends the put. Where records have
        left the store since the check, it is made again, and the put begins anew.

        Of `within:N:GAME` what follows from the records for the plain game is stored as well (`plain_records`), before
        them: the plain records that later ones rest on are never missing.

        Args:
            checked: of one game.
            source: as for `SolutionStore.put_many`.
            stop: ends the put after one of the transactions.
            stored: called after each transaction with its result.

        Raises:
            UnsoundRecordsError: records that a claim rests on have gone; what was put before stays stored.
            CallCancelledError, SearchCancelledError: `stop` was set.
            StoreError: as of `SolutionStore.put_many`.
        """
        total, stop = PutResult(), stop or StopSignal()
        while checked:
            try:
                for result in self._put_in_turns(checked, source, stop):
                    total += result
                    stored(result)
                return total
            except RecordsRemovedError:
                checked = [self.check(one.game, one.records, stop=stop) for one in checked]
                total = PutResult()
        return total

    def _put_in_turns(
        self,
        checked: Sequence[CheckedRecords],
        source: str,
        stop: StopSignal,
    ) -> Iterator[PutResult]:
        game = checked[0].game
        plain = plain_game(game.name)
        removals = min(one.removals for one in checked)
        chunks = stop.checked(chain.from_iterable(self._chunks(one, stop) for one in checked))
        size = LEAST_WRITE
        while items := _joined(chunks, size):
            if plain is not None:
                self._put_plain(plain, items, f"{game.name}: {source}")
            with self._update_for_write(game.name) as copy:
                started = time.monotonic()
                result = self._store.put_many(
                    game.name,
                    items,
                    source=source,
                    rules_version=game.rules_version,
                    whole=True,
                    removals=removals,
                )
                if copy is not None:
                    copy.records.load(items)
                    copy.damaged.difference_update(key for key, _ in items if copy.damaged)
                size = _next_size(len(items), time.monotonic() - started)
            yield result

    def _chunks(self, checked: CheckedRecords, stop: StopSignal) -> Iterator[Sequence[Item]]:
        if isinstance(checked.records, Mapping):
            return iter([sorted(checked.records.items())])
        return closed_chunks(
            checked.game,
            checked.records,
            lambda part: not self._findings(checked.game, part, stop),
            self._tables.of(checked.game),
            memory_bytes=self._writer_bytes,
            stop=stop.native_flag(),
        )

    def _put_plain(self, plain: Game[Any], items: Sequence[Item], source: str) -> None:
        """Stores the records of the plain game that follow from records of `within:N:GAME`.

        Those that rest on records which the store does not have are left out.
        """
        game = self._games.open(plain.name)
        records = merged(plain_records(plain, items))
        while True:
            removals = self._store.removals(game.name)
            entries: RecordTable | Mapping[bytes, bytes] = records
            if is_native(game):
                entries = new_record_table(game)
                entries.load(records.items())
            failing = {finding.key for finding in self._findings(game, entries)}
            if not failing:
                self.put([CheckedRecords(game, entries, removals)], source=source)
                return
            records = {key: data for key, data in records.items() if key not in failing}

    def quarantine(
        self, game: str, failing: Callable[[], Mapping[bytes, Collection[Claim] | None]], reason: str
    ) -> int:
        """Moves claims out of the store and out of the copy, in one step.

        Args:
            game: the game.
            failing: works out the claims that fail and all that fail without them, by key; None for whole records. It
                is called again where the records have changed meanwhile, the last time while no other thread writes.
            reason: for the quarantine.

        Returns:
            Of how many records claims were moved.
        """
        for _ in range(2):
            generation = self._store.generation(game)
            gone = failing()
            with self._update_for_write(game) as copy:
                if generation == self._store.generation(game):
                    return self._move_aside(game, gone, reason, copy)
        with self._update_for_write(game) as copy:
            return self._move_aside(game, failing(), reason, copy)

    def _move_aside(
        self, game: str, gone: Mapping[bytes, Collection[Claim] | None], reason: str, copy: _Copy | None
    ) -> int:
        some = {key: claims for key, claims in gone.items() if claims is not None}
        moved = self._store.quarantine(game, gone, reason, claims=some)
        if copy is not None:
            self._read_again(copy, game, list(gone))
        return moved

    def _read_again(self, copy: _Copy, game: str, keys: list[bytes]) -> None:
        """Brings records of a copy to what the store has now, where claims have left it."""
        copy.records.remove([key for key in keys if key not in copy.damaged])
        left = zip(keys, self._store.get_many(game, keys, []), strict=True)
        copy.records.load([(key, record) for key, record in left if record is not None])
        copy.damaged.difference_update(keys)

    def replace(
        self,
        game: Game[Any],
        sound: RecordTable,
        keys: Collection[bytes],
        instead_of: Mapping[bytes, Collection[Claim]],
        *,
        source: str,
        removals: int,
    ) -> int:
        """Stores records at once, and sets aside stored claims of the same keys (`SolutionStore.put_many`).

        Args:
            game: the game.
            sound: claims that pass with each other, and of which all others are stored.
            keys: of the records of `sound` that are to be stored.
            instead_of: stored claims that are set aside.
            source: as for `SolutionStore.put_many`.
            removals: `SolutionStore.removals` before the stored claims of `sound` were read.

        Returns:
            `removals` for the next call: claims that were set aside count as removed.

        Raises:
            UnsoundRecordsError: a claim of the records fails.
            RecordsRemovedError: records have left the store since `removals`.
        """
        items = [(key, record) for key in keys if (record := sound.get(key)) is not None]
        findings = sound.check_with(None, [key for key, _ in items], threads=usable_cores()).findings
        if findings:
            raise _unsound(game.name, findings)
        with self._update_for_write(game.name) as copy:
            self._store.put_many(
                game.name,
                items,
                source=source,
                rules_version=game.rules_version,
                whole=True,
                instead_of=instead_of,
                removals=removals,
            )
            if copy is not None:
                self._read_again(copy, game.name, [key for key, _ in items])
            return removals + (self._store.removals(game.name) > removals)

    @contextmanager
    def _update_for_write(self, game: str) -> Iterator[_Copy | None]:
        """Around one write to the store: the copy that the block has to change in the same way.

        None if there is no up-to-date copy.
        """
        with self._lock:
            copy = self._copies.get(game)
            # In a shared store a new generation may hold the writes of others as well: then the copy is made anew.
            alone = not self._store.shared
            up_to_date = alone and copy is not None and copy.generation == self._store.generation(game)
            yield copy if up_to_date else None
            if up_to_date and copy is not None:
                copy.used = time.monotonic()
                copy.generation = self._store.generation(game)

    def close(self) -> None:
        """Stops loading and drops the copies."""
        self._closed = True
        for event in list(self._loading.values()):
            event.wait(10)
        self._copies.clear()

    def _current(self, game: str, *, at_once: bool = False) -> _Copy | None:
        """The copy if it is up to date; otherwise starts to make one.

        Args:
            game: canonical name.
            at_once: somebody waits for it, and adds to it: do not put it off until other copies are made, and make it
                even where it begins without records.
        """
        generation = self._store.generation(game)
        copy = self._copies.get(game)
        if copy is not None and copy.generation == generation:
            copy.used = time.monotonic()
            tables = self._tables.of(self._games.open(game))
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
        if self._store.downloads or self._store.packed_tables(game) is not None:
            return False
        return generation > 0 or self._tables.of(self._games.open(game)) is not None

    def _start_load(self, game: str, *, at_once: bool) -> None:
        with self._loading_lock:
            if self._closed or game in self._loading or (len(self._loading) >= LOADS and not at_once):
                return
            event = self._loading[game] = threading.Event()
        threading.Thread(target=self._load, args=(game, event), name=f"copy of {game}", daemon=True).start()

    def _wait_for_load(self, game: str, stop: Callable[[], None]) -> None:
        event = self._loading.get(game)
        while event is not None and not event.wait(LOOK_SECONDS):
            stop()

    def _load(self, game: str, event: threading.Event) -> None:
        try:
            self._copy(game)
        except (StoreError, ValueError, ImportError, MemoryError) as error:
            # Batches are answered from the store meanwhile, and raise what is wrong with it.
            _log.warning("no in-memory copy of %s: %s", game, error)
            self._note_that_it_cannot_be_copied(game, self._store_generation(game))
        finally:
            with self._loading_lock:
                del self._loading[game]
            event.set()

    def _copy(self, game: str) -> None:
        generation = self._store.generation(game)
        # A list, since other threads may add and drop copies meanwhile.
        others = sum(copy.records.nbytes for name, copy in list(self._copies.items()) if name != game)
        room = self._limit - others
        opened = self._games.open(game)
        tables = self._tables.of(opened)
        records = new_record_table(opened, tables)
        fits = self._store.count(game) * SMALLEST_RECORD <= room
        # The generation was read before the records: what is written in between makes the copy out of date at once.
        faults: list[MalformedRecordError] = []
        broken: list[Finding] = []
        items = self._store.scan(game, faults=faults)
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
        self._copies[game] = _Copy(records, generation, tables, time.monotonic(), opened.highest_value, damaged)
        for name, _ in sorted(self._copies.items(), key=lambda item: item[1].used)[:-MOST_COPIES]:
            self._copies.pop(name, None)

    def _note_that_it_cannot_be_copied(self, game: str, generation: int) -> None:
        while len(self._cannot_be_copied) >= MOST_COPIES:
            self._cannot_be_copied.pop(next(iter(self._cannot_be_copied)), None)
        self._cannot_be_copied[game] = generation

    def _store_generation(self, game: str) -> int:
        try:
            return self._store.generation(game)
        except StoreError:
            return -1


def _unsound(game: str, findings: Sequence[Finding]) -> UnsoundRecordsError:
    first, failed = findings[0], len({finding.key for finding in findings})
    claim = "" if first.claim is None else f" {first.claim}:"
    return UnsoundRecordsError(
        f"{failed} records of {game} fail the local check; the first is key {first.key.hex()},{claim} {first.rule}: "
        f"{first.detail}",
        failed=failed,
    )


def _joined(chunks: Iterator[Sequence[Item]], size: int) -> list[Item]:
    """The next chunks together, as many as have the size; none of them is cut. Empty at the end."""
    items: list[Item] = []
    for chunk in chunks:
        items.extend(chunk)
        if len(items) >= size:
            break
    return items


def _next_size(stored: int, seconds: float) -> int:
    """How many records the next transaction is to store, when the last one has stored so many in this time."""
    fitting = int(stored * TURN_SECONDS / max(seconds, 1e-6))
    return max(LEAST_WRITE, min(LARGEST_WRITE, 2 * stored, fitting))
