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
from proofbase.service.application import Application
from proofbase.service.commands.incoming import Incoming, Item, open_certificate, open_json_lines
from proofbase.service.errors import InvalidRequestError, LimitExceededError, UnsoundRecordsError
from proofbase.service.jobs.checking import load_sound
from proofbase.service.native import is_native, new_table
from proofbase.storage import StoreReadOnlyError

__all__ = ["ImportFormat", "Spool", "import_records"]

ImportFormat = Literal["certificate", "jsonl"]
CHUNK = 10_000
SPOOL_MEMORY = 16 << 20
LONGEST_SOURCE = 500


class Spool:
    """An incoming file, kept aside until it is complete. A context manager.

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
    app: Application, data: Spool | Iterable[bytes], *, form: ImportFormat = "certificate", source: str | None = None
) -> ImportResult:
    """Merges the records of a file into the store.

    Every record has to pass the local check, with the other records of the file and those of the store as its
    children: what is imported is as trustworthy as what was proved here. A killed process leaves a part of the records
    at the most, each of them sound.

    Args:
        app: the service.
        data: the file, complete or in chunks.
        form: its format.
        source: where it comes from, for the store's list of sources.

    Raises:
        InvalidRequestError: an unknown format, or a source of more than 500 characters.
        MalformedCertificateError, MalformedRecordError: the file is not in that format, damaged or truncated.
        UnsoundRecordsError: records fail the local check.
        ContradictionError: a record contradicts a stored one; both sources are named.
        RulesVersionError, UnknownGameError: for other rules than these.
        StoreReadOnlyError, StoreFullError: it cannot be written.
    """
    if form not in ("certificate", "jsonl"):
        raise InvalidRequestError(f"{form!r} cannot be imported: there are certificate and jsonl", field="format")
    if source is not None and (len(source) > LONGEST_SOURCE or "\0" in source):
        raise InvalidRequestError(f"a source has at most {LONGEST_SOURCE} characters and no NUL", field="source")
    if app.store.read_only:
        raise StoreReadOnlyError(f"the store {app.store.url} is open read-only: nothing can be imported")
    if isinstance(data, Spool):
        return _import_file(app, data.file, form, source)
    with Spool(app.limits.import_bytes) as spool:
        for chunk in data:
            spool.write(chunk)
        return _import_file(app, spool.file, form, source)


def _import_file(app: Application, file: IO[bytes], form: ImportFormat, source: str | None) -> ImportResult:
    file.seek(0)
    incoming = open_certificate(file, app.games) if form == "certificate" else open_json_lines(file, app.games)
    game = incoming.game
    items = _checked_natively(app, incoming) if is_native(game) else _checked_by_python(app, incoming)
    _refuse_contradictions(app, game, items(), source or "import")
    result = app.cache.put(game.name, items(), source=source or "import", rules_version=game.rules_version)
    return ImportResult(
        game=game.name,
        records=result.added + result.improved + result.unchanged,
        added=result.added,
        improved=result.improved,
        unchanged=result.unchanged,
        root=incoming.root,
    )


def _checked_natively(app: Application, incoming: Incoming) -> Callable[[], Iterator[Item]]:
    """The records of the file, merged and by ascending keys, when all of them pass the local check."""
    game = incoming.game
    table = new_table(game)
    for chunk in _chunks(incoming.items()):
        table.load(chunk)
    keys = [key for chunk in table.chunks(CHUNK) for key, _ in chunk]
    outside = table.missing()
    stored = zip(outside, app.store.get_many(game.name, outside), strict=True)
    load_sound(game, table, [(key, data) for key, data in stored if data is not None])
    findings = table.check(keys).findings
    if findings:
        _refuse(game, [(entry.key, f"{entry.rule}: {entry.detail}") for entry in findings])
    table.remove(outside)
    return lambda: (item for chunk in table.chunks(CHUNK) for item in chunk)


def _checked_by_python(app: Application, incoming: Incoming) -> Callable[[], Iterator[Item]]:
    game = incoming.game
    records: dict[bytes, bytes] = {}
    for key, data in incoming.items():
        if key in records:
            data = merge_encoded(records[key], data, None) or records[key]
        records[key] = data

    def get_many(keys: list[bytes]) -> list[bytes | None]:
        stored = app.store.get_many(game.name, keys)
        return [records.get(key, data) for key, data in zip(keys, stored, strict=True)]

    ordered = sorted(records.items())
    findings = list(LocalCheck(game).findings(ordered, get_many))
    if findings:
        _refuse(game, [(entry.key, f"{entry.rule}: {entry.detail}") for entry in findings])
    return lambda: iter(ordered)


def _refuse(game: Game[Any], findings: list[tuple[bytes, str]]) -> None:
    failed = len({key for key, _ in findings})
    key, text = findings[0]
    raise UnsoundRecordsError(
        f"{failed} records of {game.name} fail the local check; the first is key {key.hex()}, {text}", failed=failed
    )


def _refuse_contradictions(app: Application, game: Game[Any], items: Iterator[Item], source: str) -> None:
    for chunk in _chunks(items):
        stored = app.store.get_many(game.name, [key for key, _ in chunk])
        for (key, data), present in zip(chunk, stored, strict=True):
            if present is None:
                continue
            try:
                merge_encoded(present, data, 1)
            except RecordError:
                # The store says it better, with the place and both sources. It writes nothing.
                app.store.put_many(game.name, [(key, data)], source=source, rules_version=game.rules_version)
                raise


def _chunks(items: Iterator[Item]) -> Iterator[list[Item]]:
    while chunk := list(islice(items, CHUNK)):
        yield chunk
