"""Calls whose paths are no text: they end grpc.aio's main loop, and must not end the service."""

from __future__ import annotations

import threading
import time
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from raw_http2 import send_call
from services import serving

from proofbase.service.application import Application
from proofbase.service.client import ServiceUnavailableError, connect
from proofbase.service.rpc import listener
from proofbase.service.server import serve
from proofbase.storage import open_store

PATHS = [b"/\xff", b"\xff\xfe", b"/proofbase.v1.Solutions/\xc0\x80", b"/" + bytes(range(128, 256)), b"/unknown", b"/"]


@pytest.mark.parametrize("path", PATHS)
def test_a_path_of_any_bytes_disturbs_nobody(path: bytes) -> None:
    with Application(open_store("memory:")) as app, serving(app) as address, connect(address) as client:
        job = client.start_solve("connect-four")
        watch = client.watch(job.id)
        next(watch)
        for _ in range(3):
            send_call(address, path)
        assert client.lookup("tic-tac-toe").position  # the old connection
        with connect(address) as other:
            assert other.lookup("tic-tac-toe").position
        client.cancel(job.id)
        assert [*watch][-1].state == "cancelled"  # the stream that was open


def test_methods_that_are_not_known_are_refused() -> None:
    with Application(open_store("memory:")) as app, serving(app) as address, grpc.insecure_channel(address) as channel:
        for path in ("/unknown", "/proofbase.v1.Solutions/Guess", "/grpc.health.v1.Health/Guess"):
            call: Any = channel.unary_unary(path, lambda sent: sent, lambda got: got)
            with pytest.raises(grpc.RpcError) as caught:
                call(b"", timeout=10)
            error: Any = caught.value
            assert error.code() == grpc.StatusCode.UNIMPLEMENTED


def test_a_server_that_ended_is_replaced_on_its_port(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the calls cannot be kept away from grpc.aio: others are cut off for less than a second."""
    monkeypatch.setattr(listener, "_RegisteredCalls", None)
    with Application(open_store("memory:")) as app, serving(app) as address:
        for _ in range(2):
            send_call(address, b"/\xff")
            began = time.monotonic()
            while True:
                with connect(address) as client, grpc.insecure_channel(address) as channel:
                    try:
                        assert client.lookup("tic-tac-toe").position
                        health = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest())
                        break
                    except (ServiceUnavailableError, grpc.RpcError):
                        assert time.monotonic() - began < 10
            assert time.monotonic() - began < 1
            assert health.status == health_pb2.HealthCheckResponse.SERVING


def test_a_service_that_cannot_listen_again_ends_with_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that answers nobody would keep the store from the next one."""
    monkeypatch.setattr(listener, "_RegisteredCalls", None)
    monkeypatch.setattr("proofbase.service.server.RESTART_SECONDS", 0.2)
    addresses: list[str] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            serve("memory:", "127.0.0.1:0", on_ready=addresses.append)
        except ServiceUnavailableError as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    while not addresses:
        time.sleep(0.01)
    monkeypatch.setattr("proofbase.service.server.new_listener", lambda *_: _Deaf())
    send_call(addresses[0], b"/\xff")
    thread.join(20)
    assert not thread.is_alive()
    assert "cannot listen on" in str(errors[0])


class _Deaf:
    """A gRPC server that gets no port."""

    def add_generic_rpc_handlers(self, *_: object) -> None:
        pass

    def add_registered_method_handlers(self, *_: object) -> None:
        pass

    def add_insecure_port(self, _: str) -> int:
        return 0

    async def stop(self, _: float | None) -> None:
        pass
