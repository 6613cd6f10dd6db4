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
├── CallCancelledError [RuntimeError]            the caller broke the call off: what it had not done is not done
├── TooManyCallsError [RuntimeError]             no more calls may wait
├── UnreadAnswersError [RuntimeError]            the client sends without reading the answers
├── NotAuthenticatedError [RuntimeError]         the server does not know the client
├── RoleLackingError [RuntimeError]              the client's role does not allow the call
├── QuotaExceededError [RuntimeError]            the client has used up what it may use
├── UnsafeServerError [ValueError]               a server or a client that would be open to strangers
├── SpoolFullError [OSError]                     no room on disk to receive an import
├── ServiceUnavailableError [ConnectionError]    the server does not answer
├── ClusterUnavailableError [ConnectionError]    the cluster does not answer, or its workers cannot search
└── ServiceFailedError [RuntimeError]            something went wrong that is not the caller's fault

Everything else comes from the engine and from the storage, with its own tree. The client raises the same types that the
commands raise: it finds the type by the reason. gRPC statuses are given by name, so that this module needs no gRPC.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from proofbase.engine import errors as engine
from proofbase.engine.records import Claim, Record, RecordError, decode_record, encode_record
from proofbase.service.answers.bounds import cut_text
from proofbase.storage import errors as storage

__all__ = [
    "DOMAIN",
    "CallCancelledError",
    "ClusterUnavailableError",
    "ErrorMapping",
    "InvalidRequestError",
    "JobStateError",
    "LimitExceededError",
    "NotAuthenticatedError",
    "QueueFullError",
    "QuotaExceededError",
    "RoleLackingError",
    "ServiceError",
    "ServiceFailedError",
    "ServiceUnavailableError",
    "SpoolFullError",
    "StaleContinuationError",
    "TablesBusyError",
    "TooManyCallsError",
    "TooManyStreamsError",
    "UnknownFieldError",
    "UnreadAnswersError",
    "UnsafeServerError",
    "UnsoundRecordsError",
    "details_of",
    "error_mapping",
    "rebuild_error",
    "text_of",
]

DOMAIN = "proofbase"
DETAIL_CHARACTERS = 500


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


class CallCancelledError(ServiceError, RuntimeError):
    """The caller broke the call off, and its work has ended."""


class TooManyCallsError(ServiceError, RuntimeError):
    """As many calls wait as may wait."""


class UnreadAnswersError(ServiceError, RuntimeError):
    """The client has sent so many requests without reading the answers that no more is held for it."""


class NotAuthenticatedError(ServiceError, RuntimeError):
    """The server answers clients only that it knows, and this is none of them."""


class RoleLackingError(ServiceError, RuntimeError):
    """The client is known, and its role does not allow the call.

    Attributes:
        role: the role that it needs; empty where none would do.
    """

    def __init__(self, message: str, *, role: str) -> None:
        super().__init__(message)
        self.role = role


class QuotaExceededError(ServiceError, RuntimeError):
    """The client has used up what it may use.

    Attributes:
        limit: name of the limit, as in `Limits`.
        largest: what it allows.
        retry_after: seconds after which there is something again; 0 where that depends on the client.
    """

    def __init__(self, message: str, *, limit: str, largest: int, retry_after: int) -> None:
        super().__init__(f"{message}; come again in {retry_after} s" if retry_after else message)
        self.limit = limit
        self.largest = largest
        self.retry_after = retry_after


class UnsafeServerError(ServiceError, ValueError):
    """A server or a client that would be open to strangers is not started."""


class SpoolFullError(ServiceError, OSError):
    """There is no room on disk to receive an import: the temporary directory of the server is full."""


class ServiceUnavailableError(ServiceError, ConnectionError):
    """The server does not answer, or ended during the call."""


class ClusterUnavailableError(ServiceError, ConnectionError):
    """The scheduler of the cluster does not answer, or its workers cannot search for this service."""


class ServiceFailedError(ServiceError, RuntimeError):
    """An error inside the service that nobody foresaw; its log has the details."""


@dataclass(frozen=True, slots=True)
class ErrorMapping:
    """How one type of exception leaves the service.

    Attributes:
        type: the exception; its subclasses without a mapping of their own are mapped in the same way.
        status: name of the gRPC status.
        reason: stable name in google.rpc.ErrorInfo.
        level: log level; a mistake of the caller is not worth a warning.
        field: the field to blame when the exception itself names none.
        in_store: for errors of records: whether a store raised the error.
    """

    type: type[Exception]
    status: str
    reason: str
    level: int = logging.DEBUG
    field: str = ""
    in_store: bool = False


OUT_OF_MEMORY = (
    "memory has run out: give the job a smaller budget (memory_bytes) or fewer workers and threads; "
    "for a server lower job_memory_bytes, concurrent_jobs, cache_bytes or table_bytes"
)
_MAPPINGS = (
    # The request
    ErrorMapping(InvalidRequestError, "INVALID_ARGUMENT", "INVALID_REQUEST"),
    ErrorMapping(UnknownFieldError, "INVALID_ARGUMENT", "UNKNOWN_FIELD"),
    ErrorMapping(LimitExceededError, "INVALID_ARGUMENT", "LIMIT_EXCEEDED"),
    ErrorMapping(StaleContinuationError, "ABORTED", "STALE_CONTINUATION", field="continuation"),
    ErrorMapping(engine.UnknownGameError, "NOT_FOUND", "UNKNOWN_GAME", field="game"),
    ErrorMapping(engine.InvalidParametersError, "INVALID_ARGUMENT", "INVALID_GAME_PARAMETERS", field="game"),
    ErrorMapping(engine.RulesNotLoadedError, "FAILED_PRECONDITION", "RULES_NOT_LOADED", logging.INFO),
    ErrorMapping(engine.BrokenGameError, "FAILED_PRECONDITION", "BROKEN_GAME", logging.WARNING),
    ErrorMapping(engine.GameFailedError, "FAILED_PRECONDITION", "GAME_FAILED", logging.WARNING),
    ErrorMapping(engine.InvalidPositionError, "INVALID_ARGUMENT", "INVALID_POSITION", field="position"),
    ErrorMapping(engine.InvalidMoveError, "INVALID_ARGUMENT", "INVALID_MOVE", field="position"),
    ErrorMapping(engine.InvalidKeyError, "INVALID_ARGUMENT", "INVALID_KEY", field="key"),
    ErrorMapping(engine.NoTablesError, "INVALID_ARGUMENT", "NO_TABLES", field="game"),
    ErrorMapping(engine.UnknownAlgorithmError, "INVALID_ARGUMENT", "UNKNOWN_ALGORITHM", field="algorithm"),
    ErrorMapping(UnsafeServerError, "INVALID_ARGUMENT", "UNSAFE_SERVER"),
    # The client
    ErrorMapping(NotAuthenticatedError, "UNAUTHENTICATED", "NOT_AUTHENTICATED", logging.INFO),
    ErrorMapping(RoleLackingError, "PERMISSION_DENIED", "ROLE_LACKING", logging.INFO),
    ErrorMapping(QuotaExceededError, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED"),
    # Data that came with it
    ErrorMapping(engine.MalformedCertificateError, "INVALID_ARGUMENT", "MALFORMED_CERTIFICATE", logging.INFO, "data"),
    ErrorMapping(engine.MalformedRecordError, "INVALID_ARGUMENT", "MALFORMED_RECORD", logging.INFO, "data"),
    ErrorMapping(engine.ContradictionError, "INVALID_ARGUMENT", "CONTRADICTORY_CLAIMS", logging.INFO, "data"),
    ErrorMapping(UnsoundRecordsError, "INVALID_ARGUMENT", "UNSOUND_RECORDS", logging.WARNING, "data"),
    ErrorMapping(storage.ContradictionError, "FAILED_PRECONDITION", "CONTRADICTION", logging.ERROR, in_store=True),
    ErrorMapping(storage.RulesVersionError, "FAILED_PRECONDITION", "RULES_VERSION", logging.WARNING),
    ErrorMapping(storage.KeySizeError, "INVALID_ARGUMENT", "KEY_SIZE", logging.INFO, "data"),
    ErrorMapping(storage.RecordOverflowError, "FAILED_PRECONDITION", "RECORD_OVERFLOW", logging.WARNING),
    # Jobs
    ErrorMapping(storage.JobNotFoundError, "NOT_FOUND", "JOB_NOT_FOUND", field="id"),
    ErrorMapping(JobStateError, "FAILED_PRECONDITION", "JOB_STATE"),
    ErrorMapping(QueueFullError, "RESOURCE_EXHAUSTED", "QUEUE_FULL", logging.WARNING),
    ErrorMapping(TablesBusyError, "FAILED_PRECONDITION", "TABLES_BUSY"),
    ErrorMapping(TooManyStreamsError, "RESOURCE_EXHAUSTED", "TOO_MANY_STREAMS", logging.WARNING),
    ErrorMapping(CallCancelledError, "CANCELLED", "CALL_CANCELLED"),
    ErrorMapping(TooManyCallsError, "RESOURCE_EXHAUSTED", "TOO_MANY_CALLS"),
    ErrorMapping(UnreadAnswersError, "RESOURCE_EXHAUSTED", "UNREAD_ANSWERS"),
    ErrorMapping(SpoolFullError, "RESOURCE_EXHAUSTED", "SPOOL_FULL", logging.WARNING),
    ErrorMapping(engine.DamagedTableError, "DATA_LOSS", "DAMAGED_TABLE", logging.ERROR),
    ErrorMapping(engine.InvalidCheckpointError, "DATA_LOSS", "INVALID_CHECKPOINT", logging.ERROR),
    # The store
    ErrorMapping(storage.StoreNotFoundError, "NOT_FOUND", "STORE_NOT_FOUND", logging.WARNING),
    ErrorMapping(storage.NotAStoreError, "FAILED_PRECONDITION", "NOT_A_STORE", logging.WARNING),
    ErrorMapping(storage.StoreDamagedError, "DATA_LOSS", "STORE_DAMAGED", logging.ERROR),
    ErrorMapping(storage.StoreVersionError, "FAILED_PRECONDITION", "STORE_VERSION", logging.WARNING),
    ErrorMapping(storage.StoreLockedError, "FAILED_PRECONDITION", "STORE_LOCKED", logging.WARNING),
    ErrorMapping(storage.StoreReadOnlyError, "FAILED_PRECONDITION", "STORE_READ_ONLY", logging.INFO),
    ErrorMapping(storage.StoreFullError, "RESOURCE_EXHAUSTED", "STORE_FULL", logging.ERROR),
    ErrorMapping(storage.StoreUnavailableError, "UNAVAILABLE", "STORE_UNAVAILABLE", logging.ERROR),
    ErrorMapping(storage.StoreBusyError, "ABORTED", "STORE_BUSY", logging.WARNING),
    ErrorMapping(storage.StoreClosedError, "UNAVAILABLE", "STORE_CLOSED", logging.WARNING),
    ErrorMapping(storage.MalformedRecordError, "DATA_LOSS", "MALFORMED_STORED_RECORD", logging.ERROR, in_store=True),
    ErrorMapping(storage.UnsupportedOperationError, "UNIMPLEMENTED", "UNSUPPORTED_OPERATION"),
    ErrorMapping(storage.StoreError, "INTERNAL", "STORE_FAILED", logging.ERROR),
    # The rest
    ErrorMapping(engine.NativeCoreMissingError, "UNIMPLEMENTED", "NATIVE_CORE_MISSING", logging.ERROR),
    ErrorMapping(engine.EngineError, "INTERNAL", "ENGINE_FAILED", logging.ERROR),
    ErrorMapping(ServiceUnavailableError, "UNAVAILABLE", "SERVICE_UNAVAILABLE", logging.WARNING),
    ErrorMapping(ClusterUnavailableError, "UNAVAILABLE", "CLUSTER_UNAVAILABLE", logging.WARNING),
    ErrorMapping(MemoryError, "RESOURCE_EXHAUSTED", "OUT_OF_MEMORY", logging.ERROR),
    ErrorMapping(ServiceFailedError, "INTERNAL", "INTERNAL", logging.ERROR),
    ErrorMapping(Exception, "INTERNAL", "INTERNAL", logging.ERROR),
)
_BY_TYPE = {(mapping.type, mapping.in_store): mapping for mapping in _MAPPINGS}
# The first of two types with one reason is taken: INTERNAL becomes ServiceFailedError.
_BY_REASON = {mapping.reason: mapping for mapping in reversed(_MAPPINGS) if mapping.type is not Exception}

# Attributes of exceptions that are sent to the client, by how they are read there.
_TEXTS = ("field", "limit", "job_id", "state", "game", "lower_source", "upper_source", "directory", "rule", "role")
_NUMBERS = ("largest", "failed", "stored", "given", "pid", "offset", "retry_after")
_BYTES = ("key", "data")
_CLAIMS = ("lower", "upper")


def error_mapping(error: BaseException) -> ErrorMapping:
    """How an exception leaves the service: its status, its reason and its log level."""
    in_store = isinstance(error, RecordError) and error.in_store
    for kind in type(error).__mro__:
        mapping = _BY_TYPE.get((kind, in_store)) or _BY_TYPE.get((kind, False))
        if mapping is not None:
            return mapping
    return _BY_TYPE[Exception, False]


def text_of(error: BaseException) -> str:
    """What an exception says. One of memory that has run out says what to lower: the allocator has no words."""
    text = str(error)
    return OUT_OF_MEMORY if isinstance(error, MemoryError) and text in ("", "std::bad_alloc") else text


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
            details[name] = cut_text(str(value), DETAIL_CHARACTERS)
    return details


def rebuild_error(reason: str, message: str, details: dict[str, str]) -> Exception:
    """The exception that left a server with this reason, for the client to raise.

    Its class is the one that the command raised, its text is the server's, and it has the attributes that were sent.
    """
    mapping = _BY_REASON.get(reason)
    kind = ServiceFailedError if mapping is None else mapping.type
    error: Exception = kind.__new__(kind)
    if isinstance(error, RecordError) and mapping is not None:
        error.in_store = mapping.in_store
    # Not by the constructor, which would compose the message from values that only the server had.
    error.args = (message,)
    for name in (*_TEXTS, *_NUMBERS, *_BYTES, *_CLAIMS):
        text = details.get(name)
        if text is not None:
            setattr(error, name, _attribute(name, text))
    return error


def _attribute(name: str, text: str) -> str | int | bytes | Claim:
    if name in _NUMBERS:
        return int(text)
    if name in _BYTES:
        return bytes.fromhex(text)
    if name in _CLAIMS:
        return decode_record(bytes.fromhex(text)).claims[0]
    return text
