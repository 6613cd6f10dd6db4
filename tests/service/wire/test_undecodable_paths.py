"""Calls whose paths are no text: they end grpc.aio's main loop, and must not end the service."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import pytest
from raw_http2 import send_call
from services import serving

from proofbase.service.application import Application
from proofbase.service.client import connect
from proofbase.service.server import Server
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


PLAIN = """\
import sys
from proofbase.service.rpc import listener
from proofbase.service.server import serve
listener._RegisteredCalls = None
serve(sys.argv[1], "127.0.0.1:0", on_ready=lambda at: print(at.grpc, flush=True))
"""


def test_a_service_whose_grpc_server_ends_ends_with_an_error(tmp_path: Path) -> None:
    """Where the calls cannot be kept away from grpc.aio: a process that answers nobody must not keep the store."""
    store = str(tmp_path / "store")
    for _ in range(3):
        process = subprocess.Popen([sys.executable, "-c", PLAIN, store], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            assert process.stdout is not None
            send_call(process.stdout.readline().decode().strip(), b"/\xff")
            assert process.wait(60) != 0
        finally:
            process.kill()
            process.communicate()
    with open_store(store) as free:
        assert not free.read_only


def test_a_server_that_stopped_when_told_has_not_failed() -> None:
    async def run() -> None:
        with Application(open_store("memory:")) as app:
            server = Server(app)
            await server.start("127.0.0.1:0")
            ended = asyncio.create_task(server.ended())
            await asyncio.sleep(0.05)
            await server.stop(0)
            with suppress(asyncio.CancelledError):
                await ended

    asyncio.run(run())
