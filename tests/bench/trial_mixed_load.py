"""Mixed load for a long time: how the memory of the server grows.

    python tests/bench/trial_mixed_load.py [--requests N] [--seconds S] [--settle S] [--clients N] [--store DIR]

Clients make requests of all kinds, spread over the time: lookups, batches of all three forms, searching lookups, lines,
analyses, proofs in pages, statistics, lists, games that nobody has, small solves of ever new games, watches, streams,
exports and imports. The memory is what the process has for itself (RssAnon: without the pages of the mapped store).

The bar: in an hour of 500,000 requests the memory grows by less than 20 MB after the first ten minutes, and no request
fails that should not. Exit status 1 otherwise.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from polite import GAME, server

from proofbase.engine.games import open_game
from proofbase.service.client import Budget, Client, ServiceError, TooManyCallsError, connect

BAR_MIB = 20.0
SAMPLE_SECONDS = 5.0
Request = Callable[[Client, random.Random], object]


def memory(process: int) -> tuple[float, float]:
    """MiB that the process has for itself, and with the pages of mapped files."""
    fields = dict(
        line.split(":", 1)
        for line in Path(f"/proc/{process}/status").read_text().splitlines()
        if line.startswith("Rss")
    )
    anonymous, mapped = (int(fields[name].split()[0]) / 1024 for name in ("RssAnon", "RssFile"))
    return anonymous, anonymous + mapped


def _keys(chance: random.Random, count: int) -> list[bytes]:
    game = open_game(GAME)
    keys: list[bytes] = []
    while len(keys) < count:
        position = game.initial()
        while game.terminal(position) is None:
            keys.append(game.key(position))
            position = game.play(position, chance.choice(list(game.moves(position))))
    return keys[:count]


def _moves(chance: random.Random, most: int = 16) -> str:
    game = open_game(GAME)
    position, texts = game.initial(), list[str]()
    while game.terminal(position) is None and len(texts) < chance.randrange(1, most):
        move = chance.choice(list(game.moves(position)))
        texts.append(game.move_text(position, move))
        position = game.play(position, move)
    return " ".join(texts)


def _proof(client: Client, chance: random.Random) -> None:
    page = client.proof(GAME, max_nodes=50)
    while page.cut is not None and page.cut.continuation and chance.random() < 0.7:
        page = client.proof(GAME, max_nodes=50, continuation=page.cut.continuation)


def _solve(client: Client, chance: random.Random) -> None:
    name = f"random-graph:nodes=60,seed={chance.randrange(1 << 40)}"
    job = client.start_solve(name, budget=Budget(nodes=2_000, seconds=5))
    for _ in client.watch(job.id):
        pass


def _transfer(client: Client, chance: random.Random) -> None:
    with client.export("tic-tac-toe", "-", form="jsonl") as chunks:
        data = b"".join(chunks)
    client.import_([data], form="jsonl", source=f"mixed load {chance.randrange(50)}")


KINDS: dict[str, tuple[int, Request]] = {
    "lookup": (30, lambda client, chance: client.lookup(GAME, "moves:" + _moves(chance, 10))),
    "packed": (25, lambda client, chance: client.batch_lookup_packed(GAME, b"".join(_keys(chance, 200)))),
    "keys": (5, lambda client, chance: client.batch_lookup_keys(GAME, _keys(chance, 50))),
    "texts": (8, lambda client, chance: client.batch_lookup(GAME, [f"moves:{_moves(chance, 6)}" for _ in range(20)])),
    "stream": (2, lambda client, chance: list(client.stream_lookup(GAME, [_keys(chance, 50) for _ in range(3)]))),
    "search": (1, lambda client, chance: client.lookup("connect-four:5x5", "moves:1 2 3", search=2_000)),
    "line": (3, lambda client, chance: client.line(GAME)),
    "analysis": (1, lambda client, chance: client.analyse_game(GAME, _moves(chance))),
    "proof": (2, _proof),
    "statistics": (3, lambda client, chance: client.statistics()),
    "census": (1, lambda client, chance: client.statistics("tic-tac-toe", census=True)),
    "list": (4, lambda client, chance: client.jobs(limit=20)),
    "games": (1, lambda client, chance: client.games()),
    "nobody": (5, lambda client, chance: client.lookup(f"random-graph:seed={chance.randrange(1 << 40)}")),
    "nobody packed": (
        3,
        lambda client, chance: client.batch_lookup_packed(f"random-graph:seed={chance.randrange(1 << 40)}", bytes(20)),
    ),
    "mistake": (3, lambda client, chance: _mistake(client)),
    "solve": (1, _solve),
    "transfer": (1, _transfer),
}


def _mistake(client: Client) -> None:
    try:
        client.lookup(GAME, "no position")
    except ValueError:
        return
    raise AssertionError("a text that is no position was accepted")


class Load:
    """Requests that clients make until the time is over."""

    def __init__(self, address: str, requests: int, seconds: float, clients: int) -> None:
        self.address = address
        self.period = clients * seconds / requests
        self.end = time.monotonic() + seconds
        self.done: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        self._lock = threading.Lock()
        self.threads = [
            threading.Thread(target=self._ask, args=(number,), name=f"client {number}") for number in range(clients)
        ]

    def _ask(self, seed: int) -> None:
        chance, names = random.Random(seed), list(KINDS)
        weights = [KINDS[name][0] for name in names]
        due = time.monotonic() + chance.random() * self.period
        while time.monotonic() < self.end:
            with connect(self.address) as client:
                for _ in range(1000):  # then over a new connection
                    if time.monotonic() >= self.end:
                        break
                    time.sleep(max(0.0, due - time.monotonic()))
                    due = max(due + self.period, time.monotonic() - 60)
                    name = chance.choices(names, weights)[0]
                    self._request(name, client, chance)

    def _request(self, name: str, client: Client, chance: random.Random) -> None:
        failure = ""
        try:
            KINDS[name][1](client, chance)
        except TooManyCallsError:
            failure = "refused"
        except (ServiceError, ValueError, OSError, RuntimeError, AssertionError) as error:
            failure = f"{type(error).__name__}: {error}"[:200]
        with self._lock:
            self.done[name] += 1
            if failure:
                self.failed[f"{name}: {failure}"] += 1


def run(store: Path, requests: int, seconds: float, clients: int) -> tuple[Load, list[tuple[float, float, float]]]:
    """The trial: what was asked, and the memory over time (seconds, for itself, with mapped files)."""
    samples: list[tuple[float, float, float]] = []
    with server(store, "--log-level", "warning") as (address, process):
        with connect(address) as client:
            for game in (GAME, "tic-tac-toe"):
                client.solve(game)
        load = Load(address, requests, seconds, clients)
        began = time.monotonic()
        for thread in load.threads:
            thread.start()
        while any(thread.is_alive() for thread in load.threads):
            time.sleep(min(SAMPLE_SECONDS, seconds / 20))
            samples.append((time.monotonic() - began, *memory(process)))
            if len(samples) % 60 == 0:
                after, own, whole = samples[-1]
                done = load.done.total()
                print(f"{after:6.0f} s: {done} requests, {own:.1f} MiB, {whole:.1f} MiB with files", flush=True)
    return load, samples


def growth(samples: list[tuple[float, float, float]], settle: float) -> float:
    """MiB by which the memory has grown since the first `settle` seconds: last tenth against the time after them."""
    rest = [own for after, own, _ in samples if after >= settle]
    part = max(1, len(rest) // 10)
    return sum(rest[-part:]) / part - sum(rest[:part]) / part


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=500_000)
    parser.add_argument("--seconds", type=float, default=3600.0)
    parser.add_argument("--settle", type=float, default=600.0, help="seconds before the memory is compared")
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--store", type=Path, help="where the store is made (a new directory)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = options.store or Path(folder) / "store"
        load, samples = run(store, options.requests, options.seconds, options.clients)
    grown, done = growth(samples, options.settle), load.done.total()
    print(f"{done} requests in {samples[-1][0]:.0f} s: {dict(load.done.most_common())}")
    print(f"failed: {dict(load.failed.most_common(10))}")
    print(
        f"memory: {samples[0][1]:.1f} MiB at first, {samples[-1][1]:.1f} at last, {grown:+.1f} after the first settling"
    )
    print(json.dumps({"requests": done, "grown_mib": round(grown, 2), "failed": load.failed.total()}))
    return 0 if grown < BAR_MIB and not load.failed else 1


if __name__ == "__main__":
    sys.exit(main())
