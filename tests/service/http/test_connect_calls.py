"""Every call over the Connect protocol, with JSON and with protobuf, gives what it gives over gRPC, errors as well."""

from __future__ import annotations

import json
from typing import Any

import grpc
import pytest
from asking import Answer, ask, post
from conftest import Both
from google.protobuf import json_format
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc.status_pb2 import Status

from proofbase.v1 import jobs_pb2, solutions_pb2, transfer_pb2

METHODS = {
    f"{service.full_name}/{method.name}": method
    for file in (solutions_pb2, jobs_pb2, transfer_pb2)
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
}
UNARY = sorted(name for name, method in METHODS.items() if not (method.client_streaming or method.server_streaming))
GAME = {"game": "tic-tac-toe"}
LIST = {"texts": {"positions": ["5", "nonsense", ".../.x./..o"]}}
REQUESTS: dict[str, list[dict[str, Any]]] = {
    "ListGames": [{}, {"continuation": "nothing"}],
    "GetGame": [GAME, {"game": "connect-four:5x4"}, {"game": "nope"}, {"game": "connect-four:0x0"}, {}],
    "GetLimits": [{}],
    "Lookup": [
        {**GAME, "position": "5", "board": True},
        {**GAME, "key": "AAA="},
        {"game": "connect-four:4x4", "position": "moves:11", "searchNodes": "100000"},
        {**GAME, "position": "x"},
        {**GAME, "key": "////"},
        {"position": "5"},
    ],
    "BatchLookup": [
        {**GAME, **LIST},
        {**GAME, "packedKeys": {"keys": "AAAAUQ=="}},
        {**GAME, "keys": {"keys": ["AAA=", "AA=="]}},
        GAME,
    ],
    "GetLine": [GAME, {**GAME, "position": "51", "maxPlies": 2}, {**GAME, "position": "99"}],
    "GetThreats": [{"game": "gomoku:9x9", "position": "e5,a1,f6,i1,e7,a9"}, GAME],
    "ExamineProblem": [
        {"game": "chess", "position": "7k/8/5K2/8/8/8/8/R7 w - -", "moves": 2, "intended": ["Kf7"]},
        {"game": "awari"},
        {"game": "chess", "moves": 99},
    ],
    "AnalyseGame": [{**GAME, "moves": "5 2 1"}, {**GAME, "moves": "5 5"}],
    "GetProof": [{**GAME, "position": "5,2,1", "side": "SIDE_UPPER"}, {**GAME, "continuation": "x"}],
    "GetStatistics": [{**GAME, "census": True}, {"census": True}],
    "StartSolve": [{**GAME, "position": "5", "exact": True}, {**GAME, "algorithm": "magic"}, {**GAME, "atLeast": 99}],
    "ListPositions": [{"id": "nothing"}],
    "StartVerification": [{**GAME, "sample": "10", "seed": "1"}, {"sample": "-1"}],
    "StartTable": [{"game": "awari", "size": 2}, {**GAME, "size": 1}],
    "Get": [{"id": "nothing"}, {}],
    "List": [{"states": ["JOB_STATE_PAUSED"]}, {"limit": 9999}, {"continuation": "x"}],
    "Cancel": [{"id": "nothing"}],
    "Pause": [{"id": "nothing"}],
    "Resume": [{"id": "nothing", "budget": {"nodes": "5"}}],
    "Prune": [{"olderThanSeconds": 1e9}, {"olderThanSeconds": -1}],
}
OF_ONE_CALL = ("id", "call", "created", "updated", "state", "server", "solve_progress", "verification_progress")
"""What differs from one call to the next."""


def over_grpc(both: Both, name: str, request: Message) -> Message | tuple[str, str, list[Any]]:
    """The answer, or code, message and details of the error."""
    answer = GetMessageClass(METHODS[name].output_type)
    with grpc.insecure_channel(both.grpc) as channel:
        call = channel.unary_unary(
            f"/{name}", request_serializer=type(request).SerializeToString, response_deserializer=answer.FromString
        )
        try:
            return call(request, timeout=20)
        except grpc.RpcError as error:
            details = dict(error.trailing_metadata()).get("grpc-status-details-bin", b"")
            code = error.code().name.lower().replace("cancelled", "canceled")
            return code, error.details(), [(part.type_url, part.value) for part in Status.FromString(details).details]


def same(answer: Message | Any) -> Any:
    """What has to be the same in two answers."""
    if not isinstance(answer, Message):
        return answer
    for name in OF_ONE_CALL:
        if name in answer.DESCRIPTOR.fields_by_name and answer.DESCRIPTOR.name == "Job":
            answer.ClearField(name)
    answer.ClearField("jobs") if answer.DESCRIPTOR.name == "GetStatisticsResponse" else None
    return json_format.MessageToDict(_without_tokens(answer))


def _without_tokens(answer: Any) -> Any:
    """Continuations are signed with the time."""
    if "cut" in answer.DESCRIPTOR.fields_by_name and answer.cut.continuation:
        answer.cut.continuation = "..."
    return answer


def of_connect(found: Answer, kind: type[Message]) -> Message | tuple[str, str, list[Any]]:
    """The same of an answer over the Connect protocol."""
    if found.status == 200:
        if found.headers["content-type"] == "application/proto":
            return kind.FromString(found.body)
        return json_format.Parse(found.body, kind())
    error = found.json
    details = []
    for part in error.get("details", ()):
        padded = part["value"] + "=" * (-len(part["value"]) % 4)
        details.append((f"type.googleapis.com/{part['type']}", json_format.base64.b64decode(padded)))
    return error["code"], error["message"], details


def test_every_unary_call_is_compared() -> None:
    assert sorted(REQUESTS) == sorted(name.rpartition("/")[2] for name in UNARY)


@pytest.mark.parametrize("name", UNARY)
def test_connect_answers_as_grpc(name: str, both: Both) -> None:
    method = METHODS[name]
    kind, answer = GetMessageClass(method.input_type), GetMessageClass(method.output_type)
    for fields in REQUESTS[method.name]:
        request = json_format.ParseDict(fields, kind())
        expected = same(over_grpc(both, name, request))
        as_json = post(both.http, name.removeprefix("proofbase.v1."), fields)
        assert same(of_connect(as_json, answer)) == expected, fields
        as_proto = ask(both.http, f"/{name}", "POST", request.SerializeToString(), content_type="application/proto")
        assert same(of_connect(as_proto, answer)) == expected, fields


STATUSES = {"invalid_argument": 400, "not_found": 404, "failed_precondition": 400, "aborted": 409}


@pytest.mark.parametrize("name", UNARY)
def test_errors_have_the_status_of_their_code(name: str, both: Both) -> None:
    for fields in REQUESTS[METHODS[name].name]:
        found = post(both.http, name.removeprefix("proofbase.v1."), fields)
        if found.status != 200:
            assert found.status == STATUSES[found.json["code"]], found
            assert found.headers["content-type"] == "application/json"
            assert found.json["details"][0]["type"] == "google.rpc.ErrorInfo"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "no JSON"),
        (b"[]", "no JSON"),
        (b"{", "no JSON"),
        (b'{"game": 5}', "no JSON"),
        (b'{"game": "\xff"}', "no JSON"),
        (b'{"gamee": "x"}', "has no field named"),
        (b'{"game": "x", "position": "a", "key": "AA=="}', "no JSON"),
        (b'{"searchNodes": -1}', "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b'{"game":' * 3000, "no JSON"),
        (b'{"game": "' + b"a" * 50_000 + b'"}', "is too long for the name of a game"),
        (b'{"searchSeconds": "' + b"9" * 50_000 + b'"}', "there is no search"),
    ],
)
def test_bodies_that_are_no_request_are_refused(both: Both, body: bytes, message: str) -> None:
    found = ask(both.http, "/proofbase.v1.Solutions/Lookup", "POST", body, content_type="application/json")
    assert found.status == 400, found
    assert message in found.json["message"]
    assert len(found.body) < 12_000
    assert found.reason in ("INVALID_REQUEST", "UNKNOWN_FIELD")


def test_protobuf_with_unknown_fields_is_refused(both: Both) -> None:
    for body, reason in ((b"\xf8\x07\x01", "UNKNOWN_FIELD"), (b"\xff\xff", "INVALID_REQUEST")):
        found = ask(both.http, "/proofbase.v1.Solutions/Lookup", "POST", body, content_type="application/proto")
        assert (found.status, found.reason) == (400, reason)


def test_large_answers_are_the_same(both: Both) -> None:
    """They are written in a thread."""
    request = {**GAME, "texts": {"positions": ["moves:5"] * 9_000}}
    found = post(both.http, "Solutions/BatchLookup", request)
    assert found.status == 200 and len(found.body) > 500_000
    items = found.json["items"]
    assert all(item == items[0] for item in items) and items[0]["status"] == "STATUS_STORED"
    assert "cut" not in found.json and len(items) == 9_000


def test_compressed_requests_are_read_and_bombs_refused(both: Both) -> None:
    import gzip

    body = gzip.compress(json.dumps(GAME).encode())
    path, kind = "/proofbase.v1.Solutions/Lookup", "application/json"
    found = ask(both.http, path, "POST", body, content_type=kind, content_encoding="gzip")
    assert found.status == 200
    bomb = gzip.compress(bytes(200 << 20), 9)
    found = ask(both.http, path, "POST", bomb, content_type=kind, content_encoding="gzip")
    assert found.status == 429 and found.json["code"] == "resource_exhausted"
    found = ask(both.http, path, "POST", body, content_type=kind, content_encoding="br")
    assert found.status == 400 and "only gzip" in found.json["message"]
    found = ask(both.http, path, "POST", body[:-9], content_type=kind, content_encoding="gzip")
    assert found.status == 400


def test_a_call_ends_at_its_deadline(both: Both) -> None:
    asked = {"game": "connect-four", "searchNodes": "1000000", "searchSeconds": 5}
    found = post(both.http, "Solutions/Lookup", asked, connect_timeout_ms="20")
    assert found.status == 504 and found.json["code"] == "deadline_exceeded"


@pytest.mark.parametrize("budget", [{"seconds": True}, {"seconds": False, "nodes": "5"}])
def test_a_truth_is_no_number(both: Both, budget: dict[str, Any]) -> None:
    refused = post(both.http, "Jobs/StartSolve", {"game": "tic-tac-toe", "budget": budget})
    assert refused.status == 400 and refused.reason == "INVALID_REQUEST"
    assert "budget.seconds is a number, not" in refused.json["message"]
    assert post(both.http, "Jobs/StartSolve", {"game": "tic-tac-toe", "budget": {"nodes": True}}).status == 400
    job = post(both.http, "Jobs/StartSolve", {"game": "tic-tac-toe", "budget": {"seconds": 5}})
    assert job.status == 200 and job.json["solve"]["budget"]["seconds"] == 5
