"""Fuzzed requests over HTTP: URLs, queries, headers and bodies with mutations, calls and streams of Connect.

    python tests/bench/http/trial_fuzzed_http.py [--requests N] [--at-a-time N] [--seed N]

The bar: no answer with 5xx, none that takes over a second, no growth of memory over the second half. Exit status 1
otherwise.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from http_server import http_server, read_answer, resident_mib

from proofbase.service.client import connect
from proofbase.service.http.routes import ROUTES
from proofbase.v1 import jobs_pb2, solutions_pb2, transfer_pb2

GAME = "connect-four:4x4"
LIMITS = ("search_nodes=2000", "search_seconds=1", "queued_jobs=20", "concurrent_jobs=1", "proof_nodes=500")
PATIENCE_SECONDS = 30.0
RAW_SECONDS = 0.2
"""A request whose bytes were changed may be one that has not ended yet."""
GROWTH_MIB = 40.0
FILES = (solutions_pb2, jobs_pb2, transfer_pb2)
CALLS = [
    (f"/{service.full_name}/{method.name}", method.client_streaming or method.server_streaming)
    for file in FILES
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
]
BODIES = {
    "Lookup": [{"game": GAME, "position": "12", "board": True}, {"game": GAME, "position": "4", "searchNodes": "500"}],
    "BatchLookup": [
        {"game": GAME, "texts": {"positions": ["-", "1", "12"]}},
        {"game": GAME, "packedKeys": {"keys": "A" * 80}},
    ],
    "StreamLookup": [{"game": GAME, "texts": {"positions": ["-", "1"]}}],
    "GetLine": [{"game": GAME, "maxPlies": 8}],
    "GetThreats": [{"game": GAME, "searchNodes": "100"}],
    "AnalyseGame": [{"game": GAME, "moves": "1 2 3 4"}],
    "GetProof": [{"game": GAME, "maxNodes": 20, "side": "SIDE_LOWER", "continuation": "MTIzNDU2"}],
    "GetStatistics": [{"game": GAME, "census": True, "continuation": "AAAA"}],
    "StartSolve": [{"game": "tic-tac-toe", "exact": True, "budget": {"nodes": "200", "seconds": 0.1}}],
    "StartPositions": [{"header": {"game": "tic-tac-toe", "budget": {"nodes": "200"}}}],
    "StartVerification": [{"game": "tic-tac-toe", "sample": "5"}],
    "StartTable": [{"game": "tic-tac-toe", "size": 2, "threads": 1}],
    "List": [{"limit": 5, "states": ["JOB_STATE_DONE"], "continuation": "x"}],
    "Export": [{"game": GAME, "position": "12", "format": "FORMAT_CERTIFICATE", "maxNodes": 9}],
    "Import": [{"header": {"format": "FORMAT_JSONL", "source": "a trial"}, "data": "eyJnYW1lIjoieCJ9"}],
    "Prune": [{"olderThanSeconds": 1e6, "keep": 5}],
}
QUERIES = (
    *("board=true", "moves=12", "key=AAAA", "max_plies=5", "max_nodes=9", "side=lower", "format=csv", "limit=3"),
    *("format=certificate", "search_nodes=100", "census=1", "states=done", "skip=1", "continuation=x", "%", "=&="),
)
HEADERS = (
    *("Content-Type", "Connect-Timeout-Ms", "Content-Encoding", "Accept-Encoding", "Origin", "If-None-Match"),
    *("Authorization", "Connect-Protocol-Version", "Expect", "Range"),
)
TEXTS = ("-", "1", "12", "moves:1212", "..../..../..../x...", "", "nothing", "\x00", "💥", "../..", "a" * 3000, "%2f")


@dataclass
class Seen:
    """How the requests were answered.

    Attributes:
        outcomes: by kind of request and status.
        slow: answers that took more than a second.
        longest: the longest wait in seconds, and the request.
        faults: requests that were answered with 5xx.
        broken: requests whose answers did not come whole.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    slow: list[str] = field(default_factory=list)
    longest: tuple[float, str] = (0.0, "")
    faults: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)


def mutated(data: bytes, chance: random.Random) -> bytes:
    """The bytes with some changes, or as they are."""
    if not data or chance.random() < 0.4:
        return data
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5))):
        place, kind = chance.randrange(len(changed) + 1), chance.randrange(4)
        if kind == 0 and changed:
            changed[place - 1] = chance.randrange(256)
        elif kind == 1:
            del changed[place : place + chance.randrange(1, 9)]
        elif kind == 2:
            changed[place:place] = chance.choice((b'"', b"[" * 50, b"1e999", b"null", b"\xff", b"\\ud800", b"-9" * 20))
        else:
            changed += changed[chance.randrange(len(changed) + 1) :]
    return bytes(changed)


def _path(chance: random.Random, job: str) -> tuple[str, str]:
    route = chance.choice(ROUTES)
    path = route.path
    for name, usual in (("{game}", GAME), ("{position}", "12"), ("{id}", job)):
        text = usual if chance.random() < 0.7 else chance.choice(TEXTS)
        path = path.replace(name, quote(text, safe=chance.choice(("/", "", ":/"))))
    if chance.random() < 0.6:
        path += "?" + "&".join(chance.choice(QUERIES) for _ in range(chance.randrange(1, 4)))
    if chance.random() < 0.2:
        path = quote(mutated(path.encode(), chance), safe="/?&=%:")
    return route.verb, path or "/"


def request(chance: random.Random, job: str) -> tuple[str, bytes]:
    """A kind of request, and its bytes."""
    headers = {"Host": "127.0.0.1"}
    if chance.random() < 0.4:
        kind, (verb, path) = "url", _path(chance, job)
        body = mutated(json.dumps(BODIES["BatchLookup"][0]).encode(), chance) if verb == "POST" else b""
        headers["Content-Type"] = "application/json"
    else:
        path, streams = chance.choice(CALLS)
        verb, form = "POST", chance.choice(("json", "json", "proto"))
        kind = "stream" if streams else f"call {form}"
        found = chance.choice(BODIES.get(path.rpartition("/")[2]) or [{}, {"id": job}])
        body = mutated(json.dumps(found).encode(), chance) if form == "json" else chance.randbytes(chance.randrange(60))
        if streams:
            body = b"".join(b"\0" + len(body).to_bytes(4, "big") + body for _ in range(chance.randrange(3)))
            body = body if chance.random() < 0.8 else mutated(body, chance)
        headers["Content-Type"] = f"application/{'connect+' if streams else ''}{form}"
    if chance.random() < 0.15:
        name = chance.choice(HEADERS)
        headers[name] = chance.choice(("gzip", "1", "x" * 300, "application/grpc", "100-continue", '"a"', "5000", "*"))
    headers["Content-Length"] = str(len(body))
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    data = f"{verb} {path} HTTP/1.1\r\n{lines}\r\n".encode() + body
    if chance.random() < 0.05:
        return "raw", mutated(data, chance)
    return kind, data


async def _ask(address: str, seen: Seen, requests: list[int], chance: random.Random, job: str) -> None:
    """Sends requests one after the other, over one connection as long as it stays open."""
    host, _, port = address.partition(":")
    reader: asyncio.StreamReader | None = None
    writer: asyncio.StreamWriter | None = None
    while requests[0] > 0:
        requests[0] -= 1
        kind, data = request(chance, job)
        if reader is None or writer is None:
            reader, writer = await asyncio.open_connection(host, int(port))
        began, closes = time.perf_counter(), False
        about = repr(data[:200])
        try:
            writer.write(data)
            await writer.drain()
            async with asyncio.timeout(RAW_SECONDS if kind == "raw" else PATIENCE_SECONDS):
                status, _, closes = await read_answer(reader)
            outcome = str(status)
            # 504 is what a deadline of a millisecond asks for.
            if status >= 500 and not (status == 504 and b"Connect-Timeout-Ms" in data):
                seen.faults.append(f"{status} {about}")
        except TimeoutError:
            outcome = "no answer"
        except (ConnectionError, asyncio.IncompleteReadError) as error:
            outcome = "closed"
            if kind != "raw":
                seen.broken.append(f"{error!r} {about}")
        seconds = time.perf_counter() - began
        seen.outcomes[f"{kind}: {outcome}"] += 1
        if kind != "raw":
            seen.longest = max(seen.longest, (seconds, about))
            if seconds > 1:
                seen.slow.append(f"{seconds:.2f} s {about}")
        if not outcome.isdigit() or kind == "raw" or closes:
            writer.close()
            reader = writer = None
    if writer is not None:
        writer.close()


async def fuzz(address: str, job: str, requests: int, at_a_time: int, seed: int) -> Seen:
    """Sends so many requests."""
    seen, left = Seen(), [requests]
    await asyncio.gather(*(_ask(address, seen, left, random.Random(seed * 1000 + n), job) for n in range(at_a_time)))
    return seen


def run(folder: Path, requests: int, at_a_time: int, seed: int) -> tuple[Seen, list[float]]:
    """The trial on a server of its own; and its memory in MiB at the beginning, half-way, and afterwards."""
    limits = [word for limit in LIMITS for word in ("--limit", limit)]
    with http_server(folder / "store", "--log-level", "error", *limits) as (grpc, http, process):
        with connect(grpc) as client:
            job = client.solve(GAME).id
        memory = [resident_mib(process)]
        first = asyncio.run(fuzz(http, job, requests // 2, at_a_time, seed))
        memory.append(resident_mib(process))
        second = asyncio.run(fuzz(http, job, requests - requests // 2, at_a_time, seed + 1))
        memory.append(resident_mib(process))
    longest = max(first.longest, second.longest)
    faults, slow = first.faults + second.faults, first.slow + second.slow
    broken = first.broken + second.broken
    return Seen(first.outcomes + second.outcomes, slow, longest, faults, broken), memory


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=200_000)
    parser.add_argument("--at-a-time", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        seen, memory = run(Path(folder), options.requests, options.at_a_time, options.seed)
        log = (Path(folder) / "store.log").read_text(encoding="utf-8")
    seconds = time.monotonic() - began
    print(f"{options.requests} requests in {seconds:.0f} s, {options.requests / seconds:.0f}/s")
    for outcome, count in sorted(seen.outcomes.items()):
        print(f"  {outcome:24} {count:8}")
    print(f"broken off: {len(seen.broken)} {seen.broken[:3]}")
    print(f"5xx: {len(seen.faults)} {seen.faults[:5]}")
    print(f"over 1 s: {len(seen.slow)} {seen.slow[:20]}; longest {seen.longest[0]:.3f} s {seen.longest[1][:120]}")
    print(f"memory: {', '.join(f'{mib:.0f} MiB' for mib in memory)}")
    print(log[-2000:])
    grown = memory[2] - memory[1] > GROWTH_MIB
    return 1 if seen.faults or seen.slow or grown else 0


if __name__ == "__main__":
    sys.exit(main())
