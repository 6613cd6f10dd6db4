"""What one server process costs and answers in unary lookups over gRPC, beside a bare method of the same library.

    python tests/bench/rpc/bench_unary_calls.py [--calls N] [--at-a-time N] [--rounds N] [--positions N]

The bare method runs in an event loop of its own, reads no request and answers the same bytes each time: what is left is
the library (`grpc.aio`). The lookups are of different positions, the first ones of the game in the order of plies, one
after the other; the bare method gets the same requests, and its answer is of the median length. Both servers are asked
by one process with so many calls under way, in turn. Prints calls a second and the microseconds of the server's
processor that one call takes, medians of the rounds. The bar of 3,000 lookups a second and process needs at most
333 us. Exit status 1: the lookup takes more than 2.7 times what the bare method does, or an answer is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import grpc

from proofbase.engine import open_rules
from proofbase.service.client import connect
from proofbase.v1 import lookups_pb2

GAME = "tic-tac-toe"
METHOD = "/proofbase.v1.Solutions/Lookup"
MOST = 2.7
BARE = """\
import asyncio, sys
import grpc

class Bare(grpc.GenericRpcHandler):
    def __init__(self, answer):
        async def call(request, context):
            return answer
        self.handler = grpc.unary_unary_rpc_method_handler(call)

    def service(self, details):
        return self.handler

async def main():
    server = grpc.aio.server()
    server.add_generic_rpc_handlers([Bare(bytes.fromhex(sys.argv[2]))])
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(f"127.0.0.1:{port}", flush=True)
    await server.wait_for_termination()

asyncio.run(main())
"""
PROOFBASE = """\
import sys
from proofbase.service.server import serve
serve(sys.argv[1], "127.0.0.1:0", read_only=True, on_ready=lambda at: print(at.grpc, flush=True))
"""


@contextmanager
def server(program: str, *arguments: str) -> Iterator[tuple[str, int]]:
    """Address and process id of a server; it ends with the block."""
    command = [sys.executable, "-c", program, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip(), process.pid
        finally:
            process.terminate()


def processor_seconds(pid: int) -> float:
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def first_positions(count: int) -> list[bytes]:
    """Requests for so many different positions, those of fewer plies first."""
    game = open_rules(GAME)
    found: dict[str, Any] = {game.text(game.initial()): game.initial()}
    queue = list(found.values())
    for position in queue:
        if len(found) >= count:
            break
        for move in () if game.terminal(position) is not None else game.moves(position):
            child = game.play(position, move)
            if found.setdefault(game.text(child), child) is child:
                queue.append(child)
    return [lookups_pb2.LookupRequest(game=GAME, position=text).SerializeToString() for text in list(found)[:count]]


async def ask(address: str, requests: list[tuple[bytes, bytes]], calls: int, at_a_time: int) -> float:
    """Seconds for so many calls, each with the next one of the requests; each has the answer beside it."""
    async with grpc.aio.insecure_channel(address) as channel:
        call, left = channel.unary_unary(METHOD), calls
        assert await call(requests[0][0]) == requests[0][1]

        async def client() -> None:
            nonlocal left
            while left > 0:
                left -= 1
                request, expected = requests[left % len(requests)]
                assert await call(request) == expected, "an answer is wrong"

        started = time.perf_counter()
        await asyncio.gather(*(client() for _ in range(at_a_time)))
        return time.perf_counter() - started


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--at-a-time", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--positions", type=int, default=300)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as store:
        with connect(store) as client:
            client.solve(GAME)
        requests = first_positions(options.positions)
        with server(PROOFBASE, store) as (address, pid):
            with grpc.insecure_channel(address) as channel:
                call = channel.unary_unary(METHOD)
                answers = [call(request) for request in requests]
            assert lookups_pb2.LookupResponse.FromString(answers[0]).stored
            answer = sorted(answers, key=len)[len(answers) // 2]
            with server(BARE, store, answer.hex()) as (bare_address, bare_pid):
                measured: dict[str, list[tuple[float, float]]] = {"bare": [], "lookup": []}
                servers = (("bare", bare_address, bare_pid, [answer] * len(answers)), ("lookup", address, pid, answers))
                for _ in range(options.rounds):
                    for name, place, process, expected in servers:
                        pairs = list(zip(requests, expected, strict=True))
                        before = processor_seconds(process)
                        seconds = asyncio.run(ask(place, pairs, options.calls, options.at_a_time))
                        cost = (processor_seconds(process) - before) / options.calls
                        measured[name].append((options.calls / seconds, 1e6 * cost))
    figures = {
        name: [round(statistics.median(column)) for column in zip(*rounds, strict=True)]
        for name, rounds in measured.items()
    }
    for name, (rate, cost) in figures.items():
        print(f"{name}: {rate:,} calls/s, {cost} us of the server's processor a call", file=sys.stderr)
    print(json.dumps(figures))
    return 0 if figures["lookup"][1] <= MOST * figures["bare"][1] else 1


if __name__ == "__main__":
    sys.exit(main())
