"""What is refused of a request before anything looks at it, and its body and answer on their way."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from proofbase.service.errors import InvalidRequestError, LimitExceededError, RoleLackingError

__all__ = ["TimedTransfer", "check_request", "check_size", "check_source", "headers_named"]

BODY_SECONDS = 30.0
"""A client that sends nothing for so long in the middle of a body is gone."""
TAKING_SECONDS = 60.0
"""A client that takes nothing of its answer for so long is gone."""
DRAINED_BYTES = 64 << 10
"""The answer counts as held until the client has taken all but so much of it."""
_HOST = re.compile(r"(\[[^]]*\]|[^]:[]*)(?::\d*)?")
ENCODINGS = (b"", b"identity", b"gzip")


def headers_named(scope: Scope, name: bytes) -> list[bytes]:
    """The values of a header, in order."""
    return [value for key, value in scope["headers"] if key == name]


def check_request(scope: Scope, message_bytes: int) -> int:
    """Refuses what no handler should see.

    Returns:
        How large the body is, or how large it may be where it does not say.

    Raises:
        InvalidRequestError: headers that make no sense, or in an encoding that is not known.
    """
    size = 0
    for name, value in scope["headers"]:
        if not value.isascii():
            raise InvalidRequestError(f"the header {name.decode(errors='replace')[:60]} is not ASCII")
        if name == b"transfer-encoding":
            size = message_bytes
        elif name == b"content-length":
            size = int(value)
        elif name in (b"content-encoding", b"connect-content-encoding") and value.lower() not in ENCODINGS:
            raise InvalidRequestError(f"{name.decode()}: {value.decode()[:60]}: only gzip and identity are read")
        elif name == b"content-type" and _is_grpc(value):
            raise InvalidRequestError("gRPC is answered at another port: this one speaks HTTP with JSON, and Connect")
    return size


def check_size(size: int, message_bytes: int) -> None:
    """Refuses a body that is too large.

    Raises:
        LimitExceededError: it is.
    """
    if size > message_bytes:
        raise LimitExceededError(
            f"a body of {size} bytes: at most {message_bytes} are read (message_bytes)",
            limit="message_bytes",
            largest=message_bytes,
        )


def check_source(scope: Scope, origins: Sequence[str] | None) -> None:
    """Refuses requests that a page of elsewhere has a browser send to this machine.

    Also under a name of the page's own (DNS rebinding), and also where it cannot read the answer: work would begin.

    Args:
        scope: of the request.
        origins: pages that may ask; under their names the server may be reached, too. None: whoever asks is answered.

    Raises:
        RoleLackingError: it comes from such a page.
    """
    if origins is None:
        return
    sent = headers_named(scope, b"host")
    host = sent[0].decode(errors="replace") if len(sent) == 1 else ""
    match = _HOST.fullmatch(host)
    name = match[1].strip("[]").lower() if match else host
    if _is_loopback(name):
        if _is_of_other_page(scope, host, origins):
            raise RoleLackingError(
                "a page of another origin asks, and this server answers everybody on loopback addresses: "
                "let it check its clients (--authenticate), or name the page (--http-origin)",
                role="",
            )
    elif name not in {origin.partition("://")[2].partition(":")[0].lower() for origin in origins}:
        raise RoleLackingError(
            f"this server answers on loopback addresses only, and the request names {host[:100]!r}: "
            "let it check its clients (--authenticate), or name the address (--http-origin)",
            role="",
        )


def _is_of_other_page(scope: Scope, host: str, origins: Sequence[str]) -> bool:
    """Whether a page of another origin has sent a request; a link to here that somebody has followed is none."""
    names = (b"origin", b"sec-fetch-site", b"sec-fetch-user", b"sec-fetch-dest")
    origin, site, user, target = (b",".join(headers_named(scope, name)).decode("latin-1") for name in names)
    if origin in origins or site in ("same-origin", "none"):
        return False
    if not site:  # no browser, or an old one
        return origin.partition("://")[2] != host if origin else False
    return (scope["method"], user, target) != ("GET", "?1", "document")


def _is_loopback(name: str) -> bool:
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name in ("localhost", "")


def _is_grpc(content_type: bytes) -> bool:
    kind = content_type.lower()
    return kind.startswith(b"application/grpc") and not kind.startswith(b"application/grpc-web")


class TimedTransfer:
    """The body of a request and its answer on their way: neither waits for a client for ever.

    Args:
        scope, receive, send: of the request.
        limit: the largest body.

    Attributes:
        started: the answer has begun.
    """

    def __init__(self, scope: Scope, receive: Receive, send: Send, limit: int) -> None:
        self._receive = receive
        self._send = send
        self._limit: int | None = limit
        self._connection: Any = scope["state"].get("connection") if "state" in scope else None
        self._complete = False
        self._received = 0
        self.started = False

    def count_no_body(self) -> None:
        """Whoever reads the body counts its bytes."""
        self._limit = None

    async def receive(self) -> Message:
        """The next part of the body."""
        if self._complete:
            return await self._receive()
        try:
            async with asyncio.timeout(BODY_SECONDS):
                message = await self._receive()
        except TimeoutError:
            self.abort()
            return {"type": "http.disconnect"}
        self._complete = not message.get("more_body", False)
        self._received += len(message.get("body", b""))
        if self._limit is not None:
            check_size(self._received, self._limit)
        return message

    async def send(self, message: Message) -> None:
        """Sends a part of the answer; comes back when the client has taken most of what was sent before.

        Raises:
            TimeoutError: it takes nothing.
        """
        if message["type"] == "http.response.start":
            self.started = True
            message["headers"] = [*message["headers"], (b"x-content-type-options", b"nosniff")]
        body = message.get("body", b"")
        async with asyncio.timeout(TAKING_SECONDS):
            if len(body) > DRAINED_BYTES and not message.get("more_body", False):
                await self._send({**message, "more_body": True})
                message = {"type": "http.response.body", "body": b"", "more_body": False}
            await self._send(message)

    def abort(self) -> None:
        """Closes the connection at once, whatever was not sent."""
        if self._connection is not None:
            self._connection.abort()
