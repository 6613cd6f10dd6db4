"""Import a certificate or JSON lines, merging. Everything is read and checked before anything is written."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from typing import IO, Any, Literal, Self

from proofbase.engine.records import RecordError, merge_encoded
from proofbase.engine.rules import Game
from proofbase.service.answers import ImportResult
from proofbase.service.commands.transfer.import_check import checked_records, chunks_of
from proofbase.service.commands.transfer.import_formats import Item, open_certificate, open_json_lines
from proofbase.service.errors import InvalidRequestError, LimitExceededError
from proofbase.service.resources import Resources
from proofbase.storage import StoreReadOnlyError

__all__ = ["ImportFormat", "Spool", "import_records"]

ImportFormat = Literal["certificate", "jsonl"]
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

    Every claim has to pass the local check in the union of the file and the store, and with the tables beside the
    store: what is imported is as trustworthy as what was proved here. A killed process leaves a part of the records at
    the most, each of them sound.

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
        RulesVersionError, UnknownGameError: for other rules than these.
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
    items = checked_records(resources, records)
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


def _refuse_contradictions(resources: Resources, game: Game[Any], items: Iterator[Item], source: str) -> None:
    for chunk in chunks_of(items):
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
