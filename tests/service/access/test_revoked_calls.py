"""A token that is revoked ends its open calls, whatever they wait for, and writes nothing more."""

from __future__ import annotations

import itertools
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest
from raw_calls import bearer
from services import fill_tic_tac_toe, serving_both
from waits import until

from proofbase.service.access import clients
from proofbase.service.access.quotas import Accounts
from proofbase.service.access.roles import CALLS
from proofbase.service.access.security import Security
from proofbase.service.access.tokens import new_token
from proofbase.service.application import Application
from proofbase.service.client import Limits, NotAuthenticatedError, QuotaExceededError, connect
from proofbase.service.commands.transfer.import_records import import_records
from proofbase.service.jobs.solve.model import SolveSpec
from proofbase.service.resources.stop_signal import StopSignal
from proofbase.storage import open_store
from proofbase.v1 import jobs_pb2, solutions_pb2, transfer_pb2
from proofbase.v1.jobs_pb2_grpc import JobsStub
from proofbase.v1.solutions_pb2_grpc import SolutionsStub
from proofbase.v1.transfer_pb2_grpc import TransferStub

GAME = "tic-tac-toe"
LATEST_SECONDS = 10.0
"""A call is ended within a second; this is for busy machines. The calls below would not end by themselves."""


@dataclass
class Server:
    """A server that checks its clients, with a job that never ends."""

    app: Application
    grpc: str
    http: str
    job: str
    accounts: Accounts

    def make(self, name: str) -> tuple[str, str]:
        """A new token that the server knows: its text and its id."""
        text, token = new_token(name, "admin")
        self.app.resources.store.tokens().add(token)
        time.sleep(clients.FRESH_SECONDS + 0.1)
        return text, token.id

    def revoke(self, token: str) -> None:
        self.app.resources.store.tokens().revoke([token], time.time())

    def wait_for_stream(self, name: str) -> None:
        """Waits until a call of the client is open."""
        until(lambda: self.accounts.of(name)._used.streams, f"no call of {name} is open")


@contextmanager
def guarded(store: str = "memory:") -> Iterator[Server]:
    made = list[Accounts]()

    def accounts(limits: Limits) -> Accounts:
        made.append(Accounts(limits))
        return made[-1]

    with Application(open_store(store), Limits(client_streams=1)) as app, pytest.MonkeyPatch.context() as patch:
        patch.setattr("proofbase.service.server.server.Accounts", accounts)
        fill_tic_tac_toe(app.resources.store)
        app.resources.store.tokens().add(new_token("somebody", "reader")[1])
        job = app.jobs.start(SolveSpec("connect-four", "-", 1, "pn-dag"))
        app.jobs.pause(job.id)
        with serving_both(app, Security(authenticate=True)) as (address, http):
            yield Server(app, address, http, job.id, made[-1])


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with guarded() as made:
        yield made


class Silent:
    """A stream of requests in which nothing comes after the first ones, until the end of the test."""

    def __init__(self) -> None:
        self.end = threading.Event()

    def after(self, *requests: Any) -> Iterator[Any]:
        yield from requests
        self.end.wait(60)


def _import(channel: grpc.Channel, server: Server, silent: Silent, header: Any) -> Any:
    chunk = transfer_pb2.ImportChunk(header=transfer_pb2.ImportHeader(format=transfer_pb2.FORMAT_JSONL, source="late"))
    return TransferStub(channel).Import.future(silent.after(chunk), metadata=header, timeout=30)


def _positions(channel: grpc.Channel, server: Server, silent: Silent, header: Any) -> Any:
    first = jobs_pb2.StartPositionsRequest(
        header=jobs_pb2.PositionsHeader(game=GAME, exact=True), texts=solutions_pb2.Texts(positions=["5"])
    )
    return JobsStub(channel).StartPositions.future(silent.after(first), metadata=header, timeout=30)


def _lookups(channel: grpc.Channel, server: Server, silent: Silent, header: Any) -> Any:
    request = solutions_pb2.BatchLookupRequest(game=GAME, texts=solutions_pb2.Texts(positions=["5"]))
    call = SolutionsStub(channel).StreamLookup(silent.after(request), metadata=header, timeout=30)
    next(call)
    return call


def _watch(channel: grpc.Channel, server: Server, silent: Silent, header: Any) -> Any:
    server.app.jobs.resume(server.job)
    call = JobsStub(channel).Watch(jobs_pb2.WatchRequest(id=server.job), metadata=header, timeout=30)
    next(call)
    return call


def _unread(channel: grpc.Channel, server: Server, silent: Silent, header: Any) -> Any:
    """Answers that nobody reads: they are larger than what is sent ahead."""
    request = solutions_pb2.BatchLookupRequest(game=GAME, texts=solutions_pb2.Texts(positions=["-"] * 500))
    return SolutionsStub(channel).StreamLookup(silent.after(*[request] * 20), metadata=header, timeout=30)


Begin = Callable[[grpc.Channel, Server, Silent, Any], Any]


@pytest.mark.parametrize("begin", [_import, _positions, _lookups, _watch, _unread])
def test_open_calls_of_a_revoked_token_end(server: Server, begin: Begin) -> None:
    name = begin.__name__
    (first, token), silent = server.make(name), Silent()
    second, _ = server.make(name)
    with grpc.insecure_channel(server.grpc) as channel:
        call = begin(channel, server, silent, bearer(first))
        with connect(server.grpc, token=second) as other:
            server.wait_for_stream(name)
            with pytest.raises(QuotaExceededError, match="streams open"):
                next(other.stream_lookup(GAME, [["5"]]))
            server.revoke(token)
            deadline = time.monotonic() + LATEST_SECONDS
            while True:  # what the call held is free, whether or not its client takes the status
                try:
                    next(other.stream_lookup(GAME, [["5"]]))
                    break
                except QuotaExceededError:
                    assert time.monotonic() < deadline
                    time.sleep(0.05)
        with pytest.raises(grpc.RpcError):
            call.result() if isinstance(call, grpc.Future) and begin in (_import, _positions) else list(call)
        assert call.code() == grpc.StatusCode.UNAUTHENTICATED and "during the call" in call.details()
        silent.end.set()
    if begin is _watch:
        server.app.jobs.pause(server.job)
    assert "late" not in {source.text for source in server.app.resources.store.sources()}


@pytest.mark.parametrize("call", ["Transfer/Import", "Solutions/StreamLookup"])
def test_open_requests_over_http_end(server: Server, call: str) -> None:
    text, token = server.make("http")
    host, _, port = server.http.partition(":")
    head = (
        f"POST /proofbase.v1.{call} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {text}\r\n"
        "Content-Type: application/connect+proto\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    with socket.create_connection((host, int(port)), timeout=LATEST_SECONDS) as connection:
        connection.sendall(head.encode())
        server.wait_for_stream("http")
        server.revoke(token)
        received = b""
        while part := connection.recv(65536):
            received += part
            if b"during the call" in received:
                break
    assert b"during the call" in received and b"unauthenticated" in received


def _writes(server: Server) -> dict[str, tuple[Any, bool]]:
    """A request of every call that writes, and whether it has a stream of them."""
    job = jobs_pb2.CancelJobRequest(id=server.job)
    lines = transfer_pb2.ImportChunk(header=transfer_pb2.ImportHeader(format=transfer_pb2.FORMAT_JSONL), data=b"{}")
    positions = jobs_pb2.StartPositionsRequest(
        header=jobs_pb2.PositionsHeader(game=GAME, exact=True), texts=solutions_pb2.Texts(positions=["5"])
    )
    return {
        "Jobs/StartSolve": (jobs_pb2.StartSolveRequest(game=GAME), False),
        "Jobs/StartPositions": (positions, True),
        "Jobs/StartVerification": (jobs_pb2.StartVerificationRequest(), False),
        "Jobs/StartTable": (jobs_pb2.StartTableRequest(game="awari", size=1), False),
        "Jobs/Cancel": (job, False),
        "Jobs/Pause": (job, False),
        "Jobs/Resume": (job, False),
        "Jobs/Prune": (jobs_pb2.PruneJobsRequest(), False),
        "Transfer/Import": (lines, True),
        "Transfer/ImportTables": (transfer_pb2.ImportTablesChunk(game="awari"), True),
    }


def test_every_write_asks_once_more(monkeypatch: pytest.MonkeyPatch, directory: Path) -> None:
    with guarded(str(directory)) as server:
        writes = _writes(server)
        assert {f"proofbase.v1.{name}" for name in writes} == {
            name for name, need in CALLS.items() if need in ("solver", "admin")
        }
        text, token = server.make("writer")
        with grpc.insecure_channel(server.grpc) as channel:
            look = channel.unary_unary("/proofbase.v1.Solutions/GetLimits")
            look(b"", metadata=bearer(text))
            monkeypatch.setattr(clients, "FRESH_SECONDS", 3600.0)  # the tokens that were read go on to count
            monkeypatch.setattr(clients, "STALE_SECONDS", 7200.0)
            server.revoke(token)
            before = server.app.resources.store.list_jobs()
            for name, (request, streamed) in writes.items():
                path, data = f"/proofbase.v1.{name}", request.SerializeToString()
                ask: Any = channel.stream_unary(path) if streamed else channel.unary_unary(path)
                with pytest.raises(grpc.RpcError) as raised:
                    ask(iter([data]) if streamed else data, metadata=bearer(text), timeout=20)
                error: Any = raised.value
                assert error.code() == grpc.StatusCode.UNAUTHENTICATED, (name, error.details())
            look(b"", metadata=bearer(text))  # a call that writes nothing does not ask
        assert server.app.resources.store.list_jobs() == before


def test_an_import_asks_after_its_checks_and_before_it_writes() -> None:
    with connect("memory:") as client:
        client.solve(GAME, "5")
        lines = b"".join(client.export(GAME, form="jsonl"))
    asked = itertools.count()

    def refuse() -> None:
        next(asked)
        raise NotAuthenticatedError("revoked")

    with Application(open_store("memory:")) as app:
        with pytest.raises(NotAuthenticatedError):
            import_records(app.resources, [lines], form="jsonl", stop=StopSignal(refuse))
        assert next(asked) == 1 and not app.resources.store.games()
        assert import_records(app.resources, [lines], form="jsonl", stop=StopSignal()).records > 0


def test_an_entry_for_a_certificate_counts_for_the_calls_that_are_open() -> None:
    with open_store("memory:") as store:
        tokens = store.tokens()
        known = clients.KnownClients(tokens, "solver")
        known.take(known.read())
        identity = known.identify(None, ["alice"])
        known.confirm(identity)
        entry = new_token("alice", "reader")[1]
        tokens.add(entry)  # a token of that name says nothing of the certificate
        known.confirm(identity)
        tokens.add(clients.Token("0" * 16, "alice", "reader", b"", time.time()))
        with pytest.raises(NotAuthenticatedError):
            known.confirm(identity)
        assert known.is_still_known(identity), "as the tokens were when they were read"
        known.take(known.read())
        assert not known.is_still_known(identity)
