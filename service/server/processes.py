"""Several processes that serve one store read-only: a parent starts them, starts those that end anew, and ends them.

They listen on the same ports (SO_REUSEPORT): the kernel deals out the connections. Python computes on one core a
process, so a store that is only read is answered by as many cores as there are processes.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import secrets
import select
import signal
import socket
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from prometheus_client import CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from proofbase.engine.rules.process_end import leave_if_rules_run
from proofbase.service.access.security import Security
from proofbase.service.errors import ServiceUnavailableError, UnsafeServerError
from proofbase.service.http.listener import bound_socket
from proofbase.service.limits import Limits
from proofbase.service.operations.monitoring_port import MonitoringPort, warn_if_open
from proofbase.service.operations.settings import Operation
from proofbase.service.operations.state_metrics import StoreMetrics
from proofbase.service.server.server import GRACE_SECONDS
from proofbase.service.server.single_process import Addresses, serve
from proofbase.service.telemetry.logs import LogFormat, set_up_logs
from proofbase.storage import SolutionStore, StoreError, open_store
from proofbase.storage.scratch_directory import ScratchDirectory

__all__ = ["ReadServers", "serve_with_processes"]

_log = logging.getLogger(__name__)
METRICS_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
START_SECONDS = 60.0
"""A process that is not ready by then is ended."""
QUICK_END_SECONDS = 10.0
"""A process that ends so soon after its start is started anew after a pause, which doubles each time."""
SHORTEST_PAUSE, LONGEST_PAUSE = 0.2, 30.0
LOOK_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class ReadServers:
    """What each process serves, and how (see `serve`)."""

    url: str
    listen: str
    http_listen: str | None = None
    http_origins: tuple[str, ...] = ()
    security: Security | None = None
    limits: Limits | None = None
    tables: Path | None = None
    operation: Operation = field(default_factory=Operation)
    load_plugins: Callable[[list[str] | None], object] = lambda names: None
    plugins: tuple[str, ...] = ()
    log_level: str = "info"
    log_format: LogFormat = "text"


def serve_with_processes(
    servers: ReadServers, number: int, on_ready: Callable[[Addresses], None] = lambda addresses: None
) -> None:
    """Serves a store with several processes until SIGTERM or SIGINT.

    Args:
        servers: what they serve, and how.
        number: of processes.
        on_ready: called when all of them accept calls.

    Raises:
        StoreError: the store cannot be opened.
        UnsafeServerError: a store in memory, which no other process sees.
        ServiceUnavailableError: an address is taken, or a process does not start.
    """
    with ExitStack() as stack:
        store = stack.enter_context(open_store(servers.url, read_only=True, create=False))
        if store.temporary:
            raise UnsafeServerError("a store in memory is seen by one process only: --processes needs one that is kept")
        folder = str(stack.enter_context(ScratchDirectory()).path)  # of the metrics of all processes
        listen = _reserve(servers.listen, stack)
        http = None if servers.http_listen is None else _reserve(servers.http_listen, stack)
        refused = (
            f"this server has {number} processes that only read {store.url}: jobs and imports need a server without "
            "--processes"
        )
        operation = replace(
            servers.operation,
            metrics_listen=None,
            shared_ports=True,
            refused=refused,
            secret=secrets.token_bytes(32),
        )
        family = _Family(replace(servers, listen=listen, http_listen=http, operation=operation), number, folder)
        port = _monitoring_port(servers.operation.metrics_listen, folder, store, family)
        if port is not None:
            stack.callback(port.close)
        stack.callback(family.stop)  # first: while calls end, the port says that the server is stopping
        family.run(lambda: on_ready(Addresses(listen, http, None if port is None else port.address)))


def _reserve(listen: str, stack: ExitStack) -> str:
    """Keeps an address for the processes, and refuses one that another server has; gives it with its port."""
    bound_socket(listen).close()
    kept: socket.socket = stack.enter_context(bound_socket(listen, shared=True))
    return f"{listen.rpartition(':')[0]}:{kept.getsockname()[1]}"


def _monitoring_port(listen: str | None, folder: str, store: SolutionStore, family: _Family) -> MonitoringPort | None:
    if listen is None:
        return None
    registry = CollectorRegistry()
    MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]

    def why_not_ready() -> str | None:
        if family.stopping:
            return "the server is stopping"
        if not family.ready:
            return "no process is ready"
        try:
            store.games()
        except StoreError as error:
            return f"the store cannot be read: {error}"
        return None

    registry.register(StoreMetrics(store, why_not_ready))
    warn_if_open(listen)
    return MonitoringPort(listen, registry, lambda: None, why_not_ready)


class _Child:
    """One process."""

    def __init__(self, servers: ReadServers, folder: str) -> None:
        context = multiprocessing.get_context("spawn")
        self.told, tell = context.Pipe(duplex=False)
        self.process: BaseProcess = context.Process(target=_serve_in_child, args=(servers, tell), name="reader")
        before = os.environ.get(METRICS_VARIABLE)
        os.environ[METRICS_VARIABLE] = folder  # read by prometheus_client when the process imports it
        try:
            self.process.start()
        finally:
            if before is None:
                del os.environ[METRICS_VARIABLE]
            else:
                os.environ[METRICS_VARIABLE] = before
        tell.close()
        self.began = time.monotonic()
        self.ready = False

    def look(self) -> None:
        """Hears whether it accepts calls."""
        with suppress(EOFError, OSError):
            while not self.ready and self.told.poll():
                self.ready = bool(self.told.recv())

    def end(self, number: int) -> None:
        if self.process.pid is not None and self.process.is_alive():
            with suppress(ProcessLookupError):
                os.kill(self.process.pid, number)


class _Family:
    """The processes, and their parent's loop."""

    def __init__(self, servers: ReadServers, number: int, folder: str) -> None:
        self._servers = servers
        self._folder = folder
        self._children: list[_Child | None] = [None] * number
        self._pauses = [SHORTEST_PAUSE] * number
        self._next_start = [0.0] * number
        self._wake, self._waker = socket.socketpair()
        self._waker.setblocking(False)
        self.stopping = False

    @property
    def ready(self) -> int:
        """How many processes accept calls."""
        return sum(child is not None and child.ready and child.process.is_alive() for child in self._children)

    def run(self, on_ready: Callable[[], None]) -> None:
        """Until a signal tells to stop.

        Raises:
            ServiceUnavailableError: a process does not start at all.
        """
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, self._stop_soon)
        is_ready = False
        while not self.stopping:
            self._start_missing()
            waited: list[Any] = [self._wake]
            for child in self._children:
                if child is not None:
                    waited.append(child.process.sentinel)
                    if not child.ready:
                        waited.append(child.told)
            wait(waited, LOOK_SECONDS)
            for index, child in enumerate(self._children):
                if child is not None:
                    child.look()
                    self._look_after(index, child, first=not is_ready)
            if not is_ready and self.ready == len(self._children):
                is_ready = True
                _log.info("%d processes serve %s on %s", self.ready, self._servers.url, self._servers.listen)
                on_ready()

    def _start_missing(self) -> None:
        now = time.monotonic()
        for index, child in enumerate(self._children):
            if child is None and now >= self._next_start[index]:
                self._children[index] = _Child(self._servers, self._folder)

    def _look_after(self, index: int, child: _Child, *, first: bool) -> None:
        age = time.monotonic() - child.began
        if child.process.is_alive():
            if not child.ready and age > START_SECONDS:
                _log.warning("process %s is not ready after %g s: it is ended", child.process.pid, START_SECONDS)
                child.end(signal.SIGKILL)
            return
        if self.stopping:
            return
        child.process.join()
        self._forget(child)
        self._children[index] = None
        if first and not child.ready:
            raise ServiceUnavailableError(
                f"a process of the server ended before it was ready (status {child.process.exitcode}): see above"
            )
        self._pauses[index] = min(2 * self._pauses[index], LONGEST_PAUSE) if age < QUICK_END_SECONDS else SHORTEST_PAUSE
        self._next_start[index] = time.monotonic() + self._pauses[index]
        _log.warning(
            "process %s has ended (status %s): another one starts in %.1f s",
            child.process.pid,
            child.process.exitcode,
            self._pauses[index],
        )

    def _forget(self, child: _Child) -> None:
        child.told.close()
        if child.process.pid is not None:
            mark_process_dead(child.process.pid, self._folder)  # type: ignore[no-untyped-call]

    def _stop_soon(self, number: int, frame: object) -> None:
        if self.stopping:  # told twice: at once
            for child in self._children:
                if child is not None:
                    child.end(signal.SIGKILL)
        self.stopping = True
        with suppress(OSError):
            self._waker.send(b"x")

    def stop(self) -> None:
        """Ends all processes: their calls end first."""
        self.stopping = True
        children = [child for child in self._children if child is not None]
        for child in children:
            child.end(signal.SIGTERM)
        deadline = time.monotonic() + self._servers.operation.drain_seconds + 2 * GRACE_SECONDS + 10
        for child in children:
            child.process.join(max(0.0, deadline - time.monotonic()))
            if child.process.is_alive():
                _log.warning("process %s does not end: it is killed", child.process.pid)
                child.end(signal.SIGKILL)
                child.process.join()
            child.told.close()
        self._wake.close()
        self._waker.close()


def _serve_in_child(servers: ReadServers, tell: Connection) -> None:
    """The work of a process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of the terminal: the parent passes it on
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()
    set_up_logs(servers.log_level, servers.log_format)
    servers.load_plugins(list(servers.plugins) or None)
    try:
        serve(
            servers.url,
            servers.listen,
            http_listen=servers.http_listen,
            http_origins=servers.http_origins,
            security=servers.security,
            limits=servers.limits,
            read_only=True,
            create=False,
            tables=servers.tables,
            operation=servers.operation,
            on_ready=lambda addresses: tell.send(True),
        )
        leave_if_rules_run(0)
    except (StoreError, ServiceUnavailableError, UnsafeServerError) as error:
        _log.error("%s", error)
        os._exit(3)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        select.select([parent.sentinel], [], [])
        os.kill(os.getpid(), signal.SIGTERM)
