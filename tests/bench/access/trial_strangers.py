"""Strangers against known clients: how long a known client waits while strangers do their worst.

    python tests/bench/access/trial_strangers.py [--seconds S]

The server has TLS and checks its clients. One after the other: nothing; 60 connections that watch the health 100 times
each, again and again; 60 connections with 100 calls each whose requests never come; 1,000 sockets that say nothing and
1,000 with TLS that ask nothing, at both ports; 60 jobs of two seconds of another client. The known client looks up over
gRPC, over a connection that it keeps and over new ones, and over HTTP on new ones.

The bar: no error, 99 of 100 lookups within 100 ms, and the known client's own job after at most two of the other
client's. Exit status 1 otherwise. The strangers take a core of their own.
"""

from __future__ import annotations

import argparse
import http.client
import multiprocessing
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

import grpc

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2] / "service"))

from certificates_made import Authority
from raw_http2 import PREFACE, call_headers, settings
from started_servers import Started, start

from proofbase.service.client import Budget, connect
from proofbase.v1 import solutions_pb2
from proofbase.v1.solutions_pb2_grpc import SolutionsStub

BAR_SECONDS = 0.1
BAR_TURNS = 2
GAME = "tic-tac-toe"
PAUSE_SECONDS = 0.02
SETTLE_SECONDS = 2.0
LOOKUP = b"/proofbase.v1.Solutions/Lookup"


class Server:
    """A running server, and how to reach it."""

    def __init__(self, started: Started, authority: Path, tokens: dict[str, str]) -> None:
        self.grpc = started.address
        self.http = str(started.about["http"])
        self.authority = authority
        self.tokens = tokens

    def channel(self) -> grpc.Channel:
        """A connection of its own."""
        credentials = grpc.ssl_channel_credentials(self.authority.read_bytes())
        return grpc.secure_channel(self.grpc, credentials, [("grpc.use_local_subchannel_pool", 1)])

    def context(self) -> ssl.SSLContext:
        made = ssl.create_default_context(cafile=str(self.authority))
        made.set_alpn_protocols(["h2"])
        return made


def watch_again_and_again(server: Server) -> None:
    """Watches of the health by nobody."""
    while True:
        with ExitStack() as stack:
            channels = [stack.enter_context(server.channel()) for _ in range(60)]
            watches = [channel.unary_stream("/grpc.health.v1.Health/Watch")(b"") for channel in channels * 100]
            time.sleep(3)
            for watch in watches:
                watch.cancel()


def begin_calls(server: Server) -> None:
    """Calls whose requests never come."""
    heads = PREFACE + settings() + b"".join(call_headers(2 * number + 1, LOOKUP) for number in range(100))
    while True:
        with ExitStack() as stack:
            for _ in range(60):
                with suppress(OSError):
                    stack.enter_context(_tls(server, server.grpc)).sendall(heads)
            time.sleep(3)


def hold_sockets(server: Server) -> None:
    """Sockets on which nothing happens; those that are closed are opened again."""
    while True:
        with ExitStack() as stack:
            for number in range(1_000):
                for address in (server.grpc, server.http):
                    with suppress(OSError):
                        stack.enter_context(_tls(server, address) if number % 2 else _connected(address))
            time.sleep(3)


def _connected(address: str) -> socket.socket:
    host, _, port = address.rpartition(":")
    return socket.create_connection((host, int(port)), timeout=10)


def _tls(server: Server, address: str) -> socket.socket:
    return server.context().wrap_socket(_connected(address), server_hostname=address.rpartition(":")[0])


class Waits:
    """How long the known client waited."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.errors: list[str] = []

    def time(self, call: Callable[[], object]) -> None:
        began = time.perf_counter()
        try:
            call()
        except Exception as error:
            self.errors.append(f"{type(error).__name__}: {error}"[:200])
        self.seconds.append(time.perf_counter() - began)

    def quantile(self, part: float) -> float:
        return sorted(self.seconds)[int(part * (len(self.seconds) - 1))]

    @property
    def good(self) -> bool:
        return not self.errors and self.quantile(0.99) < BAR_SECONDS

    def __str__(self) -> str:
        found = ", ".join(f"{name} {1e3 * self.quantile(part):.1f} ms" for name, part in (("p50", 0.5), ("p99", 0.99)))
        text = (
            f"{len(self.seconds)} lookups, {found}, longest {1e3 * max(self.seconds):.0f} ms, {len(self.errors)} errors"
        )
        return f"{text} {self.errors[:2] if self.errors else ''}"


def look_up(server: Server, seconds: float) -> Waits:
    """The known client."""
    waits, header = Waits(), f"Bearer {server.tokens['reader']}"
    request = solutions_pb2.LookupRequest(game=GAME, position="-")
    plain = ssl.create_default_context(cafile=str(server.authority))

    def over(channel: grpc.Channel) -> None:
        SolutionsStub(channel).Lookup(request, metadata=[("authorization", header)], timeout=30)

    def over_a_new_one() -> None:
        with server.channel() as channel:
            over(channel)

    def over_http() -> None:
        host, _, port = server.http.rpartition(":")
        connection = http.client.HTTPSConnection(host, int(port), context=plain, timeout=30)
        connection.request("GET", f"/v1/games/{GAME}/positions/-", headers={"authorization": header})
        status = connection.getresponse().status
        connection.close()
        assert status == 200, f"status {status}"

    with server.channel() as kept:
        over(kept)
        end, number = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            calls: list[Callable[[], object]] = [lambda: over(kept)] * 6 + [over_http, over_a_new_one]
            waits.time(calls[number % len(calls)])
            number += 1
            time.sleep(PAUSE_SECONDS)
    return waits


def turns_of_a_small_job(server: Server) -> tuple[int, float]:
    """How many jobs of a client that has asked for 60 end before a small one of another, and how long that takes."""
    ca = str(server.authority)
    with (
        connect(server.grpc, ca=ca, token=server.tokens["greedy"]) as greedy,
        connect(server.grpc, ca=ca, token=server.tokens["small"]) as small,
    ):
        budget = Budget(seconds=2.0, memory_bytes=64 << 20)
        jobs = [greedy.start_solve("connect-four", str(number % 7 + 1), budget=budget) for number in range(60)]
        began = time.monotonic()
        small.solve(GAME)
        waited = time.monotonic() - began
        ended = sum(greedy.job(job.id).finished for job in jobs)
        for job in reversed(jobs):
            with suppress(Exception):
                greedy.cancel(job.id)
    return ended, waited


def token(store: Path, name: str, role: str) -> str:
    command = [sys.executable, "-m", "proofbase", "tokens", "create", name, "--role", role, "--store", str(store)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-1]


class Outcome(NamedTuple):
    """What the trial has seen.

    Attributes:
        waits: of the known client, by what went on beside it.
        turns: jobs of the other client that ended before the small one.
        errors: lines of the log that tell of one.
    """

    waits: dict[str, Waits]
    turns: int
    errors: list[str]


def run(folder: Path, seconds: float) -> Outcome:
    """The trial; each part takes so many seconds."""
    store, authority = folder / "store", Authority(folder / "authority", "authority")
    with connect(str(store)) as client:
        client.solve(GAME)
    roles = {"reader": "reader", "greedy": "solver", "small": "solver"}
    tokens = {name: token(store, name, role) for name, role in roles.items()}
    certificate, key = authority.issue("server", "127.0.0.1", "IP:127.0.0.1")
    options = ("--store", store, "--http-listen", "127.0.0.1:0", "--certificate", certificate, "--key", key)
    waits: dict[str, Waits] = {}
    with start(folder / "log", *options, "--authenticate") as started:
        server = Server(started, authority.certificate, tokens)
        waits["nothing"] = look_up(server, seconds)
        for attack in (watch_again_and_again, begin_calls, hold_sockets):
            process = multiprocessing.get_context("spawn").Process(target=attack, args=(server,), daemon=True)
            process.start()
            try:
                time.sleep(SETTLE_SECONDS)
                waits[attack.__name__] = look_up(server, seconds)
            finally:
                process.kill()
                process.join()
        turns, waited = turns_of_a_small_job(server)
        print(f"60 jobs of two seconds: a small job of another client after {turns} of them, in {waited:.1f} s")
    lines = (folder / "log").read_text().splitlines()
    return Outcome(waits, turns, [line for line in lines if " ERROR " in line or "Traceback" in line])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=15.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        seen = run(Path(folder), options.seconds)
    for name, waits in seen.waits.items():
        print(f"{name}: {waits}")
    print(f"{len(seen.errors)} errors in the log {seen.errors[:2] or ''}")
    return 0 if all(waits.good for waits in seen.waits.values()) and seen.turns <= BAR_TURNS and not seen.errors else 1


if __name__ == "__main__":
    sys.exit(main())
