"""Jobs whose store fails for a while: they wait, tell so, and lose nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from services import MakeService, Service
from waits import until

from proofbase.service.client import Budget, Job, SolveProgress, SolveResult
from proofbase.service.jobs import store_retries
from proofbase.service.jobs.solve import work as solve
from proofbase.service.jobs.stored_jobs import from_stored
from proofbase.storage import SolutionStore, StoreFullError, StoreUnavailableError, open_store

LONG = "connect-four"


class Failing:
    """Has calls of a store fail for as long as it is asked to.

    Attributes:
        failed: how many calls failed.
    """

    def __init__(self, store: SolutionStore, patch: pytest.MonkeyPatch) -> None:
        self._store = store
        self._patch = patch
        self.on = False
        self.failed = 0
        self.after_the_call = False
        """Whether the failing calls do their work before: an answer that gets lost."""

    def make(self, *names: str) -> None:
        """Has these methods fail while `on` is set."""
        for name in names:
            self._patch.setattr(self._store, name, self._wrapped(getattr(self._store, name)))

    def _wrapped(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            if not self.on:
                return call(*args, **kwargs)
            self.failed += 1
            if self.after_the_call:
                call(*args, **kwargs)
            raise StoreUnavailableError("the connection is broken")

        return wrapped


@pytest.fixture
def failing(service: Service, monkeypatch: pytest.MonkeyPatch) -> Failing:
    """Failures of the service's store."""
    return Failing(service.store, monkeypatch)


def stored(service: Service, job: Job) -> Job:
    found = service.store.get_job(job.id)
    assert found is not None
    return from_stored(found)


ALL = ("replace_job", "append_checkpoint", "drop_checkpoint", "put_many", "checkpoint", "get_many", "generation")


@pytest.mark.parametrize(
    ("make_service", "answer_lost"), [("in process", False), ("over gRPC", True)], indirect=["make_service"]
)
def test_a_broken_connection_costs_neither_job_nor_checkpoint(
    service: Service, failing: Failing, monkeypatch: pytest.MonkeyPatch, answer_lost: bool
) -> None:
    monkeypatch.setattr(solve, "CHECKPOINT_SECONDS", 0.1)
    failing.make(*ALL)
    failing.after_the_call = answer_lost
    job = service.client.start_solve(LONG, algorithm="pn-dag", budget=Budget(nodes=100_000_000))
    until(lambda: len(list(service.store.checkpoint(job.id))) > 2)
    for _ in range(3):
        chunks = len(list(service.store.checkpoint(job.id)))
        failed = failing.failed
        failing.on = True
        until(lambda: failing.failed > failed and service.client.job(job.id).message is not None)  # noqa: B023
        waiting = service.client.job(job.id)
        assert waiting.state == "running" and (waiting.message or "").startswith(
            "waiting for the store: the connection"
        )
        failing.on = False
        assert len(list(service.store.checkpoint(job.id))) >= chunks
        until(lambda: len(list(service.store.checkpoint(job.id))) > chunks + 1)  # noqa: B023
        assert service.client.job(job.id).message is None
    paused = service.client.pause(job.id)
    assert paused.state == "paused" and isinstance(paused.progress, SolveProgress)
    nodes = paused.progress.nodes + 500_000
    service.client.resume(job.id, budget=Budget(nodes=nodes))
    done = service.client.wait(job.id)
    assert isinstance(done.result, SolveResult) and nodes <= done.result.nodes < nodes + 500_000


def test_nothing_is_shown_before_it_is_stored(service: Service, failing: Failing) -> None:
    failing.make("replace_job")
    job = service.client.start_solve(LONG, budget=Budget(seconds=60))
    until(lambda: service.client.job(job.id).state == "running")
    failing.on = True
    shown = service.client.cancel(job.id)
    assert shown.state == "running" and "waiting for the store" in (shown.message or "")
    assert [entry.state for entry in service.client.jobs()[0]] == ["running"] == [stored(service, job).state]
    failing.on = False
    assert list(service.client.watch(job.id))[-1].state == "cancelled" == stored(service, job).state


def test_cancel_and_pause_are_obeyed_while_a_job_waits(
    service: Service, failing: Failing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_retries, "FIRST_SECONDS", 600.0)  # longer than the test may take
    monkeypatch.setattr(store_retries, "LONGEST_SECONDS", 600.0)
    failing.make("put_many")
    failing.on = True
    for stop, state in ((service.client.pause, "paused"), (service.client.cancel, "cancelled")):
        job = service.client.start_solve("connect-four:4x4", "12")
        until(lambda: service.client.job(job.id).message is not None)  # noqa: B023
        began = time.monotonic()
        assert stop(job.id).state == state == stored(service, job).state
        assert time.monotonic() - began < 60
    failing.on = False
    service.client.resume(service.client.jobs(["paused"])[0][0].id)
    until(lambda: service.client.lookup("connect-four:4x4", "12").value.exact)


def test_a_job_that_cannot_be_queued_is_not_taken_out_of_the_queue(make_service: MakeService) -> None:
    service = make_service()
    running = [service.client.start_solve(LONG, budget=Budget(seconds=60)) for _ in range(2)]
    waiting = service.client.start_solve("tic-tac-toe")
    with pytest.MonkeyPatch.context() as patch:
        failing = Failing(service.store, patch)
        failing.make("replace_job")
        failing.on = True
        with pytest.raises(StoreUnavailableError):
            service.client.cancel(waiting.id)
    assert service.client.job(waiting.id).state == "queued"
    for job in running:
        service.client.cancel(job.id)
    assert service.client.wait(waiting.id).state == "done"


def test_a_job_that_waits_for_its_store_goes_on_at_the_next_start(
    make_service: MakeService, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store(str(directory)) as store, monkeypatch.context() as patch:

        def full(*args: object, **kwargs: object) -> object:
            raise StoreFullError("the disk is full")

        patch.setattr(store, "put_many", full)
        service = make_service(store)
        job = service.client.start_solve("tic-tac-toe")
        until(lambda: service.client.job(job.id).message is not None)
        service.app.jobs.close()
        assert stored(service, job).state == "queued"
    after = make_service(str(directory))
    after.app.jobs.resume_unfinished()  # a server has done so already
    assert after.client.wait(job.id).state == "done"


def test_a_job_that_fails_keeps_its_checkpoint_and_can_be_resumed(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solve, "CHECKPOINT_SECONDS", 0.1)
    job = service.client.start_solve(LONG, algorithm="pn-dag", budget=Budget(nodes=2_000_000))
    until(lambda: len(list(service.store.checkpoint(job.id))) > 2)
    with monkeypatch.context() as patch:
        append = service.store.append_checkpoint

        def broken(*args: Any) -> None:
            append(*args)
            raise RuntimeError("broken")

        patch.setattr(service.store, "append_checkpoint", broken)
        failed = list(service.client.watch(job.id))[-1]
    assert failed.state == "failed" and len(list(service.store.checkpoint(job.id))) > 2
    nodes = failed.progress.nodes if isinstance(failed.progress, SolveProgress) else 0
    assert service.client.resume(job.id).state in ("queued", "running")
    done = service.client.wait(job.id)
    assert isinstance(done.result, SolveResult) and done.result.nodes >= max(nodes, 2_000_000)


def test_the_log_tells_once_that_a_job_waits_for_a_full_disk(
    service: Service, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "proofbase.service.jobs.running.job_run")
    monkeypatch.setattr(store_retries, "FIRST_SECONDS", 0.01)
    replace, left = service.store.replace_job, [3]

    def full(*args: Any) -> bool:
        if left[0]:
            left[0] -= 1
            raise StoreFullError("no space left on the device")
        return replace(*args)

    monkeypatch.setattr(service.store, "replace_job", full)
    assert service.client.solve("tic-tac-toe").state == "done"
    log_records = [record for record in caplog.records if "store" in record.message]
    assert [record.levelname for record in log_records] == ["WARNING", "INFO"]
    assert "waits for the store: no space left" in log_records[0].message and "goes on" in log_records[1].message


def test_memory_that_runs_out_says_what_to_lower(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    def allocate(*_: object, **__: object) -> None:
        raise MemoryError("std::bad_alloc")

    monkeypatch.setattr(solve.SolveWork, "run", allocate)
    with pytest.raises(MemoryError, match="lower job_memory_bytes") as raised:
        service.client.solve("tic-tac-toe")
    assert "bad_alloc" not in str(raised.value)
    assert service.client.jobs()[0][0].error_reason == "OUT_OF_MEMORY"
