"""The service on PostgreSQL, which several servers may share."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from services import MakeService

from proofbase.migrations import migrate
from proofbase.service.client import Budget, JobStateError, SolveProgress, SolveResult, VerificationResult
from proofbase.service.jobs.model import Job
from proofbase.service.jobs.running.queue import JobQueue
from proofbase.service.jobs.stored_jobs import to_stored
from proofbase.service.jobs.verification import VerificationSpec
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
    wait_until(lambda: isinstance(found := first.client.job(job.id).progress, SolveProgress) and found.nodes > 0)
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


def test_an_abandoned_job_gets_one_new_server(
    make_service: MakeService, postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate(postgres_database)
    services = [make_service(open_store(postgres_database)) for _ in range(4)]
    spec = VerificationSpec("tic-tac-toe")
    for number in range(12):
        lost = Job(f"job-{number}", "verification", "running", 1.0, 2.0, spec)
        services[0].store.put_job(to_stored(lost))
    monkeypatch.setattr(JobQueue, "fill_slots", lambda queue: None)  # who has taken a job keeps it in its queue
    with ThreadPoolExecutor(4) as threads:
        taken = list(threads.map(lambda service: service.app.jobs.resume_unfinished(), services))
    assert sum(taken) == 12


def test_a_server_that_was_taken_for_dead_leaves_the_job(
    make_service: MakeService, postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate(postgres_database)
    first, second = make_service(open_store(postgres_database)), make_service(open_store(postgres_database))
    job = first.client.start_solve("connect-four", budget=Budget(seconds=60))
    wait_until(lambda: second.client.job(job.id).state == "running")
    with monkeypatch.context() as impatient:
        impatient.setattr("proofbase.service.jobs.running.servers.SILENT_SECONDS", -1.0)
        assert second.client.resume(job.id).state == "queued"
    wait_until(lambda: second.client.job(job.id).state == "running")
    run = first.app.jobs._queue.get(job.id)
    assert run is not None and run._control is not None and run._work is not None
    run._control.save(run._work.progress())
    assert run.ended.wait(10)
    assert second.client.job(job.id).state == "running"
    assert second.client.cancel(job.id).state == "cancelled"
    assert first.client.job(job.id).state == "cancelled"


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)
