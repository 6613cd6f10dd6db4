"""Several processes serve one store read-only."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cli_runs import Run, cli
from started_servers import fetch, start

from proofbase.service.client import connect
from proofbase.storage import StoreReadOnlyError
from proofbase.storage.scratch_directory import ScratchDirectory

__all__ = ["cli"]


def children_of(pid: int) -> set[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return {int(child) for child in text.split() if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text()}


def test_processes_share_the_ports_and_are_replaced_when_they_end(cli: Run, tmp_path: Path) -> None:
    store = tmp_path / "s"
    assert cli("solve", "tic-tac-toe", "--store", store).status == 0
    with start(
        tmp_path / "log", "--store", store, "--processes", 2, "--http-listen", "127.0.0.1:0", "--drain-seconds", 1
    ) as server:
        assert server.about["processes"] == 2
        first = children_of(server.process.pid)
        assert len(first) == 2
        url = f"http://{server.about['http']}/v1/games/tic-tac-toe/positions"

        def ask(_: int) -> tuple[int, str]:
            return fetch(url)

        with ThreadPoolExecutor(8) as pool:
            answers = set(pool.map(ask, range(40)))
        assert len(answers) == 1 and answers.pop()[0] == 200
        with connect(server.address) as client:
            assert client.lookup("tic-tac-toe").known
            with pytest.raises(StoreReadOnlyError, match="2 processes that only read"):
                client.solve("tic-tac-toe")
            with pytest.raises(StoreReadOnlyError, match="2 processes that only read"):
                client.verify("tic-tac-toe")
            with pytest.raises(StoreReadOnlyError, match="2 processes that only read"):
                client.prune_jobs()
            with pytest.raises(StoreReadOnlyError):
                client.import_([b"x"])
            assert len(client.jobs()[0]) == 1
        deadline = time.monotonic() + 20
        counted = 0.0
        while counted < 40 and time.monotonic() < deadline:  # an answer is counted when it is sent
            lines = server.get("/metrics")[1].splitlines()
            asked = [line for line in lines if line.startswith("proofbase_calls_total{") and "positions" in line]
            counted = sum(float(line.rpartition(" ")[2]) for line in asked)
        assert counted == 40
        assert "proofbase_store_readers 3.0" in lines
        os.kill(min(first), signal.SIGKILL)
        deadline = time.monotonic() + 60
        while len(children_of(server.process.pid) - first) < 1 or server.get("/readyz")[0] != 200:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        assert fetch(url)[0] == 200
        with connect(str(store)) as writer:  # beside the readers: they see what it writes
            assert writer.solve("connect-four:3x3").state == "done"
        assert fetch(url.replace("tic-tac-toe", "connect-four:3x3"))[0] == 200
        again = cli("serve", "--store", store, "--processes", 2, "--listen", server.address)
        assert again.status == 3 and "cannot listen" in again.err
        children = children_of(server.process.pid)
        server.process.terminate()
        assert server.process.wait(60) == 0
        assert not [child for child in children if Path(f"/proc/{child}").exists()]
    log = (tmp_path / "log").read_text()
    assert "another one starts" in log and "Traceback" not in log


def test_processes_end_with_their_parent_and_leave_no_files_of_metrics(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cli("solve", "tic-tac-toe", "--store", tmp_path / "s").status == 0
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    with start(tmp_path / "log", "--store", tmp_path / "s", "--processes", 2) as server:
        children = children_of(server.process.pid)
        server.process.kill()
        server.process.wait()
        deadline = time.monotonic() + 30
        while any(Path(f"/proc/{child}").exists() for child in children):
            assert time.monotonic() < deadline
            time.sleep(0.1)
    assert list((tmp_path / "temporary").iterdir())  # nobody was left to remove them
    ScratchDirectory(tmp_path / "temporary").close()  # as the next command does
    assert not list((tmp_path / "temporary").iterdir())


def test_what_cannot_be_shared_is_refused(cli: Run, tmp_path: Path) -> None:
    missing = cli("serve", "--processes", 2, "--store", tmp_path / "none", "--listen", "127.0.0.1:0")
    assert missing.status == 3 and "no store" in missing.err
    memory = cli("serve", "--processes", 2, "--store", "memory:", "--listen", "127.0.0.1:0")
    assert memory.status == 2 and "store in memory" in memory.err


def test_a_server_whose_processes_cannot_start_ends(tmp_path: Path) -> None:
    """There is no token, and clients are to be checked: each process refuses, and so does the server as a whole."""
    from proofbase.storage import open_store

    open_store(str(tmp_path / "s")).close()
    command = [sys.executable, "-m", "proofbase", "serve", "--processes", "2", "--listen", "127.0.0.1:0"]
    done = subprocess.run(
        [*command, "--authenticate", "--store", str(tmp_path / "s")],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 3 and "proofbase tokens create" in done.stderr
    assert "ended before it was ready" in done.stderr
