"""From a gRPC status back to the exception that a command raised in the server."""

from __future__ import annotations

import grpc
from google.rpc.error_details_pb2 import ErrorInfo  # type: ignore[import-untyped]
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped]

from proofbase.service.errors import (
    DOMAIN,
    LimitExceededError,
    ServiceFailedError,
    ServiceUnavailableError,
    rebuild_error,
)

__all__ = ["local_error"]

DETAILS_KEY = "grpc-status-details-bin"


def local_error(error: grpc.RpcError) -> Exception:
    """The exception to raise for a failed call."""
    code, text = _code_of(error), _text_of(error)
    for key, value in _metadata_of(error):
        if key == DETAILS_KEY and isinstance(value, bytes):
            found = _from_details(value)
            if found is not None:
                return found
    # Not from our commands: from gRPC itself.
    if code == grpc.StatusCode.UNAVAILABLE:
        return ServiceUnavailableError(f"the server does not answer: {text}")
    if code == grpc.StatusCode.CANCELLED:
        return ServiceUnavailableError("the call was cancelled: the server stops, or this client is closed")
    if code == grpc.StatusCode.RESOURCE_EXHAUSTED and "larger than max" in text:
        return LimitExceededError(
            f"a message is too large for the server ({text}): send smaller batches", limit="message_bytes", largest=0
        )
    return ServiceFailedError(f"{code.name}: {text}")


def _from_details(data: bytes) -> Exception | None:
    status = Status.FromString(data)
    for detail in status.details:
        info = ErrorInfo()
        if detail.Unpack(info) and info.domain == DOMAIN:
            return rebuild_error(info.reason, status.message, dict(info.metadata))
    return None


def _code_of(error: grpc.RpcError) -> grpc.StatusCode:
    code = getattr(error, "code", None)
    return code() if code is not None else grpc.StatusCode.UNKNOWN


def _text_of(error: grpc.RpcError) -> str:
    details = getattr(error, "details", None)
    return (details() if details is not None else None) or str(error) or "no details"


def _metadata_of(error: grpc.RpcError) -> list[tuple[str, str | bytes]]:
    metadata = getattr(error, "trailing_metadata", None)
    return list((metadata() if metadata is not None else None) or ())
