"""Call ids, log lines, metrics, liveness, readiness and draining, as an operator sees them."""

from __future__ import annotations

import json
import re
import signal
import time
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from started_servers import fetch, start
from waits import until

from proofbase.service.client import connect
from proofbase.service.telemetry.call_ids import CALL_ID_HEADER, call_id_of
from proofbase.v1 import jobs_pb2, jobs_pb2_grpc, solutions_pb2, solutions_pb2_grpc


def lines_of(log: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in log.read_text().splitlines()]


def test_a_call_keeps_its_id_from_the_client_to_the_job(tmp_path: Path) -> None:
    with start(
        tmp_path / "log", "--store", tmp_path / "s", "--http-listen", "127.0.0.1:0", "--log-format", "json",
        "--log-level", "debug",
    ) as server, grpc.insecure_channel(server.address) as channel:  # fmt: skip
        solutions = solutions_pb2_grpc.SolutionsStub(channel)
        request = solutions_pb2.LookupRequest(game="tic-tac-toe")
        _, call = solutions.Lookup.with_call(request)
        (given,) = [value for key, value in call.trailing_metadata() if key == CALL_ID_HEADER]
        assert re.fullmatch("[0-9a-f]{16}", given)
        _, call = solutions.Lookup.with_call(request, metadata=((CALL_ID_HEADER, "from.me-1"),))
        assert (CALL_ID_HEADER, "from.me-1") in call.trailing_metadata()
        with pytest.raises(grpc.RpcError) as refused:
            solutions.Lookup(solutions_pb2.LookupRequest(game="nope"), metadata=((CALL_ID_HEADER, "wrong-1"),))
        assert (CALL_ID_HEADER, "wrong-1") in refused.value.trailing_metadata()  # type: ignore[attr-defined]
        jobs = jobs_pb2_grpc.JobsStub(channel)
        started = jobs_pb2.StartSolveRequest(game="tic-tac-toe", exact=True)
        job = jobs.StartSolve(started, metadata=((CALL_ID_HEADER, "job-1"),))
        assert job.call == "job-1"
        watch = jobs.Watch(jobs_pb2.WatchRequest(id=job.id), metadata=((CALL_ID_HEADER, "watch-1"),))
        assert (CALL_ID_HEADER, "watch-1") in watch.initial_metadata()
        assert list(watch)
        _, text = fetch(f"http://{server.about['http']}/v1/jobs/{job.id}", **{CALL_ID_HEADER: "http-1"})
        assert json.loads(text)["call"] == "job-1"
        with connect(server.address) as client:
            assert client.job(job.id).call == "job-1"
    calls = {line.get("call"): line for line in lines_of(tmp_path / "log") if line["logger"] == "proofbase.calls"}
    assert calls[given]["code"] == calls["from.me-1"]["code"] == "OK"
    assert calls["wrong-1"] | {"method": "Solutions/Lookup", "code": "NOT_FOUND"} == calls["wrong-1"]
    assert calls["http-1"]["method"] == "GET /v1/jobs/{id}" and calls["http-1"]["code"] == "200"
    with connect(str(tmp_path / "s"), read_only=True) as client:
        assert [stored.call for stored in client.jobs()[0]] == ["job-1"]


def test_an_id_that_could_forge_lines_is_replaced() -> None:
    assert call_id_of("a.B-9_") == "a.B-9_"
    for sent in (None, "", "a b", "a\nb", "é", "x" * 65):
        assert re.fullmatch("[0-9a-f]{16}", call_id_of(sent))


def test_metrics_count_calls_jobs_and_the_store(tmp_path: Path) -> None:
    with start(tmp_path / "log", "--store", tmp_path / "s") as server:
        with connect(server.address) as client:
            client.solve("tic-tac-toe")
            client.lookup("tic-tac-toe")
            with pytest.raises(ValueError, match="unknown game"):
                client.lookup("nope")
        counter = 'code="NOT_FOUND",method="Solutions/Lookup"'  # goes up when the answer is sent, or a moment later
        until(lambda: counter in server.get("/metrics")[1])
        status, text = server.get("/metrics")
        assert status == 200
        for line in (
            'proofbase_calls_total{code="OK",method="Solutions/Lookup",transport="grpc"} 1.0',
            'proofbase_calls_total{code="NOT_FOUND",method="Solutions/Lookup",transport="grpc"} 1.0',
            'proofbase_call_seconds_count{method="Solutions/Lookup",transport="grpc"} 2.0',
            'proofbase_jobs{state="done"} 1.0',
            "proofbase_jobs_running 0.0",
            "proofbase_search_nodes_per_second 0.0",
            "proofbase_ready 1.0",
            "proofbase_store_games 1.0",
        ):
            assert line in text, line
        names = {line.split("{")[0].split(" ")[0] for line in text.splitlines() if not line.startswith("#")}
        assert names >= {
            "proofbase_store_bytes",
            "proofbase_store_map_bytes",
            "proofbase_store_readers",
            "proofbase_cache_hits_total",
            "proofbase_call_seconds_bucket",
            "process_resident_memory_bytes",
        }
        assert server.get("/livez") == (200, "ok\n") and server.get("/readyz") == (200, "ok\n")
        assert server.get("/else")[0] == 404


def test_draining_says_so_first_and_still_answers(tmp_path: Path) -> None:
    with start(tmp_path / "log", "--store", tmp_path / "s", "--drain-seconds", 4) as server:
        with connect(server.address) as client, grpc.insecure_channel(server.address) as channel:
            job = client.start_solve("connect-four:6x5")
            health = health_pb2_grpc.HealthStub(channel)
            request = health_pb2.HealthCheckRequest()
            assert health.Check(request).status == health_pb2.HealthCheckResponse.SERVING
            server.process.send_signal(signal.SIGTERM)
            until(lambda: server.get("/readyz")[0] != 200)
            assert server.get("/readyz") == (503, "the server is stopping\n") and server.get("/livez")[0] == 200
            assert health.Check(request).status == health_pb2.HealthCheckResponse.NOT_SERVING
            assert client.lookup("tic-tac-toe").game == "tic-tac-toe"
        assert server.process.wait(30) == 0
    with connect(str(tmp_path / "s"), read_only=True) as client:
        assert client.job(job.id).state in ("queued", "done")  # it goes on at the next start


def test_a_second_signal_does_not_wait(tmp_path: Path) -> None:
    with start(tmp_path / "log", "--store", tmp_path / "s", "--drain-seconds", 600) as server:
        server.process.send_signal(signal.SIGTERM)
        while server.get("/readyz")[0] == 200:
            time.sleep(0.05)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(30) == 0


def test_readiness_goes_with_the_store_and_comes_back(tmp_path: Path) -> None:
    with start(tmp_path / "log", "--store", tmp_path / "s") as server:
        assert server.get("/readyz")[0] == 200
        data = tmp_path / "s" / "data.mdb"
        data.rename(tmp_path / "aside")
        # The open file is unlinked for the store: what it reads is no longer in its place, but sound.
        (tmp_path / "aside").unlink()
        until(lambda: server.get("/readyz")[0] != 200)
        status, reason = server.get("/readyz")
        assert status == 503 and "the store cannot be read" in reason
        assert server.get("/livez")[0] == 200
