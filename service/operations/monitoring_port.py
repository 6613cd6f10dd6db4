"""A small HTTP port for monitoring a server: metrics, whether it lives, whether it is ready.

It has threads of its own, so it answers also where the event loop of the server does not; and it tells nothing of what
the store holds but counts.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from collections.abc import Callable
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.exposition import choose_encoder

from proofbase.service.access.security import is_loopback
from proofbase.service.application import Application
from proofbase.service.errors import ServiceUnavailableError
from proofbase.service.operations.readiness import Readiness
from proofbase.service.operations.settings import Operation
from proofbase.service.operations.state_metrics import ServerMetrics, StoreMetrics

__all__ = ["MonitoringPort", "open_monitoring_port", "warn_if_open"]

_log = logging.getLogger(__name__)
REQUEST_SECONDS = 10.0
"""A connection that has not sent its request in this time is closed."""
SILENCE_SECONDS = 5.0
"""An event loop that is silent for so long is taken for dead."""


def open_monitoring_port(
    operation: Operation, app: Application, registry: CollectorRegistry, readiness: Readiness
) -> MonitoringPort | None:
    """The port that the operation asks for; None where it asks for none. Called in the event loop of the server.

    Raises:
        ServiceUnavailableError: it cannot listen there.
    """
    listen = operation.metrics_listen
    if listen is None:
        return None
    registry.register(StoreMetrics(app.resources.store, lambda: readiness.reason))
    registry.register(ServerMetrics(app))
    ProcessCollector(registry=registry)
    port = MonitoringPort(listen, registry, partial(_silence_of, asyncio.get_running_loop()), lambda: readiness.reason)
    warn_if_open(listen)
    return port


def warn_if_open(listen: str) -> None:
    """Logs a warning where others than this machine can read the metrics."""
    if not is_loopback(listen):
        _log.warning("whoever reaches %s sees the metrics of this server", listen)


def _silence_of(loop: asyncio.AbstractEventLoop) -> str | None:
    """Why the event loop does not live any more; None where it answers."""
    ping = asyncio.sleep(0)
    try:
        asyncio.run_coroutine_threadsafe(ping, loop).result(SILENCE_SECONDS)
    except TimeoutError:
        return f"the event loop has not answered for {SILENCE_SECONDS:g} s"
    except RuntimeError:
        ping.close()
        return "the server has ended"
    return None


class MonitoringPort:
    """Listens until it is closed.

    Args:
        listen: `host:port`; port 0 for any free one.
        registry: what `/metrics` shows.
        why_not_alive: why the server does not live any more; None while it does. Asked in a thread of the port.
        why_not_ready: the same for being ready.

    Raises:
        ServiceUnavailableError: it cannot listen there.

    Attributes:
        address: `host:port` where it listens.
    """

    def __init__(
        self,
        listen: str,
        registry: CollectorRegistry,
        why_not_alive: Callable[[], str | None],
        why_not_ready: Callable[[], str | None],
    ) -> None:
        host, port = _parse_address(listen)

        class Handler(_Handler):
            answers = {"/metrics": None, "/livez": why_not_alive, "/readyz": why_not_ready}  # noqa: RUF012 - set once
            metrics = registry

        try:
            self._server = _Listener((host, port), Handler)
        except OSError as error:
            raise ServiceUnavailableError(f"cannot listen on {listen}: {error.strerror or error}") from None
        self.address = f"{listen.rpartition(':')[0]}:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, name="metrics", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stops listening, and waits for the thread."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(REQUEST_SECONDS)


def _parse_address(listen: str) -> tuple[str, int]:
    """The host and the port of `host:port`.

    Raises:
        ServiceUnavailableError: it is none.
    """
    host, colon, port = listen.rpartition(":")
    if not colon or not port.isdigit() or int(port) > 65535:
        raise ServiceUnavailableError(f"cannot listen on {listen}: write HOST:PORT")
    return host.strip("[]"), int(port)


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        if ":" in address[0]:
            self.address_family = socket.AF_INET6
        super().__init__(address, handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that is gone is no error."""


class _Handler(BaseHTTPRequestHandler):
    timeout = REQUEST_SECONDS
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "proofbase", ""
    answers: dict[str, Callable[[], str | None] | None]
    metrics: CollectorRegistry

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path not in self.answers:
            self._send(404, "text/plain; charset=utf-8", b"there are /metrics, /livez and /readyz\n")
            return
        question = self.answers[path]
        if question is None:
            encode, kind = choose_encoder(self.headers.get("Accept", ""))
            self._send(200, kind, encode(self.metrics))
            return
        reason = question()
        text = "ok" if reason is None else reason
        self._send(200 if reason is None else 503, "text/plain; charset=utf-8", f"{text}\n".encode())

    do_HEAD = do_GET  # noqa: N815

    def _send(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 - as in the base class
        """Requests are not logged: there is one every few seconds."""
