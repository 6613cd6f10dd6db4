"""Errors of the service, and the one table from exception type to gRPC status, reason and log level.

ServiceError
├── InvalidRequestError [ValueError]             a field of the request makes no sense
│   ├── UnknownFieldError                        a field that this version does not know
│   ├── LimitExceededError                       more than the service's limits allow
│   └── StaleContinuationError                   a continuation of another request, or of a store that has changed
├── UnsoundRecordsError [ValueError]             records to import that fail the local check
├── JobStateError [RuntimeError]                 the job's state does not allow that
├── QueueFullError [RuntimeError]                no more jobs may wait
├── TablesBusyError [RuntimeError]               somebody else builds tables in that directory
├── TooManyStreamsError [RuntimeError]           no more streams may be open
├── ServiceUnavailableError [ConnectionError]    the server does not answer
└── ServiceFailedError [RuntimeError]            something went wrong that is not the caller's fault

Everything else comes from the engine and from the storage, with its own tree. The client raises the same types that the
commands raise: it finds the type by the reason. gRPC statuses stand here by name, so that nothing here needs gRPC.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from proofbase.engine import errors as engine
from proofbase.engine.records import Claim, Record, RecordError, decode_record, encode_record
from proofbase.storage import errors as storage

__all__ = [
    "DOMAIN",
    "Entry",
    "InvalidRequestError",
    "JobStateError",
    "LimitExceededError",
    "QueueFullError",
    "ServiceError",
    "ServiceFailedError",
    "ServiceUnavailableError",
    "StaleContinuationError",
    "TablesBusyError",
    "TooManyStreamsError",
    "UnknownFieldError",
    "UnsoundRecordsError",
    "details_of",
    "entry_for",
    "rebuild",
]

DOMAIN = "proofbase"


class ServiceError(Exception):
    """Root of what the service itself raises on purpose."""


class InvalidRequestError(ServiceError, ValueError):
    """A field of the request makes no sense.

    Attributes:
        field: path of the field in the request, as in the protos.
    """

    def __init__(self, message: str, *, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class UnknownFieldError(InvalidRequestError):
    """The request has a field that this version does not know: ignoring it might change what was meant."""


class LimitExceededError(InvalidRequestError):
    """The request asks for more than the limits allow.

    Attributes:
        limit: name of the limit, as in `Limits`.
        largest: what it allows.
    """

    def __init__(self, message: str, *, limit: str, largest: int, field: str = "") -> None:
        super().__init__(message, field=field)
        self.limit = limit
        self.largest = largest


class StaleContinuationError(InvalidRequestError):
    """A continuation that does not belong to this request or to what the store holds now."""


class UnsoundRecordsError(ServiceError, ValueError):
    """Records to import that fail the local check; nothing was stored.

    Attributes:
        failed: how many.
    """

    def __init__(self, message: str, *, failed: int) -> None:
        super().__init__(message)
        self.failed = failed


class JobStateError(ServiceError, RuntimeError):
    """What was asked is not possible in the job's state.

    Attributes:
        job_id: the job.
        state: its state.
    """

    def __init__(self, message: str, *, job_id: str, state: str) -> None:
        super().__init__(message)
        self.job_id = job_id
        self.state = state


class QueueFullError(ServiceError, RuntimeError):
    """As many jobs wait as may wait."""


class TablesBusyError(ServiceError, RuntimeError):
    """Tables are being built in that directory already, by another job or another process."""


class TooManyStreamsError(ServiceError, RuntimeError):
    """As many streams are open as may be open."""


class ServiceUnavailableError(ServiceError, ConnectionError):
    """The server does not answer, or went away in the middle."""


class ServiceFailedError(ServiceError, RuntimeError):
    """An error inside the service that nobody foresaw; its log has the details."""


@dataclass(frozen=True, slots=True)
class Entry:
    """How one type of exception leaves the service.

    Attributes:
        type: the exception; subclasses without an entry of their own share it.
        status: name of the gRPC status.
        reason: stable name in google.rpc.ErrorInfo.
        level: log level; what only a caller did wrong is not worth a warning.
        field: the field to blame when the exception itself names none.
        in_store: for errors of records: whether a store raised the error.
    """

    type: type[Exception]
    status: str
    reason: str
    level: int = logging.DEBUG
    field: str = ""
    in_store: bool = False


_ENTRIES = (
    # The request
    Entry(InvalidRequestError, "INVALID_ARGUMENT", "INVALID_REQUEST"),
    Entry(UnknownFieldError, "INVALID_ARGUMENT", "UNKNOWN_FIELD"),
    Entry(LimitExceededError, "INVALID_ARGUMENT", "LIMIT_EXCEEDED"),
    Entry(StaleContinuationError, "ABORTED", "STALE_CONTINUATION", field="continuation"),
    Entry(engine.UnknownGameError, "NOT_FOUND", "UNKNOWN_GAME", field="game"),
    Entry(engine.InvalidParametersError, "INVALID_ARGUMENT", "INVALID_GAME_PARAMETERS", field="game"),
    Entry(engine.InvalidPositionError, "INVALID_ARGUMENT", "INVALID_POSITION", field="position"),
    Entry(engine.InvalidMoveError, "INVALID_ARGUMENT", "INVALID_MOVE", field="position"),
    Entry(engine.InvalidKeyError, "INVALID_ARGUMENT", "INVALID_KEY", field="key"),
    Entry(engine.NoTablesError, "INVALID_ARGUMENT", "NO_TABLES", field="game"),
    Entry(engine.UnknownAlgorithmError, "INVALID_ARGUMENT", "UNKNOWN_ALGORITHM", field="algorithm"),
    # Data that came with it
    Entry(engine.MalformedCertificateError, "INVALID_ARGUMENT", "MALFORMED_CERTIFICATE", logging.INFO, "data"),
    Entry(engine.MalformedRecordError, "INVALID_ARGUMENT", "MALFORMED_RECORD", logging.INFO, "data"),
    Entry(engine.ContradictionError, "INVALID_ARGUMENT", "CONTRADICTORY_CLAIMS", logging.INFO, "data"),
    Entry(UnsoundRecordsError, "INVALID_ARGUMENT", "UNSOUND_RECORDS", logging.WARNING, "data"),
    Entry(storage.ContradictionError, "FAILED_PRECONDITION", "CONTRADICTION", logging.ERROR, in_store=True),
    Entry(storage.RulesVersionError, "FAILED_PRECONDITION", "RULES_VERSION", logging.WARNING),
    Entry(storage.KeySizeError, "INVALID_ARGUMENT", "KEY_SIZE", logging.INFO, "data"),
    Entry(storage.RecordOverflowError, "FAILED_PRECONDITION", "RECORD_OVERFLOW", logging.WARNING),
    # Jobs
    Entry(storage.JobNotFoundError, "NOT_FOUND", "JOB_NOT_FOUND", field="id"),
    Entry(JobStateError, "FAILED_PRECONDITION", "JOB_STATE"),
    Entry(QueueFullError, "RESOURCE_EXHAUSTED", "QUEUE_FULL", logging.WARNING),
    Entry(TablesBusyError, "FAILED_PRECONDITION", "TABLES_BUSY"),
    Entry(TooManyStreamsError, "RESOURCE_EXHAUSTED", "TOO_MANY_STREAMS", logging.WARNING),
    Entry(engine.DamagedTableError, "DATA_LOSS", "DAMAGED_TABLE", logging.ERROR),
    Entry(engine.InvalidCheckpointError, "DATA_LOSS", "INVALID_CHECKPOINT", logging.ERROR),
    # The store
    Entry(storage.StoreNotFoundError, "NOT_FOUND", "STORE_NOT_FOUND", logging.WARNING),
    Entry(storage.NotAStoreError, "FAILED_PRECONDITION", "NOT_A_STORE", logging.WARNING),
    Entry(storage.StoreVersionError, "FAILED_PRECONDITION", "STORE_VERSION", logging.WARNING),
    Entry(storage.StoreLockedError, "FAILED_PRECONDITION", "STORE_LOCKED", logging.WARNING),
    Entry(storage.StoreReadOnlyError, "FAILED_PRECONDITION", "STORE_READ_ONLY", logging.INFO),
    Entry(storage.StoreFullError, "RESOURCE_EXHAUSTED", "STORE_FULL", logging.ERROR),
    Entry(storage.StoreUnavailableError, "UNAVAILABLE", "STORE_UNAVAILABLE", logging.ERROR),
    Entry(storage.StoreClosedError, "UNAVAILABLE", "STORE_CLOSED", logging.WARNING),
    Entry(storage.MalformedRecordError, "DATA_LOSS", "MALFORMED_STORED_RECORD", logging.ERROR, in_store=True),
    Entry(storage.UnsupportedOperationError, "UNIMPLEMENTED", "UNSUPPORTED_OPERATION"),
    Entry(storage.StoreError, "INTERNAL", "STORE_FAILED", logging.ERROR),
    # The rest
    Entry(engine.NativeCoreMissingError, "UNIMPLEMENTED", "NATIVE_CORE_MISSING", logging.ERROR),
    Entry(engine.EngineError, "INTERNAL", "ENGINE_FAILED", logging.ERROR),
    Entry(ServiceUnavailableError, "UNAVAILABLE", "SERVICE_UNAVAILABLE", logging.WARNING),
    Entry(MemoryError, "RESOURCE_EXHAUSTED", "OUT_OF_MEMORY", logging.ERROR),
    Entry(ServiceFailedError, "INTERNAL", "INTERNAL", logging.ERROR),
    Entry(Exception, "INTERNAL", "INTERNAL", logging.ERROR),
)
_BY_TYPE = {(entry.type, entry.in_store): entry for entry in _ENTRIES}
# The last entry of a reason is not asked for: INTERNAL becomes ServiceFailedError.
_BY_REASON = {entry.reason: entry for entry in reversed(_ENTRIES) if entry.type is not Exception}

# Attributes of exceptions that travel, and how they are read back.
_TEXTS = ("field", "limit", "job_id", "state", "game", "lower_source", "upper_source", "directory", "rule")
_NUMBERS = ("largest", "failed", "stored", "given", "pid", "offset")
_BYTES = ("key", "data")
_CLAIMS = ("lower", "upper")


def entry_for(error: BaseException) -> Entry:
    """How an exception leaves the service."""
    in_store = isinstance(error, RecordError) and error.in_store
    for kind in type(error).__mro__:
        entry = _BY_TYPE.get((kind, in_store)) or _BY_TYPE.get((kind, False))
        if entry is not None:
            return entry
    return _BY_TYPE[Exception, False]


def details_of(error: BaseException) -> dict[str, str]:
    """The attributes of an exception as texts, for ErrorInfo.metadata."""
    details = {}
    for name in (*_TEXTS, *_NUMBERS, *_BYTES, *_CLAIMS):
        value = getattr(error, name, None)
        if value is None or value == "":
            continue
        if isinstance(value, Claim):
            details[name] = encode_record(Record((value,))).hex()
        elif isinstance(value, bytes):
            details[name] = value[:500].hex()
        elif isinstance(value, str | int):
            details[name] = str(value)
    return details


def rebuild(reason: str, message: str, details: dict[str, str]) -> Exception:
    """The exception that left a server with this reason, for the client to raise.

    Its class is the one that the commands raise, its text is the server's, and of its attributes it has those that
    can travel.
    """
    entry = _BY_REASON.get(reason)
    kind = ServiceFailedError if entry is None else entry.type
    error: Exception = kind.__new__(kind)
    if isinstance(error, RecordError) and entry is not None:
        error.in_store = entry.in_store
    # Not by the constructor: that would compose the message anew from parts that only the server had.
    error.args = (message,)
    for name in (*_TEXTS, *_NUMBERS, *_BYTES, *_CLAIMS):
        text = details.get(name)
        if text is not None:
            setattr(error, name, _read(name, text))
    return error


def _read(name: str, text: str) -> str | int | bytes | Claim:
    if name in _NUMBERS:
        return int(text)
    if name in _BYTES:
        return bytes.fromhex(text)
    if name in _CLAIMS:
        return decode_record(bytes.fromhex(text)).claims[0]
    return text
