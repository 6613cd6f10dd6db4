"""The clock of the machine jumps, by a day or by years, forwards and back, while a server works.

What lasts is measured by the monotonic clock: budgets, turns, deadlines, how old the tokens are that were read. Only
what is told as a time goes by the clock: when a token ends, when jobs were changed, and the day of a client's share.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from services import serving

from proofbase.service.access.security import Security
from proofbase.service.access.tokens import new_token
from proofbase.service.application import Application
from proofbase.service.client import Budget, Client, Limits, NotAuthenticatedError, SolveResult, connect
from proofbase.storage import open_store

DAY = 86_400.0
JUMPS = (DAY, -DAY, 0.0, 40 * DAY, 4_000 * DAY, -4_000 * DAY, 0.0)
"""Of the clock against the true time, one after the other."""


class Clock:
    """The time of the machine, with an error."""

    def __init__(self, true: Callable[[], float]) -> None:
        self.error = 0.0
        self._true = true

    def __call__(self) -> float:
        return self._true() + self.error


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock(time.time)
    monkeypatch.setattr(time, "time", clock)
    return clock


@pytest.fixture
def clients(clock: Clock) -> Iterator[dict[str, Client]]:
    with ExitStack() as stack:
        app = stack.enter_context(Application(open_store("memory:"), Limits(job_turn_seconds=1, concurrent_jobs=1)))
        made = {
            "alice": new_token("alice", "admin"),
            "bob": new_token("bob", "solver"),
            "hour": new_token("hour", "reader", time.time() + 3_600),
        }
        for _, token in made.values():
            app.resources.store.tokens().add(token)
        address = stack.enter_context(serving(app, Security(authenticate=True)))
        yield {name: stack.enter_context(connect(address, token=text)) for name, (text, _) in made.items()}


def test_a_budget_of_seconds_is_one_of_true_seconds(clients: dict[str, Client], clock: Clock) -> None:
    alice, began = clients["alice"], time.monotonic()
    job = alice.start_solve("connect-four:9x8", budget=Budget(seconds=2.0))
    for error in JUMPS:
        clock.error = error
        time.sleep(0.15)
        assert alice.job(job.id).state in ("queued", "running") or time.monotonic() - began >= 2.0
        assert not alice.lookup("tic-tac-toe").known
    done = alice.wait(job.id)
    assert 2.0 <= time.monotonic() - began < 8.0
    assert isinstance(done.result, SolveResult) and done.result.unknown_reason == "seconds"
    assert 1.9 < done.result.seconds < 6.0


@pytest.mark.slow
def test_jobs_are_stored_paused_resumed_and_watched_over_jumps(clients: dict[str, Client], clock: Clock) -> None:
    alice, bob = clients["alice"], clients["bob"]
    job = alice.start_solve("connect-four:9x8")
    for error in JUMPS:
        clock.error = error
        assert alice.pause(job.id).state == "paused"
        assert alice.resume(job.id).state in ("queued", "running")
    for error in (40 * DAY, -DAY):
        other = bob.start_solve("tic-tac-toe")
        clock.error = error
        assert bob.wait(other.id).state == "done", "clients take turns"
    assert len(alice.jobs()[0]) == 3
    clock.error = 400 * DAY
    alice.prune_jobs()
    assert len(alice.jobs()[0]) == 3, "the newest jobs are kept whatever their age"
    assert alice.cancel(job.id).state == "cancelled"


def test_a_token_ends_by_the_clock_and_the_others_stay(clients: dict[str, Client], clock: Clock) -> None:
    hour = clients["hour"]
    hour.games()
    clock.error = 7_200
    with pytest.raises(NotAuthenticatedError, match="of hour has ended"):
        hour.games()
    clock.error = -DAY
    time.sleep(1.1)
    hour.games()
    for error in JUMPS:
        clock.error = error
        clients["alice"].games()
