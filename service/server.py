"""The gRPC server: proofbase.v1 over one application, with health and reflection."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from ipaddress import ip_address
from pathlib import Path

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
from proofbase.service.rpc.listener import new_listener
from proofbase.service.rpc.load import Load
from proofbase.service.rpc.pools import Pools
from proofbase.service.rpc.solutions import Solutions
from proofbase.service.rpc.transfer import Transfer
from proofbase.v1 import jobs_pb2, jobs_pb2_grpc, solutions_pb2, solutions_pb2_grpc, transfer_pb2, transfer_pb2_grpc

__all__ = ["DEFAULT_LISTEN", "Server", "serve"]

_log = logging.getLogger(__name__)
DEFAULT_LISTEN = "127.0.0.1:50051"
GRACE_SECONDS = 5.0
SWITCH_SECONDS = 0.0005
RESTART_SECONDS = 5.0
"""How long a server whose port was lost tries to listen there again."""

SERVICES = tuple(
    file.DESCRIPTOR.services_by_name[name].full_name
    for file, name in ((solutions_pb2, "Solutions"), (jobs_pb2, "Jobs"), (transfer_pb2, "Transfer"))
)


class Server:
    """A server on one application, which it does not close. Made, started and stopped in one event loop.

    If the gRPC server ends by itself, a new one takes its place on the same port. Where that is not possible,
    `ended` says so, and the process should end as well: a process that answers nobody must not keep the store.
    """

    def __init__(self, app: Application) -> None:
        self._app = app
        self._pools = Pools()
        self._load = Load(app.resources.limits.concurrent_streams)
        self._proof_pages = app.proof_pages
        self._listener, self._health = self._new_listener()
        self._watch: asyncio.Task[None] | None = None
        self._stopping = False

    async def start(self, listen: str) -> int:
        """Listens, and takes up the jobs that earlier processes have left.

        Args:
            listen: `host:port`; port 0 for any free one.

        Returns:
            The port.

        Raises:
            ServiceUnavailableError: it cannot listen there.
        """
        port = await self._listen(listen)
        if not _is_loopback(listen):
            _log.warning(
                "%s can be reached from other machines, without encryption or passwords: whoever reaches it can read "
                "the store and start work; keep it on a trusted network, or put a proxy in front of it",
                listen,
            )
        address = f"{listen.rpartition(':')[0]}:{port}"
        resumed = await self._pools.run("control", "", self._app.jobs.resume_unfinished, address)
        _log.info("serving %s on %s (port %d), %d jobs taken up", self._app.resources.store.url, listen, port, resumed)
        host = listen.rpartition(":")[0]
        self._watch = asyncio.create_task(self._listen_again_and_again(f"{host}:{port}"))
        return port

    async def ended(self) -> None:
        """Waits until the server has ended by itself, and cannot be started again.

        Raises:
            ServiceUnavailableError: that has happened.
        """
        assert self._watch is not None, "the server was not started"
        await asyncio.shield(self._watch)

    async def stop(self, grace: float = GRACE_SECONDS) -> None:
        """Refuses new calls, lets open ones end for up to `grace` seconds, then ends them."""
        self._stopping = True
        await self._health.enter_graceful_shutdown()
        await self._listener.stop(grace)
        if self._watch is not None:
            self._watch.cancel()
        self._pools.close()

    def _new_listener(self) -> tuple[grpc.aio.Server, health_aio.HealthServicer]:
        app = self._app
        listener = new_listener(app.resources.limits.message_bytes, [ErrorInterceptor(self._load)])
        calls = Calls(app.resources, self._pools)
        solutions_pb2_grpc.add_SolutionsServicer_to_server(Solutions(calls, self._proof_pages), listener)
        jobs_pb2_grpc.add_JobsServicer_to_server(Jobs(calls, app.jobs), listener)
        transfer_pb2_grpc.add_TransferServicer_to_server(Transfer(calls), listener)
        health = health_aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(health, listener)
        reflection.enable_server_reflection(
            (*SERVICES, health_pb2.DESCRIPTOR.services_by_name["Health"].full_name, reflection.SERVICE_NAME), listener
        )
        return listener, health

    async def _listen(self, listen: str) -> int:
        try:
            port = self._listener.add_insecure_port(listen)
        except RuntimeError as error:
            raise ServiceUnavailableError(f"cannot listen on {listen}: {error}") from None
        if port == 0:
            raise ServiceUnavailableError(f"cannot listen on {listen}: the port is taken, or the address is not ours")
        await self._listener.start()
        for name in ("", *SERVICES):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)
        return int(port)

    async def _listen_again_and_again(self, listen: str) -> None:
        """Starts a new gRPC server whenever one has ended by itself."""
        while True:
            error: BaseException | None = None
            try:
                await self._listener.wait_for_termination()
            except Exception as raised:
                error = raised
            if self._stopping:
                return
            _log.error("the gRPC server has ended (%s): a new one takes its place", error or "no reason is known")
            await self._replace_listener(listen)

    async def _replace_listener(self, listen: str) -> None:
        with suppress(Exception):  # it is broken
            await self._listener.stop(0)
        deadline = time.monotonic() + RESTART_SECONDS
        while True:
            self._listener, self._health = self._new_listener()
            try:
                await self._listen(listen)
                return
            except ServiceUnavailableError:
                if time.monotonic() > deadline:
                    raise
                await asyncio.sleep(0.05)


def _is_loopback(listen: str) -> bool:
    """Whether only this machine can reach an address."""
    if listen.startswith(("unix:", "unix-abstract:")):
        return True
    host = listen.rpartition(":")[0].strip("[]")
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def serve(
    url: str,
    listen: str = DEFAULT_LISTEN,
    *,
    limits: Limits | None = None,
    read_only: bool = False,
    create: bool = True,
    tables: Path | None = None,
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
        tables: directory of the tables of values; None for the one beside the store.
        on_ready: called with `host:port` when calls are accepted.
        until: ends the server as well when it is set (from the same event loop).

    Raises:
        StoreError: the store cannot be opened.
        ServiceUnavailableError: it cannot listen there, or no longer.
    """
    import_module("proofbase.engine.games")  # slow imports before the port is open
    # A thread that computes in Python lets the event loop in so soon; 5 ms, which is usual, add up to many for a call.
    sys.setswitchinterval(SWITCH_SECONDS)
    with open_application(url, limits=limits, read_only=read_only, create=create, tables=tables) as app:
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
    told = asyncio.create_task(stop.wait())
    ended = asyncio.create_task(server.ended())
    try:
        await asyncio.wait([told, ended], return_when=asyncio.FIRST_COMPLETED)
        if ended.done():
            ended.result()
    finally:
        told.cancel()
        ended.cancel()
        await server.stop()
