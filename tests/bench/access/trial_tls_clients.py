"""Many clients over TLS, each with a connection of its own and a token: how long answers take.

    python tests/bench/access/trial_tls_clients.py [--clients N] [--seconds S] [--calls N]

Every client makes calls one after the other, spread over the time: nine lookups of ten calls, else a line or a batch of
100 positions. The clients are in two processes, on the machine of the server.

The bar: 200 clients for 300 seconds without an error, and 99 of 100 answers within 100 ms. Exit status 1 otherwise.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import grpc.aio

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2] / "service"))

from certificates_made import Authority
from polite import server

from proofbase.service.client import connect
from proofbase.v1 import solutions_pb2
from proofbase.v1.solutions_pb2_grpc import SolutionsStub

GAME = "connect-four:5x4"
BAR_SECONDS = 0.1
PROCESSES = 2
POSITIONS = 100


class Clients:
    """The clients of one process.

    Args:
        address, authority, token: of the server, and how to come in.
        clients: how many there are.
        period: seconds between two calls of a client.
        seconds: how long they ask.
    """

    def __init__(self, address: str, authority: bytes, token: str, clients: int, period: float, seconds: float) -> None:
        self._address = address
        self._credentials = grpc.ssl_channel_credentials(authority)
        self._headers = (("authorization", f"Bearer {token}"),)
        self._clients, self._period, self._seconds = clients, period, seconds
        self.waits: list[float] = []
        self.errors: list[str] = []

    async def run(self) -> None:
        """Until the time is over."""
        end = time.monotonic() + self._seconds
        await asyncio.gather(*(self._ask(seed, end) for seed in range(self._clients)))

    async def _ask(self, seed: int, end: float) -> None:
        chance = random.Random(seed)
        due = time.monotonic() + chance.random() * max(self._period, 1)
        # An option of its own gives every client a connection of its own.
        options = [("grpc.use_local_subchannel_pool", 1)]
        async with grpc.aio.secure_channel(self._address, self._credentials, options) as channel:
            stub = SolutionsStub(channel)
            await channel.channel_ready()
            while time.monotonic() < end:
                await asyncio.sleep(max(0.0, due - time.monotonic()))
                due = max(due + self._period, time.monotonic())
                began = time.perf_counter()
                try:
                    await self._call(stub, chance)
                except grpc.aio.AioRpcError as error:
                    self.errors.append(f"{error.code().name}: {error.details()}"[:200])
                self.waits.append(time.perf_counter() - began)

    async def _call(self, stub: SolutionsStub, chance: random.Random) -> None:
        kind = chance.random()
        if kind < 0.9:
            request = solutions_pb2.LookupRequest(game=GAME, position=_moves(chance))
            await stub.Lookup(request, metadata=self._headers, timeout=10)
        elif kind < 0.95:
            line = solutions_pb2.GetLineRequest(game=GAME, position=_moves(chance))
            await stub.GetLine(line, metadata=self._headers, timeout=10)
        else:
            texts = solutions_pb2.Texts(positions=[_moves(chance) for _ in range(POSITIONS)])
            await stub.BatchLookup(
                solutions_pb2.BatchLookupRequest(game=GAME, texts=texts), metadata=self._headers, timeout=10
            )


def _moves(chance: random.Random) -> str:
    return "moves:" + "".join(chance.choices("12345", k=chance.randrange(1, 4)))


def _process() -> None:
    """One process of clients: prints what it saw."""
    asked = json.loads(sys.argv[2])
    authority = Path(asked.pop("authority")).read_bytes()
    clients = Clients(authority=authority, **asked)
    asyncio.run(clients.run())
    print(json.dumps({"waits": [round(wait, 5) for wait in clients.waits], "errors": clients.errors}))


def run(folder: Path, clients: int, seconds: float, calls: float) -> tuple[list[float], list[str]]:
    """The waits in seconds, shortest first, and the errors."""
    authority = Authority(folder / "authority")
    certificate, key = authority.issue("server", "localhost", "IP:127.0.0.1")
    store = folder / "store"
    with connect(str(store)) as client:
        client.solve(GAME)
    made = [sys.executable, "-m", "proofbase", "tokens", "create", "many", "--role", "reader", "--ends", "1d"]
    token = subprocess.run([*made, "--store", str(store)], capture_output=True, text=True, check=True).stdout.split()[0]
    with server(store, "--certificate", str(certificate), "--key", str(key), "--log-level", "warning") as (address, _):
        asked = {
            "address": address,
            "authority": str(authority.certificate),
            "token": token,
            "clients": clients // PROCESSES,
            "period": clients / calls,
            "seconds": seconds,
        }
        command = [sys.executable, __file__, "--process", json.dumps(asked)]
        running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(PROCESSES)]
        found = [json.loads(process.communicate()[0]) for process in running]
    waits = sorted(wait for seen in found for wait in seen["waits"])
    return waits, [error for seen in found for error in seen["errors"]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--calls", type=float, default=400.0, help="a second, of all clients together")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        waits, errors = run(Path(folder), options.clients, options.seconds, options.calls)
    median, high = waits[len(waits) // 2], waits[len(waits) * 99 // 100]
    print(
        f"{options.clients} clients over TLS, {len(waits)} calls: median {1e3 * median:.1f} ms, "
        f"99 of 100 within {1e3 * high:.1f} ms, longest {1e3 * waits[-1]:.0f} ms, {len(errors)} errors {errors[:3]}"
    )
    return 0 if not errors and high < BAR_SECONDS else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["--process"]:
        _process()
    else:
        sys.exit(main())
