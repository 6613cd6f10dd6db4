"""Import a certificate or JSON lines, merging. Everything is read and checked before anything is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import IO, Any, Literal, cast

from proofbase.engine.errors import SearchCancelledError
from proofbase.engine.local_check import LocalCheck
from proofbase.engine.records import RecordError, merge_encoded
from proofbase.engine.rules import Game
from proofbase.service.answers import ImportResult
from proofbase.service.commands.transfer.import_formats import Item, RecordFile, open_certificate, open_json_lines
from proofbase.service.errors import InvalidRequestError, LimitExceededError, UnsoundRecordsError
from proofbase.service.jobs.local_checks import load_sound
from proofbase.service.resources import Resources
from proofbase.service.resources.native import is_native, new_record_table
from proofbase.service.resources.spools import Spool
from proofbase.service.resources.stop_signal import StoppableFile, StopSignal
from proofbase.storage import StoreReadOnlyError

__all__ = ["ImportFormat", "import_records"]

ImportFormat = Literal["certificate", "jsonl"]
CHUNK = 10_000
PYTHON_CHUNK = 100
"""Records that the rules in plain Python check at a time: they take some 100 us for each."""
LONGEST_SOURCE = 500


def import_records(
    resources: Resources,
    data: Spool | Iterable[bytes],
    *,
    form: ImportFormat = "certificate",
    source: str | None = None,
    stop: StopSignal | None = None,
) -> ImportResult:
    """Merges the records of a file into the store.

    Every record has to pass the local check, with the other records of the file and those of the store as its
    children, and with the tables beside the store: what is imported is as trustworthy as what was proved here. A killed
    process leaves a part of the records at the most, each of them sound.

    Args:
        resources: the store and what belongs to it.
        data: the file, complete or in chunks.
        form: its format.
        source: where it comes from, for the store's list of sources.
        stop: ends the import when it is set; records that are stored by then stay stored.

    Raises:
        InvalidRequestError: an unknown format, or a source of more than 500 characters.
        MalformedCertificateError, MalformedRecordError: the file is not in that format, damaged or truncated.
        UnsoundRecordsError: records fail the local check.
        ContradictionError: a record contradicts a stored one; both sources are named.
        RulesVersionError, UnknownGameError: for other rules than these.
        StoreReadOnlyError, StoreFullError: it cannot be written.
        LimitExceededError: the file is too large, or checking it would take more memory than `job_memory_bytes`.
        SpoolFullError: there is no room to receive it.
        CallCancelledError: `stop` was set.
    """
    stop = stop or StopSignal()
    if form not in ("certificate", "jsonl"):
        raise InvalidRequestError(f"{form!r} cannot be imported: there are certificate and jsonl", field="format")
    if source is not None and (len(source) > LONGEST_SOURCE or "\0" in source):
        raise InvalidRequestError(f"a source has at most {LONGEST_SOURCE} characters and no NUL", field="source")
    if resources.store.read_only:
        raise StoreReadOnlyError(f"the store {resources.store.url} is open read-only: nothing can be imported")
    if isinstance(data, Spool):
        return _import_file(resources, data.complete(), form, source, stop)
    with resources.spools.new() as spool:
        for chunk in data:
            spool.write(chunk)
        return _import_file(resources, spool.complete(), form, source, stop)


def _import_file(
    resources: Resources, spooled: IO[bytes], form: ImportFormat, source: str | None, stop: StopSignal
) -> ImportResult:
    file = cast("IO[bytes]", StoppableFile(spooled, stop))
    reader = open_certificate if form == "certificate" else open_json_lines
    records = reader(file, resources.games)
    game = records.game
    try:
        items = (_checked_natively if is_native(game) else _checked_by_python)(resources, records, stop)
        _refuse_contradictions(resources, game, stop.checked(items()), source or "import")
        result = resources.cache.put(
            game.name, stop.checked(items()), source=source or "import", rules_version=game.rules_version
        )
    except SearchCancelledError:
        stop.check()
        raise
    return ImportResult(
        game=game.name,
        records=result.added + result.improved + result.unchanged,
        added=result.added,
        improved=result.improved,
        unchanged=result.unchanged,
        root=records.root,
    )


def _checked_natively(resources: Resources, file: RecordFile, stop: StopSignal) -> Callable[[], Iterator[Item]]:
    """The records of the file, merged and by ascending keys, when all of them pass the local check."""
    game = file.game
    table = new_record_table(game, resources.tables.of(game))
    for chunk in _chunks(file.items()):
        table.load(chunk)
        _check_memory(resources, table.nbytes)

    def parts() -> Iterator[list[bytes]]:
        """The keys, part by part: a list of all of them would take more memory than the records."""
        for chunk in stop.checked(table.chunks(CHUNK, stop=stop.native_flag())):
            yield [key for key, _ in chunk]

    outside = list(dict.fromkeys(child for part in parts() for child in table.missing(part)))
    for part in stop.checked([outside[start : start + CHUNK] for start in range(0, len(outside), CHUNK)]):
        stored = zip(part, resources.store.get_many(game.name, part), strict=True)
        load_sound(game, table, [(key, data) for key, data in stored if data is not None])
    not_imported = set(outside)
    findings = list[tuple[bytes, str]]()
    for part in parts():
        report = table.check([key for key in part if key not in not_imported])
        findings.extend((entry.key, f"{entry.rule}: {entry.detail}") for entry in report.findings)
    if findings:
        _refuse(game, findings)
    table.remove(outside)
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
    game = file.game
    records: dict[bytes, bytes] = {}
    for key, data in file.items():
        if key in records:
            data = merge_encoded(records[key], data, None) or records[key]
        records[key] = data

    def get_many(keys: list[bytes]) -> list[bytes | None]:
        stored = resources.store.get_many(game.name, keys)
        return [records.get(key, data) for key, data in zip(keys, stored, strict=True)]

    ordered = sorted(records.items())
    check = LocalCheck(game, resources.tables.of(game))
    parts = (ordered[start : start + PYTHON_CHUNK] for start in range(0, len(ordered), PYTHON_CHUNK))
    findings = [finding for part in stop.checked(parts) for finding in check.findings(part, get_many)]
    if findings:
        _refuse(game, [(entry.key, f"{entry.rule}: {entry.detail}") for entry in findings])
    return lambda: iter(ordered)


def _refuse(game: Game[Any], findings: list[tuple[bytes, str]]) -> None:
    failed = len({key for key, _ in findings})
    key, text = findings[0]
    raise UnsoundRecordsError(
        f"{failed} records of {game.name} fail the local check; the first is key {key.hex()}, {text}", failed=failed
    )


def _refuse_contradictions(resources: Resources, game: Game[Any], items: Iterator[Item], source: str) -> None:
    for chunk in _chunks(items):
        stored = resources.store.get_many(game.name, [key for key, _ in chunk])
        for (key, data), present in zip(chunk, stored, strict=True):
            if present is None:
                continue
            try:
                merge_encoded(present, data, 1)
            except RecordError:
                # The store raises the same error with both sources, and writes nothing.
                resources.store.put_many(game.name, [(key, data)], source=source, rules_version=game.rules_version)
                raise


def _chunks(items: Iterator[Item]) -> Iterator[list[Item]]:
    while chunk := list(islice(items, CHUNK)):
        yield chunk
