"""The gRPC server of grpc.aio with bounds, and without the calls that would end it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import grpc
import grpc.aio

__all__ = ["new_listener"]

_core: Any = import_module("grpc._cython.cygrpc")

CALLS_OF_A_CONNECTION = 100
"""Calls of one connection at a time; clients keep back the others (SETTINGS_MAX_CONCURRENT_STREAMS)."""
CALLS = 4_000
"""Calls of all connections at a time."""
PENDING_CALLS = 5_000
"""Calls that gRPC has accepted and the event loop has not seen yet: about a second of them. gRPC cancels calls of
anybody beyond that, and some beyond 1,000 if it is not told otherwise."""
CONNECTIONS = 5_000
GREETING_MILLISECONDS = 10_000
"""A connection that has not said in this time that it speaks HTTP/2 is closed."""
IDLE_MILLISECONDS = 15 * 60_000
"""A connection without calls is closed after this time. Clients connect again with their next call."""
PING_MILLISECONDS = 60_000
"""A connection that is silent for so long is asked whether it is still there, and closed if it does not say so."""


def new_listener(
    message_bytes: int, interceptors: Sequence[grpc.aio.ServerInterceptor], connections: int = CONNECTIONS
) -> grpc.aio.Server:
    """A server without services and ports.

    Args:
        message_bytes: the largest message, in either direction.
        interceptors: as grpc.aio takes them.
        connections: more of them are closed at once.
    """
    # A little more than the limit, for the bytes around a message.
    options: list[tuple[str, Any]] = [
        ("grpc.max_receive_message_length", message_bytes + 1024),
        ("grpc.max_send_message_length", message_bytes + 1024),
        ("grpc.so_reuseport", 0),  # a second server on the port is a mistake, and has to fail
        ("grpc.max_concurrent_streams", CALLS_OF_A_CONNECTION),
        ("grpc.max_allowed_incoming_connections", connections),
        ("grpc.server.max_pending_requests", PENDING_CALLS),
        ("grpc.server.max_pending_requests_hard_limit", PENDING_CALLS),
        ("grpc.server_handshake_timeout_ms", GREETING_MILLISECONDS),
        ("grpc.max_connection_idle_ms", IDLE_MILLISECONDS),
        ("grpc.keepalive_time_ms", PING_MILLISECONDS),
        ("grpc.keepalive_timeout_ms", PING_MILLISECONDS // 3),
    ]
    server: Any = grpc.aio.server(interceptors=interceptors, options=options, maximum_concurrent_rpcs=CALLS)
    if _RegisteredCalls is not None:
        server._server = _RegisteredCalls(
            asyncio.get_running_loop(), None, (), tuple(interceptors), tuple(options), CALLS
        )
    return server  # type: ignore[no-any-return]


def _registered_calls() -> Any:
    """The class below; None where grpc.aio is built otherwise. Then `Server` notices the end and starts anew."""
    needed = ("_make_request_call_future", "_request_call", "add_registered_method_handlers")
    functions = ("_schedule_rpc_coro", "_ServicerContext", "RPCState")
    if not (all(hasattr(_core.AioServer, name) for name in needed) and all(hasattr(_core, name) for name in functions)):
        return None

    class RegisteredCalls(_core.AioServer):  # type: ignore[misc]
        """Keeps calls of methods that are not registered away from the main loop of grpc.aio.

        grpc.aio hands such calls to its main loop, which decodes their paths as UTF-8: one path that is not UTF-8 ends
        the loop and with it the server. All our methods are registered, so a call of any other one is refused here,
        whatever its path is.
        """

        def _make_request_call_future(self, method: bytes | None) -> Any:
            if method is not None:
                return super()._make_request_call_future(method)
            return asyncio.get_running_loop().create_task(self._refuse_unregistered())

        async def _refuse_unregistered(self) -> None:
            loop = asyncio.get_running_loop()
            refusals = set[asyncio.Task[None]]()  # the loop itself holds tasks by weak references
            while True:  # the end of the server is an exception of _request_call
                state = await self._request_call()
                context = _core._ServicerContext(state, None, None, loop)
                refusal = context.abort(grpc.StatusCode.UNIMPLEMENTED, "Method not found!")
                task = loop.create_task(_core._schedule_rpc_coro(refusal, state, loop, "unknown method"))
                refusals.add(task)
                task.add_done_callback(refusals.discard)

    return RegisteredCalls


_RegisteredCalls = _registered_calls()
