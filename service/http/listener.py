"""The HTTP port: uvicorn in the event loop of the server, with bounds on what a connection may send and hold."""

from __future__ import annotations

import asyncio
import logging
import math
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any

from uvicorn import Config
from uvicorn import Server as UvicornServer
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from proofbase.service.errors import ServiceUnavailableError
from proofbase.service.http.connections import Connections, ListeningSocket
from proofbase.service.http.failures import failure_response
from proofbase.service.rpc.errors import Failure
from proofbase.service.rpc.listener import most_http_connections

__all__ = ["HttpPort", "bound_socket"]

GREETING_SECONDS = 10.0
"""A connection that has not sent the head of a request in this time is closed; also one that goes on with a body after
its answer."""
IDLE_SECONDS = 60
"""A connection without requests is closed after this time."""
HEAD_BYTES = 64 << 10
"""The URL and the headers of a request, at most. A position has up to 10,000 characters, which may be escaped."""
HEADERS = 100
PIPELINED = 16
"""Requests that may wait for the answers of those before them."""
BACKLOG = 1_024


CONNECTIONS: ContextVar[Connections] = ContextVar("CONNECTIONS")
"""The connections of the port whose protocols are made in this context."""


class _TooMuchError(Exception):
    """A request that is refused while it is being read."""


class _Protocol(HttpToolsProtocol):
    """One connection."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._size = 0
        self._greeting: asyncio.TimerHandle | None = None
        connection = CONNECTIONS.get().find(transport.get_extra_info("peername"))
        if connection is None:  # it has just given way to another one
            transport.abort()
            return
        connection.greeted()
        self.app_state = {
            **self.app_state,
            "connection": transport,
            "socket": connection,
            "certificate_names": _certificate_names(transport),
        }
        self._expect_request()

    def _set_busy(self, busy: bool) -> None:
        """A request is being answered: the connection stays, where nobody is asked who he is."""
        connection = self.app_state.get("socket")
        if connection is not None:
            connection.busy = busy

    def connection_lost(self, exc: Exception | None) -> None:
        self._expect_nothing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._greeting is None and (self.cycle is None or self.cycle.response_complete):
            self._expect_request()

    def on_message_begin(self) -> None:
        self._size = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._add(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._add(len(name) + len(value))
        if len(self.headers) >= HEADERS:
            raise _TooMuchError
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if len(self.pipeline) >= PIPELINED:
            raise _TooMuchError
        self._expect_nothing()
        self._set_busy(True)
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        self._set_busy(bool(self.pipeline))
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """The answer to what is no request, in the form of all errors."""
        text = f"this is no request of HTTP/1.1, or its head has more than {HEAD_BYTES} bytes or {HEADERS} headers"
        answer = failure_response(Failure("INVALID_ARGUMENT", text, ()))
        lines = [b"HTTP/1.1 400 Bad Request", *(name + b": " + value for name, value in answer.raw_headers)]
        self.transport.write(b"\r\n".join([*lines, b"connection: close", b"", bytes(answer.body)]))
        self.transport.close()

    def _add(self, size: int) -> None:
        self._size += size
        if self._size > HEAD_BYTES:
            raise _TooMuchError

    def _expect_request(self) -> None:
        self._greeting = self.loop.call_later(GREETING_SECONDS, self.transport.abort)

    def _expect_nothing(self) -> None:
        if self._greeting is not None:
            self._greeting.cancel()
            self._greeting = None


def _certificate_names(transport: asyncio.Transport) -> tuple[str, ...]:
    """The names in the certificate that the client has shown; none without one."""
    certificate = transport.get_extra_info("peercert") or {}
    names = [value for _, value in certificate.get("subjectAltName", ())]
    names += [value for part in certificate.get("subject", ()) for key, value in part if key == "commonName"]
    return tuple(dict.fromkeys(names))


class _Uvicorn(UvicornServer):
    """Leaves the signals alone, which are the server's."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class HttpPort:
    """One port. For one event loop.

    Args:
        application: answers the requests; its `draining` is set before it stops.
        context: for TLS; None without it.
        shared: other processes listen on the port, too.
    """

    def __init__(
        self,
        application: Any,
        draining: asyncio.Event,
        context: ssl.SSLContext | None,
        *,
        shared: bool = False,
    ) -> None:
        self._draining = draining
        self._shared = shared
        # It warns of every request that makes no sense: whoever likes could fill the log.
        logging.getLogger("uvicorn").setLevel(logging.ERROR)
        config = Config(
            application,
            http=_Protocol,
            ws="none",
            loop="none",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=IDLE_SECONDS,
            backlog=BACKLOG,
        )
        config.load()
        config.ssl = context
        self._config = config
        self._server = _Uvicorn(config)
        self._running: asyncio.Task[None] | None = None

    async def start(self, listen: str) -> int:
        """Listens.

        Args:
            listen: `host:port`; port 0 for any free one.

        Returns:
            The port.

        Raises:
            ServiceUnavailableError: it cannot listen there.
        """
        connections = Connections(most_http_connections(), GREETING_SECONDS)
        CONNECTIONS.set(connections)  # for the task of the server, and for those of its connections
        opened = ListeningSocket.of(bound_socket(listen, shared=self._shared), connections)
        self._running = asyncio.create_task(self._server.serve(sockets=[opened]))
        ready = asyncio.create_task(self._server.ready.wait())
        await asyncio.wait({ready, self._running}, return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        if self._running.done():
            raise ServiceUnavailableError(f"cannot listen on {listen}: {self._running.exception()}")
        return int(opened.getsockname()[1])

    async def stop(self, grace: float) -> None:
        """Takes no new requests, tells streams to end, lets open requests end for up to `grace` seconds."""
        if self._running is None:
            return
        self._draining.set()
        self._config.timeout_graceful_shutdown = max(1, math.ceil(grace))
        self._server.should_exit = True
        with suppress(asyncio.CancelledError):
            await self._running


def bound_socket(listen: str, *, shared: bool = False) -> socket.socket:
    """A socket with an address, which does not listen yet; `shared`: other processes may have the address, too.

    Raises:
        ServiceUnavailableError: it cannot have the address.
    """
    host, _, port = listen.rpartition(":")
    try:
        if not port.isdigit() or int(port) >= 1 << 16:  # getaddrinfo would take the port modulo 65536
            raise ValueError(f"there is no port {port[:60]!r}")
        name, flags = host.strip("[]") or None, socket.AI_PASSIVE
        family, kind, protocol, _, address = socket.getaddrinfo(name, int(port), 0, socket.SOCK_STREAM, 0, flags)[0]
        opened = socket.socket(family, kind, protocol)
        try:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if shared:
                opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            opened.bind(address)
        except OSError:
            opened.close()
            raise
    except (OSError, ValueError) as error:
        raise ServiceUnavailableError(f"cannot listen on {listen}: {error}") from None
    opened.setblocking(False)
    return opened
