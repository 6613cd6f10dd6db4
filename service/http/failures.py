"""Exceptions as answers: the status of HTTP, and a body as the Connect protocol has it."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import MutableMapping
from typing import Any

from connectrpc.code import Code
from connectrpc.errors import ConnectError, ErrorDetail
from google.protobuf.message import Message
from protobuf.wkt import Any as AnyDetail
from protobuf.wkt import Struct
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Scope

from proofbase.service.http.json_text import json_text
from proofbase.service.rpc.errors import Failure, failure_of

__all__ = ["CHALLENGE", "HTTP_STATUS", "connect_error", "failure_response", "not_read", "nothing_here", "response_to"]

HTTP_STATUS = {
    "CANCELLED": 499,
    "UNKNOWN": 500,
    "INVALID_ARGUMENT": 400,
    "DEADLINE_EXCEEDED": 504,
    "NOT_FOUND": 404,
    "ALREADY_EXISTS": 409,
    "PERMISSION_DENIED": 403,
    "RESOURCE_EXHAUSTED": 429,
    "FAILED_PRECONDITION": 400,
    "ABORTED": 409,
    "OUT_OF_RANGE": 400,
    "UNIMPLEMENTED": 501,
    "INTERNAL": 500,
    "UNAVAILABLE": 503,
    "DATA_LOSS": 500,
    "UNAUTHENTICATED": 401,
}
"""The code of each gRPC status, as the Connect protocol says (https://connectrpc.com/docs/protocol, error codes)."""
CHALLENGE = 'Bearer realm="proofbase"'


def connect_name(status: str) -> str:
    """The code of a gRPC status in the Connect protocol."""
    return "canceled" if status == "CANCELLED" else status.lower()


def connect_error(method: str, error: Exception, headers: MutableMapping[str, str]) -> ConnectError:
    """What a client of the Connect protocol is told of an exception; `headers` are those of the answer."""
    if isinstance(error, ConnectError):
        return error
    failure = failure_of(method, error)
    if failure.retry_after:
        headers["retry-after"] = str(failure.retry_after)
    return ConnectError(Code(connect_name(failure.status)), failure.text, map(_Detail, failure.details))


class _Detail(ErrorDetail):
    """A message of google.protobuf as a detail, and as JSON beside it, for people and for clients without its type."""

    def __init__(self, message: Message) -> None:
        url = f"type.googleapis.com/{message.DESCRIPTOR.full_name}"
        super().__init__(AnyDetail(type_url=url, value=message.SerializeToString()))
        self._shown = Struct.from_json(json_text(message))

    def value(self, *_: object) -> Any:
        """What the library writes as JSON."""
        return self._shown


def failure_response(failure: Failure, status: int | None = None) -> Response:
    """The answer that tells of a failure; `status` where another one than that of its code says more."""
    details = [
        {
            "type": message.DESCRIPTOR.full_name,
            "value": b64encode(message.SerializeToString()).decode().rstrip("="),
            "debug": json.loads(json_text(message)),
        }
        for message in failure.details
    ]
    parts = {"code": connect_name(failure.status), "message": failure.text, "details": details}
    body = json.dumps(parts, separators=(",", ":"))
    headers = {"cache-control": "no-store"}
    if failure.retry_after:
        headers["retry-after"] = str(failure.retry_after)
    if failure.status == "UNAUTHENTICATED":
        headers["www-authenticate"] = CHALLENGE
    return Response(body, status or HTTP_STATUS[failure.status], headers, "application/json")


def nothing_here(verb: str, path: str, allowed: list[str]) -> Response:
    """The answer to a URL that is not answered, or not with this verb."""
    if allowed:
        text = f"{path[:200]} is answered to {', '.join(allowed)}, not to {verb[:20]}"
        response = failure_response(Failure("UNIMPLEMENTED", text, ()), 405)
        response.headers["allow"] = ", ".join(allowed)
        return response
    text = f"there is nothing at {path[:200]}: /openapi.json has what there is"
    return failure_response(Failure("NOT_FOUND", text, ()))


def not_read(scope: Scope, kinds: list[str]) -> Response:
    """The answer to a body of a kind that is not read at this URL."""
    sent = Headers(scope=scope).get("content-type", "")
    kind = f"a body of the type {sent[:60]}" if sent else "a body without a type"
    text = f"{kind} is not read at {scope['path'][:200]}: say `content-type: {kinds[0]}`, or {kinds[1]}"
    response = failure_response(Failure("INVALID_ARGUMENT", text, ()), 415)
    response.headers["accept-post"] = ", ".join(kinds)
    return response


def response_to(method: str, error: Exception) -> Response:
    """The answer to a request that ended with an exception."""
    return failure_response(failure_of(method, error))
