"""What a client may use: the next call says when to come again, and other clients are not touched."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from types import SimpleNamespace

import grpc
import pytest
from google.rpc.error_details_pb2 import RetryInfo  # type: ignore[import-untyped]
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped]
from raw_calls import bearer
from services import serving
from waits import until

from proofbase.service.access import quotas
from proofbase.service.access.quotas import Accounts
from proofbase.service.access.security import Security
from proofbase.service.access.tokens import new_token
from proofbase.service.application import Application
from proofbase.service.client import Client, Limits, QuotaExceededError, connect
from proofbase.storage import open_store

Connect = Callable[..., Client]


@pytest.fixture
def server_with() -> Iterator[Callable[..., Connect]]:
    """Makes a server with limits; gives a function from a name to a client of it."""
    with ExitStack() as stack:

        def make(**limits: int) -> Connect:
            app = stack.enter_context(Application(open_store("memory:"), Limits(**limits)))
            tokens = app.resources.store.tokens()
            names = [("alice", "admin"), ("bob", "admin")]
            made = {name: new_token(name, role) for name, role in names}
            for _, token in made.values():
                tokens.add(token)
            address = stack.enter_context(serving(app, Security(authenticate=True)))
            return lambda name: stack.enter_context(connect(address, token=made[name][0]))

        yield make


def _repeat(call: Callable[[], object], times: int) -> None:
    for _ in range(times):
        call()


def test_lookups_a_second(server_with: Callable[..., Connect], monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(quotas, "time", SimpleNamespace(monotonic=lambda: now[0], time=time.time))
    client_of = server_with(client_lookups=20)
    alice, bob = client_of("alice"), client_of("bob")
    with pytest.raises(
        QuotaExceededError, match=r"alice may look up 20 positions a second .*come again in 1 s"
    ) as raised:
        _repeat(lambda: alice.lookup("tic-tac-toe"), 21)
    assert (raised.value.limit, raised.value.largest, raised.value.retry_after) == ("client_lookups", 20, 1)
    bob.lookup("tic-tac-toe")
    alice.games()  # no lookup
    now[0] += 1.0
    alice.batch_lookup("tic-tac-toe", ["5"] * 60)  # one batch may be larger; the next call waits for it
    for call in (alice.line, alice.lookup):
        with pytest.raises(QuotaExceededError, match="come again in 2 s"):
            call("tic-tac-toe")
    with pytest.raises(QuotaExceededError):
        list(alice.stream_lookup("tic-tac-toe", [["5"]]))


def test_the_time_to_come_again_is_in_the_details(server_with: Callable[..., Connect]) -> None:
    alice = server_with(client_lookups=1)("alice")
    token = alice._channel._interceptor._header[1].removeprefix("Bearer ")  # type: ignore[attr-defined]
    with grpc.insecure_channel(alice.target) as channel:
        call = channel.unary_unary("/proofbase.v1.Solutions/Lookup")
        with pytest.raises(grpc.RpcError) as raised:
            _repeat(lambda: call(b"\x0a\x0btic-tac-toe", metadata=bearer(token)), 5)
    error = raised.value
    assert error.code() == grpc.StatusCode.RESOURCE_EXHAUSTED  # type: ignore[attr-defined]
    metadata = dict(error.trailing_metadata())  # type: ignore[attr-defined]
    details = Status.FromString(metadata["grpc-status-details-bin"]).details
    found = RetryInfo()
    assert any(detail.Unpack(found) for detail in details) and found.retry_delay.seconds == 1


def test_streams(server_with: Callable[..., Connect]) -> None:
    client_of = server_with(client_streams=2)
    alice, bob = client_of("alice"), client_of("bob")
    job = alice.start_solve("connect-four")
    watches = [alice.watch(job.id) for _ in range(2)]
    for watch in watches:
        next(watch)
    with pytest.raises(QuotaExceededError, match=r"2 streams open, .*\(client_streams\)"):
        next(alice.watch(job.id))
    next(bob.watch(job.id))
    watches[0].close()  # type: ignore[attr-defined]
    deadline = time.monotonic() + 10
    while True:  # the server hears of it a moment later
        try:
            next(alice.watch(job.id))
            break
        except QuotaExceededError:
            assert time.monotonic() < deadline
            time.sleep(0.05)
    alice.cancel(job.id)


def test_jobs_that_run_and_wait(server_with: Callable[..., Connect]) -> None:
    client_of = server_with(client_jobs=3, client_running_jobs=1, concurrent_jobs=2)
    alice, bob = client_of("alice"), client_of("bob")
    jobs = [alice.start_solve("connect-four") for _ in range(3)]
    with pytest.raises(QuotaExceededError, match=r"alice has 3 jobs that run or wait, .*when one of them has ended"):
        alice.start_solve("connect-four")
    with pytest.raises(QuotaExceededError):
        alice.start_positions("tic-tac-toe", ["5"])
    other = bob.start_solve("connect-four")
    until(lambda: bob.job(other.id).state == "running")
    states = [alice.job(job.id).state for job in jobs]
    assert states == ["running", "queued", "queued"] and bob.job(other.id).state == "running"
    alice.cancel(jobs[0].id)
    until(lambda: alice.job(jobs[1].id).state == "running")
    assert [alice.job(job.id).state for job in jobs[1:]] == ["running", "queued"]
    fourth = alice.start_solve("connect-four")
    alice.pause(fourth.id)
    alice.start_solve("tic-tac-toe")
    with pytest.raises(QuotaExceededError):
        alice.resume(fourth.id)
    for job in (*jobs[1:], other):
        alice.cancel(job.id)


def test_one_client_with_many_jobs_does_not_keep_another_waiting(server_with: Callable[..., Connect]) -> None:
    client_of = server_with()
    alice, bob = client_of("alice"), client_of("bob")
    jobs = [alice.start_solve("connect-four", str(number % 7 + 1)) for number in range(60)]  # none of them ends
    assert bob.solve("tic-tac-toe").state == "done"
    assert [alice.job(job.id).state for job in jobs].count("running") == 1
    for job in reversed(jobs):
        alice.cancel(job.id)


@pytest.mark.slow
def test_processor_time_of_a_day(server_with: Callable[..., Connect]) -> None:
    client_of = server_with(client_cpu_seconds=2)
    alice, bob = client_of("alice"), client_of("bob")
    job = alice.start_solve("connect-four")
    until(lambda: alice.job(job.id).state == "paused", "the job was not paused when the time was used up")
    for call in (lambda: alice.start_solve("tic-tac-toe"), lambda: alice.resume(job.id)):
        with pytest.raises(
            QuotaExceededError, match=r"2 seconds of processor time .* begins at 00:00 UTC; come"
        ) as raised:
            call()
        assert 0 < raised.value.retry_after <= 86_400
    with pytest.raises(QuotaExceededError):
        alice.lookup("connect-four", search=1000)
    alice.lookup("connect-four")  # takes next to none
    assert bob.lookup("tic-tac-toe", search=10_000).known
    assert bob.solve("tic-tac-toe").result is not None


def test_calls_count_for_the_processor_time(server_with: Callable[..., Connect]) -> None:
    alice = server_with(client_cpu_seconds=1)("alice")
    with pytest.raises(QuotaExceededError):
        _repeat(lambda: alice.lookup("connect-four", search=300_000), 100)


def test_a_new_day_begins_with_nothing_used() -> None:
    now = [1_000_000_000.0]
    accounts = Accounts(Limits(client_cpu_seconds=10), clock=lambda: now[0])
    account = accounts.of("alice")
    account.add_seconds(9.5)
    account.check_seconds()
    account.add_seconds(1)
    left = 86_400 - now[0] % 86_400
    with pytest.raises(QuotaExceededError) as raised:
        accounts.of("alice").check_seconds()
    assert raised.value.retry_after == left
    accounts.of("bob").check_seconds()
    now[0] += left
    account.check_seconds()
    account.add_seconds(-5)
    account.check_seconds()
