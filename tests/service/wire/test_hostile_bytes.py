"""Bytes that no client of ours would send: refused, and no traceback in the log that anybody could fill."""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable, Iterator
from contextlib import suppress

import grpc
import pytest
from raw_calls import METHODS, Method, status_of
from raw_http2 import PREFACE, RESET, call_data, call_headers, connection, frame, message, settings
from services import fill_tic_tac_toe, serving

from proofbase.service.access.security import Security
from proofbase.service.access.tokens import new_token
from proofbase.service.application import Application
from proofbase.storage import open_store

pytestmark = pytest.mark.usefixtures("many_calls")
LOOKUP, CHECK, WATCH = (
    b"/proofbase.v1.Solutions/Lookup",
    b"/grpc.health.v1.Health/Check",
    b"/grpc.health.v1.Health/Watch",
)


@pytest.fixture(params=[False, True], ids=["everybody", "known clients"])
def address(request: pytest.FixtureRequest) -> Iterator[str]:
    with Application(open_store("memory:")) as app:
        fill_tic_tac_toe(app.resources.store)
        app.resources.store.tokens().add(new_token("alice", "reader")[1])
        with serving(app, Security(authenticate=request.param)) as found:
            yield found


def _with(*header: tuple[bytes, bytes]) -> bytes:
    return call_headers(1, LOOKUP, *header) + call_data(1, message(b""))


SENT: dict[str, bytes] = {
    "health garbage": call_headers(1, CHECK) + call_data(1, message(b"\xff\xff")),
    "watch garbage": call_headers(1, WATCH) + call_data(1, message(b"\xff\xff")),
    "a header of bytes": _with((b"x-something", b"\xff\xfe")),
    "a name of bytes": _with((b"x-\xff", b"something")),
    "a token of bytes": _with((b"authorization", b"\xff\xfe")),
    "an id of bytes": _with((b"x-request-id", b"\xff\xfe")),
    "no base64": _with((b"x-something-bin", b"!!!")),
    "no gzip": call_headers(1, LOOKUP, (b"grpc-encoding", b"gzip")) + call_data(1, b"\1\0\0\0\5xxxxx"),
    "a watch that is reset": call_headers(1, WATCH) + call_data(1, message(b"")) + frame(RESET, 0, 1, bytes(4)),
    "two messages": call_headers(1, CHECK) + call_data(1, message(b"") + message(b"")),
    "no message": call_headers(1, CHECK) + call_data(1, b""),
}


def _send(address: str, data: bytes, end: Callable[[socket.socket], None]) -> None:
    with connection(address) as sock:
        sock.settimeout(0.3)
        sock.sendall(PREFACE + settings() + data)
        with suppress(OSError):
            while sock.recv(65536):
                pass
        end(sock)


def _reset(sock: socket.socket) -> None:
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def test_nothing_that_a_client_sends_is_an_error_in_the_log(address: str, caplog: pytest.LogCaptureFixture) -> None:
    for data in SENT.values():
        for end in (_reset, lambda sock: None):
            _send(address, data, end)
    foreign = [method for method in METHODS if not method.name.startswith("proofbase.")]
    with grpc.insecure_channel(address) as channel:
        for method in foreign:
            assert status_of(channel, method, data=b"\xff\xff") in _expected(method)
    found = [record for record in caplog.records if record.levelname in ("ERROR", "CRITICAL") or record.exc_info]
    assert [record.getMessage() for record in found] == []


def _expected(method: Method) -> tuple[grpc.StatusCode, ...]:
    refused = grpc.StatusCode.INVALID_ARGUMENT
    return (refused,) if method.name.startswith("grpc.health") else (refused, grpc.StatusCode.UNAUTHENTICATED)
