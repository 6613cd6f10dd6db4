"""The service on PostgreSQL, which several servers may share."""

from __future__ import annotations

import time

import pytest
from services import MakeService

from proofbase.migrations import migrate
from proofbase.service.client import Budget, JobStateError, SolveProgress, SolveResult, VerificationResult
from proofbase.storage import open_store


def test_two_servers_share_a_database(make_service: MakeService, postgres_database: str) -> None:
    migrate(postgres_database)
    first, second = make_service(open_store(postgres_database)), make_service(open_store(postgres_database))
    result = first.client.solve("connect-four:4x4").result
    assert isinstance(result, SolveResult) and result.status == "exact"
    assert second.client.lookup("connect-four:4x4").value.exact
    again = second.client.solve("connect-four:4x4").result
    assert isinstance(again, SolveResult) and again.algorithm == "store"
    for rules in ("native", "python"):
        verified = second.client.verify(rules=rules).result  # type: ignore[arg-type]
        assert isinstance(verified, VerificationResult) and verified.failed == 0 and verified.checked > 0
    assert len(second.client.jobs()[0]) == 4
    data = list(first.client.export("connect-four:4x4", "-"))
    assert second.client.import_(data).unchanged > 0


def test_a_job_belongs_to_the_server_that_runs_it(make_service: MakeService, postgres_database: str) -> None:
    migrate(postgres_database)
    first, second = make_service(open_store(postgres_database)), make_service(open_store(postgres_database))
    job = first.client.start_solve("connect-four", budget=Budget(seconds=60))
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        progress = first.client.job(job.id).progress
        if isinstance(progress, SolveProgress) and progress.nodes > 0:
            break
        time.sleep(0.05)
    assert second.app.jobs.resume_unfinished() == 0, "its server is alive"
    for change in (second.client.resume, second.client.pause, second.client.cancel):
        with pytest.raises(JobStateError, match=r"another server|only a paused"):
            change(job.id)
    paused = first.client.pause(job.id)
    assert isinstance(paused.progress, SolveProgress) and paused.progress.nodes > 0
    second.client.resume(job.id)
    time.sleep(0.5)
    assert second.client.cancel(job.id).state == "cancelled"
    assert first.client.job(job.id).state == "cancelled"
