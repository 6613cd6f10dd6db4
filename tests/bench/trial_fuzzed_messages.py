"""Fuzzed messages on every call: random bytes, and valid requests with mutations; a polite client beside them.

    python tests/bench/trial_fuzzed_messages.py [--messages N] [--at-a-time N] [--seed N]

The bar: every message gets an answer or a status that blames the caller or names a limit, never an internal error; the
polite client never waits longer than a second, and gets no error. Exit status 1 otherwise.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
from polite import GAME, Polite, polite_client, server

from proofbase.service.client import connect
from proofbase.v1 import jobs_pb2, solutions_pb2, transfer_pb2

DEADLINE_SECONDS = 30.0
MOST_ANSWERS = 3
"""Answers that are read of a stream before it is left."""
FILES = (solutions_pb2, jobs_pb2, transfer_pb2)
BAD_CODES = ("INTERNAL", "UNKNOWN", "DATA_LOSS", "UNAVAILABLE")


def methods() -> Iterator[tuple[str, bool, bool]]:
    """Path of each call, and whether its requests and its answers are streams."""
    for file in FILES:
        for service in file.DESCRIPTOR.services_by_name.values():
            for method in service.methods:
                yield f"/{service.full_name}/{method.name}", method.client_streaming, method.server_streaming


def seeds(job: str) -> dict[str, list[bytes]]:
    """Valid requests of each call."""
    texts = solutions_pb2.Texts(positions=["-", "1", "12"])
    budget = jobs_pb2.Budget(nodes=200, seconds=0.1)
    header = transfer_pb2.ImportHeader(format="FORMAT_JSONL", source="a trial")
    found: dict[str, list[Any]] = {
        "ListGames": [solutions_pb2.ListGamesRequest()],
        "GetGame": [solutions_pb2.GetGameRequest(game=GAME), solutions_pb2.GetGameRequest(game="awari")],
        "GetLimits": [solutions_pb2.GetLimitsRequest()],
        "Lookup": [
            solutions_pb2.LookupRequest(game=GAME, position="12", board=True),
            solutions_pb2.LookupRequest(game="connect-four", position="4", search_nodes=500),
        ],
        "BatchLookup": [
            solutions_pb2.BatchLookupRequest(game=GAME, texts=texts),
            solutions_pb2.BatchLookupRequest(game=GAME, packed_keys=solutions_pb2.PackedKeys(keys=bytes(70))),
            solutions_pb2.BatchLookupRequest(game=GAME, keys=solutions_pb2.Keys(keys=[bytes(7), b"", b"x"])),
        ],
        "GetLine": [solutions_pb2.GetLineRequest(game=GAME, max_plies=8)],
        "GetThreats": [solutions_pb2.GetThreatsRequest(game=GAME, search_nodes=100)],
        "AnalyseGame": [solutions_pb2.AnalyseGameRequest(game=GAME, moves="1 2 3 4")],
        "GetProof": [solutions_pb2.GetProofRequest(game=GAME, max_nodes=20, continuation="MTIzNDU2Nzg5MC4xLng=")],
        "GetStatistics": [solutions_pb2.GetStatisticsRequest(game=GAME, census=True, continuation="AAAA")],
        "StartSolve": [jobs_pb2.StartSolveRequest(game="tic-tac-toe", exact=True, budget=budget)],
        "StartPositions": [
            jobs_pb2.StartPositionsRequest(header=jobs_pb2.PositionsHeader(game="tic-tac-toe", budget=budget)),
            jobs_pb2.StartPositionsRequest(texts=texts, lines=[1, 2, 3]),
        ],
        "ListPositions": [jobs_pb2.ListPositionsRequest(id=job, skip=1, limit=5)],
        "StartVerification": [jobs_pb2.StartVerificationRequest(game="tic-tac-toe", sample=5)],
        "StartTable": [jobs_pb2.StartTableRequest(game="tic-tac-toe", size=2, threads=1)],
        "Watch": [jobs_pb2.WatchRequest(id=job)],
        "Get": [jobs_pb2.GetJobRequest(id=job)],
        "List": [jobs_pb2.ListJobsRequest(limit=5, states=["JOB_STATE_DONE"], continuation=job)],
        "Cancel": [jobs_pb2.CancelJobRequest(id=job)],
        "Pause": [jobs_pb2.PauseJobRequest(id=job)],
        "Resume": [jobs_pb2.ResumeJobRequest(id=job)],
        "Export": [transfer_pb2.ExportRequest(game=GAME, position="12", format="FORMAT_CERTIFICATE", max_nodes=9)],
        "Import": [transfer_pb2.ImportChunk(header=header, data=b'{"game":"tic-tac-toe"}\n')],
    }
    found["StreamLookup"] = found["BatchLookup"]
    return {name: [request.SerializeToString() for request in requests] for name, requests in found.items()}


def mutated(data: bytes, chance: random.Random) -> bytes:
    """The bytes with some changes, or bytes that have nothing to do with them."""
    kind = chance.randrange(8)
    if kind == 0:
        return chance.randbytes(chance.randrange(200))
    if kind == 1:
        return data
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5))):
        place = chance.randrange(len(changed) + 1)
        if kind in (2, 3) and changed:
            changed[place - 1] ^= 1 << chance.randrange(8)
        elif kind == 4:
            changed[place:place] = chance.randbytes(chance.randrange(1, 9))
        elif kind == 5:
            del changed[place : place + chance.randrange(1, 9)]
        elif kind == 6:
            changed[place:place] = chance.choice((b"\xff" * 9 + b"\1", b"\x80" * 11, b"\0", b"\xed\xa0\x80", b"\x0b"))
        else:
            changed += changed[chance.randrange(len(changed) + 1) :]
    return bytes(changed)


async def fuzz(address: str, job: str, messages: int, at_a_time: int, seed: int) -> Counter[str]:
    """Sends the messages; how they were answered."""
    chance, outcomes, calls, requests = random.Random(seed), Counter[str](), list(methods()), seeds(job)
    left = messages

    async def send_some(channel: grpc.aio.Channel) -> None:
        nonlocal left
        while left > 0:
            path, sends_stream, gets_stream = chance.choice(calls)
            name = path.rpartition("/")[2]
            valid = requests.get(name, [b""])
            data = [mutated(chance.choice(valid), chance) for _ in range(chance.randrange(1, 4) if sends_stream else 1)]
            left -= len(data)
            outcomes[f"{name} {await _call(channel, path, sends_stream, gets_stream, data)}"] += 1

    channels = [grpc.aio.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)]) for _ in range(8)]
    await asyncio.gather(*(send_some(channels[number % len(channels)]) for number in range(at_a_time)))
    for channel in channels:
        await channel.close()
    return outcomes


async def _call(channel: grpc.aio.Channel, path: str, sends_stream: bool, gets_stream: bool, data: list[bytes]) -> str:
    """The status of one call."""
    kind = f"{'stream' if sends_stream else 'unary'}_{'stream' if gets_stream else 'unary'}"
    make: Any = getattr(channel, kind)(path)
    call = make(iter(data) if sends_stream else data[0], timeout=DEADLINE_SECONDS)
    try:
        if not gets_stream:
            await call
            return "OK"
        answers = 0
        async for _ in call:
            answers += 1
            if answers == MOST_ANSWERS:
                call.cancel()
                return "OK"
    except grpc.aio.AioRpcError as error:
        if sends_stream and error.details() == "Internal error from Core":
            return "ENDED_EARLY"  # grpc.aio's client: the server had refused the call before all of it was sent
        return str(error.code().name)
    return "OK"


def run(folder: Path, messages: int, at_a_time: int, seed: int) -> tuple[Polite, Counter[str]]:
    """The trial on a server of its own: what the polite client saw, and the statuses by call."""
    with server(folder / "store", "--log-level", "error") as (address, _):
        with connect(address) as client:
            job = client.solve(GAME)
        with polite_client(address) as seen:
            outcomes = asyncio.run(fuzz(address, job.id, messages, at_a_time, seed))
    return seen[0], outcomes


def bad(outcomes: Counter[str]) -> dict[str, int]:
    """The outcomes that are faults of the service, and calls that got no answer in time."""
    return {what: count for what, count in outcomes.items() if what.split()[1] in (*BAD_CODES, "DEADLINE_EXCEEDED")}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=500_000)
    parser.add_argument("--at-a-time", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        polite, outcomes = run(Path(folder), options.messages, options.at_a_time, options.seed)
        log = (Path(folder) / "store.log").read_text()
    by_status = Counter[str]()
    for what, count in outcomes.items():
        by_status[what.split()[1]] += count
    print(f"{options.messages} messages in {time.monotonic() - began:.0f} s: {dict(by_status.most_common())}")
    print(f"faults: {bad(outcomes)}")
    print(polite)
    print(log[-2000:])
    return 0 if polite.slow == 0 and not polite.errors and not bad(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
