"""The HTTP side of a server as one ASGI application: who asks is checked before anything is answered."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import Receive, Scope, Send

from proofbase.service.access.roles import CALLS, ROUTES
from proofbase.service.errors import LimitExceededError, ServiceUnavailableError
from proofbase.service.http.answers import RouteAnswers
from proofbase.service.http.connect import ConnectApplication, Messages
from proofbase.service.http.exchange import EXCHANGE, Exchange
from proofbase.service.http.failures import failure_response, nothing_here, response_to
from proofbase.service.http.methods import Methods
from proofbase.service.http.pages import Page
from proofbase.service.http.requests import TimedTransfer, check_request, check_size, check_source, headers_named
from proofbase.service.http.routes import ROUTES as READ_ROUTES
from proofbase.service.rpc.admission import HEADER, Admission
from proofbase.service.rpc.calls import Calls
from proofbase.service.rpc.errors import failure_of
from proofbase.service.rpc.server_load import ServerLoad
from proofbase.service.telemetry.http_requests import CALLED

__all__ = ["HttpApplication"]

_log = logging.getLogger(__name__)


class HttpApplication:
    """Answers every request of the HTTP port.

    Args:
        methods: of all services.
        calls: runs commands.
        load: of the server, gRPC included.
        admission: knows the clients; None: everybody is answered.
        pages: whatever else is answered.
        origins: pages of elsewhere that may ask, where it answers everybody on a loopback address; None: any.
    """

    def __init__(
        self,
        methods: Methods,
        calls: Calls,
        load: ServerLoad,
        admission: Admission | None,
        pages: Sequence[Page],
        origins: Sequence[str] | None,
    ) -> None:
        self.draining = asyncio.Event()
        self._methods = methods
        self._load = load
        self._admission = admission
        self._origins = origins
        self._message_bytes = calls.resources.limits.message_bytes
        messages = Messages(calls)
        self._connect = ConnectApplication(methods, messages, self._message_bytes)
        answers = RouteAnswers(methods, calls, messages, self.draining, private=admission is not None)
        read = [Page(route.path, answers.endpoint(route), route.verb) for route in READ_ROUTES]
        self._routes = [(page, page.route()) for page in (*read, *pages)]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, as ASGI has it."""
        host, port = scope.get("client") or ("", 0)
        exchange = Exchange(self._load, self._admission, f"http:{host}:{port}")
        EXCHANGE.set(exchange)
        transfer = TimedTransfer(scope, receive, send, self._message_bytes)
        name = scope["path"]
        try:
            try:
                response = await self._answer(scope, exchange, transfer)
            except Exception as error:
                if transfer.started or isinstance(error, ClientDisconnect):
                    raise
                response = _refusal(name, error)
            if response is not None:
                await response(scope, transfer.receive, transfer.send)
        except asyncio.CancelledError:  # the client is no longer known; or the server stops, and has waited long enough
            if transfer.started:
                await _break_off(transfer)
            else:
                stopping = ServiceUnavailableError("the server is stopping: come again in a moment")
                await response_to(name, exchange.ended_with or stopping)(scope, receive, send)
        except ClientDisconnect:
            pass
        except Exception as error:
            _log.debug("%s: the answer was broken off: %r", name, error)
            await _break_off(transfer)
        finally:
            exchange.over()

    async def _answer(self, scope: Scope, exchange: Exchange, transfer: TimedTransfer) -> Response | None:
        """The answer; None where it was sent.

        Raises:
            Exception: why there is none.
        """
        check_source(scope, self._origins)
        size = check_request(scope, self._message_bytes)
        method = self._methods.get(scope["path"][1:])
        if method is not None:
            scope[CALLED] = method.name.removeprefix("proofbase.v1.")
            await self._admit(scope, exchange, method.name.rpartition("/")[2], CALLS.get(method.name))
            if not method.requests:
                check_size(size, self._message_bytes)
                exchange.held.become(size)
            transfer.count_no_body()
            await self._connect(scope, transfer.receive, transfer.send)
            return None
        page, endpoint, allowed = self._route_of(scope)
        if page is None:
            return nothing_here(scope["method"], scope["path"], allowed)
        scope[CALLED] = page.name
        try:
            await self._admit(scope, exchange, page.name, ROUTES.get(page.name))
            check_size(size, self._message_bytes)
            exchange.held.become(size)
            response: Response = await endpoint(Request(scope, transfer.receive))
        except Exception as error:
            if page.refused is None or transfer.started or isinstance(error, ClientDisconnect):
                raise
            return page.refused(page.name, error)
        return response

    def _route_of(self, scope: Scope) -> tuple[Page | None, Any, list[str]]:
        """The page and what answers it; or which other verbs the path has."""
        allowed: list[str] = []
        for page, route in self._routes:
            match, child_scope = route.matches(scope)
            if match is Match.FULL:
                scope.update(child_scope)
                return page, child_scope["endpoint"], allowed
            if match is Match.PARTIAL:
                allowed += sorted(route.methods or ())
        return None, None, allowed

    async def _admit(self, scope: Scope, exchange: Exchange, name: str, need: Any) -> None:
        sent = [value.decode() for value in headers_named(scope, HEADER.encode())]
        await exchange.admit(name, need, sent, scope["state"].get("certificate_names", ()))
        if self._admission is not None and need != "nobody" and (connection := scope["state"].get("socket")):
            connection.known = True


def _refusal(name: str, error: Exception) -> Response:
    failure = failure_of(name, error)
    too_large = isinstance(error, LimitExceededError) and error.limit == "message_bytes"
    return failure_response(failure, 413 if too_large else None)


async def _break_off(transfer: TimedTransfer) -> None:
    """Closes the connection, so that the client knows that the answer is not whole."""
    transfer.abort()
    await asyncio.sleep(0)
