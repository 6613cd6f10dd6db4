"""Import a certificate or JSON lines, merging. Everything is read and checked before anything is written."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import IO, Any, Literal, Self

from proofbase.engine.local_check import LocalCheck
from proofbase.engine.records import RecordError, merge_encoded
from proofbase.engine.rules import Game
from proofbase.service.answers import ImportResult
from proofbase.service.commands.transfer.import_formats import Item, RecordFile, open_certificate, open_json_lines
from proofbase.service.errors import InvalidRequestError, LimitExceededError, UnsoundRecordsError
from proofbase.service.jobs.local_checks import load_sound
from proofbase.service.resources import Resources
from proofbase.service.resources.native import is_native, new_record_table
from proofbase.storage import StoreReadOnlyError

__all__ = ["ImportFormat", "Spool", "import_records"]

ImportFormat = Literal["certificate", "jsonl"]
CHUNK = 10_000
SPOOL_MEMORY = 16 << 20
LONGEST_SOURCE = 500


class Spool:
    """A file to import, kept aside until it is complete. A context manager.

    Args:
        limit: the most bytes that are accepted.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._size = 0
        self.file: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=SPOOL_MEMORY)  # noqa: SIM115  # closed by __exit__

    def write(self, data: bytes) -> None:
        """Adds bytes.

        Raises:
            LimitExceededError: the file is too large.
        """
        self._size += len(data)
        if self._size > self._limit:
            raise LimitExceededError(
                f"an import of more than {self._limit} bytes", limit="import_bytes", largest=self._limit, field="data"
            )
        self.file.write(data)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()


def import_records(
    resources: Resources,
    data: Spool | Iterable[bytes],
    *,
    form: ImportFormat = "certificate",
    source: str | None = None,
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

    Raises:
        InvalidRequestError: an unknown format, or a source of more than 500 characters.
        MalformedCertificateError, MalformedRecordError: the file is not in that format, damaged or truncated.
        UnsoundRecordsError: records fail the local check.
        ContradictionError: a record contradicts a stored one; both sources are named.
        RulesVersionError, RulesNotLoadedError: for other rules than these.
        BrokenGameError: a user's game that breaks a requirement of `Game`: nothing it proves could be trusted.
        StoreReadOnlyError, StoreFullError: it cannot be written.
    """
    if form not in ("certificate", "jsonl"):
        raise InvalidRequestError(f"{form!r} cannot be imported: there are certificate and jsonl", field="format")
    if source is not None and (len(source) > LONGEST_SOURCE or "\0" in source):
        raise InvalidRequestError(f"a source has at most {LONGEST_SOURCE} characters and no NUL", field="source")
    if resources.store.read_only:
        raise StoreReadOnlyError(f"the store {resources.store.url} is open read-only: nothing can be imported")
    if isinstance(data, Spool):
        return _import_file(resources, data.file, form, source)
    with Spool(resources.limits.import_bytes) as spool:
        for chunk in data:
            spool.write(chunk)
        return _import_file(resources, spool.file, form, source)


def _import_file(resources: Resources, file: IO[bytes], form: ImportFormat, source: str | None) -> ImportResult:
    file.seek(0)
    reader = open_certificate if form == "certificate" else open_json_lines
    records = reader(file, resources.games)
    game = records.game
    resources.games.refuse_broken(game.name)
    items = _checked_natively(resources, records) if is_native(game) else _checked_by_python(resources, records)
    _refuse_contradictions(resources, game, items(), source or "import")
    result = resources.cache.put(game.name, items(), source=source or "import", rules_version=game.rules_version)
    return ImportResult(
        game=game.name,
        records=result.added + result.improved + result.unchanged,
        added=result.added,
        improved=result.improved,
        unchanged=result.unchanged,
        root=records.root,
    )


def _checked_natively(resources: Resources, file: RecordFile) -> Callable[[], Iterator[Item]]:
    """The records of the file, merged and by ascending keys, when all of them pass the local check."""
    game = file.game
    table = new_record_table(game, resources.tables.of(game))
    for chunk in _chunks(file.items()):
        table.load(chunk)
    keys = [key for chunk in table.chunks(CHUNK) for key, _ in chunk]
    outside = table.missing()
    stored = zip(outside, resources.store.get_many(game.name, outside), strict=True)
    load_sound(game, table, [(key, data) for key, data in stored if data is not None])
    findings = table.check(keys).findings
    if findings:
        _refuse(game, [(entry.key, f"{entry.rule}: {entry.detail}") for entry in findings])
    table.remove(outside)
    return lambda: (item for chunk in table.chunks(CHUNK) for item in chunk)


def _checked_by_python(resources: Resources, file: RecordFile) -> Callable[[], Iterator[Item]]:
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
    findings = list(LocalCheck(game, resources.tables.of(game)).findings(ordered, get_many))
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
