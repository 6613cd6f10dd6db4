"""The check of a file's records before they are stored: the local check of the union of the file and the store.

A file may bring one claim of a position while the store has the other, so the records of both are merged before they
are checked. Claims that only the store has are not the file's: other claims may rest on them, and no finding about them
counts.

Memory: of the file, one table of its records (docs/service.md tells the bytes); of a game with cycles
also its safety claims (docs/store-format.md); all else is bounded by a chunk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from proofbase.engine.checking.local_check import Finding, LocalCheck
from proofbase.engine.records import Claim, decode_record
from proofbase.service.commands.transfer.import_formats import Item, RecordFile
from proofbase.service.errors import LimitExceededError, UnsoundRecordsError
from proofbase.service.resources import Resources
from proofbase.service.resources.closed_sets import check_with_store, closed_chunks, load_stored, merged, united
from proofbase.service.resources.native import is_native, new_record_table
from proofbase.service.resources.pace import paced
from proofbase.service.resources.stop_signal import StopSignal

__all__ = ["CHUNK", "checked_records"]

CHUNK = 10_000
"""Records at a time at most."""
PYTHON_CHUNK = 100
"""The same for the rules in plain Python, which keep the positions of a chunk."""


def checked_records(
    resources: Resources, file: RecordFile, stop: StopSignal
) -> tuple[Callable[[], Iterator[Item]], Callable[[], Iterator[list[Item]]]]:
    """The records of a file, merged, when all of them pass the local check.

    A record that contradicts the stored one is checked without it: storing it refuses it, with both sources.

    Returns:
        Two readers: one of the records by ascending keys, one of `closed_chunks` of them.

    Raises:
        MalformedCertificateError, MalformedRecordError, ContradictionError: the file is not as its format asks for, or
            contradicts itself.
        UnsoundRecordsError: records fail.
        LimitExceededError: checking the file would take more memory than `job_memory_bytes`.
        CallCancelledError: `stop` was set.
    """
    return (_checked_natively if is_native(file.game) else _checked_by_python)(resources, file, stop)


def _checked_natively(
    resources: Resources, file: RecordFile, stop: StopSignal
) -> tuple[Callable[[], Iterator[Item]], Callable[[], Iterator[list[Item]]]]:
    game, tables = file.game, resources.tables.of(file.game)
    stored = partial(resources.undamaged.get_many, game.name)
    table = new_record_table(game, tables)
    for chunk in stop.checked(paced(file.items(), CHUNK)):
        table.load(chunk)
        _check_memory(resources, table.nbytes)
    for chunk in stop.checked(paced(file.items(), CHUNK)):
        load_stored(table, [key for key, _ in chunk], stored)
    faults = _Faults(game.name)
    for chunk in stop.checked(paced(file.items(), CHUNK)):
        faults.add(chunk, check_with_store(table, list(dict(chunk)), stored))
    faults.refuse()
    return (
        lambda: (item for chunk in table.chunks(CHUNK, stop=stop.native_flag()) for item in chunk),
        lambda: closed_chunks(game, table, stored, tables, stop=stop.native_flag()),
    )


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
    resources: Resources, file: RecordFile, stop: StopSignal
) -> tuple[Callable[[], Iterator[Item]], Callable[[], Iterator[list[Item]]]]:
    game = file.game
    records = merged(file.items())
    both = united(records, partial(resources.undamaged.get_many, game.name))
    check, faults = LocalCheck(game, resources.tables.of(game)), _Faults(game.name)
    for chunk in stop.checked(paced(file.items(), PYTHON_CHUNK)):
        keys = list(dict(chunk))
        batch = [(key, data) for key, data in zip(keys, both(keys), strict=True) if data is not None]
        faults.add(chunk, list(check.findings(batch, both)))
    faults.refuse()
    items = sorted(records.items())
    return lambda: iter(items), lambda: iter([items])


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
