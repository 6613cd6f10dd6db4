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
_NOT_GRPC = "this port does not speak gRPC: is it the one for HTTP?"
_REASONS = {
    "Connection refused": "nothing listens there",
    "DNS resolution failed": "nobody knows an address of this name",
    "Socket closed": "it closes the connection: the server may want TLS (`--ca FILE`, or `--ca system`), "
    "or a certificate of the client (`--client-certificate`, `--client-key`)",
    "WRONG_VERSION_NUMBER": "the server speaks no TLS: leave out `--ca` (PROOFBASE_CA)",
    "CERTIFICATE_VERIFY_FAILED": "the authority that was named (`--ca`) has not signed its certificate",
    "Hostname Verification Check failed": "its certificate is for other names: call the server by a name or an address "
    "that is in it",
    "missing selected ALPN property": _NOT_GRPC,
    "http1.x server": _NOT_GRPC,
}
"""By what gRPC says of a connection that could not be made: what that means."""


def local_error(error: grpc.RpcError) -> Exception:
    """The exception to raise for a failed call."""
    code, text = _code_of(error), _text_of(error)
    for key, value in _metadata_of(error):
        if key == DETAILS_KEY and isinstance(value, bytes):
            error_by_details = _from_details(value)
            if error_by_details is not None:
                return error_by_details
    # Not from our commands: from gRPC itself.
    if code == grpc.StatusCode.UNAVAILABLE:
        return ServiceUnavailableError(f"the server does not answer: {_reason_of(text)}")
    if code == grpc.StatusCode.CANCELLED:
        return ServiceUnavailableError("the call was cancelled: the server stops, or this client is closed")
    if code == grpc.StatusCode.RESOURCE_EXHAUSTED and "larger than max" in text:
        return LimitExceededError(
            f"a message is too large for the server ({text}): send smaller batches", limit="message_bytes", largest=0
        )
    return ServiceFailedError(f"{code.name}: {text}")


def _reason_of(text: str) -> str:
    """Why there is no connection, in words for people where gRPC's text is known, and its text."""
    reason = next((reason for sign, reason in _REASONS.items() if sign in text), None)
    if reason is None or not text.startswith(("failed to connect", "DNS")):  # it was connected before
        return text
    return f"{reason} ({text.rpartition('last error: ')[2]})"


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
