"""The server itself: health, reflection, ports, stopping."""

from __future__ import annotations

import asyncio
import threading
import time

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from services import serving

from proofbase.service.application import Application
from proofbase.service.client import ServiceUnavailableError, connect
from proofbase.service.server import SERVICES, Addresses, serve
from proofbase.storage import open_store


def test_health_and_reflection() -> None:
    with (
        Application(open_store("memory:")) as app,
        serving(app) as address,
        grpc.insecure_channel(address) as channel,
    ):
        health = health_pb2_grpc.HealthStub(channel)
        for name in ("", *SERVICES):
            answer = health.Check(health_pb2.HealthCheckRequest(service=name))
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)
        asked = [
            reflection_pb2.ServerReflectionRequest(list_services=""),
            reflection_pb2.ServerReflectionRequest(file_containing_symbol="proofbase.v1.Solutions"),
        ]
        listed, file = stub.ServerReflectionInfo(iter(asked))
        assert {entry.name for entry in listed.list_services_response.service} >= {*SERVICES, "grpc.health.v1.Health"}
        assert file.file_descriptor_response.file_descriptor_proto


def test_a_port_in_use_is_an_error() -> None:
    with (
        Application(open_store("memory:")) as app,
        serving(app) as address,
        pytest.raises(ServiceUnavailableError, match=f"cannot listen on {address}"),
    ):
        serve("memory:", address)


def test_serve_runs_until_it_is_told_to_stop() -> None:
    addresses: list[str] = []
    loops: list[asyncio.AbstractEventLoop] = []
    until = asyncio.Event()

    def ready(at: Addresses) -> None:
        loops.append(asyncio.get_running_loop())
        addresses.append(at.grpc)

    thread = threading.Thread(target=serve, args=("memory:", "127.0.0.1:0"), kwargs={"on_ready": ready, "until": until})
    thread.start()
    deadline = time.monotonic() + 60
    while not addresses and time.monotonic() < deadline:
        time.sleep(0.02)
    with connect(addresses[0]) as client:
        job = client.start_solve("connect-four")
        watch = client.watch(job.id)
        next(watch)
        loops[0].call_soon_threadsafe(until.set)
        # The open watch does not keep the server: it ends with it.
        with pytest.raises(ServiceUnavailableError):
            list(watch)
    thread.join(20)
    assert not thread.is_alive()


def test_a_batch_of_the_largest_size_fits_into_a_message() -> None:
    with Application(open_store("memory:")) as app, serving(app) as address, connect(address) as client:
        size = client.limits().batch_size
        key = b"\0" * 7
        assert len(client.batch_lookup_packed("connect-four", key * size)) == size
        text = "......./......./......./......./......./..xoxox"
        with pytest.raises(ValueError, match="connect-four"):
            client.lookup("connect-four", text[:-1])
        assert len(client.batch_lookup("connect-four", ["44" * 3] * size)) == size
