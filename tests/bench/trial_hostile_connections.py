"""Hostile connections: half-open, garbage, reset, slow, huge headers, unread answers; a polite client beside them.

    python tests/bench/trial_hostile_connections.py [--connections N] [--at-a-time N] [--seed N]

The bar: the polite client never waits longer than a second, and gets no error. Exit status 1 otherwise.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import socket
import struct
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "service"))

from polite import GAME, Polite, polite_client, server
from raw_http2 import PING, PREFACE, RESET, call_data, call_headers, frame, literal, message, settings

from proofbase.service.client import connect
from proofbase.v1 import solutions_pb2, transfer_pb2

LOOKUP = b"/proofbase.v1.Solutions/Lookup"
BATCH = b"/proofbase.v1.Solutions/BatchLookup"
IMPORT = b"/proofbase.v1.Transfer/Import"
LONGEST_SECONDS = 3.0
Kind = Callable[["Peer"], Awaitable[None]]


class Peer:
    """One hostile connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, chance: random.Random) -> None:
        self.reader = reader
        self.writer = writer
        self.chance = chance

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def linger(self) -> None:
        """Waits a little, reading nothing."""
        await asyncio.sleep(self.chance.random() * LONGEST_SECONDS)

    async def read(self) -> None:
        """Reads what comes for a moment."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.reader.read(4096), 0.3)

    def reset(self) -> None:
        """Ends the connection with a TCP reset."""
        sock = self.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


async def half_open(peer: Peer) -> None:
    await peer.linger()


async def garbage(peer: Peer) -> None:
    await peer.send(peer.chance.randbytes(peer.chance.randrange(1, 20_000)))
    await peer.read()


async def garbage_after_the_preface(peer: Peer) -> None:
    await peer.send(PREFACE + settings() + peer.chance.randbytes(peer.chance.randrange(1, 20_000)))
    await peer.read()


async def preface_and_reset(peer: Peer) -> None:
    await peer.send(PREFACE)
    peer.reset()


async def call_and_reset(peer: Peer) -> None:
    await peer.send(PREFACE + settings() + call_headers(1, LOOKUP) + call_data(1, message(_lookup()), end=False))
    peer.reset()


async def slow(peer: Peer) -> None:
    """A call of which a byte comes every now and then."""
    data = PREFACE + settings() + call_headers(1, LOOKUP)
    for byte in data[: peer.chance.randrange(1, 60)]:
        await peer.send(bytes([byte]))
        await asyncio.sleep(peer.chance.random() * 0.1)


async def huge_headers(peer: Peer) -> None:
    fields = b"".join(
        literal(b"x-" + str(number).encode(), peer.chance.randbytes(8000).hex().encode()) for number in range(20)
    )
    parts = [fields[start : start + 16_000] for start in range(0, len(fields), 16_000)]
    await peer.send(PREFACE + settings() + frame(1, 0, 1, parts[0]))
    for number, part in enumerate(parts[1:], 2):
        await peer.send(frame(9, 4 if number == len(parts) else 0, 1, part))
    await peer.read()


async def rapid_resets(peer: Peer) -> None:
    """Calls that are cancelled as soon as they are made (CVE-2023-44487)."""
    await peer.send(PREFACE + settings())
    for number in range(100):
        stream = 2 * number + 1
        await peer.send(call_headers(stream, LOOKUP) + frame(RESET, 0, stream, bytes(4)))


async def undecodable_paths(peer: Peer) -> None:
    await peer.send(PREFACE + settings())
    for number in range(5):
        path = b"/" + peer.chance.randbytes(peer.chance.randrange(1, 60))
        await peer.send(call_headers(2 * number + 1, path) + call_data(2 * number + 1, message(b"")))
    await peer.read()


async def unread_answers(peer: Peer) -> None:
    """Large batches with a window of 0: no answer can be sent."""
    texts = solutions_pb2.Texts(positions=["x"] * 5_000)
    body = message(solutions_pb2.BatchLookupRequest(game=GAME, texts=texts).SerializeToString())
    await peer.send(PREFACE + settings(window=0))
    for number in range(3):
        await peer.send(call_headers(2 * number + 1, BATCH) + call_data(2 * number + 1, body))
    await peer.linger()


async def imports_without_end(peer: Peer) -> None:
    chunk = transfer_pb2.ImportChunk(header=transfer_pb2.ImportHeader(format="FORMAT_JSONL"), data=b"x" * 30_000)
    await peer.send(
        PREFACE + settings() + call_headers(1, IMPORT) + call_data(1, message(chunk.SerializeToString()), end=False)
    )
    await peer.linger()


async def pings_and_settings(peer: Peer) -> None:
    await peer.send(PREFACE + settings())
    await peer.send((frame(PING, 0, 0, bytes(8)) + settings()) * 200)
    await peer.read()


async def wrong_lengths(peer: Peer) -> None:
    """A message that says it is longer, or compressed, or larger than any may be."""
    prefix = peer.chance.choice([b"\0\xff\xff\xff\xff", b"\1\0\0\0\5", b"\0\0\0\1\0", b"\7\0\0\0\0"])
    await peer.send(PREFACE + settings() + call_headers(1, LOOKUP) + call_data(1, prefix + b"12345"))
    await peer.read()


KINDS: tuple[Kind, ...] = (
    half_open,
    garbage,
    garbage_after_the_preface,
    preface_and_reset,
    call_and_reset,
    slow,
    huge_headers,
    rapid_resets,
    undecodable_paths,
    unread_answers,
    imports_without_end,
    pings_and_settings,
    wrong_lengths,
)


def _lookup() -> bytes:
    return solutions_pb2.LookupRequest(game=GAME).SerializeToString()


async def attack(address: str, connections: int, at_a_time: int, seed: int) -> Counter[str]:
    """Makes the connections; how they ended."""
    host, port = address.rsplit(":", 1)
    room, outcomes = asyncio.Semaphore(at_a_time), Counter[str]()

    async def one(number: int) -> None:
        kind, chance = KINDS[number % len(KINDS)], random.Random(seed * 1_000_003 + number)
        async with room:
            try:
                reader, writer = await asyncio.open_connection(host, int(port))
            except OSError as error:
                outcomes[f"not connected: {type(error).__name__}"] += 1
                return
            try:
                await asyncio.wait_for(kind(Peer(reader, writer, chance)), 2 * LONGEST_SECONDS)
                outcomes["sent"] += 1
            except (OSError, TimeoutError) as error:
                outcomes[type(error).__name__] += 1
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    running = set[asyncio.Task[None]]()
    for number in range(connections):
        task = asyncio.create_task(one(number))
        running.add(task)
        task.add_done_callback(running.discard)
        while len(running) >= 2 * at_a_time:  # noqa: ASYNC110 - tasks are many, an event for each is not worth it
            await asyncio.sleep(0.01)
    await asyncio.gather(*running)
    return outcomes


def run(folder: Path, connections: int, at_a_time: int, seed: int) -> tuple[Polite, Counter[str]]:
    """The trial on a server of its own: what the polite client saw, and how the connections ended."""
    with server(folder / "store") as (address, _):
        with connect(address) as client:
            client.solve(GAME)
        with polite_client(address) as seen:
            outcomes = asyncio.run(attack(address, connections, at_a_time, seed))
            time.sleep(1)
    return seen[0], outcomes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--connections", type=int, default=20_000)
    parser.add_argument("--at-a-time", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        polite, outcomes = run(Path(folder), options.connections, options.at_a_time, options.seed)
    print(f"{options.connections} connections in {time.monotonic() - began:.0f} s: {dict(outcomes)}")
    print(polite)
    return 0 if polite.slow == 0 and not polite.errors else 1


if __name__ == "__main__":
    sys.exit(main())
