"""Clients take turns at the slots for jobs, and no job uses more threads than the server allows."""

from __future__ import annotations

import time
from collections import Counter
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, cast

import pytest
from services import MakeService

from proofbase.service.client import LimitExceededError, Limits
from proofbase.service.jobs.control import STOP_SECONDS, JobControl
from proofbase.service.jobs.kinds import KINDS
from proofbase.service.jobs.parallelism import threads_of
from proofbase.service.jobs.positions.model import PositionsSpec
from proofbase.service.jobs.running.job_run import JobRun
from proofbase.service.jobs.running.queue import JobQueue
from proofbase.service.jobs.solve.model import SolveSpec
from proofbase.service.jobs.table import TableSpec
from proofbase.service.jobs.verification import VerificationSpec

TURN = 30.0


class Run:
    """A job without work: it runs until the test ends it, or its turn."""

    def __init__(self, number: int, client: str | None, *, gives_way_soon: bool = True) -> None:
        self.job = SimpleNamespace(id=str(number), started_by=client)
        self.waits_for_slot = True
        self.gives_way_soon = gives_way_soon
        self.gives_way = False
        self.began: float | None = None
        """When the turn began that is over."""

    def start(self) -> None:
        self.waits_for_slot = False

    def turn_began(self, seconds: float) -> float | None:
        assert seconds == TURN
        return self.began

    def request_stop(self, reason: str) -> None:
        assert reason == "turn"
        self.gives_way = True


class Slots:
    """A queue, and the order in which its jobs begin."""

    def __init__(self, slots: int, of_a_client: int) -> None:
        self.queue = JobQueue(slots, 1_000, of_a_client, TURN)
        self.runs: list[Run] = []

    def add(self, client: str | None, number: int = 1, *, gives_way_soon: bool = True) -> Run:
        for _ in range(number):
            self.runs.append(Run(len(self.runs), client, gives_way_soon=gives_way_soon))
            self.queue.add(cast("JobRun", self.runs[-1]))
        return self.runs[-1]

    def end(self, run: Run) -> None:
        self.queue.remove(cast("JobRun", run))

    def make_way(self) -> Run | None:
        """Ends a turn, if one may end; gives the job that waits for its next one."""
        self.queue.make_way()
        for run in self.running:
            if run.gives_way:
                successor = Run(int(run.job.id), run.job.started_by, gives_way_soon=run.gives_way_soon)
                self.runs[int(run.job.id)] = successor
                self.queue.remove(cast("JobRun", run), cast("JobRun", successor))
                return successor
        return None

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


def test_endless_jobs_of_two_clients_let_a_third_one_in() -> None:
    queue = Slots(2, of_a_client=1)
    first, second = queue.add("alice"), queue.add("bob")
    small = queue.add("carol")
    assert queue.make_way() is None, "no turn is over"
    first.began, second.began = 2.0, 1.0
    waiting = queue.make_way()
    assert waiting is not None and waiting.job.started_by == "bob", "whose turn began first"
    assert not small.waits_for_slot and waiting.waits_for_slot
    assert queue.make_way() is None or small in queue.running, "the others keep theirs"
    queue.end(small)
    assert [run.job.started_by for run in queue.running].count("bob") == 1


def test_endless_jobs_get_equal_shares() -> None:
    queue = Slots(2, of_a_client=2)
    for name in ("alice", "bob", "carol", "dave", "eve"):
        queue.add(name)
    turns = Counter[str]()
    for now in range(200):
        for run in queue.running:
            turns[run.job.started_by] += 1
            run.began = run.began or now + 1.0
        queue.make_way()
    assert max(turns.values()) - min(turns.values()) <= 2


def test_no_job_gives_way_to_one_of_its_own_client_or_of_a_client_that_has_as_much() -> None:
    queue = Slots(2, of_a_client=2)
    for run in (queue.add("alice"), queue.add("bob")):
        run.began = 1.0
    queue.add("alice")
    assert queue.make_way() is None
    queue = Slots(2, of_a_client=2)
    queue.add("alice", 3)
    for run in queue.running:
        run.began = 1.0
    assert queue.make_way() is None
    queue.add("bob")
    assert queue.make_way() is not None and {run.job.started_by for run in queue.running} == {"alice", "bob"}
    assert queue.make_way() is None
    nobody = Slots(1, 1)
    nobody.add(None, 2)
    nobody.running[0].began = 1.0
    assert nobody.make_way() is None


def test_a_job_that_does_not_give_way_keeps_its_slot_and_is_asked_alone() -> None:
    queue = Slots(2, of_a_client=1)
    first, second = queue.add("alice"), queue.add("bob")
    queue.add("carol")
    first.began, second.began = 1.0, 2.0
    queue.queue.make_way()
    queue.queue.make_way()
    assert (first.gives_way, second.gives_way) == (True, False)


def test_jobs_that_cannot_give_way_leave_a_slot() -> None:
    queue = Slots(2, of_a_client=1)
    table = queue.add("alice", gives_way_soon=False)
    list_of_positions = queue.add("bob", gives_way_soon=False)
    assert not table.waits_for_slot and list_of_positions.waits_for_slot
    solve = queue.add("carol")
    assert not solve.waits_for_slot
    small = queue.add("dave")
    solve.began = 1.0
    assert queue.make_way() is not None and not small.waits_for_slot
    table.began = 1.0  # a list, whose turn ends now and then
    assert queue.make_way() is not None and not list_of_positions.waits_for_slot
    alone = Slots(1, 1)
    assert not alone.add("alice", gives_way_soon=False).waits_for_slot


def test_the_kinds_that_leave_a_slot() -> None:
    specs = (
        ("solve", SolveSpec("connect-four", "-", 1, "df-pn"), True),
        ("verification", VerificationSpec("connect-four", quarantine=True), True),
        ("verification", VerificationSpec("connect-four", repair=True), False),
        ("positions", PositionsSpec("connect-four", 3), False),
        ("table", TableSpec("awari", 3), False),
    )
    assert set(KINDS) == {kind for kind, _, _ in specs}
    assert [KINDS[kind].gives_way_soon(spec) for kind, spec, _ in specs] == [soon for _, _, soon in specs]


@pytest.mark.parametrize(
    ("prepared", "least", "seconds", "over"),
    [(1, 0, 29, False), (1, 0, 30, True), (40, 0, 39, False), (40, 0, 40, True), (1, 50, 49, False), (1, 50, 50, True)],
)
def test_the_length_of_a_turn(
    monkeypatch: pytest.MonkeyPatch, prepared: float, least: float, seconds: float, over: bool
) -> None:
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    control = JobControl(cast("Any", None), {}, lambda *_: True, lambda *_: None)
    control.least_turn = least
    now[0] += prepared
    with control.giving_way():
        assert control.turn_began(TURN) is None
        control.begin_work()
        now[0] += seconds
        control.begin_work()
        assert (control.turn_began(TURN) is not None) == over
    assert control.turn_began(TURN) is None, "it is storing what it has found"
    with control.giving_way():
        control.request_stop("turn")
        assert control.turn_began(TURN) is None and control.gives_way
        now[0] += STOP_SECONDS
        assert not control.gives_way, "its rules hang: others are asked"
        control.request_stop("pause")
        control.request_stop("turn")
        assert control.reason == "pause"


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
