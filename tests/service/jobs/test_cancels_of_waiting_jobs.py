"""Jobs that wait are cancelled and paused while the jobs of the store are looked after: nobody takes them for left."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from services import MakeService

from proofbase.service.client import Limits
from proofbase.service.jobs.runner import JobRunner

LONG = "connect-four"


@pytest.mark.parametrize("action", ["cancel", "pause"])
def test_a_job_that_leaves_the_queue_is_not_taken_up(
    make_service: MakeService, action: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    service = make_service(limits=Limits(concurrent_jobs=1))
    runner: JobRunner = service.app.jobs
    first, second = (service.client.start_solve(LONG) for _ in range(2))
    state = {"cancel": "cancelled", "pause": "paused"}[action]
    replace = service.store.replace_job
    looks: list[threading.Thread] = []

    def replaced(job: Any, updated: float) -> bool:
        """The upkeep looks just before the new state is stored."""
        if job.id == second.id and job.state == state and not looks:
            looks.append(threading.Thread(target=runner._take_over))
            looks[0].start()
            looks[0].join(1.0)  # it may have to wait for what this test interrupts
        return replace(job, updated)

    monkeypatch.setattr(service.store, "replace_job", replaced)
    assert getattr(service.client, action)(second.id).state == state
    looks[0].join(20)
    assert service.client.job(second.id).state == state
    service.client.cancel(first.id)
    assert service.client.job(second.id).state == state
    assert "another server" not in caplog.text


@pytest.mark.parametrize("action", ["cancel", "pause"])
def test_a_job_that_is_being_stored_can_be_stopped(
    make_service: MakeService, action: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    service = make_service(limits=Limits(concurrent_jobs=1))
    first = service.client.start_solve(LONG)
    append = service.store.append_checkpoint
    stops: list[threading.Thread] = []
    states: list[str] = []

    def appended(job_id: str, chunk: bytes) -> None:
        """Somebody who has seen the job in the list stops it before its list of positions is stored."""
        if job_id != first.id and not stops:
            stops.append(
                threading.Thread(target=lambda: states.append(getattr(service.app.jobs, action)(job_id).state))
            )
            stops[0].start()
            stops[0].join(1.0)
        append(job_id, chunk)

    monkeypatch.setattr(service.store, "append_checkpoint", appended)
    job = service.client.start_positions("tic-tac-toe", ["5"])
    stops[0].join(20)
    state = {"cancel": "cancelled", "pause": "paused"}[action]
    assert states == [state] and service.client.job(job.id).state == state
    service.client.cancel(first.id)
    assert service.client.job(job.id).state == state
    assert "another server" not in caplog.text
