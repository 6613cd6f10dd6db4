"""The service on PostgreSQL, which several servers may share."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from services import MakeService
from waits import until

from proofbase.engine.system import running_system
from proofbase.service.client import Budget, Client, JobStateError, SolveProgress, SolveResult, VerificationResult
from proofbase.service.jobs.model import Job, JobServer
from proofbase.service.jobs.running.queue import JobQueue
from proofbase.service.jobs.stored_jobs import to_stored
from proofbase.service.jobs.verification import VerificationSpec
from proofbase.storage import open_store


def test_two_servers_share_a_database(make_service: MakeService, migrated_database: str) -> None:
    first, second = make_service(open_store(migrated_database)), make_service(open_store(migrated_database))
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


def test_a_job_belongs_to_the_server_that_runs_it(make_service: MakeService, migrated_database: str) -> None:
    first, second = make_service(open_store(migrated_database)), make_service(open_store(migrated_database))
    job = first.client.start_solve("connect-four", budget=Budget(seconds=60))
    until(lambda: isinstance(found := first.client.job(job.id).progress, SolveProgress) and found.nodes > 0)
    assert second.app.jobs.resume_unfinished() == 0, "its server is alive"
    for change in (second.client.resume, second.client.pause, second.client.cancel):
        with pytest.raises(JobStateError, match=r"another server|only a paused"):
            change(job.id)
    paused = first.client.pause(job.id)
    assert isinstance(paused.progress, SolveProgress) and paused.progress.nodes > 0
    second.client.resume(job.id)
    until(lambda: second.client.job(job.id).state == "running")
    assert second.client.cancel(job.id).state == "cancelled"
    assert first.client.job(job.id).state == "cancelled"


def test_an_abandoned_job_gets_one_new_server(
    make_service: MakeService, migrated_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = [make_service(open_store(migrated_database)) for _ in range(4)]
    spec = VerificationSpec("tic-tac-toe")
    for number in range(12):
        lost = Job(f"job-{number}", "verification", "running", 1.0, 2.0, spec)
        services[0].store.put_job(to_stored(lost))
    monkeypatch.setattr(JobQueue, "fill_slots", lambda queue: None)  # who has taken a job keeps it in its queue
    with ThreadPoolExecutor(4) as threads:
        taken = list(threads.map(lambda service: service.app.jobs.resume_unfinished(), services))
    assert sum(taken) == 12


def test_a_server_that_was_taken_for_dead_leaves_the_job(
    make_service: MakeService, migrated_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = make_service(open_store(migrated_database)), make_service(open_store(migrated_database))
    job = first.client.start_solve("connect-four", budget=Budget(seconds=60))
    until(lambda: second.client.job(job.id).state == "running")
    run = first.app.jobs._queue.get(job.id)
    assert run is not None
    until(lambda: run._control is not None and run._work is not None)
    control, work = run._control, run._work
    assert control is not None and work is not None
    with monkeypatch.context() as impatient:
        impatient.setattr("proofbase.service.jobs.servers.SILENT_SECONDS", -1.0)
        until(lambda: resumed(second.client, job.id))
    until(lambda: second.client.job(job.id).state == "running")
    if not run.ended.is_set():  # a checkpoint of its own has shown it the same, if it came just then
        control.save(work.progress())
    assert run.ended.wait(60)
    assert second.client.job(job.id).state == "running"
    assert second.client.cancel(job.id).state == "cancelled"
    assert first.client.job(job.id).state == "cancelled"


def resumed(client: Client, job_id: str) -> bool:
    """False if the first server has stored its progress at the same moment: the call is refused then."""
    try:
        return client.resume(job_id).state == "queued"
    except JobStateError:
        return False


def test_a_watch_at_another_server_ends_when_the_job_does(make_service: MakeService, migrated_database: str) -> None:
    first, second = make_service(open_store(migrated_database)), make_service(open_store(migrated_database))
    job = first.client.start_solve("connect-four", budget=Budget(seconds=2))
    seen: list[Job] = []
    with ThreadPoolExecutor(1) as thread:
        watching = thread.submit(lambda: seen.extend(second.client.watch(job.id)))
        done = first.client.wait(job.id)
        watching.result(60)
    assert seen[-1] == done and done.state == "done"
    assert job.server is not None and seen[0].server == job.server


def test_the_job_of_a_server_that_has_died_is_taken_over(
    make_service: MakeService, migrated_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("proofbase.service.jobs.runner.LOOK_SECONDS", 0.5)
    other = make_service(open_store(migrated_database))
    for name, about in (
        ("here", {"machine": running_system(), "pid": 1, "started": "another time"}),
        ("far", {"host": "far"}),
    ):
        other.store.renew_server(name, about)
        lost = Job(name, "verification", "running", 1.0, time.time(), VerificationSpec("tic-tac-toe"))
        other.store.put_job(to_stored(replace(lost, server=JobServer(name, "somewhere", 1))))
    gone = Job("gone", "verification", "queued", 1.0, time.time(), VerificationSpec("tic-tac-toe"))
    other.store.put_job(to_stored(replace(gone, server=JobServer("no entry", "somewhere", 1))))
    other.app.jobs.resume_unfinished()
    for name in ("here", "gone"):
        until(lambda: other.client.job(name).state == "done")  # noqa: B023
    assert other.client.job("far").state == "running", "that server lives, as far as one can tell"
    with pytest.raises(JobStateError, match="process 1 of somewhere"):
        other.client.cancel("far")
    monkeypatch.setattr("proofbase.service.jobs.servers.SILENT_SECONDS", 0.5)
    until(lambda: other.client.job("far").state == "done")


def test_a_server_that_stops_leaves_its_jobs_to_the_others_at_once(
    make_service: MakeService, migrated_database: str
) -> None:
    first, second = make_service(open_store(migrated_database)), make_service(open_store(migrated_database))
    job = first.client.start_solve("connect-four", budget=Budget(seconds=60))
    until(lambda: second.client.job(job.id).state == "running")
    assert [entry.id for entry in second.store.servers()] != []
    first.app.jobs.close()
    assert second.client.job(job.id).state == "queued"
    assert second.app.jobs.resume_unfinished() == 1
    until(lambda: second.client.job(job.id).state == "running")
    server = second.client.job(job.id).server
    assert server is not None and server.id == second.app.jobs._servers.own.id
    assert second.client.cancel(job.id).server is None
