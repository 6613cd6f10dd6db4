"""Deep games: jobs that store many claims stop at once, and let the writes of others in between.

How soon a stop is, to the millisecond, is measured by tests/bench/trial_stop_times.py. The margins here hold on a
machine that has other work to do.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from services import MakeService, Service

from proofbase.migrations import migrate
from proofbase.service.client import Budget, Job, SolveProgress, SolveResult, VerificationResult
from proofbase.service.resources import closed_sets

DEPTH = 200_000
DEEP = f"random-graph:nodes={DEPTH},span=1,degree=1,ends=0"
"""One line of two hundred thousand moves."""
AT_ONCE = 5.0


def until_storing(service: Service, job: Job) -> SolveProgress:
    deadline = time.monotonic() + 240
    while time.monotonic() < deadline:
        now = service.client.job(job.id)
        if isinstance(now.progress, SolveProgress) and now.progress.phase == "storing" and now.progress.phase_done:
            return now.progress
        assert not now.resting, now
        time.sleep(0.01)
    pytest.fail("nothing is stored")


@pytest.fixture
def deep(request: pytest.FixtureRequest, make_service: MakeService, directory: Path, whole_solutions: None) -> Service:
    """A service on each kind of store."""
    if request.param == "memory":
        return make_service()
    if request.param == "lmdb":
        return make_service(str(directory))
    url = request.getfixturevalue("postgres_database")
    migrate(url)
    return make_service(url)


EACH_STORE = pytest.mark.parametrize(
    ("deep", "make_service"),
    [("memory", "over gRPC"), ("lmdb", "in process"), ("postgres", "over gRPC")],
    indirect=True,
)
"""Every store and both ways to call the service, not all pairs: a store does not know how its service is called."""


@pytest.mark.slow("pause")
@EACH_STORE
@pytest.mark.parametrize("stop", ["pause", "cancel"])
def test_a_job_stops_while_its_solution_is_stored(deep: Service, stop: str) -> None:
    job = deep.client.start_solve(DEEP, at_least=1, algorithm="pn-dag")
    storing = until_storing(deep, job)
    assert DEPTH - 1 <= storing.phase_total <= 2 * DEPTH
    assert "storing" in (storing.text or "")
    started = time.monotonic()
    stopped = deep.client.pause(job.id) if stop == "pause" else deep.client.cancel(job.id)
    assert time.monotonic() - started < AT_ONCE
    count = deep.store.count(job.spec.game)
    assert 0 < count < DEPTH - 1, "it was in the middle of storing"
    assert stopped.state == ("paused" if stop == "pause" else "cancelled")
    verified = deep.client.verify(DEEP).result
    assert isinstance(verified, VerificationResult)
    assert verified.failed == 0, "what is stored rests on what is stored"
    if stop == "cancel":
        return
    deep.client.resume(job.id)
    done = deep.client.wait(job.id)
    assert isinstance(done.result, SolveResult) and done.result.status == "proved"
    assert deep.store.count(job.spec.game) >= DEPTH - 1
    assert done.result.records >= DEPTH - 1, "records that were stored before the pause count as well"


LARGE = "connect-four:6x5"
"""Its searches take some 40 ms, and its solution has 10,000 records."""


def test_a_budget_of_seconds_ends_while_a_solution_is_stored(
    make_service: MakeService, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = make_service(str(directory))
    put_many = type(service.store).put_many

    def slow_put_many(*arguments: Any, **options: Any) -> Any:
        time.sleep(0.05)
        return put_many(*arguments, **options)

    # At least a second of storing, on the quickest machine.
    monkeypatch.setattr(type(service.store), "put_many", slow_put_many)
    monkeypatch.setattr(closed_sets, "STORED_AT_ONCE", 500)
    monkeypatch.setattr(closed_sets, "CHUNK", 500)
    started = time.monotonic()
    job = service.client.solve(LARGE, budget=Budget(seconds=0.2))
    assert time.monotonic() - started < 0.2 + AT_ONCE
    result = job.result
    assert isinstance(result, SolveResult)
    assert (result.status, result.unknown_reason, result.resumable) == ("unknown", "seconds", True)
    verified = service.client.verify().result
    assert isinstance(verified, VerificationResult) and verified.failed == 0
    service.client.resume(job.id, budget=Budget(seconds=600))
    done = service.client.wait(job.id).result
    assert isinstance(done, SolveResult) and done.status == "exact" and done.value.lower == 0
    assert 0 < done.storing_seconds < done.seconds


@pytest.mark.slow("postgres", "memory")
@EACH_STORE
def test_short_writes_go_between_those_of_a_long_one(deep: Service) -> None:
    job = deep.client.start_solve(DEEP, algorithm="pn-dag")
    until_storing(deep, job)
    waits = []
    for _ in range(3):
        started = time.monotonic()
        other = deep.client.start_verification("tic-tac-toe")
        waits.append(time.monotonic() - started)
        deep.client.wait(other.id)
    assert max(waits) < AT_ONCE, waits
    assert deep.client.wait(job.id).state == "done"


def test_the_line_of_a_deep_search_is_cut(make_service: MakeService) -> None:
    service = make_service()
    job = service.client.start_solve("random-graph:nodes=1099511627776,span=1,degree=1,ends=0", algorithm="pn-dag")
    deadline = time.monotonic() + 240
    while time.monotonic() < deadline:
        progress = service.client.job(job.id).progress
        if isinstance(progress, SolveProgress) and progress.best_line_moves > 50_000:
            break
        time.sleep(0.05)
    assert isinstance(progress, SolveProgress)
    assert progress.best_line_moves > 50_000 and len(progress.best_line) == 100
    started = time.monotonic()
    listed, cut = service.client.jobs()
    assert cut is None and len(listed) == 1
    paused = service.client.pause(job.id)
    assert time.monotonic() - started < AT_ONCE
    stored = service.store.get_job(job.id)
    assert stored is not None and len(stored.to_json()) < 10_000
    assert paused.state == "paused"
