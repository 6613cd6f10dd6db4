"""Streams over the Connect protocol, and the progress of a job as events."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest
from asking import Answer, ask, post
from conftest import Both
from services import serving_both
from waits import until

from proofbase.service.access.security import Security
from proofbase.service.access.tokens import new_token
from proofbase.service.application import Application
from proofbase.service.client import connect
from proofbase.service.limits import Limits
from proofbase.storage import open_store
from proofbase.v1 import solutions_pb2

GAME = {"game": "tic-tac-toe"}


def enveloped(*messages: Any) -> bytes:
    """Messages as the Connect protocol sends them in a stream."""
    parts = [json.dumps(message).encode() for message in messages]
    return b"".join(b"\0" + len(part).to_bytes(4, "big") + part for part in parts)


def opened(body: bytes) -> Iterator[tuple[int, Any]]:
    """The flags and messages of a stream."""
    while body:
        size = int.from_bytes(body[1:5], "big")
        yield body[0], json.loads(body[5 : 5 + size])
        body = body[5 + size :]


def stream(address: str, call: str, *messages: Any) -> tuple[list[Any], Any]:
    """The answers of a stream, and its end."""
    found = ask(address, f"/proofbase.v1.{call}", "POST", enveloped(*messages), content_type="application/connect+json")
    assert found.status == 200, found
    *answers, (flags, end) = opened(found.body)
    assert flags == 2 and all(flag == 0 for flag, _ in answers)
    return [message for _, message in answers], end


def events(answer: Answer) -> list[tuple[str, Any]]:
    """Events and their data."""
    found = []
    for part in answer.body.decode().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in part.splitlines() if not line.startswith(":"))
        if lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found


def test_lookups_come_in_the_order_of_the_requests(both: Both) -> None:
    batches = [{**GAME, "texts": {"positions": [text]}} for text in ("5", "x", "51")]
    answers, end = stream(both.http, "Solutions/StreamLookup", *batches)
    assert [answer["items"][0]["status"] for answer in answers] == ["STATUS_STORED", "STATUS_INVALID", "STATUS_STORED"]
    assert end == {}


def test_an_error_ends_a_stream_with_its_reason(both: Both) -> None:
    answers, end = stream(both.http, "Solutions/StreamLookup", {**GAME, "texts": {"positions": ["5"]}}, GAME)
    assert len(answers) == 1
    assert end["error"]["code"] == "invalid_argument"
    assert end["error"]["details"][0]["debug"]["reason"] == "INVALID_REQUEST"
    answers, end = stream(both.http, "Jobs/Watch", {"id": "nothing"})
    assert answers == [] and end["error"]["code"] == "not_found"


def test_a_watch_tells_of_a_job_until_its_end(both: Both) -> None:
    job = post(both.http, "Jobs/StartSolve", {"game": "connect-four:4x4"}).json
    answers, end = stream(both.http, "Jobs/Watch", {"id": job["id"]})
    assert answers[-1]["state"] == "JOB_STATE_DONE" and answers[-1]["solveResult"]["value"]["exact"]
    assert end == {}


def test_files_and_lists_go_both_ways(both: Both) -> None:
    chunks, _ = stream(both.http, "Transfer/Export", {**GAME, "position": "5", "format": "FORMAT_CERTIFICATE"})
    assert chunks[-1]["summary"]["records"]
    sent = [{"header": {"format": "FORMAT_CERTIFICATE", "source": "a test"}}]
    answers, end = stream(both.http, "Transfer/Import", *sent, *[{"data": chunk["data"]} for chunk in chunks[:-1]])
    assert end == {} and answers[0]["unchanged"] == chunks[-1]["summary"]["records"]
    header = {"header": {**GAME, "exact": True}}
    answers, end = stream(both.http, "Jobs/StartPositions", header, {"texts": {"positions": ["5", "51"]}})
    job = ask(both.http, f"/v1/jobs/{answers[0]['id']}/events")
    assert events(job)[-2][1]["positionsResult"]["positions"] == 2
    found = ask(both.http, f"/v1/jobs/{answers[0]['id']}/positions").json
    assert [outcome["status"] for outcome in found["outcomes"]] == ["SOLVE_STATUS_EXACT"] * 2


def test_events_tell_of_a_job_until_its_end(both: Both) -> None:
    job = post(both.http, "Jobs/StartSolve", {"game": "connect-four", "budget": {"seconds": 1.5}}).json
    found = ask(both.http, f"/v1/jobs/{job['id']}/events")
    assert found.status == 200 and found.headers["content-type"].startswith("text/event-stream")
    states = events(found)
    assert [kind for kind, _ in states[:-1]] == ["job"] * (len(states) - 1)
    assert states[-1] == ("end", {})
    assert states[-2][1]["state"] == "JOB_STATE_DONE"
    assert sum("solveProgress" in job for _, job in states[:-1]) >= 3
    assert ask(both.http, "/v1/jobs/nothing/events").status == 404


def test_heads_of_streams_do_not_wait_for_their_end(both: Both) -> None:
    job = post(both.http, "Jobs/StartSolve", {"game": "connect-four"}).json
    for path in (f"/v1/jobs/{job['id']}/events", "/v1/games/tic-tac-toe/exports?format=jsonl"):
        found = ask(both.http, path, "HEAD")
        assert found.status == 200 and found.body == b"" and "content-type" in found.headers
    assert post(both.http, "Jobs/Cancel", {"id": job["id"]}).status == 200


def test_clients_that_leave_free_their_stream_at_once() -> None:
    with Application(open_store("memory:"), Limits(concurrent_streams=4)) as app, serving_both(app) as (grpc, http):
        job = post(http, "Jobs/StartSolve", {"game": "connect-four"}).json
        host, _, port = http.partition(":")

        def opens() -> bool:
            with socket.create_connection((host, int(port)), timeout=60) as connection:
                connection.sendall(f"GET /v1/jobs/{job['id']}/events HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
                head = connection.recv(1000).split(b"\r\n")[0]
                assert b" 200 " in head or b" 429 " in head, head
                return b" 200 " in head

        for _ in range(12):  # three times as many as may be open
            until(opens, "a stream is free as soon as the server has heard that its client has left", 20)
        with connect(grpc) as client:
            client.cancel(job["id"])


def test_a_search_of_a_client_that_leaves_is_not_waited_for(both: Both) -> None:
    """Lookups that search have two threads: those of clients that are gone are not made."""
    host, _, port = both.http.partition(":")
    path = "/v1/games/connect-four/positions/moves:%d?search_nodes=1000000&search_seconds=1"
    for number in range(20):
        with socket.create_connection((host, int(port)), timeout=10) as connection:
            connection.sendall(f"GET {path % (1 + number % 7)} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            time.sleep(0.02)
    began = time.monotonic()
    assert ask(both.http, "/v1/games/tic-tac-toe/lines/-").status == 200  # waits for the same threads
    assert time.monotonic() - began < 8, "20 searches of a second each, by two threads, would take 10"


def test_streams_are_counted_with_those_over_grpc() -> None:
    with (
        Application(open_store("memory:"), Limits(concurrent_streams=2)) as app,
        serving_both(app) as (grpc, http),
        connect(grpc) as client,
    ):
        job = client.start_solve("connect-four")
        watch = client.watch(job.id)
        next(watch)
        host, _, port = http.partition(":")
        with socket.create_connection((host, int(port)), timeout=10) as connection:
            connection.sendall(f"GET /v1/jobs/{job.id}/events HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            assert b" 200 " in connection.recv(1000)
            refused = ask(http, f"/v1/jobs/{job.id}/events")
            assert refused.status == 429 and refused.reason == "TOO_MANY_STREAMS"
        client.cancel(job.id)


def test_events_end_with_the_token_and_with_the_server() -> None:
    with Application(open_store("memory:")) as app:
        text, token = new_token("alice", "solver")
        app.resources.store.tokens().add(token)
        with serving_both(app, Security(authenticate=True)) as (_, http):
            header = {"authorization": f"Bearer {text}"}
            job = post(http, "Jobs/StartSolve", {"game": "connect-four"}, **header).json
            app.resources.store.tokens().revoke([token.id], time.time())
            host, _, port = http.partition(":")
            with socket.create_connection((host, int(port)), timeout=10) as connection:
                head = (
                    f"GET /v1/jobs/{job['id']}/events HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {text}\r\n\r\n"
                )
                connection.sendall(head.encode())
                received = _until_end(connection)
        assert b"event: failure" in received and b"during the call" in received
    with Application(open_store("memory:")) as app:
        with serving_both(app) as (_, http):
            job = post(http, "Jobs/StartSolve", {"game": "connect-four"}).json
            connection = socket.create_connection(("127.0.0.1", int(http.partition(":")[2])), timeout=10)
            connection.sendall(f"GET /v1/jobs/{job['id']}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            assert b" 200 " in connection.recv(1000)
        with connection:
            received = _until_end(connection)
        assert b"event: end" not in received and received.endswith(b"0\r\n\r\n"), (
            "the answer is whole, and the job goes on"
        )


def _until_end(connection: socket.socket) -> bytes:
    received = b""
    while part := connection.recv(65536):
        received += part
        if received.endswith(b"0\r\n\r\n"):
            break
    return received


@pytest.mark.parametrize("body", [b"", b"\0\0\0\0", b"\0\0\0\0\x05{}", b"\x80\0\0\0\x02{}", b"\0\xff\xff\xff\xff{}"])
def test_streams_that_are_broken_are_refused(both: Both, body: bytes) -> None:
    for call in ("Solutions/StreamLookup", "Jobs/Watch", "Transfer/Import"):
        found = ask(both.http, f"/proofbase.v1.{call}", "POST", body, content_type="application/connect+json")
        assert found.status in (200, 400), found
        if found.status == 200:
            *_, (flags, end) = opened(found.body)
            assert flags == 2 and (body == b"" or end["error"]["code"] != "unknown"), end


def test_grpc_web_works_as_well(both: Both) -> None:
    for game, status in (("tic-tac-toe", b"grpc-status: 0"), ("nope", b"grpc-status: 5")):
        request = solutions_pb2.LookupRequest(game=game).SerializeToString()
        body = b"\0" + len(request).to_bytes(4, "big") + request
        path = "/proofbase.v1.Solutions/Lookup"
        found = ask(both.http, path, "POST", body, content_type="application/grpc-web+proto")
        end = found.body + f"grpc-status: {found.headers.get('grpc-status')}".encode()
        assert found.status == 200 and status in end
        if game == "tic-tac-toe":
            size = int.from_bytes(found.body[1:5], "big")
            assert solutions_pb2.LookupResponse.FromString(found.body[5 : 5 + size]).position == ".../.../..."
