"""Jobs without an end, of two clients of a real server: a third client's jobs run within two turns."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack

import pytest
from services import serving
from waits import until

from proofbase.service.access.security import Security
from proofbase.service.access.tokens import new_token
from proofbase.service.application import Application
from proofbase.service.client import Client, Job, Limits, connect
from proofbase.service.jobs.local_checks import BrokenRule, PythonCheck
from proofbase.storage import open_store

TURN = 1
ENDLESS = "connect-four:9x8"


class Connect:
    """A server that knows some clients: gives a client by its name."""

    def __init__(self, app: Application, stack: ExitStack) -> None:
        self.app = app
        self._stack = stack
        self._tokens = {name: new_token(name, "solver") for name in ("alice", "bob", "carol")}
        for _, token in self._tokens.values():
            app.resources.store.tokens().add(token)
        self._address = stack.enter_context(serving(app, Security(authenticate=True)))

    def __call__(self, name: str) -> Client:
        return self._stack.enter_context(connect(self._address, token=self._tokens[name][0]))

    def states_of(self, job: Job) -> list[str]:
        """The states of a job from now on, each of them: a watcher over the network misses short ones."""
        states: list[str] = []

        def note(update: Job) -> None:
            if not states or states[-1] != update.state:
                states.append(update.state)

        self._stack.callback(self.app.jobs.subscribe(job.id, note))
        return states


@pytest.fixture
def clients() -> Iterator[Callable[..., Connect]]:
    """Makes a server with short turns; gives a function from a name to a client of it."""
    with ExitStack() as stack:

        def make(**limits: int) -> Connect:
            settings = Limits(job_turn_seconds=TURN, job_memory_bytes=256 << 20, **limits)
            app = stack.enter_context(Application(open_store("memory:"), settings))
            return Connect(app, stack)

        yield make


def start_endless(client: Client, kind: str, first_move: str) -> Job:
    if kind == "list":
        return client.start_positions(ENDLESS, [first_move, first_move * 2])
    return client.start_solve(ENDLESS, first_move, workers=2 if kind == "workers" else 0)


@pytest.mark.parametrize("kind", ["solve", pytest.param("workers", marks=pytest.mark.slow), "list"])
def test_a_small_job_behind_two_endless_ones(clients: Callable[..., Connect], kind: str) -> None:
    connected = clients()
    endless = [
        (client, start_endless(client, kind, move))
        for client, move in ((connected("alice"), "1"), (connected("bob"), "2"))
    ]
    carol = connected("carol")
    slots = 1 if kind == "list" else 2  # lists leave a slot
    for _ in range(2):
        until(lambda: sum(client.job(job.id).state == "running" for client, job in endless) == slots)
        began = time.monotonic()
        assert carol.solve("tic-tac-toe").state == "done"
        # A turn begins when a search has made its first slice, of three seconds.
        assert time.monotonic() - began < 2 * (TURN + 3) + 3
    for client, job in endless:
        now = client.job(job.id)
        assert now.progress is not None or kind == "list"
        assert client.cancel(job.id).state == "cancelled"


def test_a_watcher_follows_a_job_over_its_turns(clients: Callable[..., Connect]) -> None:
    connected = clients(concurrent_jobs=1)
    alice, bob = connected("alice"), connected("bob")
    job = alice.start_solve(ENDLESS)
    states = connected.states_of(job)
    nodes = 0
    others: list[Job] = []
    paused = False
    for update in alice.watch(job.id):
        if update.state == "running" and update.progress is not None:
            nodes = max(nodes, update.progress.nodes)
            if states.count("running") == 1 and nodes and not others:
                others.append(bob.start_solve("tic-tac-toe"))
            elif states.count("running") == 2 and update.progress.phase == "searching" and not paused:
                assert update.message is None
                alice.pause(job.id)
                paused = True  # an update from before may still come
        elif update.state == "queued" and others:
            assert update.message is not None and "its turn is over" in update.message
    assert states[-4:] == ["running", "queued", "running", "paused"]
    assert bob.job(others[0].id).state == "done"
    assert alice.resume(job.id).state in ("queued", "running")
    assert alice.cancel(job.id).state == "cancelled"


def test_a_cancel_reaches_a_job_whose_turn_ends(clients: Callable[..., Connect]) -> None:
    connected = clients(concurrent_jobs=1)
    alice, bob = connected("alice"), connected("bob")
    job = alice.start_solve(ENDLESS)
    until(lambda: alice.job(job.id).state == "running")
    other = bob.start_solve("connect-four:4x4")
    until(lambda: bob.job(other.id).state != "queued")
    assert alice.cancel(job.id).state == "cancelled"
    assert alice.job(job.id).state == "cancelled"
    until(lambda: bob.job(other.id).state == "done")


@pytest.mark.usefixtures("whole_solutions")
def test_a_verification_gives_way_and_counts_on(
    clients: Callable[..., Connect], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = PythonCheck.broken

    def slow(check: PythonCheck, items: Sequence[tuple[bytes, bytes]]) -> list[BrokenRule]:
        time.sleep(2e-4 * len(items))  # several turns for all of them, however fast the machine is
        return broken(check, items)

    monkeypatch.setattr(PythonCheck, "broken", slow)
    connected = clients(concurrent_jobs=1)
    alice, bob = connected("alice"), connected("bob")
    alice.solve("connect-four:5x4")
    verification = alice.start_verification("connect-four:5x4", rules="python", sample=19_000)
    until(lambda: alice.job(verification.id).state == "running")
    states = connected.states_of(verification)
    solved = bob.start_solve("tic-tac-toe")
    result = alice.wait(verification.id).result
    assert states == ["running", "queued", "running", "done"]
    assert (result.checked, result.failed) == (19_000, 0)  # type: ignore[union-attr]
    assert bob.job(solved.id).state == "done"


@pytest.mark.slow
def test_a_question_stays_with_the_job_that_waits_for_its_turn(clients: Callable[..., Connect]) -> None:
    """Another client's workers would take it otherwise, and the job could not go on."""
    connected = clients(concurrent_jobs=1)
    alice, bob = connected("alice"), connected("bob")
    job = alice.start_solve(ENDLESS, workers=2)
    until(lambda: alice.job(job.id).progress is not None)
    same = bob.start_solve(ENDLESS, workers=2)
    until(lambda: bob.job(same.id).state == "failed")
    assert "manages this question" in (bob.job(same.id).error or "")
    until(lambda: alice.job(job.id).state == "running")
    assert alice.cancel(job.id).state == "cancelled"
    again = bob.start_solve(ENDLESS, workers=2)
    until(lambda: bob.job(again.id).progress is not None)
    assert bob.cancel(again.id).state == "cancelled"
