"""GETs a second of one server process: positions of a solved game over some connections that stay open.

    python tests/bench/http/bench_http.py [--seconds N] [--connections N]

The bar: 2,000 GETs a second. Exit status 1 below it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from http_server import http_server, processor_seconds

from proofbase.service.client import connect

GAME = "connect-four:5x4"
BAR = 2_000


class Asker(asyncio.Protocol):
    """Asks again as soon as it is answered, with little work of its own.

    Args:
        requests: what is asked, in turn.
        expected: the status of each answer.
    """

    def __init__(self, requests: list[bytes], expected: bytes) -> None:
        self._requests = requests
        self._expected = expected
        self._data = b""
        self._began = 0.0
        self.waits: list[float] = []
        self.failed = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self._send()

    def _send(self) -> None:
        self._began = time.perf_counter()
        self.transport.write(self._requests[len(self.waits) % len(self._requests)])  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        self._data += data
        head, ended, body = self._data.partition(b"\r\n\r\n")
        if not ended:
            return
        _, _, length = head.partition(b"content-length: ")
        if length and len(body) < int(length.split(b"\r\n")[0]):
            return
        self._data = b""
        self.failed += self._expected not in head
        self.waits.append(time.perf_counter() - self._began)
        self._send()


async def measure(
    address: str, requests: list[bytes], expected: bytes, connections: int, seconds: float
) -> list[float]:
    """The waits of all answers, in seconds, shortest first."""
    host, _, port = address.partition(":")
    loop = asyncio.get_running_loop()
    askers = []
    for number in range(connections):
        start = number * len(requests) // connections
        turned = requests[start:] + requests[:start]
        _, asker = await loop.create_connection(lambda turned=turned: Asker(turned, expected), host, int(port))
        askers.append(asker)
    await asyncio.sleep(seconds)
    for asker in askers:
        asker.transport.close()
    assert not sum(asker.failed for asker in askers), "an answer with another status"
    return sorted(wait for asker in askers for wait in asker.waits)


def positions(number: int) -> list[str]:
    """Moves of random games, by which positions are asked."""
    chance = random.Random(1)
    return ["".join(chance.choices("12345", k=chance.randrange(1, 4))) for _ in range(number)]


class Found(NamedTuple):
    """What was measured: GETs a second, waits in seconds, and seconds of the server's processor time for a GET."""

    rate: float
    median: float
    high: float
    processor: float


def run(folder: Path, connections: int, seconds: float) -> dict[str, Found]:
    """What was measured of answers, and of answers 304."""
    found = {}
    with http_server(folder / "store", "--log-level", "error") as (grpc, http, process):
        with connect(grpc) as client:
            client.solve(GAME)
        paths = [f"/v1/games/{GAME}/positions/moves:{moves}" for moves in positions(500)]
        plain = [f"GET {path} HTTP/1.1\r\nHost: {http}\r\n\r\n".encode() for path in paths]
        tags = asyncio.run(_tags(http, paths))
        tagged = [
            f"GET {path} HTTP/1.1\r\nHost: {http}\r\nIf-None-Match: {tag}\r\n\r\n".encode()
            for path, tag in zip(paths, tags, strict=True)
        ]
        for name, requests, status in (("answers", plain, b" 200 "), ("not changed", tagged, b" 304 ")):
            began, used = time.perf_counter(), processor_seconds(process)
            waits = asyncio.run(measure(http, requests, status, connections, seconds))
            rate = len(waits) / (time.perf_counter() - began)
            used = (processor_seconds(process) - used) / len(waits)
            found[name] = Found(rate, waits[len(waits) // 2], waits[len(waits) * 99 // 100], used)
    return found


async def _tags(address: str, paths: list[str]) -> list[str]:
    reader, writer = await asyncio.open_connection(*address.split(":"))
    tags = []
    for path in paths:
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        fields = dict(line.split(": ", 1) for line in head.split("\r\n")[1:-2])
        json.loads(await reader.readexactly(int(fields["content-length"])))
        tags.append(fields["etag"])
    writer.close()
    return tags


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--connections", type=int, default=16)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = run(Path(folder), options.connections, options.seconds)
    for name, one in found.items():
        print(
            f"{name:12} {one.rate:7.0f} GETs/s over {options.connections} connections, "
            f"median {1e3 * one.median:.1f} ms, 99 % within {1e3 * one.high:.1f} ms, "
            f"{1e6 * one.processor:.0f} us of processor time each"
        )
    return 0 if found["answers"].rate >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
