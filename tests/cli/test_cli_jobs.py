"""Commands that run jobs, in this process and on a server: their list, interruption and progress."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_runs import GAME, Run, cli, default_interruptions, store

from proofbase.service.cli.output.job_rows import print_board_looked_at
from proofbase.service.client import connect
from proofbase.service.jobs.model import Job
from proofbase.service.jobs.solve.model import SolveProgress, SolveSpec

__all__ = ["cli", "store"]


@pytest.fixture(scope="module")
def server(store: str) -> Iterator[str]:
    """A server process on that store; its address."""
    command = [sys.executable, "-m", "proofbase", "serve", "--listen", "127.0.0.1:0", "--store", store, "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["address"]
        process.terminate()


def test_jobs(cli: Run, store: str) -> None:
    jobs = cli("jobs", "list", "--store", store, "--json").json["jobs"]
    assert {"solve"} <= {job["kind"] for job in jobs}
    done = next(job for job in jobs if job["state"] == "done")
    watched = cli("jobs", "watch", done["id"], "--store", store, "--json")
    assert watched.status == 0
    assert json.loads(watched.out.splitlines()[-1])["state"] == "done"
    refused = cli("jobs", "cancel", done["id"], "--store", store)
    assert refused.status == 3
    assert done["id"] in refused.err
    listed = cli("jobs", "list", "--state", "done", "--store", store).out
    assert done["id"][-8:] in listed
    assert "solve tic-tac-toe .../.../...: exact value" in listed
    assert "value 0, best move" in listed
    shown = cli("jobs", "show", done["id"][-8:], "--store", store)
    assert shown.status == 0
    assert done["id"] in shown.out
    assert cli("jobs", "show", "ffff0000ffff", "--store", store).status == 3
    assert cli("jobs", "list", "--state", "paused", "--store", store, "--json").json["jobs"] == []


def test_server_answers_like_the_store(cli: Run, store: str, server: str) -> None:
    for command in (("lookup", "tic-tac-toe", "moves:5"), ("line", GAME), ("tree", "tic-tac-toe", "--depth", "1")):
        there = cli(*command, "--server", server, "--json")
        here = cli(*command, "--store", store, "--json")
        assert (there.status, there.json) == (here.status, here.json)
    solved = cli("solve", "connect-four:4x4", "moves:1", "--server", server, "--json")
    assert solved.status == 0
    assert cli("verify", GAME, "--server", server, "--json").status == 0
    jobs = cli("jobs", "list", "--server", server, "--json").json["jobs"]
    assert jobs[0]["kind"] == "verification"
    built = cli("tables", "build", "awari", "--stones", 2, "--server", server, "--json")
    assert (built.status, built.json["built"]) == (0, ["awari-0", "awari-1", "awari-2"])
    verified = cli("tables", "verify", "awari", "--stones", 2, "--server", server)
    assert (verified.status, verified.out.splitlines()[-1]) == (0, "valid")
    in_parts = cli("tables", "build", "awari", "--stones", 3, "--memory", "8M", "--disk", "1M", "--server", server)
    assert in_parts.status == 0 and "1 table with 364 entries: up to" in in_parts.err
    for option, wanted in (("--memory", "more than --memory 1.0 KiB"), ("--disk", "more than --disk 1.0 KiB")):
        refused = cli("tables", "build", "awari", "--stones", 8, option, "1K", "--server", server)
        assert (refused.status, refused.out) == (2, "") and wanted in refused.err
    all_there = cli("tables", "verify", "awari", "--server", server, "--json")
    assert [table["table"] for table in all_there.json["tables"]] == [f"awari-{stones}" for stones in range(4)]
    assert "build awari to 2 stones" in cli("jobs", "list", "--server", server).out
    assert "verify awari  " in cli("jobs", "list", "--server", server).out
    assert cli("tables", "build", "awari", "--stones", 2, "--server", server, "--tables", "here").status == 2
    assert cli("stats", "--server", server, "--json").status == 0
    assert cli("games", "--server", server, "--json").status == 0


def test_quickstart(cli: Run, tmp_path: Path) -> None:
    outcome = cli("quickstart", "--game", "tic-tac-toe", "--directory", tmp_path / "here", "--json")
    assert outcome.status == 0
    assert outcome.json["solve"]["status"] == "exact"
    assert outcome.json["lookup"]["known"] is True
    assert [report["failed"] for report in outcome.json["verify"]] == [0, 0]
    assert outcome.json["certificate"]["valid"] is True
    assert cli("check", tmp_path / "here" / "solution.proof").status == 0
    shown = cli("quickstart", "--game", "connect-four:4x4")
    assert shown.status == 0
    for word in ("serve", "solve", "verify", "certificate", "valid", "best play"):
        assert word in shown.out
    stages = re.findall(r"^(\w*) +(\d+\.\d) s  ", shown.out, re.MULTILINE)
    assert [stage for stage, _ in stages] == ["serve", "solve", "verify", "", "certificate"]


def test_interrupted_solve_can_be_resumed(cli: Run, tmp_path: Path) -> None:
    url = str(tmp_path / "store")
    printed, complaint = _interrupted(cli, url, "solve", "connect-four", "--store", url, "--json")
    assert printed == ""
    (job,) = cli("jobs", "list", "--store", url, "--json").json["jobs"]
    assert f"is paused; `proofbase jobs resume {job['id']} --store {url}` goes on" in complaint
    assert job["state"] == "paused"
    nodes = job["progress"]["nodes"]
    resumed = cli("jobs", "resume", job["id"], "--nodes", nodes + 100_000, "--store", url, "--json")
    assert resumed.status == 1, "the value is still open"
    assert resumed.json["result"]["nodes"] >= nodes + 100_000


@pytest.mark.parametrize(("line", "moves"), [(("4", "4", "3"), 3), ((), 0), (("4",), 2)])
def test_the_board_that_an_unfinished_solve_looks_at_is_drawn(
    capsys: pytest.CaptureFixture[str], line: tuple[str, ...], moves: int
) -> None:
    spec = SolveSpec("connect-four", "moves:11")
    progress = SolveProgress(best_line=line, best_line_moves=moves)
    with connect("memory:") as client:
        print_board_looked_at(client, Job("a job", "solve", "paused", 0.0, 0.0, spec, progress))
        board = client.lookup("connect-four", "moves:11443", board=True).board
        assert board is not None
    # Of a line that is not known to its end there is no board.
    printed = capsys.readouterr().out
    if len(line) == moves > 0:
        assert printed.startswith("looks at   4 4 3\n") and board in printed
    else:
        assert printed == ""


@pytest.mark.slow
def test_an_interrupted_solve_of_a_file_can_be_resumed(cli: Run, tmp_path: Path) -> None:
    url, file = str(tmp_path / "store"), tmp_path / "positions"
    file.write_text("121212\n12\n")  # a win at once, and a long search
    printed, complaint = _interrupted(
        cli, url, "solve", "connect-four", "--file", str(file), "--seconds", "8", "--store", url, done=1
    )
    (job,) = cli("jobs", "list", "--store", url, "--json").json["jobs"]
    assert f"is paused; `proofbase jobs resume {job['id']} --store {url}` goes on" in complaint
    assert f"`proofbase jobs positions {job['id']} --store {url}` prints a row" in complaint
    assert printed.splitlines()[1:] in ([], [line for line in printed.splitlines() if line.startswith("1,121212,")])
    rows = cli("jobs", "positions", job["id"], "--store", url)
    assert rows.status == 1 and len(rows.out.splitlines()) == 2
    resumed = cli("jobs", "resume", job["id"], "--store", url)
    assert resumed.status == 1, "one value is still open"
    assert "2 positions: 1 exact, 1 open" in resumed.out
    assert "jobs positions" in resumed.err
    assert len(cli("jobs", "positions", job["id"], "--store", url).out.splitlines()) == 3


def test_printed_commands_go_on_with_a_larger_budget(cli: Run, tmp_path: Path) -> None:
    url = str(tmp_path / "a store")
    outcome = cli("solve", "connect-four:5x4", "--algorithm", "pn-dag", "--nodes", "3k", "--store", url)
    nodes = 0
    for _ in range(12):
        if outcome.status == 0:
            break
        assert outcome.status == 1
        proposed = re.search("the work is kept: `(.*)` goes on with it", outcome.err)
        assert proposed is not None, outcome.err
        program, *words = shlex.split(proposed[1])
        assert program == "proofbase"
        assert words[-2:] == ["--store", url]
        assert int(words[words.index("--nodes") + 1]) > nodes
        nodes = int(words[words.index("--nodes") + 1])
        outcome = cli(*words)
    assert outcome.status == 0
    (job,) = cli("jobs", "list", "--store", url, "--json").json["jobs"]
    assert job["result"]["status"] == "exact"
    assert "the work is kept" not in outcome.err
    assert cli("jobs", "resume", job["id"], "--nodes", "1G", "--store", url).status == 3
    small = cli("solve", "connect-four", "--nodes", 1_000, "--store", url, "--json").json
    assert small["resumable"] is True
    refused = cli("jobs", "resume", small["job"], "--nodes", 500, "--store", url)
    assert refused.status == 2
    assert "larger budget of nodes" in refused.err


def _interrupted(cli: Run, url: str, *words: str, done: int = 0) -> tuple[str, str]:
    """What a command prints that is interrupted (Ctrl-C) while its job runs and has done so many positions."""
    command = [sys.executable, "-m", "proofbase", *words]
    with default_interruptions():
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with process:
        try:
            deadline = time.monotonic() + 60
            while not _is_running(cli, url, done):
                assert time.monotonic() < deadline
                time.sleep(0.2)
            process.send_signal(signal.SIGINT)
            printed, complaint = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130
    return printed, complaint


def _is_running(cli: Run, url: str, done: int) -> bool:
    if not Path(url).is_dir():
        return False
    listed = cli("jobs", "list", "--state", "running", "--store", url, "--json")
    jobs = listed.json["jobs"] if listed.status == 0 else []
    return bool(jobs) and (not done or (jobs[0]["progress"] or {}).get("done", 0) >= done)


def test_progress_bar_on_a_terminal_only(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "proofbase", "solve", "connect-four:5x5", "--store", "memory:", "--json"]
    terminal, end = pty.openpty()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=end, text=True) as process:
        os.close(end)
        shown = b""
        with contextlib.suppress(OSError):  # Linux says so when the other end is closed
            while piece := os.read(terminal, 4096):
                shown += piece
        os.close(terminal)
        assert process.stdout is not None
        document = json.loads(process.stdout.read())
    assert process.returncode == 0
    assert document["status"] == "exact"
    assert b"solve" in shown
    quiet = subprocess.run(command, check=True, capture_output=True)
    assert quiet.stderr == b""
