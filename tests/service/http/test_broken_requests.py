"""Bytes that are no requests, requests without end, and clients that take nothing: refused, and nobody else waits."""

from __future__ import annotations

import gc
import json
import random
import socket
import time
from contextlib import suppress

import pytest
from asking import ask, post
from conftest import Both
from waits import until

from proofbase.service.http import listener, requests
from proofbase.service.rpc.server_load import ServerLoad


def connected(both: Both) -> socket.socket:
    host, _, port = both.http.partition(":")
    return socket.create_connection((host, int(port)), timeout=10)


def answered(both: Both, data: bytes) -> bytes:
    """What comes back for bytes, until the server closes the connection or says nothing for a second."""
    with connected(both) as connection:
        connection.settimeout(1)
        try:
            connection.sendall(data)
            found = b""
            while part := connection.recv(65536):
                found += part
        except (TimeoutError, ConnectionError):
            pass
        return found


HEAD = b"Host: 127.0.0.1\r\n"
BROKEN = {
    "nothing that is HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a verb that is none": b"G\xc3\xa4T / HTTP/1.1\r\n\r\n",
    "no version": b"GET /\r\n\r\n",
    "another version": b"GET / HTTP/9.9\r\n\r\n",
    "a space in the path": b"GET /v1/ games HTTP/1.1\r\n" + HEAD + b"\r\n",
    "a path that is not ASCII": b"GET /v1/\xff\xfe HTTP/1.1\r\n" + HEAD + b"\r\n",
    "a control character in a header": b"GET /v1/limits HTTP/1.1\r\nX: a\x01b\0c\r\n" + HEAD + b"\r\n",
    "two lengths": b"POST /v1/limits HTTP/1.1\r\n" + HEAD + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "length and chunks": b"POST /v1/games/x/positions HTTP/1.1\r\n"
    + HEAD
    + b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a length that is none": b"POST /v1/limits HTTP/1.1\r\n" + HEAD + b"Content-Length: x\r\n\r\n",
    "a negative length": b"POST /v1/limits HTTP/1.1\r\n" + HEAD + b"Content-Length: -1\r\n\r\n",
    "a bad chunk": b"POST /v1/games/x/positions HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    "a long path": b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n" + HEAD + b"\r\n",
    "a long header": b"GET / HTTP/1.1\r\n" + HEAD + b"X: " + b"a" * 100_000 + b"\r\n\r\n",
    "many headers": b"GET / HTTP/1.1\r\n" + HEAD + b"X: 1\r\n" * 200 + b"\r\n",
    "many requests at once": (b"GET /v1/limits HTTP/1.1\r\n" + HEAD + b"\r\n") * 2_000,
    "an absolute URL of elsewhere": b"GET http://evil.example/v1/limits HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "a connection to elsewhere": b"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "an upgrade": b"GET /v1/limits HTTP/1.1\r\n" + HEAD + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    "headers that are not ASCII": b"GET /v1/limits HTTP/1.1\r\n" + HEAD + b"Authorization: Bearer \xff\r\n\r\n",
    "names that are not ASCII": b"GET /v1/limits HTTP/1.1\r\n" + HEAD + b"X\xc3\xa4: 1\r\n\r\n",
    "gRPC": b"POST /proofbase.v1.Solutions/Lookup HTTP/1.1\r\n"
    + HEAD
    + b"Content-Type: application/grpc\r\nContent-Length: 0\r\n\r\n",
    "a deadline that is none": b"POST /proofbase.v1.Solutions/GetLimits HTTP/1.1\r\n"
    + HEAD
    + b"Content-Type: application/json\r\nConnect-Timeout-Ms: soon\r\nContent-Length: 2\r\n\r\n{}",
    "another protocol version": b"POST /proofbase.v1.Solutions/GetLimits HTTP/1.1\r\n"
    + HEAD
    + b"Content-Type: application/json\r\nConnect-Protocol-Version: 7\r\nContent-Length: 2\r\n\r\n{}",
    "a type that is none": b"POST /proofbase.v1.Solutions/GetLimits HTTP/1.1\r\n"
    + HEAD
    + b"Content-Type: text/html\r\nContent-Length: 2\r\n\r\n{}",
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_requests_are_refused_and_harm_nobody(both: Both, name: str) -> None:
    found = answered(both, BROKEN[name])
    assert b"HTTP/1.1 5" not in found, found
    assert b"Traceback" not in found and b'File "' not in found
    head, _, body = found.partition(b"\r\n\r\n")
    if not found.startswith(b"HTTP/1.1 200 ") and found and b"transfer-encoding: chunked" not in head:
        assert b"content-type: application/json" in head and json.loads(body)["message"]
    assert ask(both.http, "/v1/limits").status == 200


def test_gibberish_is_answered_without_a_fault(both: Both) -> None:
    rng = random.Random(16)
    base = b"POST /proofbase.v1.Solutions/Lookup HTTP/1.1\r\n" + HEAD
    base += b'Content-Type: application/json\r\nContent-Length: 22\r\n\r\n{"game":"tic-tac-toe"}'
    for _ in range(150):
        data = bytearray(base)
        for _ in range(rng.randrange(1, 6)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        with connected(both) as connection:
            connection.settimeout(0.05)
            connection.sendall(bytes(data))
            with suppress(TimeoutError, ConnectionError):
                assert not connection.recv(4096).startswith(b"HTTP/1.1 5"), data
    assert ask(both.http, "/v1/limits").status == 200


def test_bodies_that_are_too_large_are_refused_before_they_are_read(both: Both) -> None:
    for path in ("/proofbase.v1.Solutions/Lookup", "/v1/games/tic-tac-toe/positions"):
        head = b"POST %s HTTP/1.1\r\n%sContent-Type: application/json\r\n" % (path.encode(), HEAD)
        found = answered(both, head + b"Content-Length: 50000000\r\n\r\n{")
        assert found.startswith(b"HTTP/1.1 413 ") and b"message_bytes" in found
        chunk = b"100000\r\n" + b" " * (1 << 20) + b"\r\n"
        found = answered(both, head + b"Transfer-Encoding: chunked\r\n\r\n" + 6 * chunk)
        assert found.startswith((b"HTTP/1.1 413 ", b"HTTP/1.1 429 ")), found[:200]


def test_heads_and_bodies_that_do_not_come_end_the_connection(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "GREETING_SECONDS", 0.5)
    monkeypatch.setattr(requests, "BODY_SECONDS", 0.5)
    begun = [
        b"",
        b"\r\n",
        b"GET /v1/limits HTTP/1.1\r\nHost:",
        b"POST /v1/games/tic-tac-toe/positions HTTP/1.1\r\n"
        + HEAD
        + b"Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{",
        b"POST /proofbase.v1.Solutions/Lookup HTTP/1.1\r\n"
        + HEAD
        + b"Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{",
    ]
    for data in begun:
        with connected(both) as connection:
            connection.sendall(data)
            began = time.monotonic()
            try:
                while connection.recv(4096):
                    pass
            except ConnectionError:
                pass
            assert time.monotonic() - began < 5, data


def test_an_answer_that_nobody_takes_is_dropped(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "TAKING_SECONDS", 0.5)
    positions = ",".join(['"moves:5"'] * 9_000)
    body = f'{{"game":"tic-tac-toe","texts":{{"positions":[{positions}]}}}}'.encode()
    head = b"POST /proofbase.v1.Solutions/BatchLookup HTTP/1.1\r\n%sContent-Type: application/json\r\n" % HEAD
    data = head + b"Content-Length: %d\r\n\r\n" % len(body) + body
    with connected(both) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        for _ in range(14):
            connection.sendall(data)
        time.sleep(4)
        with pytest.raises(ConnectionError):
            connection.sendall(data * 100)
    assert ask(both.http, "/v1/limits").status == 200


def test_nothing_is_held_when_the_answers_are_taken(both: Both) -> None:
    for _ in range(5):
        assert post(both.http, "Solutions/BatchLookup", {"game": "tic-tac-toe", "texts": {"positions": ["5"] * 5000}})
        assert ask(both.http, "/v1/games/tic-tac-toe/exports?format=jsonl").status == 200
    loads = [found for found in gc.get_objects() if isinstance(found, ServerLoad)]
    assert loads
    until(lambda: not any(load.bytes.of for load in loads), "bytes of answers that were taken are counted as held")
