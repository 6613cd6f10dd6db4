"""A Dask cluster in processes of its own: a scheduler and workers, which tests start and kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

from proofbase.storage.closing import Closing

__all__ = ["DaskCluster"]

PATIENCE_SECONDS = 60.0


class DaskCluster(Closing):
    """A scheduler on a free port of 127.0.0.1, and workers with one thread each. Use it as a context manager.

    Args:
        directory: where their files and logs go.
        workers: how many begin with it.

    Attributes:
        address: of the scheduler.
        workers: the processes of workers that were not killed.
    """

    def __init__(self, directory: Path, workers: int) -> None:
        self._directory = directory
        self._processes: list[subprocess.Popen[bytes]] = []
        self._started = 0
        self.workers: list[subprocess.Popen[bytes]] = []
        self.address = ""
        self._first_workers = workers

    def __enter__(self) -> Self:
        try:
            self.start_scheduler()
            for _ in range(self._first_workers):
                self.start_worker()
        except BaseException:
            self.close()
            raise
        return self

    def start_scheduler(self) -> None:
        """A scheduler; a later one takes the port of the first one."""
        file = self._directory / f"scheduler-{self._started}.json"
        port = self.address.rpartition(":")[2] or "0"
        self._scheduler = self._start("scheduler", "--port", port, "--scheduler-file", str(file))
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not file.exists() or not file.read_text().endswith("}"):
            assert self._scheduler.poll() is None and time.monotonic() < deadline, self.logs()
            time.sleep(0.05)
        self.address = json.loads(file.read_text())["address"]

    def start_worker(self) -> None:
        """One more worker; it is there some seconds later."""
        self.workers.append(
            self._start("worker", self.address, "--nthreads", "1", "--no-nanny", "--memory-limit", "1GiB")
        )

    def kill_worker(self) -> None:
        """`kill -9` of the first worker."""
        _kill(self.workers.pop(0))

    def kill_scheduler(self) -> None:
        """`kill -9` of the scheduler. Its workers end then."""
        _kill(self._scheduler)
        for worker in self.workers:
            _kill(worker)
        self.workers.clear()

    def _start(self, kind: str, *arguments: str) -> subprocess.Popen[bytes]:
        self._started += 1
        command = [sys.executable, "-m", "dask", kind, *arguments, "--host", "127.0.0.1", "--no-dashboard"]
        with (self._directory / f"{self._started}-{kind}.log").open("wb") as log:
            process = subprocess.Popen(
                command, stdout=log, stderr=log, cwd=self._directory, env={**os.environ, "TMPDIR": str(self._directory)}
            )
        self._processes.append(process)
        return process

    def logs(self) -> str:
        """What all of them have said."""
        return "\n".join(f"{path.name}:\n{path.read_text()}" for path in sorted(self._directory.glob("*.log")))

    def close(self) -> None:
        """Ends all of them."""
        for process in self._processes:
            _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGKILL)
    process.wait(PATIENCE_SECONDS)
