"""The check of a file's records before they are stored: the local check of the union of the file and the store.

A file may bring one claim of a position while the store has the other, so the records of both are merged before they
are checked. Claims that only the store has are not the file's: other claims may rest on them, and no finding about them
counts.

Memory: of the file, one table of its records (docs/service.md tells the bytes); all else is bounded by a chunk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from proofbase.engine.checking.local_check import Finding, LocalCheck
from proofbase.engine.records import Claim, RecordError, decode_record, merge_encoded, without_sources
from proofbase.service.commands.transfer.import_formats import Item, RecordFile
from proofbase.service.errors import LimitExceededError, UnsoundRecordsError
from proofbase.service.jobs.local_checks import load_sound
from proofbase.service.resources import Resources
from proofbase.service.resources.native import is_native, new_record_table
from proofbase.service.resources.pace import paced
from proofbase.service.resources.stop_signal import StopSignal

__all__ = ["CHUNK", "checked_records"]

CHUNK = 10_000
"""Records at a time at most."""
PYTHON_CHUNK = 100
"""The same for the rules in plain Python, which keep the positions of a chunk."""


def checked_records(resources: Resources, file: RecordFile, stop: StopSignal) -> Callable[[], Iterator[Item]]:
    """The records of the file, merged and by ascending keys, when all of them pass the local check.

    A record that contradicts the stored one is checked without it: storing it refuses it, with both sources.

    Raises:
        MalformedCertificateError, MalformedRecordError, ContradictionError: the file is not as its format asks for, or
            contradicts itself.
        UnsoundRecordsError: records fail.
        LimitExceededError: checking the file would take more memory than `job_memory_bytes`.
        CallCancelledError: `stop` was set.
    """
    return (_checked_natively if is_native(file.game) else _checked_by_python)(resources, file, stop)


def _checked_natively(resources: Resources, file: RecordFile, stop: StopSignal) -> Callable[[], Iterator[Item]]:
    game, store = file.game, resources.undamaged

    def load_stored(keys: Sequence[bytes]) -> None:
        stored = zip(keys, store.get_many(game.name, keys), strict=True)
        load_sound(game, table, [(key, data) for key, data in stored if data is not None])

    table = new_record_table(game, resources.tables.of(game))
    for chunk in stop.checked(paced(file.items(), CHUNK)):
        table.load(chunk)
        _check_memory(resources, table.nbytes)
    for chunk in stop.checked(paced(file.items(), CHUNK)):
        load_stored([key for key, _ in chunk])
    faults = _Faults(game.name)
    for chunk in stop.checked(paced(file.items(), CHUNK)):
        keys = list(dict(chunk))
        outside = table.missing(keys)
        load_stored(outside)
        faults.add(chunk, table.check(keys).findings)
        table.remove(outside)
    faults.refuse()
    return lambda: (item for chunk in table.chunks(CHUNK, stop=stop.native_flag()) for item in chunk)


def _check_memory(resources: Resources, size: int) -> None:
    largest = resources.limits.job_memory_bytes
    if size > largest:
        raise LimitExceededError(
            f"the records of the file take more than {largest} bytes of memory: import it in parts, or raise the limit",
            limit="job_memory_bytes",
            largest=largest,
            field="data",
        )


def _checked_by_python(resources: Resources, file: RecordFile, stop: StopSignal) -> Callable[[], Iterator[Item]]:
    game, store = file.game, resources.undamaged
    records: dict[bytes, bytes] = {}
    for key, data in file.items():
        present = records.get(key)
        records[key] = data if present is None else merge_encoded(present, data, None) or present

    def united(keys: Sequence[bytes]) -> list[bytes | None]:
        stored = store.get_many(game.name, keys)
        return [_union(records.get(key), data) for key, data in zip(keys, stored, strict=True)]

    check, faults = LocalCheck(game, resources.tables.of(game)), _Faults(game.name)
    for chunk in stop.checked(paced(file.items(), PYTHON_CHUNK)):
        keys = list(dict(chunk))
        batch = [(key, data) for key, data in zip(keys, united(keys), strict=True) if data is not None]
        faults.add(chunk, list(check.findings(batch, united)))
    faults.refuse()
    return lambda: ((key, records[key]) for key in sorted(records))


def _union(ours: bytes | None, stored: bytes | None) -> bytes | None:
    """What the file and the store say of a position; what the file says where the two contradict each other."""
    if ours is None or stored is None:
        return stored if ours is None else ours
    try:
        return merge_encoded(ours, without_sources(stored), None) or ours
    except RecordError:
        return ours


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
