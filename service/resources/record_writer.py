"""The only way by which records come into a store: nothing is stored unchecked. The copy in memory follows."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from proofbase.engine.checking.local_check import Finding, LocalCheck
from proofbase.engine.checking.plain_records import plain_game, plain_records
from proofbase.engine.records import decode_record
from proofbase.engine.rules import Game
from proofbase.engine.system import usable_cores
from proofbase.service.errors import UnsoundRecordsError
from proofbase.service.limits import TURN_SECONDS
from proofbase.service.resources.closed_sets import closed_chunks, merged, united
from proofbase.service.resources.native import attach_tables, is_native, new_record_table
from proofbase.service.resources.record_cache import Copy, RecordCache
from proofbase.service.resources.stop_signal import StopSignal
from proofbase.service.resources.timed_chunks import timed_chunks
from proofbase.service.resources.undamaged_records import UndamagedRecords
from proofbase.storage import Claim, RecordsRemovedError
from proofbase.storage.entries import PutResult

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable

__all__ = ["CheckedRecords", "RecordWriter"]

LEAST_WRITE, LARGEST_WRITE = 2_000, 50_000
"""Records of one transaction, whose size depends on the time that the last one took. Smaller ones take hardly less
time: a commit waits for the disk."""
CHECKED_AT_ONCE = 10_000
"""Records whose children are read from the store at a time, where there is no copy."""
CHECKED_BY_PYTHON = 100
"""Records that the rules in plain Python check at a time: they keep the positions of a chunk."""

Item = tuple[bytes, bytes]
"""A key and an encoded record."""


@dataclass(frozen=True, slots=True)
class CheckedRecords:
    """Records whose claims have passed their local check with what was stored: only `RecordWriter.check` makes them.

    Attributes:
        game: the game.
        records: of the native core, or, of a game in plain Python, by key.
        removals: `SolutionStore.removals` before the check.
    """

    game: Game[Any]
    records: RecordTable | Mapping[bytes, bytes]
    removals: int


class RecordWriter:
    """Checks records, and writes them to one store.

    Args:
        copies: in memory, of the store.
        memory_bytes: that the records of one put may take.
    """

    def __init__(self, copies: RecordCache, memory_bytes: int) -> None:
        self._copies = copies
        self._store, self._games, self._tables = copies.store, copies.games, copies.tables
        self._undamaged = UndamagedRecords(copies.store)
        self._memory_bytes = memory_bytes

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
        copy = self._copies.up_to_date(game.name)
        if copy is not None or self._store.generation(game.name) == 0:
            return check(copy).findings
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

    def _put_in_turns(self, checked: Sequence[CheckedRecords], source: str, stop: StopSignal) -> Iterator[PutResult]:
        game = checked[0].game
        plain = plain_game(game.name)
        removals = min(one.removals for one in checked)
        chunks = stop.checked(chain.from_iterable(self._chunks(one, stop) for one in checked))
        size = LEAST_WRITE
        while items := _joined(chunks, size):
            if plain is not None:
                self._put_plain(plain, items, f"{game.name}: {source}")
            with self._copies.update_for_write(game.name) as copy:
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
                    copy.add(items)
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
            memory_bytes=self._memory_bytes,
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
            with self._copies.update_for_write(game) as copy:
                if generation == self._store.generation(game):
                    return self._move_aside(game, gone, reason, copy)
        with self._copies.update_for_write(game) as copy:
            return self._move_aside(game, failing(), reason, copy)

    def _move_aside(
        self, game: str, gone: Mapping[bytes, Collection[Claim] | None], reason: str, copy: Copy | None
    ) -> int:
        some = {key: claims for key, claims in gone.items() if claims is not None}
        moved = self._store.quarantine(game, gone, reason, claims=some)
        if copy is not None:
            copy.read_again(self._store, game, list(gone))
        return moved

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
        with self._copies.update_for_write(game.name) as copy:
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
                copy.read_again(self._store, game.name, [key for key, _ in items])
            return removals + (self._store.removals(game.name) > removals)


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
