"""The HTTP side of a server: its port, what answers there, and who may ask from a page of elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response

from proofbase.service.access.security import Security, is_loopback
from proofbase.service.errors import UnsafeServerError
from proofbase.service.http.application import HttpApplication
from proofbase.service.http.failures import failure_response
from proofbase.service.http.listener import HttpPort
from proofbase.service.http.methods import Methods, methods_of
from proofbase.service.http.openapi import document_page
from proofbase.service.http.pages import Page
from proofbase.service.http.table_files import table_page
from proofbase.service.http.tablebase_service import tablebase_pages
from proofbase.service.http.tls import FreshContext
from proofbase.service.rpc.admission import Admission
from proofbase.service.rpc.calls import Calls
from proofbase.service.rpc.errors import Failure
from proofbase.service.rpc.server_load import ServerLoad
from proofbase.service.telemetry.call_ids import CALL_ID_HEADER
from proofbase.service.telemetry.call_metrics import CallMetrics
from proofbase.service.telemetry.http_requests import RecordedRequests

__all__ = ["HttpServer"]

SENT_HEADERS = (
    "authorization",
    "content-type",
    "connect-protocol-version",
    "connect-timeout-ms",
    "if-none-match",
    "if-range",
    "range",
)
SHOWN_HEADERS = (
    CALL_ID_HEADER,
    "etag",
    "content-disposition",
    "accept-ranges",
    "content-range",
    "retry-after",
    "www-authenticate",
)
PREFLIGHT_SECONDS = 3600
_ORIGIN = re.compile(r"https?://[^/?#@*\s]+")


class _OtherOrigins(CORSMiddleware):
    """Lets pages of some other origins ask. What it refuses has the form of all errors."""

    def preflight_response(self, request_headers: Headers) -> Response:
        response = super().preflight_response(request_headers)
        if response.status_code < 400:
            return response
        refused = failure_response(Failure("INVALID_ARGUMENT", bytes(response.body).decode(), ()))
        refused.headers["vary"] = response.headers["vary"]
        return refused


class HttpServer:
    """Answers the methods of the servicers over HTTP. Made, started and stopped in one event loop.

    Args:
        listen: `host:port`; port 0 for any free one.
        security: TLS.
        origins: pages that browsers may let ask, such as `https://example.org`; `*` for all of them.
        servicers: by the full names of their services.
        calls: runs commands.
        load: of the server, gRPC included.
        admission: knows the clients; None: everybody is answered.
        metrics: counts the requests.
        pages_over: the pages that ask the methods.
        shared_port: other processes listen on the port, too.

    Raises:
        UnsafeServerError: an origin that is none, or every page of the web could ask a server that answers everybody.
    """

    def __init__(
        self,
        listen: str,
        security: Security,
        origins: Sequence[str],
        servicers: Mapping[str, object],
        calls: Calls,
        load: ServerLoad,
        admission: Admission | None,
        metrics: CallMetrics,
        pages_over: Callable[[Methods], Iterable[Page]],
        *,
        shared_port: bool = False,
    ) -> None:
        self._listen = listen
        for origin in origins:
            if origin != "*" and not _ORIGIN.fullmatch(origin):
                raise UnsafeServerError(f"--http-origin {origin[:100]}: an origin is https://host or https://host:port")
        methods = methods_of(servicers)
        asking = None
        if admission is None and is_loopback(listen) and not security.insecure:
            if "*" in origins:
                raise UnsafeServerError(
                    "--http-origin '*' lets every page of the web ask a server that answers everybody: "
                    "name the pages, or let it check its clients (--authenticate)"
                )
            asking = origins
        tables = table_page(calls, private=admission is not None)
        pages = [document_page(methods), tables, *tablebase_pages(methods), *pages_over(methods)]
        application = HttpApplication(methods, calls, load, admission, pages, asking)
        answering = _OtherOrigins(
            application,
            allow_origins=origins,
            allow_methods=("GET", "POST"),
            allow_headers=SENT_HEADERS,
            expose_headers=SHOWN_HEADERS,
            max_age=PREFLIGHT_SECONDS,
        )
        context = FreshContext(security) if security.tls else None
        recorded = RecordedRequests(answering if origins else application, metrics)
        self._port = HttpPort(recorded, application.draining, context, shared=shared_port)

    async def start(self) -> int:
        """Listens.

        Returns:
            The port.

        Raises:
            ServiceUnavailableError: it cannot listen there.
        """
        return await self._port.start(self._listen)

    async def stop(self, grace: float) -> None:
        """Takes no new requests, lets open ones end for up to `grace` seconds."""
        await self._port.stop(grace)
