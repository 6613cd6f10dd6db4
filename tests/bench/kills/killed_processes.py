"""Servers and a PostgreSQL database that a trial kills and starts again (trial_job_kills.py)."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from postgres_server import PostgresUnavailableError, find_binaries, initialise_database, start_database

from proofbase.service.client import Client, connect

__all__ = ["Database", "PostgresUnavailableError", "ServerProcess", "TrialFailedError"]

PROGRAM = """
import logging, sys
from proofbase.service.jobs import runner, verification
from proofbase.service.jobs.positions import work as positions
from proofbase.service.jobs.solve import work as solve
from proofbase.service.limits import Limits
from proofbase.service.server import serve
logging.basicConfig(level="INFO", format="%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s")
solve.CHECKPOINT_SECONDS = verification.SAVE_SECONDS = positions.SAVE_SECONDS = 0.2
runner.LOOK_SECONDS = 1.0
limits = Limits(concurrent_jobs=3)
serve(sys.argv[1], "127.0.0.1:0", limits=limits, on_ready=lambda at: print(at.grpc, flush=True))
"""


class TrialFailedError(Exception):
    """Something acknowledged is lost, or a job failed."""


class ServerProcess:
    """A server that can be killed and started again."""

    def __init__(self, url: str, log: Path) -> None:
        self._url = url
        self._log = log
        self._process: subprocess.Popen[str] | None = None
        self._client: Client | None = None
        self.start()

    def start(self) -> None:
        """Starts it and connects to it."""
        with self._log.open("ab") as log:
            command = [sys.executable, "-c", PROGRAM, self._url]
            self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        assert self._process.stdout is not None
        address = self._process.stdout.readline().strip()
        if not address:
            raise TrialFailedError(f"a server does not start: {self._log.read_text(errors='replace')[-2000:]}")
        self._client = connect(address)

    @property
    def client(self) -> Client:
        """Asks it."""
        assert self._client is not None
        return self._client

    def end(self, number: int = signal.SIGKILL) -> None:
        """Ends it by a signal."""
        assert self._process is not None and self._process.stdout is not None
        self._process.send_signal(number)
        self._process.wait(60)
        self._process.stdout.close()

    def alive(self) -> bool:
        """Whether it runs."""
        return self._process is not None and self._process.poll() is None


class Database:
    """A PostgreSQL server that can be killed and started again."""

    def __init__(self, home: Path) -> None:
        self._binaries, self._home = find_binaries(), home
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port: int = probe.getsockname()[1]
        initialise_database(self._binaries, home)
        self.start()
        self.url = f"postgresql://tester@127.0.0.1:{self._port}/postgres"

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        deadline = time.monotonic() + 30
        while True:
            try:
                self._process = start_database(self._binaries, self._home, self._port)
                return
            except PostgresUnavailableError:  # some process of the killed one has not ended yet
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)

    def kill(self, chance: random.Random) -> None:
        """Kills all of its processes, or one that serves a connection (then it starts anew by itself)."""
        backends = [pid for pid, title in _children(self._process.pid) if "127.0.0.1" in title]
        if backends and chance.random() < 0.3:
            _kill(chance.choice(backends))
            return
        self.stop()
        time.sleep(chance.random() * 0.3)
        self.start()

    def stop(self) -> None:
        """Kills all of its processes."""
        others = [pid for pid, _ in _children(self._process.pid)]
        self._process.kill()
        for pid in others:
            _kill(pid)
        self._process.wait(60)


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _children(pid: int) -> list[tuple[int, str]]:
    listing = subprocess.run(
        ["ps", "-o", "pid=,args=", "--ppid", str(pid)], capture_output=True, text=True, check=False
    )
    rows = (line.split(None, 1) for line in listing.stdout.splitlines())
    return [(int(row[0]), row[1]) for row in rows if len(row) == 2]
