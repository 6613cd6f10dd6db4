"""Bad messages over the raw wire, which the client would not let through: the right status, reason and field."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo  # type: ignore[import-untyped]
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped]
from services import fill_tic_tac_toe, serving

from proofbase.service.application import Application
from proofbase.service.client import Limits, TooManyStreamsError, connect
from proofbase.storage import open_store
from proofbase.v1 import jobs_pb2, solutions_pb2, transfer_pb2


@pytest.fixture
def channel() -> Iterator[grpc.Channel]:
    with Application(open_store("memory:"), Limits(concurrent_streams=2, message_bytes=100_000)) as app:
        fill_tic_tac_toe(app.resources.store)
        with serving(app) as address, grpc.insecure_channel(address) as channel:
            yield channel


def error_of(channel: grpc.Channel, method: str, data: bytes) -> grpc.RpcError:
    """The error of a call with these bytes as its request."""
    call: Any = channel.unary_unary(f"/proofbase.v1.{method}", lambda sent: sent, lambda got: got)
    with pytest.raises(grpc.RpcError) as caught:
        call(data)
    return caught.value


def details(error: Any) -> tuple[ErrorInfo, list[str]]:
    """ErrorInfo and the fields of BadRequest."""
    metadata = dict(error.trailing_metadata())
    status = Status.FromString(metadata["grpc-status-details-bin"])
    assert status.code == error.code().value[0] and status.message == error.details()
    info, bad = ErrorInfo(), BadRequest()
    assert status.details[0].Unpack(info) and info.domain == "proofbase"
    for detail in status.details[1:]:
        detail.Unpack(bad)
    return info, [violation.field for violation in bad.field_violations]


REFUSALS = [
    ("Solutions/Lookup", solutions_pb2.LookupRequest(game="backgammon"), "NOT_FOUND", "UNKNOWN_GAME", ["game"]),
    (
        "Solutions/Lookup",
        solutions_pb2.LookupRequest(game="tic-tac-toe", position="zz"),
        "INVALID_ARGUMENT",
        "INVALID_POSITION",
        ["position"],
    ),
    (
        "Solutions/BatchLookup",
        solutions_pb2.BatchLookupRequest(game="tic-tac-toe"),
        "INVALID_ARGUMENT",
        "INVALID_REQUEST",
        ["positions"],
    ),
    (
        "Solutions/BatchLookup",
        solutions_pb2.BatchLookupRequest(
            game="tic-tac-toe", packed_keys=solutions_pb2.PackedKeys(keys=b"\0" * 14, key_size=7)
        ),
        "INVALID_ARGUMENT",
        "INVALID_REQUEST",
        ["packed_keys.key_size"],
    ),
    (
        "Jobs/StartSolve",
        jobs_pb2.StartSolveRequest(game="tic-tac-toe", budget=jobs_pb2.Budget(nodes=-1)),
        "INVALID_ARGUMENT",
        "INVALID_REQUEST",
        ["budget.nodes"],
    ),
    (
        "Jobs/StartSolve",
        jobs_pb2.StartSolveRequest(game="tic-tac-toe", budget=jobs_pb2.Budget(seconds=0)),
        "INVALID_ARGUMENT",
        "INVALID_REQUEST",
        ["budget.seconds"],
    ),
    (
        "Jobs/StartSolve",
        jobs_pb2.StartSolveRequest(game="tic-tac-toe", exact=False),
        "INVALID_ARGUMENT",
        "INVALID_REQUEST",
        ["exact"],
    ),
    (
        "Jobs/StartPositions",
        jobs_pb2.StartPositionsRequest(lines=[1]),
        "INVALID_ARGUMENT",
        "INVALID_REQUEST",
        ["header"],
    ),
    (
        "Jobs/StartPositions",
        jobs_pb2.StartPositionsRequest(header=jobs_pb2.PositionsHeader(game="backgammon")),
        "NOT_FOUND",
        "UNKNOWN_GAME",
        ["game"],
    ),
    (
        "Jobs/StartPositions",
        jobs_pb2.StartPositionsRequest(header=jobs_pb2.PositionsHeader(game="tic-tac-toe")),
        "INVALID_ARGUMENT",
        "INVALID_REQUEST",
        ["positions"],
    ),
    (
        "Jobs/StartPositions",
        jobs_pb2.StartPositionsRequest(
            header=jobs_pb2.PositionsHeader(game="tic-tac-toe"), texts={"positions": ["99"]}
        ),
        "INVALID_ARGUMENT",
        "INVALID_POSITION",
        ["position"],
    ),
    ("Jobs/ListPositions", jobs_pb2.ListPositionsRequest(id="x"), "NOT_FOUND", "JOB_NOT_FOUND", ["id"]),
    ("Jobs/Get", jobs_pb2.GetJobRequest(id="x"), "NOT_FOUND", "JOB_NOT_FOUND", ["id"]),
    ("Jobs/List", jobs_pb2.ListJobsRequest(states=[77]), "INVALID_ARGUMENT", "INVALID_REQUEST", ["states"]),  # type: ignore[list-item]
    ("Jobs/List", jobs_pb2.ListJobsRequest(continuation="x"), "ABORTED", "STALE_CONTINUATION", ["continuation"]),
    (
        "Transfer/Export",
        transfer_pb2.ExportRequest(game="tic-tac-toe"),
        "INVALID_ARGUMENT",
        "INVALID_REQUEST",
        ["format"],
    ),
    (
        "Transfer/Import",
        transfer_pb2.ImportChunk(header=transfer_pb2.ImportHeader(format="FORMAT_CERTIFICATE"), data=b"x"),
        "INVALID_ARGUMENT",
        "MALFORMED_CERTIFICATE",
        ["data"],
    ),
    ("Transfer/Import", transfer_pb2.ImportChunk(data=b"x"), "INVALID_ARGUMENT", "INVALID_REQUEST", ["header"]),
]


@pytest.mark.parametrize(("method", "request_", "status", "reason", "fields"), REFUSALS)
def test_errors_are_rich(
    channel: grpc.Channel, method: str, request_: Any, status: str, reason: str, fields: list[str]
) -> None:
    error: Any = error_of(channel, method, request_.SerializeToString())
    info, blamed = details(error)
    assert (error.code().name, info.reason, blamed) == (status, reason, fields)


@pytest.mark.parametrize(
    ("method", "data"),
    [
        ("Solutions/Lookup", b"\x0a\x02\xff\xfe"),  # a name that is not UTF-8
        ("Solutions/Lookup", b"\x0a\x0btic-tac-toe\x12\x02\xc3\x28"),  # a position that is not UTF-8
        ("Solutions/Lookup", b"\xff\xff\xff"),  # no message at all
        ("Transfer/Import", b"\x0a\x05"),  # a message that ends too early
    ],
)
def test_what_is_no_message_is_the_callers_fault(channel: grpc.Channel, method: str, data: bytes) -> None:
    error: Any = error_of(channel, method, data)
    info, _ = details(error)
    assert (error.code().name, info.reason) == ("INVALID_ARGUMENT", "INVALID_REQUEST")
    assert "cannot be read" in error.details()


@pytest.mark.parametrize(
    ("method", "data", "field"),
    [
        ("Solutions/Lookup", b"\x0a\x0btic-tac-toe\xa0\x06\x01", "#100"),
        ("Solutions/ListGames", b"\x08\x01", "#1"),
        ("Jobs/StartSolve", b"\x0a\x0btic-tac-toe\x3a\x03\xa0\x06\x01", "budget.#100"),
    ],
)
def test_unknown_fields_are_refused_with_their_path(
    channel: grpc.Channel, method: str, data: bytes, field: str
) -> None:
    error: Any = error_of(channel, method, data)
    info, fields = details(error)
    assert (error.code().name, info.reason, fields) == ("INVALID_ARGUMENT", "UNKNOWN_FIELD", [field])


def test_too_large_messages_are_refused(channel: grpc.Channel) -> None:
    request = solutions_pb2.LookupRequest(game="tic-tac-toe", position="1" * 200_000)
    assert error_of(channel, "Solutions/Lookup", request.SerializeToString()).code().name == "RESOURCE_EXHAUSTED"  # type: ignore[attr-defined]
    fine = solutions_pb2.LookupRequest(game="tic-tac-toe")
    call: Any = channel.unary_unary("/proofbase.v1.Solutions/Lookup", lambda sent: sent, lambda got: got)
    assert call(fine.SerializeToString())


def test_streams_are_limited() -> None:
    with (
        Application(open_store("memory:"), Limits(concurrent_streams=2)) as app,
        serving(app) as address,
        connect(address) as client,
    ):
        job = client.start_solve("connect-four")
        watches = [client.watch(job.id) for _ in range(2)]
        for watch in watches:
            next(watch)
        with pytest.raises(TooManyStreamsError, match="2 streams"):
            next(client.watch(job.id))
        watches.pop().close()  # type: ignore[attr-defined]
        deadline = time.monotonic() + 60
        while True:  # the server hears of it a little later
            try:
                next(client.watch(job.id))
                break
            except TooManyStreamsError:
                assert time.monotonic() < deadline
        client.cancel(job.id)
