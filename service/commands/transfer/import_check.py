"""The check of a file's records before they are stored: the local check of the union of the file and the store.

A file may bring one claim of a position while the store has the other, so the records of both are merged before they
are checked. Claims that only the store has are not the file's: other claims may rest on them, and no finding about them
counts.

Memory: of the file, one table of its records (docs/service.md tells the bytes); of a game with cycles
also its safety claims (docs/store-format.md); all else is bounded by a chunk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from proofbase.engine.checking.local_check import Finding, LocalCheck
from proofbase.engine.records import Claim, MalformedRecordError, RecordError, decode_record, merge_encoded
from proofbase.service.commands.transfer.import_formats import Item, RecordFile
from proofbase.service.errors import LimitExceededError, UnsoundRecordsError
from proofbase.service.resources import Resources
from proofbase.service.resources.closed_sets import check_with_store, closed_chunks, merged, united, united_with
from proofbase.service.resources.native import is_native, new_record_table
from proofbase.service.resources.stop_signal import StopSignal
from proofbase.service.resources.timed_chunks import timed_chunks
from proofbase.storage.chunks import with_key_and_sources
from proofbase.storage.entries import PutResult

__all__ = ["Comparison", "checked_records"]

CHUNK = 10_000
"""Records at a time at most."""
INCOMING = (1 << 31) - 1
"""A number that no stored source has: of claims of the file while they are compared with stored ones."""
PYTHON_CHUNK = 100
"""The same for the rules in plain Python, which keep the positions of a chunk."""


def checked_records(
    resources: Resources, file: RecordFile, source: str, stop: StopSignal
) -> tuple[Comparison, Callable[[], Iterator[list[Item]]]]:
    """The records of a file, merged, when all of them pass the local check.

    A record that contradicts the stored one is checked without it.

    Args:
        resources: the store and what belongs to it.
        file: the file.
        source: where it comes from.
        stop: ends it.

    Returns:
        What a put of the records changes, and a reader of `closed_chunks` of them.

    Raises:
        MalformedCertificateError, MalformedRecordError, ContradictionError: the file is not as its format asks for, or
            contradicts itself.
        UnsoundRecordsError: records fail.
        LimitExceededError: checking the file would take more memory than `job_memory_bytes`.
        CallCancelledError: `stop` was set.
    """
    comparison = Comparison(resources, file.game.name, source)
    return comparison, (_checked_natively if is_native(file.game) else _checked_by_python)(
        resources, file, comparison, stop
    )


class Comparison:
    """What a put of a file's records changes, as they are compared with the stored ones.

    Args:
        resources: the store and what belongs to it.
        game: name of the game.
        source: where the file comes from.
    """

    def __init__(self, resources: Resources, game: str, source: str) -> None:
        self._resources = resources
        self._game = game
        self._source = source
        self._total = PutResult()
        self._contradiction: Exception | None = None

    def stored(self, chunk: Sequence[Item]) -> list[bytes | None]:
        """Reads the stored records of some keys, and compares them with those of the file.

        Args:
            chunk: the file's records of distinct keys, merged.

        Returns:
            The stored ones, in that order; None where there is none or it is damaged.
        """
        damaged: list[MalformedRecordError] = []
        found = self._resources.store.get_many(self._game, [key for key, _ in chunk], damaged)
        improved, unchanged = len(damaged), 0  # a record takes the place of a damaged one
        for (key, data), present in zip(chunk, found, strict=True):
            if present is None:
                continue
            try:
                changed = merge_encoded(present, data, INCOMING) is not None
            except RecordError as error:
                if self._contradiction is None:
                    texts = {entry.number: entry.text for entry in self._resources.store.sources()}
                    self._contradiction = with_key_and_sources(error, self._game, key, texts, self._source)
                continue
            improved += changed
            unchanged += not changed
        self._total += PutResult(len(chunk) - improved - unchanged, improved, unchanged)
        return found

    def result(self) -> PutResult:
        """What becomes of the records.

        Raises:
            ContradictionError: one of them contradicts a stored one.
        """
        if self._contradiction is not None:
            raise self._contradiction from None
        return self._total


def _checked_natively(
    resources: Resources, file: RecordFile, comparison: Comparison, stop: StopSignal
) -> Callable[[], Iterator[list[Item]]]:
    game, tables = file.game, resources.tables.of(file.game)
    stored = resources.undamaged.of(game.name)
    table = new_record_table(game, tables)
    for chunk in stop.checked(timed_chunks(file.items(), CHUNK)):
        table.load(chunk)
        _check_memory(resources, table.nbytes)
    items = (item for chunk in table.chunks(CHUNK, stop=stop.native_flag()) for item in chunk)
    for chunk in stop.checked(timed_chunks(items, CHUNK)):
        found = zip(chunk, comparison.stored(chunk), strict=True)
        table.load([(key, data) for (key, _), data in found if data is not None], [])
    faults = _Faults(game.name)
    for chunk in stop.checked(timed_chunks(file.items(), CHUNK)):
        faults.add(chunk, check_with_store(table, list(dict(chunk)), stored))
    faults.refuse()
    memory = resources.limits.job_memory_bytes
    return lambda: closed_chunks(game, table, stored, tables, memory_bytes=memory, stop=stop.native_flag())


def _check_memory(resources: Resources, size: int) -> None:
    largest = resources.limits.job_memory_bytes
    if size > largest:
        raise LimitExceededError(
            f"the records of the file take more than {largest} bytes of memory: import it in parts, or raise the limit",
            limit="job_memory_bytes",
            largest=largest,
            field="data",
        )


def _checked_by_python(
    resources: Resources, file: RecordFile, comparison: Comparison, stop: StopSignal
) -> Callable[[], Iterator[list[Item]]]:
    game = file.game
    records = merged(file.items())
    items = sorted(records.items())
    both = united(records, resources.undamaged.of(game.name))
    check, faults = LocalCheck(game, resources.tables.of(game)), _Faults(game.name)
    for chunk in stop.checked(timed_chunks(iter(items), PYTHON_CHUNK)):
        found = zip(chunk, comparison.stored(chunk), strict=True)
        batch = [(key, united_with(data, present)) for (key, data), present in found]
        faults.add(chunk, list(check.findings(batch, both)))
    faults.refuse()
    return lambda: iter([items])


class _Faults:
    """The first finding about records of the file, and how many of these fail."""

    def __init__(self, game: str) -> None:
        self._game = game
        self._failed = 0
        self._first: Finding | None = None

    def add(self, chunk: Sequence[Item], findings: Sequence[Finding]) -> None:
        """Counts the findings about claims that the chunk brings."""
        if not findings:
            return
        claims: dict[bytes, set[Claim]] = {}
        for key, data in chunk:
            claims.setdefault(key, set()).update(decode_record(data).claims)
        own = [found for found in findings if found.claim is None or found.claim in claims[found.key]]
        self._failed += len({found.key for found in own})
        self._first = self._first or next(iter(own), None)

    def refuse(self) -> None:
        """Raises UnsoundRecordsError if there was a finding."""
        if self._first is None:
            return
        raise UnsoundRecordsError(
            f"{self._failed} records of {self._game} fail the local check; the first is key "
            f"{self._first.key.hex()}, {self._first.rule}: {self._first.detail}",
            failed=self._failed,
        )
