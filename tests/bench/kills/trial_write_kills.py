"""Kills writers of a store while they write records: after every kill each claim has to pass its local check.

    python tests/bench/kills/trial_write_kills.py lmdb|postgres [--kills N] [--seed S]

A process imports a file, or solves a position alone or with two workers, in games with and without cycles and in
`within:N:GAME`. It is killed with SIGKILL at a random moment of its writing; now and then, with PostgreSQL, the
database is killed instead. Then another process verifies the whole store: every claim, the count and the fingerprint.
The next writer goes on with the same store until some writers have ended; then a new store begins. Half of the writers
cut what they write into small transactions, so that there are many moments between two of them. Exit status 1 if a
claim fails.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "storage"))  # postgres_server.py
sys.path.insert(0, str(Path(__file__).parent))
import psycopg
from killed_processes import Database, PostgresUnavailableError

from proofbase.migrations import migrate
from proofbase.service.client import Client, VerificationResult, connect
from proofbase.service.resources import closed_sets, record_writer

CYCLIC = "random-graph:nodes=20000,degree=3,span=300,ends=1,group=2000,values=2,rewards=1,repetition=1,seed=3"
SOLVES = {
    "connect-four:5x5": ["df-pn", "pn-dag"],
    "within:11:connect-four:5x4": ["df-pn", "pn-dag"],
    CYCLIC: ["pn-base-twin"],
}
SMALL_SOLVES = {
    "connect-four:4x4": ["df-pn", "pn-dag"],
    "within:9:connect-four:4x4": ["df-pn"],
    "random-graph:nodes=20000,degree=4,span=300,ends=2,group=2000,repetition=1,seed=1": ["pn-base-twin"],
}
PATIENCE_SECONDS = 60.0
ENDED_WRITERS = 4
"""Writers that end by themselves before a new store begins."""


def make_files(folder: Path, solves: dict[str, list[str]]) -> list[Path]:
    """A file of records of each game and algorithm."""
    files = []
    for game, algorithms in solves.items():
        for algorithm in algorithms:
            with connect("memory:") as client:
                client.solve(game, algorithm=algorithm)
                file = folder / f"{len(files)}.jsonl"
                client.export_to(file, game, form="jsonl")
            files.append(file)
    return files


def in_child(work: Callable[[Callable[[bytes], None]], None]) -> tuple[int, int]:
    """Forks a process for the work, which gets a function that tells the parent something.

    Returns:
        Its pid, and the end of a pipe for reading.
    """
    reading, writing = os.pipe()
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, reading
    status = 1
    try:
        os.close(reading)
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - until the process ends
        work(lambda text: os.write(writing, text) and None)
        status = 0
    finally:
        os._exit(status)


def writer(url: str, write: Callable[[Client], Any], *, small: bool) -> Callable[[Callable[[bytes], None]], None]:
    """The work of a process that writes; it tells when it begins to store."""

    def work(tell: Callable[[bytes], None]) -> None:
        if small:
            closed_sets.STORED_AT_ONCE = record_writer.LEAST_WRITE = record_writer.LARGEST_WRITE = 200
        put = record_writer.RecordWriter.put

        def telling(*arguments: Any, **named: Any) -> Any:
            tell(b"w")
            return put(*arguments, **named)

        record_writer.RecordWriter.put = telling  # type: ignore[method-assign]
        with connect(url) as client:
            write(client)

    return work


def verified(url: str) -> dict[str, Any]:
    """What a verification in a process of its own finds."""

    def work(tell: Callable[[bytes], None]) -> None:
        with connect(url) as client:
            result = client.verify().result
        assert isinstance(result, VerificationResult)
        first = str(result.findings[0]) if result.findings else ""
        tell(json.dumps({"checked": result.checked, "failed": result.failed, "first": first[:300]}).encode())

    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        pid, reading = in_child(work)
        with os.fdopen(reading, "rb") as pipe:
            text = pipe.read()
        os.waitpid(pid, 0)
        if text:
            found: dict[str, Any] = json.loads(text)
            return found
        # A database that was killed does not answer at once.
        assert time.monotonic() < deadline, "the store cannot be verified"
        time.sleep(0.2)


class Stores:
    """New stores, one after the other.

    Args:
        kind: `lmdb` or `postgres`.
        home: a folder of the trial.
        stack: closes what is opened.
    """

    def __init__(self, kind: str, home: Path, stack: ExitStack) -> None:
        self._home = home
        self._number = 0
        self.database: Database | None = None
        if kind == "postgres":
            self.database = Database(home)
            stack.callback(self.database.stop)

    def new(self) -> str:
        """The URL of an empty store."""
        self._number += 1
        if self.database is None:
            shutil.rmtree(self._home / f"store{self._number - 1}", ignore_errors=True)
            return str(self._home / f"store{self._number}")
        with psycopg.connect(self.database.url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE trial{self._number}".encode())
        url = self.database.url.removesuffix("/postgres") + f"/trial{self._number}"
        migrate(url)
        return url


def run(
    kind: str, kills: int, seed: int, report: Callable[[str], None] = lambda line: None, *, small: bool = False
) -> dict[str, Any]:
    """One trial; `small`: with games of which a thousand records are stored.

    Raises:
        AssertionError: a claim fails after a kill.
    """
    chance, solves = random.Random(seed), SMALL_SOLVES if small else SOLVES
    counts: Counter[str] = Counter()
    seconds: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="proofbase-kills-") as name, ExitStack() as stack:
        home = Path(name)
        home.chmod(0o755)
        writers: dict[str, Callable[[Client], Any]] = {}
        for file in make_files(home, solves):
            writers[f"import {file.name}"] = lambda client, file=file: client.import_(file, form="jsonl")
        for game, algorithms in solves.items():
            for algorithm in algorithms:
                writers[f"solve {game} {algorithm}"] = lambda client, game=game, algorithm=algorithm: client.solve(
                    game, algorithm=algorithm
                )
        first = next(iter(solves))
        writers[f"solve {first} with workers"] = lambda client: client.solve(first, workers=2)
        stores = Stores(kind, home, stack)
        url, ended = stores.new(), 0
        while counts["kills"] < kills:
            what = chance.choice(sorted(writers))
            began = time.monotonic()
            pid, reading = in_child(writer(url, writers[what], small=chance.random() < 0.5))
            told = os.read(reading, 1)
            if told:
                time.sleep(chance.random() * seconds.get(what, 0.5))
            by_itself, _ = os.waitpid(pid, os.WNOHANG)
            if by_itself:
                seconds[what] = 0.5 * seconds.get(what, 0.5) + 0.5 * (time.monotonic() - began) / 2
                ended += 1
            else:
                if stores.database is not None and chance.random() < 0.05:
                    stores.database.kill(chance)
                    counts["databases"] += 1
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                counts["kills"] += 1
                seconds[what] = seconds.get(what, 0.5) * 1.05
            os.close(reading)
            found = verified(url)
            assert found["failed"] == 0, f"after {counts['kills']} kills, {what}: {found}"
            counts["verified records"] += found["checked"]
            counts["in the middle"] += bool(found["checked"]) and not by_itself
            if ended >= ENDED_WRITERS:
                url, ended = stores.new(), 0
                counts["stores"] += 1
            if not by_itself and counts["kills"] % 20 == 0:
                report(f"{kind}: {dict(counts)}")
    return {"kind": kind, **counts}


def main() -> int:
    """Runs a trial by the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["lmdb", "postgres"])
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--small", action="store_true", help="small games, for a few quick rounds")
    arguments = parser.parse_args()

    def report(line: str) -> None:
        print(line, flush=True)

    try:
        outcome = run(arguments.kind, arguments.kills, arguments.seed, report, small=arguments.small)
    except (AssertionError, PostgresUnavailableError) as error:
        print(f"FAILED: {error}")
        return 1
    print(json.dumps(outcome))
    return 0


if __name__ == "__main__":
    sys.exit(main())
