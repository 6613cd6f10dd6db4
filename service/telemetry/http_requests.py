"""Gives every request over HTTP an id, and counts it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from proofbase.service.telemetry.call_ids import CALL_ID, CALL_ID_HEADER, call_id_of
from proofbase.service.telemetry.call_metrics import CallMetrics

__all__ = ["CALLED", "RecordedRequests"]

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
CALLED = "proofbase.called"
"""In the scope of a request: the method or route that answers it."""
_NAME = CALL_ID_HEADER.encode()


class RecordedRequests:
    """An ASGI application around another one.

    Args:
        application: answers.
        metrics: counts the requests.
    """

    def __init__(self, application: Callable[[Scope, Receive, Send], Awaitable[None]], metrics: CallMetrics) -> None:
        self._application = application
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, as ASGI has it."""
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        sent = next((value for name, value in scope["headers"] if name.lower() == _NAME), None)
        call_id = call_id_of(None if sent is None else sent.decode("latin-1"))
        CALL_ID.set(call_id)
        with self._metrics.recorded("http", "nothing here") as call:
            call.code = "no answer"

            async def send_with_id(message: MutableMapping[str, Any]) -> None:
                if message["type"] == "http.response.start":
                    call.code = str(message["status"])
                    message = {**message, "headers": [*message.get("headers", ()), (_NAME, call_id.encode())]}
                await send(message)

            try:
                await self._application(scope, receive, send_with_id)
            finally:
                call.method = scope.get(CALLED, call.method)
