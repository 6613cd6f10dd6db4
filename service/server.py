"""The gRPC server: proofbase.v1 over one application, with health and reflection."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module

import grpc.aio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import aio as health_aio
from grpc_reflection.v1alpha import reflection

from proofbase.service.application import Application, open_application
from proofbase.service.errors import ServiceUnavailableError
from proofbase.service.limits import Limits
from proofbase.service.rpc.calls import Calls
from proofbase.service.rpc.errors import ErrorInterceptor
from proofbase.service.rpc.jobs import Jobs
from proofbase.service.rpc.solutions import Solutions
from proofbase.service.rpc.transfer import Transfer
from proofbase.v1 import jobs_pb2, jobs_pb2_grpc, solutions_pb2, solutions_pb2_grpc, transfer_pb2, transfer_pb2_grpc

__all__ = ["DEFAULT_LISTEN", "Server", "serve"]

_log = logging.getLogger(__name__)
DEFAULT_LISTEN = "127.0.0.1:50051"
THREADS = 8
GRACE_SECONDS = 5.0

SERVICES = tuple(
    file.DESCRIPTOR.services_by_name[name].full_name
    for file, name in ((solutions_pb2, "Solutions"), (jobs_pb2, "Jobs"), (transfer_pb2, "Transfer"))
)


class Server:
    """A server on one application, which it does not close. Made, started and stopped in one event loop."""

    def __init__(self, app: Application) -> None:
        size = app.resources.limits.message_bytes
        # A little more than the limit, for the bytes around a message.
        options = [
            ("grpc.max_receive_message_length", size + 1024),
            ("grpc.max_send_message_length", size + 1024),
            ("grpc.so_reuseport", 0),  # a second server on the port is a mistake, and has to fail
        ]
        self._app = app
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="command")
        interceptor = ErrorInterceptor(app.resources.limits.concurrent_streams)
        self._server = grpc.aio.server(interceptors=[interceptor], options=options)
        calls = Calls(app.resources, self._threads)
        solutions_pb2_grpc.add_SolutionsServicer_to_server(Solutions(calls, app.proof_pages), self._server)
        jobs_pb2_grpc.add_JobsServicer_to_server(Jobs(calls, app.jobs), self._server)
        transfer_pb2_grpc.add_TransferServicer_to_server(Transfer(calls), self._server)
        self._health = health_aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection(
            (*SERVICES, health_pb2.DESCRIPTOR.services_by_name["Health"].full_name, reflection.SERVICE_NAME),
            self._server,
        )

    async def start(self, listen: str) -> int:
        """Listens, and takes up the jobs that earlier processes have left.

        Args:
            listen: `host:port`; port 0 for any free one.

        Returns:
            The port.

        Raises:
            ServiceUnavailableError: it cannot listen there.
        """
        try:
            port = self._server.add_insecure_port(listen)
        except RuntimeError as error:
            raise ServiceUnavailableError(f"cannot listen on {listen}: {error}") from None
        if port == 0:
            raise ServiceUnavailableError(f"cannot listen on {listen}: the port is taken, or the address is not ours")
        await self._server.start()
        for name in ("", *SERVICES):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)
        loop = asyncio.get_running_loop()
        address = f"{listen.rpartition(':')[0]}:{port}"
        resumed = await loop.run_in_executor(self._threads, self._app.jobs.resume_unfinished, address)
        _log.info("serving %s on %s (port %d), %d jobs taken up", self._app.resources.store.url, listen, port, resumed)
        return int(port)

    async def stop(self, grace: float = GRACE_SECONDS) -> None:
        """Refuses new calls, lets open ones end for up to `grace` seconds, then ends them."""
        await self._health.enter_graceful_shutdown()
        await self._server.stop(grace)
        self._threads.shutdown(wait=False)


def serve(
    url: str,
    listen: str = DEFAULT_LISTEN,
    *,
    limits: Limits | None = None,
    read_only: bool = False,
    create: bool = True,
    on_ready: Callable[[str], None] | None = None,
    until: asyncio.Event | None = None,
) -> None:
    """Opens a store and serves it until SIGTERM or SIGINT, then stops gracefully: jobs go on at the next start.

    Args:
        url: the store.
        listen: `host:port`; port 0 for any free one.
        limits: what is accepted.
        read_only: serve without writing.
        create: make a store that is not there.
        on_ready: called with `host:port` when calls are accepted.
        until: ends the server as well when it is set (from the same event loop).

    Raises:
        StoreError: the store cannot be opened.
        ServiceUnavailableError: it cannot listen there.
    """
    import_module("proofbase.engine.games")  # slow imports before the port is open
    with open_application(url, limits=limits, read_only=read_only, create=create) as app:
        asyncio.run(_serve(app, listen, on_ready, until))


async def _serve(
    app: Application, listen: str, on_ready: Callable[[str], None] | None, until: asyncio.Event | None
) -> None:
    server = Server(app)
    port = await server.start(listen)
    stop = until or asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        with suppress(
            NotImplementedError, RuntimeError, ValueError
        ):  # not in the main thread: the caller stops the server
            loop.add_signal_handler(name, stop.set)
    if on_ready is not None:
        on_ready(f"{listen.rpartition(':')[0]}:{port}")
    try:
        await stop.wait()
    finally:
        await server.stop()
