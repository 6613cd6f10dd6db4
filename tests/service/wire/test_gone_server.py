"""A server that goes away while a client waits for a job: the message names the job and how to follow it."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from started_servers import start

from proofbase.service.cli import run
from proofbase.service.client import ServiceUnavailableError, connect


def killing_when_a_job_runs(address: str, pid: int) -> Callable[[], None]:
    def kill() -> None:
        with connect(address) as client:
            while not client.jobs(["running"])[0]:
                time.sleep(0.05)
        os.kill(pid, signal.SIGKILL)

    return kill


@pytest.mark.parametrize("way", ["python", "command line"])
def test_a_server_that_is_killed_leaves_the_name_of_the_job(
    way: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with start(tmp_path / "log", "--store", tmp_path / "store") as server:
        killer = threading.Thread(target=killing_when_a_job_runs(server.address, server.process.pid))
        killer.start()
        if way == "python":
            message = message_of_client(server.address)
            follow = "and wait('{}') of a client follows it"
        else:
            assert run(["solve", "connect-four", "--server", server.address]) == 3
            message = capfd.readouterr().err
            follow = f"and `proofbase jobs watch {{}} --server {server.address}` follows it"
        killer.join()
    with connect(str(tmp_path / "store"), read_only=True) as client:
        (job,) = client.jobs()[0]
    assert f"job {job.id} goes on when the server is back" in message
    assert follow.format(job.id) in message


def message_of_client(address: str) -> Any:
    with connect(address) as client, pytest.raises(ServiceUnavailableError) as error:
        client.solve("connect-four")
    return str(error.value)
