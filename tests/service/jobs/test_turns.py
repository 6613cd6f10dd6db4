"""Clients take turns at the slots for jobs, and no job uses more threads than the server allows."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, cast

import pytest
from services import MakeService

from proofbase.service.client import LimitExceededError, Limits
from proofbase.service.jobs.parallelism import threads_of
from proofbase.service.jobs.positions.report import PositionsSpec
from proofbase.service.jobs.running.job_run import JobRun
from proofbase.service.jobs.running.queue import JobQueue
from proofbase.service.jobs.solve.report import SolveSpec
from proofbase.service.jobs.table import TableSpec


class Run:
    """A job without work: it runs until the test ends it."""

    def __init__(self, number: int, client: str | None) -> None:
        self.job = SimpleNamespace(id=str(number), started_by=client)
        self.waits_for_slot = True

    def start(self) -> None:
        self.waits_for_slot = False


class Slots:
    """A queue, and the order in which its jobs begin."""

    def __init__(self, slots: int, of_a_client: int) -> None:
        self.queue = JobQueue(slots, 1_000, of_a_client)
        self.runs: list[Run] = []

    def add(self, client: str | None, number: int = 1) -> Run:
        for _ in range(number):
            self.runs.append(Run(len(self.runs), client))
            self.queue.add(cast("JobRun", self.runs[-1]))
        return self.runs[-1]

    def end(self, run: Run) -> None:
        self.queue.remove(cast("JobRun", run))

    @property
    def running(self) -> list[Run]:
        return [run for run in self.runs if not run.waits_for_slot and run.job.id in self.queue]


@pytest.mark.parametrize("slots", [1, 2])
def test_a_job_behind_sixty_of_another_client_is_next(slots: int) -> None:
    queue = Slots(slots, of_a_client=slots)
    queue.add("alice", 60)
    small = queue.add("bob")
    assert small.waits_for_slot
    queue.end(queue.running[0])
    assert not small.waits_for_slot


def test_endless_jobs_of_one_client_leave_a_slot_by_default() -> None:
    limits = Limits()
    assert limits.client_running_jobs < limits.concurrent_jobs
    queue = Slots(limits.concurrent_jobs, limits.client_running_jobs)
    queue.add("alice", 60)
    assert not queue.add("bob").waits_for_slot


def test_clients_get_equal_shares_whether_they_queue_or_come_back() -> None:
    queue = Slots(1, 1)
    queue.add("alice", 60)
    for name in ("bob", "carol", "dave"):
        queue.add(name)
    begun: list[str] = []
    for _ in range(40):
        (run,) = queue.running
        begun.append(run.job.started_by)
        if run.job.started_by != "alice":
            queue.add(run.job.started_by)  # they have one job at a time
        queue.end(run)
    assert set(Counter(begun).values()) == {10}
    for name in ("alice", "bob", "carol", "dave"):
        turns = [number for number, who in enumerate(begun) if who == name]
        assert max(later - turn for turn, later in pairwise(turns)) == 4


def test_jobs_of_one_client_and_of_nobody_begin_in_order() -> None:
    queue = Slots(1, 1)
    queue.add(None, 3)
    queue.add("alice", 3)
    order: list[str] = []
    while queue.running:
        (run,) = queue.running
        order.append(run.job.id)
        queue.end(run)
    assert order == ["0", "3", "1", "4", "2", "5"]
    everybody = Slots(4, 1)
    everybody.add(None, 4)
    assert len(everybody.running) == 4, "where clients are not checked, the limit of a client says nothing"


def test_a_job_has_no_more_threads_than_the_server_allows(make_service: MakeService) -> None:
    service = make_service(limits=Limits(job_threads=2))
    game = "connect-four"
    asks: tuple[dict[str, Any], ...] = (
        {"workers": 3},
        {"workers": 3, "worker_processes": True},
        {"algorithm": "df-pn+threads-3"},
        {"algorithm": "df-pn+threads-2", "workers": 2},
    )
    for asked in asks:
        with pytest.raises(LimitExceededError, match=r"a job may have 2 \(job_threads\)") as raised:
            service.client.start_solve(game, **asked)
        assert (raised.value.limit, raised.value.largest) == ("job_threads", 2)
    with pytest.raises(LimitExceededError, match="3 threads: a job may have 2"):
        service.client.start_positions(game, ["1"], algorithm="df-pn+threads-3")
    job = service.client.start_solve(game, algorithm="df-pn+threads-2")
    service.client.cancel(job.id)


def test_the_threads_of_a_job() -> None:
    solve = SolveSpec("connect-four", "-", 1, "df-pn")
    assert [
        threads_of(spec)
        for spec in (
            solve,
            SolveSpec("connect-four", "-", 1, "null-window+threads-8+table-1M"),
            SolveSpec("connect-four", "-", 1, "auto", workers=4),
            SolveSpec("connect-four", "-", 1, "df-pn+threads-2", workers=4),
            PositionsSpec("connect-four", 3, algorithm="df-pn+threads-5"),
            TableSpec("awari", 3, threads=7),
        )
    ] == [1, 8, 4, 8, 5, 7]
    assert threads_of(TableSpec("awari", 3, threads=0)) >= 1
