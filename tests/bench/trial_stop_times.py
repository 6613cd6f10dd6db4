"""How long do pause and cancel take, at random moments of jobs of all kinds? How long do short writes of others wait?

    python tests/bench/trial_stop_times.py [STORE] [SECONDS]

STORE is a URL (a new directory by default). Jobs run in this process, so that the time of a call is not that of a
connection. The times are from the request to the moment when the job has stopped and its state is stored.
"""

from __future__ import annotations

import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from statistics import median

from proofbase.engine import open_game
from proofbase.service.client import Client, Job, JobStateError, connect

DEEP = "random-graph:nodes=100000,span=1,degree=1,ends=0"
GRAPH = "random-graph:nodes=3000000,span=3000,degree=6,values=5,ends=2,seed={}"
CYCLES = "random-graph:nodes=300000,group=100,span=3000,degree=6,ends=2,seed={}"
ALGORITHMS = ("auto", "pn-dag", "df-pn", "alpha-beta", "pn2", "pn-tree")
GOAL = 0.05
LISTED = 2_000
"""Positions of a list."""


def random_positions(name: str, plies: int, chance: random.Random) -> list[str]:
    """Positions after so many random moves, or fewer where the game ends before."""
    game = open_game(name)
    texts = []
    for _ in range(LISTED):
        position = game.initial()
        for _ in range(plies):
            if game.terminal(position) is None:
                position = game.play(position, chance.choice(game.moves(position)))
        texts.append(game.text(position))
    return texts


def kinds(client: Client, chance: random.Random) -> dict[str, Callable[[], Job]]:
    """What is started and stopped."""

    def some(*names: str) -> str:
        return chance.choice(names or ALGORITHMS)

    def positions(name: str, plies: int) -> Job:
        return client.start_positions(name, random_positions(name, plies, chance), algorithm=some("auto", "df-pn"))

    return {
        "deep": lambda: client.start_solve(DEEP, algorithm=some("auto", "pn-dag", "df-pn")),
        "connect-four:6x5": lambda: client.start_solve("connect-four:6x5", algorithm=some()),
        "connect-four": lambda: client.start_solve("connect-four", algorithm=some("pn-dag", "df-pn", "pn-tree")),
        "graph": lambda: client.start_solve(GRAPH.format(chance.randrange(100)), algorithm=some()),
        "cycles": lambda: client.start_solve(CYCLES.format(chance.randrange(100))),
        "short positions": lambda: positions("connect-four:5x5", 16),
        "long positions": lambda: positions("connect-four", 6),
        "verify": lambda: client.start_verification(),
        "verify deep": lambda: client.start_verification(DEEP, "-"),
    }


def phase(client: Client, job: Job) -> str:
    """What a job does now."""
    progress = client.job(job.id).progress
    return getattr(progress, "phase", None) or ("nothing yet" if progress is None else "working")


def trial(url: str, seconds: float) -> int:
    """Stops jobs for so long; returns how many stops took longer than the goal."""
    chance = random.Random(1)
    stops: list[tuple[float, str, str]] = []
    waits: list[float] = []
    end = threading.Event()

    with connect(url) as client:

        def write() -> None:
            while not end.wait(0.05):
                began = time.perf_counter()
                other = client.start_verification("tic-tac-toe")
                waits.append(time.perf_counter() - began)
                client.wait(other.id)

        def stop(job: Job, call: Callable[[str], Job], what: str) -> Job | None:
            what = f"{what}, {phase(client, job)}"
            began = time.perf_counter()
            try:
                job = call(job.id)
            except JobStateError:
                return None
            stops.append((time.perf_counter() - began, what, job.state))
            return job

        writer = threading.Thread(target=write)
        writer.start()
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            name, start = chance.choice(list(kinds(client, chance).items()))
            job: Job | None = start()
            assert job is not None
            time.sleep(chance.random() ** 2 * 6)
            if chance.random() < 0.3:
                stop(job, client.cancel, f"cancel {name}")
                continue
            job = stop(job, client.pause, f"pause {name}")
            if job is not None and job.state == "paused":
                client.resume(job.id)
                time.sleep(chance.random() ** 2 * 2)
                stop(job, client.cancel, f"cancel the resumed {name}")
        end.set()
        writer.join()
    stops.sort(reverse=True)
    times = [took for took, _, _ in stops]
    slow = sum(took > GOAL for took in times)
    print(
        f"{len(stops)} stops: median {1000 * median(times):.0f} ms, largest {1000 * times[0]:.0f} ms, {slow} over 50 ms"
    )
    for took, what, state in stops[:12]:
        print(f"  {1000 * took:6.0f} ms  {what} -> {state}")
    waits.sort()
    print(
        f"{len(waits)} short writes: median {1000 * median(waits):.0f} ms, "
        f"99 in 100 below {1000 * waits[len(waits) * 99 // 100]:.0f} ms, largest {1000 * waits[-1]:.0f} ms"
    )
    return slow


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        arguments = dict(enumerate(sys.argv))
        trial(arguments.get(1, f"{directory}/store"), float(arguments.get(2, "60")))
