"""A server that is killed in the middle of a solve: the next one goes on from the last checkpoint."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from proofbase.service.client import (
    Budget,
    Client,
    PositionsResult,
    SolveProgress,
    SolveResult,
    VerificationResult,
    connect,
)
from proofbase.service.jobs.solve import work as solve

PROGRAM = """
import sys
from proofbase.service.jobs.solve import work as solve
from proofbase.service.jobs.positions import work
from proofbase.service.server import serve
solve.CHECKPOINT_SECONDS = work.SAVE_SECONDS = float(sys.argv[2])
serve(sys.argv[1], "127.0.0.1:0", on_ready=lambda at: print(at.grpc, flush=True))
"""
SLICE = 0.5
BUDGET = 6_000_000


@contextmanager
def server(directory: Path) -> Iterator[tuple[subprocess.Popen[str], Client]]:
    """A server process; ended by SIGTERM unless it is gone."""
    command = [sys.executable, "-c", PROGRAM, str(directory), str(SLICE)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            assert address, "the server did not start"
            with connect(address) as client:
                yield process, client
        finally:
            if process.poll() is None:
                process.terminate()
                assert process.wait(30) == 0, "a stop is no failure"


def nodes_of(client: Client, job_id: str) -> int:
    progress = client.job(job_id).progress
    return progress.nodes if isinstance(progress, SolveProgress) else 0


def wait_for_nodes(client: Client, job_id: str, least: int) -> int:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        nodes = nodes_of(client, job_id)
        if nodes >= least:
            return nodes
        time.sleep(0.05)
    pytest.fail(f"job {job_id} does not reach {least} nodes")


def test_a_checkpoint_is_made_often_enough() -> None:
    # A slice, the time to store it, and the half second of the progress report: well below 30 seconds.
    assert solve.CHECKPOINT_SECONDS <= 15


def test_a_killed_server_goes_on_from_the_checkpoint(directory: Path) -> None:
    with server(directory) as (process, client):
        job = client.start_solve("connect-four", budget=Budget(nodes=BUDGET))
        other = client.solve("connect-four:4x4")
        reached = wait_for_nodes(client, job.id, BUDGET // 3)
        time.sleep(2 * SLICE + 0.5)  # what had been reached is in a checkpoint by now
        os.kill(process.pid, signal.SIGKILL)
        process.wait(30)
    with server(directory) as (_, client):
        first = wait_for_nodes(client, job.id, 1)
        assert first >= reached // 2, "it begins near the checkpoint, not at nothing"
        done = client.wait(job.id)
        result = done.result
        assert isinstance(result, SolveResult)
        assert result.unknown_reason == "nodes" and BUDGET <= result.nodes < BUDGET * 1.2
        assert client.job(other.id).result == other.result, "what was done stays done"
        verified = client.verify().result
        assert isinstance(verified, VerificationResult) and verified.failed == 0 and verified.checked > 0


def test_a_killed_solve_finds_the_answer_after_all(directory: Path) -> None:
    with server(directory) as (_, client):
        right = client.solve("connect-four:5x5", "33333", algorithm="pn-dag").result
        assert isinstance(right, SolveResult) and right.status == "exact"
    directory = directory.with_name("other")
    job_id = None
    for kills in range(4):
        with server(directory) as (process, client):
            if job_id is None:
                job_id = client.start_solve("connect-four:5x5", "33333", algorithm="pn-dag").id
            if kills == 3 or client.job(job_id).finished:
                result = client.wait(job_id).result
                assert isinstance(result, SolveResult)
                assert (result.status, result.value) == (right.status, right.value)
                verified = client.verify().result
                assert isinstance(verified, VerificationResult) and verified.failed == 0
                break
            time.sleep(2 * SLICE)
            os.kill(process.pid, signal.SIGKILL)
            process.wait(30)


@pytest.mark.slow
def test_a_killed_job_over_positions_goes_on_behind_those_that_are_done(directory: Path) -> None:
    texts = [f"{first}{second}{third}4" for first in range(1, 6) for second in range(1, 6) for third in range(1, 6)]
    job_id, done = None, 0
    for kills in range(4):
        with server(directory) as (process, client):
            if job_id is None:
                job_id = client.start_positions("connect-four:5x4", texts, lines=range(1, len(texts) + 1)).id
            found = list(client.position_outcomes(job_id))
            assert len(found) >= done, "what was told is not lost"
            if kills == 3 or client.job(job_id).finished:
                result = client.wait(job_id).result
                assert isinstance(result, PositionsResult) and result.exact == len(texts)
                outcomes = list(client.position_outcomes(job_id))
                assert [outcome.line for outcome in outcomes] == list(range(1, len(texts) + 1))
                assert outcomes[:done] == found[:done]
                assert all(client.lookup("connect-four:5x4", text).known for text in texts)
                verified = client.verify().result
                assert isinstance(verified, VerificationResult) and verified.failed == 0
                break
            time.sleep(2 * SLICE)
            done = len(list(client.position_outcomes(job_id)))
            os.kill(process.pid, signal.SIGKILL)
            process.wait(30)


def test_a_stopped_server_leaves_its_jobs_queued(directory: Path) -> None:
    with server(directory) as (_, client):
        job = client.start_solve("connect-four", budget=Budget(nodes=BUDGET))
        reached = wait_for_nodes(client, job.id, 100_000)
    with server(directory) as (_, client):
        assert wait_for_nodes(client, job.id, 1) >= reached
        assert client.cancel(job.id).state == "cancelled"
