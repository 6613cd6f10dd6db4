"""Strangers have a small share of the open calls, for a time: known clients have room that they cannot take."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import grpc
import pytest
from google.rpc.error_details_pb2 import ErrorInfo  # type: ignore[import-untyped]
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped]
from grpc_health.v1 import health_pb2, health_pb2_grpc
from raw_http2 import PREFACE, call_headers, connection, settings
from services import fill_tic_tac_toe, serving
from waits import until

from proofbase.service.access.clients import FRESH_SECONDS
from proofbase.service.access.security import Security
from proofbase.service.access.tokens import new_token
from proofbase.service.application import Application
from proofbase.service.client import TooManyCallsError, connect
from proofbase.service.rpc import listener as rpc_listener
from proofbase.service.rpc import open_calls
from proofbase.service.rpc.listener import Pace
from proofbase.service.rpc.open_calls import StrangersShare, network_of
from proofbase.storage import open_store

pytestmark = pytest.mark.usefixtures("many_calls")
LOOKUP = b"/proofbase.v1.Solutions/Lookup"
LATEST_SECONDS = 10.0


@dataclass
class Server:
    """A server with small shares."""

    app: Application
    address: str
    stack: ExitStack

    def token(self, name: str) -> str:
        text, token = new_token(name, "solver")
        self.app.resources.store.tokens().add(token)
        time.sleep(FRESH_SECONDS + 0.1)  # the server reads the tokens again at the next call
        return text

    def channel(self) -> grpc.Channel:
        """A connection of its own."""
        options = [("grpc.use_local_subchannel_pool", 1)]
        return self.stack.enter_context(grpc.insecure_channel(self.address, options))

    def half_sent(self, calls: int, token: str | None = None) -> None:
        """Calls of a connection whose requests never come."""
        header = [] if token is None else [(b"authorization", f"Bearer {token}".encode())]
        sock = self.stack.enter_context(connection(self.address))
        heads = b"".join(call_headers(2 * number + 1, LOOKUP, *header) for number in range(calls))
        sock.sendall(PREFACE + settings() + heads)

    def check(self) -> None:
        """A health check of a stranger."""
        stub = health_pb2_grpc.HealthStub(self.channel())
        assert stub.Check(health_pb2.HealthCheckRequest(), timeout=20).status == 1

    def watch(self, channel: grpc.Channel) -> Any:
        return health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest(), timeout=60)


@pytest.fixture
def make_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Server]]:
    with ExitStack() as stack:

        def make(*, known: int = 40, seconds: float = 60.0, watch_seconds: float = 60.0, checks: bool = True) -> Server:
            monkeypatch.setattr(open_calls, "KNOWN_CALLS", known)
            monkeypatch.setattr(open_calls, "STRANGERS", StrangersShare(20, 8, seconds))
            monkeypatch.setattr(open_calls, "WATCHES", StrangersShare(10, 3, watch_seconds))
            app = stack.enter_context(Application(open_store("memory:")))
            fill_tic_tac_toe(app.resources.store)
            app.resources.store.tokens().add(new_token("first", "reader")[1])
            address = stack.enter_context(serving(app, Security(authenticate=checks)))
            return Server(app, address, stack)

        yield make


def reason_of(error: grpc.RpcError) -> str:
    """The stable reason of an error."""
    found: Any = error
    (data,) = (value for key, value in found.trailing_metadata() if key == "grpc-status-details-bin")
    info = ErrorInfo()
    assert Status.FromString(data).details[0].Unpack(info)
    return str(info.reason)


@pytest.mark.parametrize("checks", [True, False])
def test_a_flood_of_watches_leaves_room_for_clients_and_for_health_checks(
    make_server: Callable[..., Server], checks: bool
) -> None:
    server = make_server(checks=checks)
    alice = server.token("alice")
    floods = [server.channel() for _ in range(4)]
    watches = [server.watch(channel) for channel in floods for _ in range(20)]  # twice as many as there is room for
    answered, reasons = 0, set()
    for watch in watches:
        try:
            answered += next(watch).status
        except grpc.RpcError as error:
            reasons.add(reason_of(error))
    assert answered == 6, "a network has no more than are left for others, and a connection three"
    assert reasons == {"TOO_MANY_CALLS"}
    with connect(server.address, token=alice) as client:
        assert client.lookup("tic-tac-toe").known
    server.check()
    for watch in watches:
        watch.cancel()
    again = server.channel()
    until(lambda: _answers(server.watch(again)), "ended watches keep their places", LATEST_SECONDS)


def _answers(watch: Any) -> bool:
    try:
        next(watch)
    except grpc.RpcError:
        return False
    return True


def test_a_watch_ends_after_a_time_and_can_be_made_again(make_server: Callable[..., Server]) -> None:
    server = make_server(watch_seconds=0.3)
    channel = server.channel()
    for _ in range(4):  # more than a connection may have at a time
        watch = server.watch(channel)
        with pytest.raises(grpc.RpcError) as raised:
            list(watch)
        error: Any = raised.value
        assert error.code() == grpc.StatusCode.UNAVAILABLE and "ends after 0.3 s" in error.details()


def test_calls_whose_requests_never_come_leave_room_and_end(make_server: Callable[..., Server]) -> None:
    server = make_server(seconds=1.0)
    alice = server.token("alice")
    for _ in range(6):
        server.half_sent(50)
    with connect(server.address, token=alice) as client:
        assert client.lookup("tic-tac-toe").known
    seen: set[str] = set()

    def checks() -> bool:
        try:
            server.check()
        except grpc.RpcError as error:
            seen.add(reason_of(error))
            return False
        return True

    until(checks, "the calls of strangers do not end", LATEST_SECONDS)
    assert seen <= {"TOO_MANY_CALLS"}


def test_a_client_with_a_new_token_is_no_stranger(make_server: Callable[..., Server]) -> None:
    server = make_server(seconds=0.3)
    text = server.token("new")
    with connect(server.address, token=text) as client:
        job = client.start_solve("connect-four")
        watch = client.watch(job.id)
        began = time.monotonic()
        for _ in watch:
            if time.monotonic() - began > 1.5:
                break
        client.cancel(job.id)


def test_a_client_has_no_more_calls_than_are_left_for_others(make_server: Callable[..., Server]) -> None:
    server = make_server(known=20)
    alice, bob = server.token("alice"), server.token("bob")
    with connect(server.address, token=alice) as client:
        client.games()  # both tokens are read

        def refused() -> bool:
            server.half_sent(20, alice)
            try:
                client.lookup("tic-tac-toe")
            except TooManyCallsError as error:
                return "of alice" in str(error)
            return False

        until(refused, "one client takes all calls", LATEST_SECONDS)
        with connect(server.address, token=bob) as other:
            assert other.lookup("tic-tac-toe").known


def test_networks() -> None:
    for peer in ("ipv4:192.0.2.7:50000", "192.0.2.7", "ipv6:%5B::ffff:192.0.2.7%5D:1"):
        assert network_of(peer) == "192.0.2.7"
    assert network_of("ipv6:%5B2001:db8:1:2:3::4%5D:50000") == "2001:db8:1:2::/64"
    assert network_of("2001:db8:1:2:ffff::9") == "2001:db8:1:2::/64"
    assert network_of("unix:/run/proofbase") == "unix:/run/proofbase"


async def test_a_flood_is_refused_at_a_pace_and_nobody_waits_too_long() -> None:
    pace, began, made, all_made = Pace(rate=100, longest=0.5), time.monotonic(), list[float](), asyncio.Event()

    def call() -> None:
        made.append(time.monotonic() - began)
        if len(made) == 70:
            all_made.set()

    for _ in range(70):
        pace.add(call)
    assert len(made) == 20, "fifty wait, for half a second"
    await asyncio.wait_for(all_made.wait(), 60)
    assert made[-1] > 0.4
    pace.close()
    pace.add(call)
    pace.close()
    made.clear()
    await asyncio.sleep(0.05)
    assert made == []


def test_a_server_stops_while_calls_wait_to_be_refused(
    make_server: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rpc_listener, "REFUSALS_A_SECOND", 1)
    server = make_server()
    for _ in range(3):
        server.half_sent(90)
    with connect(server.address, token=server.token("alice")) as client:
        assert client.lookup("tic-tac-toe").known
    began = time.monotonic()
    server.stack.close()
    assert time.monotonic() - began < LATEST_SECONDS


def test_refusals_are_no_errors_in_the_log(
    make_server: Callable[..., Server], caplog: pytest.LogCaptureFixture
) -> None:
    server = make_server(seconds=0.3)
    for _ in range(5):
        with connection(server.address) as sock:  # goes before it is refused, or right after
            heads = b"".join(call_headers(2 * number + 1, LOOKUP) for number in range(60))
            sock.sendall(PREFACE + settings() + heads)
    server.half_sent(60)
    with connect(server.address, token=server.token("alice")) as client:
        assert client.lookup("tic-tac-toe").known
        time.sleep(0.5)  # calls have ended
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []
