"""Solves with workers: the values of one search, every record verified, and jobs like any other."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from services import MakeService, Service
from trials import load_trial

from proofbase.service.client import (
    Budget,
    Client,
    InvalidRequestError,
    Job,
    JobStateError,
    LimitExceededError,
    SolveProgress,
    SolveResult,
    VerificationResult,
    connect,
)
from proofbase.service.jobs.proof_manager import depth_first, managed_searches
from proofbase.service.jobs.proof_manager.managed_searches import ManagedSearches
from proofbase.service.jobs.proof_manager.manager import ProofManager

HARD = "connect-four"
"""By `pn-dag`, no test will see the end of it."""
trial = load_trial("bench/managers/trial_managed_graphs")


def result_of(job: Job) -> SolveResult:
    assert job.state == "done" and isinstance(job.result, SolveResult), job
    return job.result


def progress_of(service: Service, job: Job) -> SolveProgress:
    found = service.client.job(job.id).progress
    assert found is None or isinstance(found, SolveProgress)
    return found or SolveProgress()


def until_tasks(service: Service, job: Job, tasks: int, line: int = 0) -> SolveProgress:
    """Progress after so many tasks, with a best line of so many moves."""
    deadline = time.monotonic() + 120
    while (found := progress_of(service, job)).tasks < tasks or len(found.best_line) < line:
        assert time.monotonic() < deadline and not service.client.job(job.id).finished
        time.sleep(0.02)
    return found


def check_records(client: Client, game: str) -> int:
    found = client.verify(game).result
    assert isinstance(found, VerificationResult) and found.failed == 0
    return found.checked


@pytest.fixture
def client() -> Iterator[Client]:
    with connect("memory:") as opened:
        yield opened


@pytest.mark.parametrize("workers", [1, 2, 4])
@pytest.mark.parametrize(
    ("game", "position"),
    [
        ("connect-four:4x4", "-"),
        ("connect-four", "35375557"),
        ("awari", "0,1,0,0,2,0/0,0,1,0,0,3/S"),
        ("awari", "0,0,0,0,1,2/1,0,0,0,1,1/S"),
    ],
)
def test_workers_find_what_one_search_finds(client: Client, game: str, position: str, workers: int) -> None:
    with connect("memory:") as other:
        value = result_of(other.solve(game, position)).value.lower
    result = result_of(client.solve(game, position, workers=workers))
    assert (result.status, result.value.lower, result.value.upper) == ("exact", value, value)
    assert check_records(client, game) > 0
    answer = client.lookup(game, position)
    assert answer.value == result.value and answer.estimates == ()


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_workers_are_right_about_random_graphs(workers: int) -> None:
    assert sum(trial.check_graph(number, workers) for number in range(workers, 80, 8)) > 50


def test_worker_processes_find_the_value(client: Client) -> None:
    result = result_of(client.solve("connect-four:4x4", workers=2, worker_processes=True))
    assert result.value.exact and result.value.lower == 0
    assert check_records(client, "connect-four:4x4") > 0


def test_a_solve_with_workers_reports_them(service: Service) -> None:
    job = service.client.start_solve(HARD, at_least=1, algorithm="pn-dag", workers=2)
    report = until_tasks(service, job, 3)
    assert report.workers == 2 and report.nodes > 0 and report.proof >= 1
    assert f"{report.tasks_under_way} under way on 2 workers, " in (report.text or "")
    spec = service.client.job(job.id).spec
    assert getattr(spec, "workers", 0) == 2
    service.client.cancel(job.id)
    cancelled = service.client.wait(job.id)
    assert cancelled.state == "cancelled"
    assert service.store.estimates().count() > 0, "what was believed is there for the next one"


def test_all_workers_of_a_solve_that_goes_depth_first_search_one_task(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(depth_first, "TASK_SECONDS", 0.05)
    job = service.client.start_solve(HARD, at_least=1, algorithm="null-window", workers=2)
    report = until_tasks(service, job, 3, line=4)  # as far as the last task has told
    assert (report.workers, report.tasks_under_way in (0, 1)) == (2, True)
    assert f"{report.tasks_under_way} under way on 2 workers, " in (report.text or "")
    assert "each task by null-window+threads-2" in (report.algorithm_reason or "")
    assert report.best_line_moves >= len(report.best_line)
    service.client.cancel(job.id)
    assert service.client.wait(job.id).state == "cancelled"


def test_budgets_pauses_and_restarts_lose_nothing(make_service: MakeService, directory: Path) -> None:
    service = make_service(str(directory))
    job = service.client.solve(HARD, at_least=1, algorithm="pn-dag", workers=2, budget=Budget(nodes=100_000))
    first = result_of(job)
    assert (first.unknown_reason, first.resumable) == ("nodes", True) and 100_000 <= first.nodes < 300_000
    [estimate] = service.client.lookup(HARD).estimates
    assert estimate.nodes >= 100_000 and estimate.at_least == 1
    service.client.resume(job.id, budget=Budget(nodes=1 << 40))
    until_tasks(service, job, 3)
    paused = service.client.pause(job.id)
    assert paused.state == "paused" and isinstance(paused.progress, SolveProgress)
    assert paused.progress.nodes >= first.nodes
    estimates = service.store.estimates().count()
    assert estimates > 1
    service.app.close()
    second = make_service(str(directory))
    assert second.store.estimates().count() == estimates
    second.client.resume(job.id, budget=Budget(nodes=paused.progress.nodes + 100_000))
    after = result_of(second.client.wait(job.id))
    assert after.status == "unknown" and after.nodes > paused.progress.nodes
    check_records(second.client, HARD)


def test_a_question_has_one_manager(make_service: MakeService) -> None:
    service = make_service("memory:")
    first = service.client.start_solve(HARD, at_least=1, algorithm="pn-dag", workers=1)
    until_tasks(service, first, 1)
    with pytest.raises(JobStateError, match=f"job {first.id} manages this question"):
        service.client.solve(HARD, at_least=1, algorithm="pn-dag", workers=1)
    service.client.pause(first.id)
    second = service.client.start_solve(HARD, at_least=1, algorithm="pn-dag", workers=1)
    until_tasks(service, second, 1)
    service.client.resume(first.id)
    with pytest.raises(JobStateError, match=f"job {second.id} manages this question"):
        service.client.wait(first.id)
    service.client.cancel(second.id)


def test_impossible_numbers_of_workers_are_refused(service: Service) -> None:
    with pytest.raises(LimitExceededError, match="a job may have 64"):
        service.client.start_solve(HARD, workers=65)
    with pytest.raises(InvalidRequestError, match="worker"):
        service.client.start_solve(HARD, worker_processes=True)
    with pytest.raises(InvalidRequestError):
        service.client.start_solve(HARD, workers=-1)


def test_a_manager_is_kept_from_turn_to_turn(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(managed_searches, "FIRST_TURN", 2_000)
    managed, thresholds, before = ManagedSearches.new, list[int](), threading.enumerate()

    def counted(self: ManagedSearches, threshold: int, *rest: Any) -> ProofManager:
        thresholds.append(threshold)
        return managed(self, threshold, *rest)

    monkeypatch.setattr(ManagedSearches, "new", counted)
    result = result_of(client.solve("connect-four:5x4", "12", algorithm="pn-dag", workers=2))
    assert result.value.lower == result.value.upper == -1
    # On a busy machine one question may be answered in its first turn, which settles the other one as well.
    assert len(set(thresholds)) == len(thresholds) > 0, "one for each question, whatever turns it had"
    left = [thread for thread in threading.enumerate() if thread not in before and "proof" in thread.name]
    assert not left, "the workers have ended"
