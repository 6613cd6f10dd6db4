"""Solves with workers whose process is killed at random moments: the job ends, with the right value and sound records.

    python tests/bench/managers/trial_manager_kills.py [--kills 200] [--seed 1] [--processes]

A store in a directory and one job at a time: a process runs the job, is killed after a random time, and the next one
takes the job up. Between two processes, every record must pass the local check, no record and no claim that was there
before may be missing, and the value must be that of one search when the job is done. Then the next job begins in a new
store.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from proofbase.engine.records import decode_record
from proofbase.service.client import connect
from proofbase.storage import open_store

QUESTIONS = (
    ("connect-four:5x4", "-", 1, "pn-dag", "disproved"),
    ("connect-four:5x5", "-", 0, "pn-dag", "proved"),
    ("connect-four:6x6", "-", 1, "auto", "disproved"),
    ("connect-four", "35375557", 1, "pn-dag", ""),
    ("connect-four:5x5", "-", 1, "pn-dag", "disproved"),
)
"""Game, position, threshold, algorithm, and the answer where it is known; otherwise one search finds it."""

WORKER = """
import sys
from proofbase.service.client import connect

directory, game, position, at_least, algorithm, workers, processes = sys.argv[1:]
if __name__ == "__main__":
    with connect(directory) as client:
        jobs, _ = client.jobs(kinds=["solve"])
        if jobs:
            job = client.resume(jobs[0].id) if not jobs[0].finished else jobs[0]
        else:
            workers, processes = int(workers), processes == "1"
            job = client.start_solve(
                game, position, at_least=int(at_least), algorithm=algorithm, workers=workers, worker_processes=processes
            )
        print(job.id, flush=True)
        job = client.wait(job.id)
        print(job.state, job.result.status, flush=True)
"""


@dataclass
class Outcome:
    """What a trial has seen."""

    kills: int = 0
    jobs: int = 0
    checked: int = 0
    estimates: int = 0


def run(kills: int, seed: int, *, processes: bool = False, longest: float = 1.0) -> Outcome:
    """Kills so many processes.

    Args:
        kills: how many.
        seed: of the moments.
        processes: workers are processes instead of threads.
        longest: seconds that a process may live once it has begun with the job.

    Raises:
        AssertionError: something was lost, is false, or did not end.
    """
    chance, outcome = Random(seed), Outcome()
    while outcome.kills < kills:
        game, position, at_least, algorithm, answer = QUESTIONS[outcome.jobs % len(QUESTIONS)]
        with tempfile.TemporaryDirectory() as folder:
            expected = answer or _answer(game, position, at_least)
            script = Path(folder) / "worker.py"
            script.write_text(WORKER, encoding="utf-8")
            arguments = [game, position, str(at_least), algorithm, str(chance.choice((1, 2, 4))), str(int(processes))]
            command = [sys.executable, str(script), str(Path(folder) / "store"), *arguments]
            before: dict[bytes, bytes] = {}
            lives, limit = 0, longest
            while True:
                seconds = chance.uniform(0.0, limit) if outcome.kills < kills else 600.0
                last = _live(command, seconds)
                if last is not None:
                    break
                outcome.kills += 1
                lives += 1
                limit = min(20.0, limit * 1.2)  # the job has to end one day on a busy machine, too
                before = _check(Path(folder) / "store", game, before, outcome)
            assert last == f"done {expected}", f"{command}: {last}, and not done {expected}"
            _check(Path(folder) / "store", game, before, outcome)
            outcome.jobs += 1
            print(json.dumps({"game": game, "position": position, "lives": lives + 1, **vars(outcome)}), flush=True)
    return outcome


def _answer(game: str, position: str, at_least: int) -> str:
    with connect("memory:") as client:
        result: Any = client.solve(game, position, at_least=at_least).result
        return str(result.status)


def _live(command: list[str], seconds: float) -> str | None:
    """Runs a process for so long after its job has begun. Returns its last line; None if it had to be killed."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout is not None
    process.stdout.readline()  # its job has begun
    deadline = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None
    printed = process.communicate()[0]
    assert process.returncode == 0, f"{command} ended with {process.returncode}: {printed}"
    return printed.splitlines()[-1]


def _check(directory: Path, game: str, before: dict[bytes, bytes], outcome: Outcome) -> dict[bytes, bytes]:
    """Checks all records, and that none was lost. Returns them."""
    if not directory.exists():
        return {}
    with connect(str(directory)) as client:
        result: Any = client.verify().result
        assert result.failed == 0, result.findings[:3]
        outcome.checked += result.checked
    with open_store(str(directory), read_only=True) as store:
        records = dict(store.scan(game))
        outcome.estimates += store.estimates().count()
        assert all(store.audit(entry.name).complete for entry in store.games())
    nothing_lost(before, records)
    return records


def nothing_lost(before: dict[bytes, bytes], records: dict[bytes, bytes]) -> None:
    """Every claim of earlier records is there, or one that dominates it.

    Raises:
        AssertionError: one is not.
    """
    for key, data in before.items():
        assert key in records, f"the record {key.hex()} was lost"
        now = decode_record(records[key])
        for claim in decode_record(data).claims:
            kept = any(
                other.side == claim.side
                and (other.bound >= claim.bound if claim.side == 0 else other.bound <= claim.bound)
                and other.rank <= claim.rank
                for other in now.claims
            )
            assert kept, f"a claim of {key.hex()} was lost"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", action="store_true")
    asked = parser.parse_args()
    print(json.dumps(vars(run(asked.kills, asked.seed, processes=asked.processes))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
