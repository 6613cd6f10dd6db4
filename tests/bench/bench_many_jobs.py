"""How fast a server answers whose store holds 100,000 finished jobs, while 16 greedy clients ask it.

    python tests/bench/bench_many_jobs.py [--jobs N] [--clients N] [--seconds S] [--store DIR]

Makes a LMDB store with the jobs (solves, verifications, failed ones among them) and 20,000 records of connect-four,
serves it in a process of its own, and asks from others: 16 clients list jobs, fetch statistics and look up batches of
1,000 keys, one call after the other without a pause, and one client does the same now and then and takes the time. Each
of its calls has to be answered within 200 ms, 99 of 100 times. Exit status 1 if not.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from bench_service import GAME, random_keys, record_of
from served import served

from proofbase.service.answers import Value
from proofbase.service.client import Client, Job, connect
from proofbase.service.jobs.solve.model import SolveProgress, SolveResult, SolveSpec
from proofbase.service.jobs.stored_jobs import to_stored
from proofbase.service.jobs.verification import VerificationResult, VerificationSpec
from proofbase.storage import open_store
from proofbase.storage.lmdb.store import LmdbStore

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event

BAR = 0.2
BATCH = 1000


def make_jobs(store: LmdbStore, count: int) -> None:
    """Stores finished jobs, many in one commit."""
    value = Value.of(0)
    result = SolveResult("exact", value, "4", 20, 12_345, 0.5, 24_690.0, 678, "pn-dag+effort")
    solved = Job("", "solve", "done", 0.0, 0.0, SolveSpec(GAME, "4455"), SolveProgress(value=value), result)
    checked = VerificationResult(100_000, 0, 1.5, 66_666.0)
    verified = Job("", "verification", "done", 0.0, 0.0, VerificationSpec(GAME), None, checked)
    failed = replace(solved, state="failed", result=None, error="the disk is on fire", error_reason="INTERNAL")
    now = time.time()
    for start in range(0, count, 10_000):
        jobs = []
        for number in range(start, min(start + 10_000, count)):
            when = now - count + number
            kind = verified if number % 10 == 0 else failed if number % 1000 == 1 else solved
            jobs.append(to_stored(replace(kind, id=f"{number:011x}{number:010x}", created=when, updated=when)))

        def put(txn: object, jobs: list[object] = jobs) -> None:
            for job in jobs:
                store._put_row(txn, job)  # type: ignore[arg-type, attr-defined]

        store._environment.write(put)


def calls(client: Client, keys: list[bytes], chance: random.Random) -> dict[str, Callable[[], object]]:
    """What is asked, by name."""
    return {
        "List": lambda: client.jobs(),
        "List of failed jobs": lambda: client.jobs(["failed"]),
        "GetStatistics": lambda: client.statistics(),
        "batch of 1,000": lambda: client.batch_lookup_keys(GAME, chance.sample(keys, BATCH)),
    }


def greedy(address: str, first: int, count: int, stop: Event) -> None:
    """Some greedy clients, each with a connection and a thread of its own."""
    keys = random_keys(2_000, 1)

    def ask(number: int) -> None:
        chance = random.Random(number)
        with connect(address) as client:
            asked = list(calls(client, keys, chance).values())
            while not stop.is_set():
                chance.choice(asked)()

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(first, first + count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def measure(client: Client, keys: list[bytes], seconds: float) -> dict[str, list[float]]:
    """Seconds of each call."""
    chance = random.Random(0)
    asked = calls(client, keys, chance)
    times: dict[str, list[float]] = {name: [] for name in asked}
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for name, call in asked.items():
            began = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - began)
        time.sleep(0.05)
    return times


def main() -> int:
    """Runs the benchmark by the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=100_000)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--store", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="proofbase-jobs-") as name:
        directory = arguments.store or Path(name) / "store"
        keys = random_keys(20_000, 1)
        with open_store(str(directory)) as store:
            assert isinstance(store, LmdbStore)
            if not store.list_jobs(limit=1):
                make_jobs(store, arguments.jobs)
                items = ((key, record_of(key)[0]) for key in keys)
                store.put_many(GAME, items, source="a benchmark", rules_version=1)
        with served(directory) as client:
            client.batch_lookup_keys(GAME, keys[:1])  # has the copy of the records made
            time.sleep(2)
            alone = measure(client, keys, 3)
            context = multiprocessing.get_context("spawn")
            stop = context.Event()
            work = [
                context.Process(target=greedy, args=(client.target, first, min(4, arguments.clients - first), stop))
                for first in range(0, arguments.clients, 4)
            ]
            for process in work:
                process.start()
            time.sleep(10)
            loaded = measure(client, keys, arguments.seconds)
            stop.set()
            for process in work:
                process.join()
    slow = False
    for name in alone:
        ordered = sorted(loaded[name])
        high = ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]
        slow |= high > BAR
        print(
            json.dumps(
                {
                    "call": name,
                    "alone_ms": round(1e3 * sorted(alone[name])[len(alone[name]) // 2], 1),
                    "median_ms": round(1e3 * ordered[len(ordered) // 2], 1),
                    "p99_ms": round(1e3 * high, 1),
                    "worst_ms": round(1e3 * ordered[-1], 1),
                    "calls": len(ordered),
                }
            )
        )
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
