"""The connection to a server: with TLS where the credentials say so, and with the token in the header of every call."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import grpc

from proofbase.service.client.credentials import SYSTEM, Credentials
from proofbase.service.client.several_servers import SeveralServers
from proofbase.service.limits import HARD_MESSAGE_BYTES

__all__ = ["open_channel"]

OPTIONS = [
    ("grpc.max_receive_message_length", HARD_MESSAGE_BYTES + 1024),
    ("grpc.max_send_message_length", HARD_MESSAGE_BYTES + 1024),
    # A proxy that the environment names would get even the calls to this machine.
    ("grpc.enable_http_proxy", 0),
]


os.environ.setdefault("GRPC_VERBOSITY", "ERROR")  # else it tells standard error of every handshake that fails


def open_channel(target: str, credentials: Credentials) -> Any:
    """A channel to `host:port`, or to several of them with commas between. Nothing is sent before the first call.

    Raises:
        UnsafeServerError: the token would be sent in the clear, or a file cannot be read.
    """
    targets = target.split(",")
    channels = [_channel_to(one, credentials) for one in targets]
    return channels[0] if len(channels) == 1 else SeveralServers(targets, channels)


def _channel_to(target: str, credentials: Credentials) -> grpc.Channel:
    credentials.check(target)
    if not credentials.tls:
        channel = grpc.insecure_channel(target, options=OPTIONS)
    else:
        roots = None if credentials.ca in (None, SYSTEM) else credentials.read(Path(credentials.ca or ""))
        certificate = None if credentials.certificate is None else credentials.read(credentials.certificate)
        key = None if credentials.key is None else credentials.read(credentials.key)
        channel = grpc.secure_channel(target, grpc.ssl_channel_credentials(roots, key, certificate), options=OPTIONS)
    if credentials.token is None:
        return channel
    return grpc.intercept_channel(channel, _WithToken(credentials.token))


class _Details(NamedTuple):
    """What gRPC wants to know of a call."""

    method: Any
    timeout: Any
    metadata: Any
    credentials: Any
    wait_for_ready: Any
    compression: Any


class _WithToken(
    grpc.UnaryUnaryClientInterceptor,
    grpc.UnaryStreamClientInterceptor,
    grpc.StreamUnaryClientInterceptor,
    grpc.StreamStreamClientInterceptor,
):
    """Adds the header `authorization` to every call."""

    def __init__(self, token: str) -> None:
        self._header = ("authorization", f"Bearer {token}")

    def intercept_unary_unary(self, continuation: Callable[..., Any], details: Any, request: Any) -> Any:
        return self._call(continuation, details, request)

    def intercept_unary_stream(self, continuation: Callable[..., Any], details: Any, request: Any) -> Any:
        return self._call(continuation, details, request)

    def intercept_stream_unary(self, continuation: Callable[..., Any], details: Any, request_iterator: Any) -> Any:
        return self._call(continuation, details, request_iterator)

    def intercept_stream_stream(self, continuation: Callable[..., Any], details: Any, request_iterator: Any) -> Any:
        return self._call(continuation, details, request_iterator)

    def _call(self, continuation: Callable[..., Any], details: Any, request: Any) -> Any:
        metadata = [*(details.metadata or ()), self._header]
        known = _Details(
            details.method,
            details.timeout,
            metadata,
            details.credentials,
            details.wait_for_ready,
            details.compression,
        )
        return continuation(known, request)
