"""Greedy clients and a store with very many finished jobs: how long a polite client waits.

    python tests/bench/trial_greedy_clients.py [--jobs N] [--clients N] [--seconds S] [--store DIR]

Every greedy client asks over a connection of its own, as fast as it can: lookups that search, large batches of texts,
proofs, censuses, lists of jobs, exports. The polite client asks for lists of jobs, statistics and
batches of 1,000 keys.

The bar: half of the polite client's calls of each kind take less than 200 ms, and none more than a second. Exit status
1 otherwise.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Self

from polite import GAME, Polite, polite_client, server

from proofbase.service.client import Client, ServiceError, connect
from proofbase.storage import open_store
from proofbase.storage.entries import Job

BAR_SECONDS = 0.2
SPEC = {"game": GAME, "position": "-", "at_least": 1, "algorithm": "pn-dag", "budget": {}}


def fill(store: Path, jobs: int) -> None:
    """Stores finished jobs, as years of work leave them."""
    with open_store(str(store)) as opened:
        environment = opened._environment  # type: ignore[attr-defined]  # one commit for many jobs

        def put(txn: object, first: int) -> None:
            for number in range(first, min(first + 5_000, jobs)):
                state = ("done", "done", "done", "failed", "cancelled")[number % 5]
                job = Job(f"old-{number:08}", "solve", state, 1e9 + number, 1e9 + number, SPEC)
                opened._put_row(txn, job)  # type: ignore[attr-defined]

        for first in range(0, jobs, 5_000):
            environment.write(partial(put, first=first))


class Greedy:
    """Clients that ask as fast as they can until they are told to stop."""

    def __init__(self, address: str, clients: int) -> None:
        self.address = address
        self.done: Counter[str] = Counter()
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._ask, args=(number,)) for number in range(clients)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _ask(self, number: int) -> None:
        chance = random.Random(number)
        with connect(self.address) as client:
            while not self._stop.is_set():
                name = chance.choice(("search", "texts", "proof", "census", "list", "export", "line"))
                try:
                    self._call(client, name)
                except (ServiceError, ValueError, RuntimeError) as error:
                    name = f"{name}: {type(error).__name__}"
                self.done[name] += 1

    def _call(self, client: Client, name: str) -> None:
        if name == "search":
            client.lookup("connect-four", "4", search=200_000)
        elif name == "texts":
            client.batch_lookup(GAME, ["1"] * 5_000)
        elif name == "proof":
            client.proof(GAME)
        elif name == "census":
            client.statistics(GAME, census=True)
        elif name == "list":
            client.jobs(limit=1000)
        elif name == "export":
            with client.export(GAME, form="jsonl") as chunks:
                for _ in chunks:
                    pass
        else:
            client.line(GAME)


def run(store: Path, jobs: int, clients: int, seconds: float) -> tuple[Polite, Counter[str]]:
    """The trial: what the polite client saw, and what the greedy ones did."""
    if not store.exists():
        fill(store, jobs)
    limit = ("--limit", f"kept_jobs={jobs + 1000}")  # none of them is forgotten
    with server(store, "--log-level", "error", *limit) as (address, _):
        with connect(address) as client:
            client.solve(GAME)
        with Greedy(address, clients) as greedy, polite_client(address) as seen:
            time.sleep(seconds)
    return seen[0], greedy.done


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=100_000)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--store", type=Path, help="keep the store there, or use what is there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        polite, done = run(options.store or Path(folder) / "store", options.jobs, options.clients, options.seconds)
    print(f"greedy clients: {dict(done.most_common())}")
    print(polite)
    return 0 if polite.slow == 0 and not polite.errors and max(polite.medians.values()) < BAR_SECONDS else 1


if __name__ == "__main__":
    sys.exit(main())
