"""HTTP/2 frames by hand, for clients that no gRPC library would be."""

from __future__ import annotations

import socket
import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RESET, SETTINGS, PING = 0, 1, 3, 4, 6
END_STREAM, END_HEADERS = 1, 4


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """One frame."""
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def settings(window: int | None = None) -> bytes:
    """The settings that a client begins with; `window` bytes may be sent to it on each stream."""
    return frame(SETTINGS, 0, 0, b"" if window is None else struct.pack(">HI", 4, window))


def literal(name: bytes, value: bytes) -> bytes:
    """A header field, not compressed and not indexed."""
    return b"\0" + _length(name) + name + _length(value) + value


def _length(text: bytes) -> bytes:
    """An integer with a prefix of 7 bits (RFC 7541, 5.1)."""
    number = len(text)
    if number < 127:
        return bytes([number])
    number, parts = number - 127, [127]
    while number >= 128:
        parts.append(number % 128 + 128)
        number //= 128
    return bytes([*parts, number])


def call_headers(stream: int, path: bytes, *more: tuple[bytes, bytes]) -> bytes:
    """The headers of a gRPC call."""
    fields = (
        (b":method", b"POST"),
        (b":scheme", b"http"),
        (b":path", path),
        (b":authority", b"localhost"),
        (b"content-type", b"application/grpc"),
        (b"te", b"trailers"),
        *more,
    )
    return frame(HEADERS, END_HEADERS, stream, b"".join(literal(*field) for field in fields))


def message(body: bytes) -> bytes:
    """A message of a call, as it stands in its data."""
    return b"\0" + struct.pack(">I", len(body)) + body


def call_data(stream: int, data: bytes, *, end: bool = True) -> bytes:
    """The data of a call, in frames of a size that every receiver takes."""
    starts = range(0, max(1, len(data)), 16_000)
    return b"".join(
        frame(DATA, END_STREAM if end and start + 16_000 >= len(data) else 0, stream, data[start : start + 16_000])
        for start in starts
    )


def connection(address: str) -> socket.socket:
    """A TCP connection to `host:port`."""
    host, port = address.rsplit(":", 1)
    return socket.create_connection((host, int(port)), timeout=10)


def send_call(address: str, path: bytes) -> None:
    """Sends one call with an empty message over a connection of its own, and waits for an answer of any kind."""
    with connection(address) as sock:
        sock.sendall(PREFACE + settings() + call_headers(1, path) + call_data(1, message(b"")))
        received = 0
        while received < 60:  # the settings of the server, and something more
            data = sock.recv(4096)
            if not data:
                return
            received += len(data)
