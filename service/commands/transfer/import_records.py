"""Import a certificate or JSON lines, merging. Everything is read and checked before anything is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Literal, cast

from proofbase.engine.checking.certificate import MOST_COMPRESSED
from proofbase.engine.checking.xz import XZ_MAGIC, decompressed, file_pieces
from proofbase.engine.errors import MalformedCertificateError, MalformedRecordError, SearchCancelledError
from proofbase.service.answers import ImportResult
from proofbase.service.commands.transfer.estimate_lines import holds_estimates, import_estimates
from proofbase.service.commands.transfer.import_check import compared_with_store, records_of
from proofbase.service.commands.transfer.import_formats import RecordFile, open_certificate, open_json_lines
from proofbase.service.errors import InvalidRequestError
from proofbase.service.resources import Resources
from proofbase.service.resources.stop_signal import StoppableFile, StopSignal
from proofbase.service.resources.uploads import Upload
from proofbase.storage import StoreReadOnlyError
from proofbase.storage.entries import PutResult

__all__ = ["ImportFormat", "check_and_store", "import_records"]

ImportFormat = Literal["certificate", "jsonl", "estimates"]
"""JSON lines may be of records or of estimates: the first line tells. `estimates` are never taken for records."""
LONGEST_SOURCE = 500


def import_records(
    resources: Resources,
    data: Upload | Iterable[bytes],
    *,
    form: ImportFormat = "certificate",
    source: str | None = None,
    stop: StopSignal | None = None,
) -> ImportResult:
    """Merges the records of a file into the store. The file may be compressed by xz.

    Every claim has to pass the local check in the union of the file and the store, and with the tables beside the
    store: what is imported is as trustworthy as what was proved here. Damaged records of the store count as absent:
    nothing rests on them, and the file's records take their place. The records are stored in an order in which each
    claim passes with what is stored at every commit: a killed process, or an import that was stopped, leaves a part of
    the records at the most, each of them sound.

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
        RulesVersionError, RulesNotLoadedError: for other rules than these.
        BrokenGameError: a user's game that breaks a requirement of `Game`: nothing it proves could be trusted.
        StoreReadOnlyError, StoreFullError: it cannot be written.
        LimitExceededError: the file is too large, or checking it would take more memory than `job_memory_bytes`.
        SpoolFullError: there is no room to receive it.
        CallCancelledError: `stop` was set.
    """
    stop = stop or StopSignal()
    if form not in ("certificate", "jsonl", "estimates"):
        raise InvalidRequestError(
            f"{form!r} cannot be imported: there are certificate, jsonl and estimates", field="format"
        )
    if source is not None and (len(source) > LONGEST_SOURCE or "\0" in source):
        raise InvalidRequestError(f"a source has at most {LONGEST_SOURCE} characters and no NUL", field="source")
    if resources.store.read_only:
        raise StoreReadOnlyError(f"the store {resources.store.url} is open read-only: nothing can be imported")
    if isinstance(data, Upload):
        with _uncompressed(resources, data, form, stop) as file:
            return _import_file(resources, file, form, source, stop)
    with resources.uploads.new() as upload:
        for chunk in data:
            upload.write(chunk)
        with _uncompressed(resources, upload, form, stop) as file:
            return _import_file(resources, file, form, source, stop)


@contextmanager
def _uncompressed(resources: Resources, upload: Upload, form: ImportFormat, stop: StopSignal) -> Iterator[IO[bytes]]:
    """The file that was received; where xz has compressed it, what it holds, which counts against the limits too."""
    received = upload.complete()
    start = received.read(len(XZ_MAGIC))
    received.seek(0)
    if start != XZ_MAGIC:
        yield received
        return
    with resources.uploads.new(beside=upload.size) as held:
        try:
            most = MOST_COMPRESSED if form == "certificate" else None
            for piece in stop.checked(decompressed(file_pieces(received), most=most)):
                held.write(piece)
            file = held.complete()
        except MalformedCertificateError as error:
            if form == "certificate":
                raise
            raise MalformedRecordError(str(error)) from None
        yield file


def _import_file(
    resources: Resources, received: IO[bytes], form: ImportFormat, source: str | None, stop: StopSignal
) -> ImportResult:
    file = cast("IO[bytes]", StoppableFile(received, stop))
    if form == "estimates" or (form == "jsonl" and holds_estimates(file)):
        stop.confirm()
        return import_estimates(resources, file)
    reader = open_certificate if form == "certificate" else open_json_lines
    records = reader(file, resources.games)
    game = records.game
    resources.games.refuse_broken(game.name)
    try:
        result = check_and_store(resources, records, source or "import", stop)
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


def check_and_store(resources: Resources, file: RecordFile, source: str, stop: StopSignal) -> PutResult:
    """Stores the records of a file if all of them pass their check. Returns what becomes of each of them."""
    writer = resources.writer
    records = records_of(resources, file, stop)
    checked = writer.check(file.game, records, stop=stop)
    file.fingerprint.check()
    comparison = compared_with_store(resources, file.game.name, records, source, stop)
    compared = comparison.result()
    stop.confirm()
    writer.put([checked], source=source, stop=stop)
    return compared
