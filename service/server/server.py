"""The gRPC server: proofbase.v1 over one application, with health and reflection."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import grpc.aio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import aio as health_aio
from grpc_reflection.v1alpha import reflection, reflection_pb2_grpc
from prometheus_client import CollectorRegistry

from proofbase.service.access.clients import KnownClients
from proofbase.service.access.quotas import Accounts
from proofbase.service.access.roles import CALLS
from proofbase.service.access.security import Security
from proofbase.service.application import Application
from proofbase.service.errors import ServiceUnavailableError
from proofbase.service.explorer import explorer_pages
from proofbase.service.http.server import HttpServer
from proofbase.service.operations.monitoring_port import MonitoringPort, open_monitoring_port
from proofbase.service.operations.readiness import Readiness
from proofbase.service.operations.settings import Operation
from proofbase.service.resources.continuations import Continuations
from proofbase.service.rpc.access import AccessChecks
from proofbase.service.rpc.admission import Admission
from proofbase.service.rpc.call_records import CallRecords
from proofbase.service.rpc.calls import Calls, Context
from proofbase.service.rpc.errors import ErrorAnswers
from proofbase.service.rpc.handlers import HandlerWrapper, WrappedMethods
from proofbase.service.rpc.jobs import Jobs
from proofbase.service.rpc.listener import new_listener
from proofbase.service.rpc.metering import JobMeter
from proofbase.service.rpc.open_calls import OpenCalls
from proofbase.service.rpc.pools import Pools
from proofbase.service.rpc.server_load import ServerLoad
from proofbase.service.rpc.solutions import Solutions
from proofbase.service.rpc.tls import CertificateFiles
from proofbase.service.rpc.transfer import Transfer
from proofbase.service.telemetry.call_metrics import CallMetrics
from proofbase.v1 import (
    jobs_pb2,
    jobs_pb2_grpc,
    solutions_pb2,
    solutions_pb2_grpc,
    transfer_pb2,
    transfer_pb2_grpc,
)

__all__ = ["GRACE_SECONDS", "SERVICES", "Server"]

_log = logging.getLogger(__name__)
GRACE_SECONDS = 5.0
"""How long open calls may go on when the server stops."""
CANCEL_SECONDS = 1.0
"""How long the server's own tasks are waited for when it ends."""
SERVICES = tuple(
    file.DESCRIPTOR.services_by_name[name].full_name
    for file, name in (
        (solutions_pb2, "Solutions"),
        (jobs_pb2, "Jobs"),
        (transfer_pb2, "Transfer"),
    )
)
"""The names of the services, as health and reflection know them."""


class Server:
    """A server on one application, which it does not close. Made, started and stopped in one event loop.

    If the gRPC server ends by itself, `ended` says so, and the process should end as well: a process that answers
    nobody must not keep the store. A new server in the same process would not be safe: grpc.aio frees what the core
    still writes to.

    Args:
        app: what the commands work on.
        security: TLS, and which clients are answered. On loopback nothing is needed.
        operation: how it is operated.
    """

    def __init__(self, app: Application, security: Security | None = None, operation: Operation | None = None) -> None:
        self._app = app
        self._operation = operation or Operation()
        if self._operation.secret is not None:
            app.resources.continuations = Continuations(self._operation.secret)
        self._registry = CollectorRegistry()
        self._metrics = CallMetrics(self._registry)
        self._security = security or Security()
        self._security.check_files()
        self._certificates = CertificateFiles(self._security) if self._security.tls else None
        self._accounts = Accounts(app.resources.limits)
        self._pools = Pools()
        self._load = ServerLoad(app.resources.limits.concurrent_streams)
        self._calls = Calls(app.resources, self._pools)
        jobs = Jobs(self._calls, app.jobs, self._operation.refused)
        self._servicers = (
            Solutions(self._calls, app.proof_pages),
            jobs,
            Transfer(self._calls),
        )
        read = partial(self._pools.run, "control", "", app.resources.store.games)
        self._readiness = Readiness(read, self._tell_readiness)
        self._monitoring_port: MonitoringPort | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._http: HttpServer | None = None
        self._listener: grpc.aio.Server | None = None
        self._open_calls: OpenCalls | None = None
        self._health: health_aio.HealthServicer | None = None
        self._watch: asyncio.Task[None] | None = None
        self._stopping = False
        self._admission: Admission | None = None
        """Where clients are checked: at one port or at both."""
        self.http_port: int | None = None

    async def start(self, listen: str, http_listen: str | None = None, http_origins: Sequence[str] = ()) -> int:
        """Listens, and takes up the jobs that earlier processes have left.

        Args:
            listen: `host:port`; port 0 for any free one.
            http_listen: the same for HTTP; None for gRPC alone.
            http_origins: pages of elsewhere that browsers may let ask over HTTP, such as `https://example.org`.

        Returns:
            The port of gRPC; `http_port` is that of HTTP.

        Raises:
            UnsafeServerError: strangers could read or write there.
            ServiceUnavailableError: it cannot listen there.
        """
        try:
            admission = await self._admission_at(listen)
            if http_listen is not None:
                self._http = await self._http_at(http_listen, http_origins)
            self._monitoring_port = open_monitoring_port(self._operation, self._app, self._registry, self._readiness)
        except BaseException:
            await self._pools.close()
            raise
        self._listener, self._health = self._new_listener(admission)
        try:
            port = await self._listen(listen)
            if self._http is not None:
                self.http_port = await self._http.start()
        except BaseException:
            await self.stop(0)
            raise
        for address in (listen, http_listen):
            self._warn_if_open(address)
        address = f"{listen.rpartition(':')[0]}:{port}"
        resumed = await self._pools.run("control", "", self._app.jobs.resume_unfinished, address)
        _log.info("serving %s on %s (port %d), %d jobs taken up", self._app.resources.store.url, listen, port, resumed)
        self._watch = asyncio.create_task(self._watch_listener(self._listener))
        if self._admission is not None:
            self._tasks.append(asyncio.create_task(self._admission.run()))
            self._tasks.append(asyncio.create_task(JobMeter(self._app.jobs, self._accounts, self._pools).run()))
        await self._readiness.look()
        self._tasks.append(asyncio.create_task(self._readiness.run()))
        return port

    async def _tell_readiness(self, ready: bool) -> None:
        """For those who ask over gRPC (`grpc.health.v1.Health`)."""
        assert self._health is not None, "the server was not started"
        state = health_pb2.HealthCheckResponse.SERVING if ready else health_pb2.HealthCheckResponse.NOT_SERVING
        for name in ("", *SERVICES):
            await self._health.set(name, state)

    async def drain(self, hurry: asyncio.Event | None = None) -> None:
        """Is no longer ready, but still answers for the seconds that the operation gives, or until `hurry` is set."""
        await self._readiness.drain()
        seconds = self._operation.drain_seconds
        if seconds:
            _log.info("stopping: no longer ready, calls are answered for another %g s", seconds)
            with suppress(TimeoutError):
                await asyncio.wait_for((hurry or asyncio.Event()).wait(), seconds)

    async def _admission_at(self, listen: str) -> Admission | None:
        """Knows the clients that are answered at an address; None for everybody."""
        security = self._security
        if not security.checks_clients(listen):
            security.check(listen, ())
            return None
        clients = KnownClients(self._app.resources.store.tokens(), security.certificate_role)
        tokens = await self._pools.run("control", "", clients.read)
        security.check(listen, tokens)
        if self._admission is None:
            clients.take(tokens)
            self._admission = Admission(clients, self._accounts, self._pools)
        return self._admission

    async def _http_at(self, listen: str, origins: Sequence[str]) -> HttpServer:
        admission = await self._admission_at(listen)
        servicers = dict(zip(SERVICES, self._servicers, strict=True))
        return HttpServer(
            listen,
            self._security,
            origins,
            servicers,
            self._calls,
            self._load,
            admission,
            self._metrics,
            partial(explorer_pages, contact=self._operation.contact),
            shared_port=self._operation.shared_ports,
        )

    def _warn_if_open(self, listen: str | None) -> None:
        """Says it once where other machines can reach an address without TLS, or whoever they are."""
        security = self._security
        if listen is None or not security.is_open_to_others(listen):
            return
        lacking = [] if security.tls else ["without encryption"]
        lacking += [] if security.checks_clients(listen) else ["without asking who they are"]
        _log.warning(
            "INSECURE: %s can be reached from other machines, %s: keep it on a trusted network",
            listen,
            " and ".join(lacking),
        )

    @property
    def metrics_address(self) -> str | None:
        """Where metrics, liveness and readiness are, as `host:port`; None for nowhere."""
        return None if self._monitoring_port is None else self._monitoring_port.address

    async def ended(self) -> None:
        """Waits until the gRPC server has ended by itself.

        Raises:
            ServiceUnavailableError: that has happened.
        """
        assert self._watch is not None, "the server was not started"
        await asyncio.shield(self._watch)

    async def stop(self, grace: float = GRACE_SECONDS) -> None:
        """Refuses new calls, lets open ones end for up to `grace` seconds, then ends them."""
        self._stopping = True
        if self._health is not None and self._listener is not None:
            await self._health.enter_graceful_shutdown()
            http = [] if self._http is None else [self._http.stop(grace)]
            await asyncio.gather(self._stop_listener(self._listener, grace), *http)
        tasks = [task for task in (self._watch, *self._tasks) if task is not None]
        for task in tasks:
            task.cancel()
        if tasks:  # a task may miss that it was cancelled: `asyncio.wait_for` of Python 3.11 loses it at times
            await asyncio.wait(tasks, timeout=CANCEL_SECONDS)
        if self._monitoring_port is not None:
            await asyncio.to_thread(self._monitoring_port.close)
        await self._pools.close()

    async def _stop_listener(self, listener: grpc.aio.Server, grace: float) -> None:
        await listener.stop(grace)
        if self._open_calls is not None:
            self._open_calls.closed = True

    def _new_listener(self, admission: Admission | None) -> tuple[grpc.aio.Server, health_aio.HealthServicer]:
        wrappers: list[HandlerWrapper] = [ErrorAnswers(self._load)]
        checks = (
            None if admission is None else AccessChecks(admission, certificates=self._security.client_ca is not None)
        )
        if checks is not None:  # before anything else
            wrappers.insert(0, checks)
        wrappers.insert(0, CallRecords(self._metrics))
        size = self._app.resources.limits.message_bytes
        self._open_calls = OpenCalls(_connection_of) if checks is None else OpenCalls(checks.name_of, checks.look_again)
        listener = new_listener(size, self._open_calls, shared_port=self._operation.shared_ports)
        methods: Any = WrappedMethods(listener, wrappers)
        solutions, jobs, transfer = self._servicers
        solutions_pb2_grpc.add_SolutionsServicer_to_server(solutions, methods)
        jobs_pb2_grpc.add_JobsServicer_to_server(jobs, methods)
        transfer_pb2_grpc.add_TransferServicer_to_server(transfer, methods)
        health = health_aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(health, methods)
        names = (*SERVICES, health_pb2.DESCRIPTOR.services_by_name["Health"].full_name, reflection.SERVICE_NAME)
        reflected = reflection.aio.ReflectionServicer(names)
        reflection_pb2_grpc.add_ServerReflectionServicer_to_server(reflected, methods)  # type: ignore[no-untyped-call]
        return listener, health

    async def _listen(self, listen: str) -> int:
        listener = self._listener
        assert listener is not None
        try:
            if self._certificates is None:
                port = listener.add_insecure_port(listen)
            else:
                port = listener.add_secure_port(listen, self._certificates.credentials())
        except RuntimeError as error:
            raise ServiceUnavailableError(f"cannot listen on {listen}: {error}") from None
        if port == 0:
            raise ServiceUnavailableError(f"cannot listen on {listen}: the port is taken, or the address is not ours")
        await listener.start()
        return int(port)

    async def _watch_listener(self, listener: grpc.aio.Server) -> None:
        """Waits for the end of the gRPC server."""
        error: BaseException | None = None
        try:
            await listener.wait_for_termination()
        except Exception as raised:
            error = raised
        if not self._stopping:
            raise ServiceUnavailableError(f"the gRPC server has ended by itself: {error or 'no reason is known'}")


def _connection_of(method: str, context: Context) -> str | None:
    """Whose share a call takes where everybody is answered: that of its connection."""
    return None if CALLS.get(method.removeprefix("/")) == "nobody" else context.peer()
