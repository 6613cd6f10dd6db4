"""A solve whose workers are processes: one of them is killed, then the process that has started them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from trials import load_trial
from waits import until

from proofbase.service.client import connect
from proofbase.storage import open_store


def children(process: int) -> set[int]:
    """The processes that a process has started, and those that these have started."""
    found = set()
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:  # it has just ended
                continue
            if parent == process:
                found |= {int(folder.name), *children(int(folder.name))}
    return found


def searchers(process: int) -> set[int]:
    """Those that search: they were spawned."""
    found = set()
    for child in children(process):
        try:
            command = (Path("/proc") / str(child) / "cmdline").read_bytes()
        except OSError:
            continue
        if b"spawn_main" in command:
            found.add(child)
    return found


@pytest.mark.slow
def test_killed_processes_leave_nothing_behind_and_lose_nothing(tmp_path: Path) -> None:
    script, directory = tmp_path / "worker.py", tmp_path / "store"
    script.write_text(load_trial("bench/managers/trial_manager_kills").WORKER, encoding="utf-8")
    command = [sys.executable, str(script), str(directory), "connect-four", "-", "1", "auto", "2", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        job = process.stdout.readline().strip()
        until(lambda: len(searchers(process.pid)) == 2, "the workers begin")
        time.sleep(2)
        first = searchers(process.pid)
        os.kill(min(first), signal.SIGKILL)
        until(lambda: len(searchers(process.pid) - first) == 2, "others take the place of the one that was killed")
        time.sleep(2)
        assert process.poll() is None, "the job goes on"
        started = children(process.pid)
        process.kill()
        process.wait()
    until(lambda: not any((Path("/proc") / str(child)).exists() for child in started), "they end with their parent")
    with connect(str(directory)) as client:
        verified = client.verify().result
        assert verified.failed == 0 and client.job(job).state in ("queued", "running")  # type: ignore[union-attr]
    with open_store(str(directory), read_only=True) as store:
        assert store.estimates().count() > 0, "what was believed of open questions is kept"
