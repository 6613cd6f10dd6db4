"""A server in a process of its own, and a polite client in another one that measures how long it waits."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

GAME = "connect-four:4x4"
PAUSE_SECONDS = 0.02


@contextmanager
def server(store: Path, *options: str, log: Path | None = None) -> Iterator[tuple[str, int]]:
    """A server on a store: its address and the number of its process."""
    command = [sys.executable, "-m", "proofbase", "serve", "--store", str(store), "--listen", "127.0.0.1:0", "--json"]
    path = log or store.with_suffix(".log")
    with (
        path.open("ab") as errors,
        subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=errors, text=True) as process,
    ):
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line, f"the server did not start: {path.read_text()[-1000:]}"
            yield json.loads(line)["address"], process.pid
            ended = process.poll()
            assert ended is None, f"the server has ended with {ended}: {path.read_text()[-3000:]}"
        finally:
            process.terminate()
            process.wait(120)  # on a busy machine


class Polite:
    """What the polite client has seen.

    Attributes:
        calls: answered calls.
        worst: the longest wait in seconds, and for which call.
        slow: calls that took more than a second.
        errors: texts of errors.
    """

    def __init__(self, seen: dict[str, Any]) -> None:
        self.calls: int = seen["calls"]
        self.worst: tuple[float, str] = (seen["worst"][0], seen["worst"][1])
        self.slow: int = seen["slow"]
        self.errors: list[str] = seen["errors"]
        self.medians: dict[str, float] = seen["medians"]

    def __str__(self) -> str:
        seconds, what = self.worst
        medians = ", ".join(f"{name} {1e3 * median:.1f} ms" for name, median in self.medians.items())
        return (
            f"polite client: {self.calls} calls, medians {medians}; longest wait {seconds:.3f} s ({what}), "
            f"{self.slow} above 1 s, {len(self.errors)} errors {self.errors[:3]}"
        )


@contextmanager
def polite_client(address: str) -> Iterator[list[Polite]]:
    """Asks all the time, over an old connection and over new ones; the list is filled when the block ends."""
    seen: list[Polite] = []
    command = [sys.executable, __file__, address]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None and process.stdout.readline() == "ready\n"
            yield seen
            output, _ = process.communicate("\n", timeout=60)
            seen.append(Polite(json.loads(output)))
        finally:
            process.kill()


def _ask(address: str) -> None:
    """The polite client, until a line comes in."""
    import select
    import statistics

    import grpc
    from grpc_health.v1 import health_pb2, health_pb2_grpc

    from proofbase.engine.games import open_game
    from proofbase.service.client import connect

    game = open_game(GAME)
    position = game.initial()
    keys = b"".join(game.key(game.play(position, move)) for move in game.moves(position)) * 250
    times: dict[str, list[float]] = {}
    errors: list[str] = []

    def timed(name: str, call: Any) -> None:
        began = time.monotonic()
        try:
            call()
        except Exception as error:
            errors.append(f"{name}: {type(error).__name__}: {error}"[:300])
        times.setdefault(name, []).append(time.monotonic() - began)

    def connected() -> None:
        with connect(address) as new:
            new.lookup(GAME)

    with connect(address) as client, grpc.insecure_channel(address) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        calls = {
            "lookup": lambda: client.lookup(GAME),
            "batch": lambda: client.batch_lookup_packed(GAME, keys),
            "list": lambda: client.jobs(limit=100),
            "statistics": client.statistics,
            "health": lambda: health.Check(health_pb2.HealthCheckRequest(), timeout=10),
            "new connection": connected,
        }
        for call in calls.values():
            call()
        print("ready", flush=True)
        number, names = 0, list(calls)
        while not select.select([sys.stdin], [], [], PAUSE_SECONDS)[0]:
            name = names[number % len(names)]
            timed(name, calls[name])
            number += 1
    every = [(seconds, name) for name, found in times.items() for seconds in found]
    print(
        json.dumps(
            {
                "calls": len(every),
                "worst": max(every),
                "slow": sum(seconds > 1 for seconds, _ in every),
                "errors": errors,
                "medians": {name: statistics.median(found) for name, found in times.items()},
            }
        )
    )


if __name__ == "__main__":
    _ask(sys.argv[1])
