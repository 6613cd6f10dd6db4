"""Solves on a Dask cluster over PostgreSQL, any of whose processes is killed at random moments.

    python tests/bench/managers/trial_cluster_kills.py [--kills 200] [--seed 1] [--longest 60]

A database, a scheduler, two workers, and a process that has the job. After a random time one of them is killed: a
worker, the scheduler (its workers end with it), the database or one of its processes, or the process of the manager;
what was killed is started again. Kills come more and more seldom in a job, up to `--longest` seconds apart. A job that
gave up since no scheduler answered is taken up again. After every kill no claim that was stored before may be missing.
When the job is done its answer must be that of one search, and all records must pass the local check. Then the next
job begins in a new database.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "kills"))
sys.path.insert(0, str(Path(__file__).parents[2] / "storage"))  # postgres_server.py
sys.path.insert(0, str(Path(__file__).parents[2]))  # dask_cluster.py
sys.path.insert(0, str(Path(__file__).parent))
import psycopg
from dask_cluster import DaskCluster
from killed_processes import Database
from trial_manager_kills import nothing_lost

from proofbase.migrations import migrate
from proofbase.service.client import connect
from proofbase.storage import open_store

QUESTIONS = (("connect-four:7x4", 0, "proved"), ("connect-four:5x5", 1, "disproved"))
"""Game, threshold and answer, by `pn-dag`: some ten seconds each."""
KINDS = "worker", "scheduler", "database", "manager"
LONGEST_JOB_SECONDS = 900.0
SHORTEST_LIFE_SECONDS = 5.0
"""At most so long nothing is killed at the beginning of a job."""

MANAGER = """
import sys
from proofbase.service.client import connect
from proofbase.service.client.known_records import new_cluster

url, cluster, game, at_least = sys.argv[1:]
if __name__ == "__main__":
    with connect(url, cluster=new_cluster(cluster)) as client:
        jobs, _ = client.jobs(kinds=["solve"])
        if jobs:
            job = client.resume(jobs[0].id) if jobs[0].state != "done" else jobs[0]
        else:
            job = client.start_solve(game, at_least=int(at_least), algorithm="pn-dag", workers=4)
        print(job.id, flush=True)
        job = client.wait(job.id)
        print(job.state, job.result.status, flush=True)
"""


class Trial:
    """A database and a cluster, and the jobs that run on them.

    Args:
        folder: for their files.
        seed: of what is killed, and when.
        longest_wait: for the next kill, in seconds; half of it on average once a job has had some ten kills.

    Attributes:
        killed: how often each kind was.
        jobs, checked: ended jobs, and records that passed their check.
        resumed: how often a job had failed since the scheduler was away for too long, and was taken up again.
    """

    def __init__(self, folder: Path, seed: int, longest_wait: float) -> None:
        self._folder = folder
        self._longest_wait = longest_wait
        self._began = time.monotonic()
        self._chance = Random(seed)
        self._home = folder / "database"
        self._home.mkdir()
        self._database = Database(self._home)
        self._cluster = DaskCluster(folder, workers=2)
        self.killed: Counter[str] = Counter()
        self.jobs = self.checked = self.resumed = 0

    def run(self, kills: int, seconds: float) -> None:
        """Jobs until so many processes were killed, or so much time is over.

        Raises:
            AssertionError: something was lost, is false, or did not end.
        """
        script = self._folder / "manager.py"
        script.write_text(MANAGER, encoding="utf-8")
        end = time.monotonic() + seconds
        try:
            with self._cluster:
                while self.killed.total() < kills and time.monotonic() < end:
                    self._run_job(script, kills)
        finally:
            self._database.stop()

    def _run_job(self, script: Path, kills: int) -> None:
        game, at_least, answer = QUESTIONS[self.jobs % len(QUESTIONS)]
        url = self._new_database()
        command = [sys.executable, str(script), url, self._cluster.address, game, str(at_least)]
        before: dict[bytes, bytes] = {}
        deadline = time.monotonic() + LONGEST_JOB_SECONDS
        longest = SHORTEST_LIFE_SECONDS
        process = self._start(command)
        try:
            while True:
                assert time.monotonic() < deadline, f"{game} does not end"
                wait = self._chance.uniform(0.0, longest) if self.killed.total() < kills else 1.0
                try:
                    process.wait(wait)
                    if not self._gave_up(process):
                        break
                    process = self._start(command)
                    continue
                except subprocess.TimeoutExpired:
                    if self.killed.total() >= kills:
                        continue
                kind = self._chance.choice(KINDS)
                if kind == "manager":
                    process.kill()
                    process.communicate()
                self._kill(kind)
                self.killed[kind] += 1
                elapsed = time.monotonic() - self._began
                print(f"{elapsed:.0f} s: {kind}, kill {self.killed.total()}", file=sys.stderr, flush=True)
                longest = min(self._longest_wait, longest * 1.25)  # the job has to end one day on a busy machine, too
                before = self._records(url, game, before)
                if kind == "manager":
                    process = self._start(command)
            printed = process.communicate()[0]
        finally:
            if process.poll() is None:
                process.kill()
        log = (self._folder / "manager.log").read_text(errors="replace")[-3000:]
        assert process.returncode == 0 and printed.split("\n")[-2] == f"done {answer}", f"{game}: {printed}\n{log}"
        self._records(url, game, before)
        with connect(url) as client:
            result: Any = client.verify(game).result
        assert result.failed == 0 and result.checked > 100, result.findings[:3]
        self.checked += result.checked
        self.jobs += 1
        print(json.dumps({"game": game, **self.totals()}), flush=True)

    def totals(self) -> dict[str, int]:
        """What has happened so far, by name."""
        kills = self.killed.total()
        return {"jobs": self.jobs, "checked": self.checked, "resumed": self.resumed, "kills": kills, **self.killed}

    def _gave_up(self, process: subprocess.Popen[str]) -> bool:
        """Whether the job has failed since no scheduler answered: it is taken up again."""
        log = (self._folder / "manager.log").read_text(errors="replace").rstrip()
        if process.returncode == 0 or "ClusterUnavailableError" not in log.rpartition("\n")[2]:
            return False
        process.communicate()
        self.resumed += 1
        return True

    def _kill(self, kind: str) -> None:
        if kind == "database":
            self._database.kill(self._chance)
        elif kind == "worker" and self._cluster.workers:
            self._cluster.kill_worker()
            self._cluster.start_worker()
        elif kind == "scheduler":
            self._cluster.kill_scheduler()
            self._cluster.start_scheduler()
            for _ in range(2):
                self._cluster.start_worker()

    def _start(self, command: list[str]) -> subprocess.Popen[str]:
        with (self._folder / "manager.log").open("ab") as log:
            return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=dict(os.environ))

    def _new_database(self) -> str:
        name = f"job_{self.jobs}"
        with psycopg.connect(self._database.url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        url = self._database.url.rpartition("/")[0] + f"/{name}"
        migrate(url)
        return url

    def _records(self, url: str, game: str, before: dict[bytes, bytes]) -> dict[bytes, bytes]:
        """All records, once the database answers; nothing of those before may be missing."""
        deadline = time.monotonic() + 60
        while True:
            try:
                with open_store(url, read_only=True) as store:
                    records = dict(store.scan(game))
                break
            except Exception:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)
        nothing_lost(before, records)
        return records


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no job after so long")
    parser.add_argument("--longest", type=float, default=60.0, help="seconds between two kills, at most")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)  # the database runs as another user where this one is root
        trial = Trial(Path(folder), asked.seed, asked.longest)
        trial.run(asked.kills, asked.seconds)
    print(json.dumps(trial.totals()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
