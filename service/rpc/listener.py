"""The gRPC server of grpc.aio with bounds, and without the calls that would end it."""

from __future__ import annotations

import asyncio
import logging
import resource
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from functools import lru_cache, partial
from importlib import import_module
from typing import Any, cast

import grpc
import grpc.aio

from proofbase.service.errors import TooManyCallsError
from proofbase.service.rpc.errors import abort_arguments, failure_of
from proofbase.service.rpc.open_calls import KNOWN_CALLS, OPEN_CALL, OpenCall, OpenCalls

__all__ = ["allow_many_connections", "most_connections", "most_http_connections", "new_listener"]

_log = logging.getLogger(__name__)
_core: Any = import_module("grpc._cython.cygrpc")

CALLS_OF_A_CONNECTION = 100
"""Calls of one connection at a time; clients keep back the others (SETTINGS_MAX_CONCURRENT_STREAMS)."""
ACCEPTED_AT_ONCE = 100
"""Calls of one method that are accepted in one turn of the event loop. On a busy machine turns are few."""
PENDING_CALLS = 20_000
"""Calls that gRPC has accepted and the event loop has not seen yet: a second or two of them. gRPC cancels calls of
anybody beyond that, and some beyond 1,000 if it is not told otherwise."""
REFUSALS_A_SECOND, LONGEST_REFUSAL_SECONDS = 500, 20.0
"""Calls that are too many are refused so fast, but none waits longer for it: a flood of them leaves the processor to
others, and a connection has to wait with its next calls."""
CONNECTIONS = 5_000
HTTP_CONNECTIONS = 1_000
HTTP_SHARE = 5
"""One in so many of the files that the process may have open is kept for connections over HTTP."""
OTHER_FILES = 128
"""Files of the process that are no connections: those of the store, of tables, of imports."""
GREETING_MILLISECONDS = 10_000
"""A connection that has not said in this time that it speaks HTTP/2 is closed."""
IDLE_MILLISECONDS = 15 * 60_000
"""A connection without calls is closed after this time. Clients connect again with their next call."""
PING_MILLISECONDS = 60_000
"""A connection that is silent for so long is asked whether it is still there, and closed if it does not say so."""


_NO_FAILURES = ("Invalid encoding on", "Abort error unexpectedly suppressed")


def _is_our_failure(record: logging.LogRecord) -> bool:
    """False for errors in the log of gRPC that any client could fill it with, and that are none of ours.

    They tell of headers that are no UTF-8, and of calls that were ended before their request came.
    """
    return not str(record.msg).startswith(_NO_FAILURES)


logging.getLogger("grpc._cython.cygrpc").addFilter(_is_our_failure)


def most_connections() -> int:
    """Connections that the server accepts: as many as the process may have open files, less those it needs itself."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        return CONNECTIONS
    return max(1, min(CONNECTIONS, files - files // HTTP_SHARE - OTHER_FILES))


def most_http_connections() -> int:
    """The same over HTTP."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return HTTP_CONNECTIONS if files == resource.RLIM_INFINITY else max(1, min(HTTP_CONNECTIONS, files // HTTP_SHARE))


def allow_many_connections() -> None:
    """Raises the process's limit of open files as far as it may, up to what all connections need."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = (CONNECTIONS + OTHER_FILES) * HTTP_SHARE // (HTTP_SHARE - 1)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        wanted = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        with suppress(OSError, ValueError):  # then there are fewer connections
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def new_listener(message_bytes: int, calls: OpenCalls, *, shared_port: bool = False) -> grpc.aio.Server:
    """A server without services and ports.

    Args:
        message_bytes: the largest message, in either direction.
        calls: counts the open calls, and refuses what is too much.
        shared_port: other processes listen on its port, too.
    """
    # A little more than the limit, for the bytes around a message.
    options: list[tuple[str, Any]] = [
        ("grpc.max_receive_message_length", message_bytes + 1024),
        ("grpc.max_send_message_length", message_bytes + 1024),
        ("grpc.so_reuseport", int(shared_port)),  # else a second server on the port is a mistake, and has to fail
        ("grpc.max_concurrent_streams", CALLS_OF_A_CONNECTION),
        ("grpc.max_allowed_incoming_connections", most_connections()),
        ("grpc.server.max_pending_requests", PENDING_CALLS),
        ("grpc.server.max_pending_requests_hard_limit", PENDING_CALLS),
        ("grpc.server_handshake_timeout_ms", GREETING_MILLISECONDS),
        ("grpc.max_connection_idle_ms", IDLE_MILLISECONDS),
        ("grpc.keepalive_time_ms", PING_MILLISECONDS),
        ("grpc.keepalive_timeout_ms", PING_MILLISECONDS // 3),
    ]
    server: Any = grpc.aio.server(options=options, maximum_concurrent_rpcs=KNOWN_CALLS)
    if _RegisteredCalls is not None:
        server._server = _RegisteredCalls(tuple(options), calls)
    return server  # type: ignore[no-any-return]


class Pace:
    """Makes calls of a function, so many a second. For one event loop.

    Args:
        rate: calls a second.
        longest: seconds; what would have to wait longer is called at once.
    """

    def __init__(self, rate: int, longest: float) -> None:
        self._rate = rate
        self._most = int(rate * longest)
        self._waiting: deque[Callable[[], None]] = deque()
        self._running: asyncio.Task[None] | None = None

    def add(self, call: Callable[[], None]) -> None:
        """Calls it in its turn."""
        if len(self._waiting) >= self._most:
            call()
            return
        self._waiting.append(call)
        if self._running is None or self._running.done():
            self._running = asyncio.get_running_loop().create_task(self._run())

    def close(self) -> None:
        """Forgets what waits."""
        self._waiting.clear()
        if self._running is not None:
            self._running.cancel()

    async def _run(self) -> None:
        clock, turn = asyncio.get_running_loop().time, 0.0
        while self._waiting:
            self._waiting.popleft()()
            turn = max(turn + 1 / self._rate, clock())  # after a pause of the loop there is no hurry
            await asyncio.sleep(turn - clock())


def _registered_calls() -> Any:
    """The class below; None where grpc.aio is built otherwise. Then `Server` notices the end of the main loop."""
    needed = ("_make_request_call_future", "_request_call", "_request_registered_call")
    functions = ("_schedule_rpc_coro", "_handle_rpc", "_MethodResolver", "_ServicerContext", "ExecuteBatchError")
    if not (all(hasattr(_core.AioServer, name) for name in needed) and all(hasattr(_core, name) for name in functions)):
        return None

    class RegisteredCalls(_core.AioServer):  # type: ignore[misc]
        """Accepts calls in place of the main loop of grpc.aio.

        The main loop decodes the paths of methods that are not registered as UTF-8: one path that is not UTF-8 ends the
        loop and with it the server. All our methods are registered, so a call of any other one is refused here,
        whatever its path is.

        Besides, the main loop accepts the calls of a method one by one, with a turn of the event loop in between. On a
        busy machine a client that makes and resets many calls of a method would delay those of others for seconds.

        A call is counted before its request is read, and refused at once where it is too much.
        """

        def __init__(self, options: tuple[Any, ...], calls: OpenCalls) -> None:
            super().__init__(asyncio.get_running_loop(), None, (), (), options, None)
            self._calls = calls
            self._refusals = Pace(REFUSALS_A_SECOND, LONGEST_REFUSAL_SECONDS)
            self._handlers: dict[str, Any] = {}
            self._open = set[asyncio.Task[None]]()
            """The tasks of the open calls; the event loop itself holds tasks by weak references."""

        def add_registered_method_handlers(self, method_handlers: dict[str, Any]) -> None:
            super().add_registered_method_handlers(method_handlers)
            self._handlers.update(method_handlers)

        def _make_request_call_future(self, method: bytes | None) -> Any:
            """For the main loop: ends, with an exception, when the server ends."""
            return asyncio.gather(*(self._accept(method) for _ in range(ACCEPTED_AT_ONCE)))

        async def _accept(self, method: bytes | None) -> None:
            name = "" if method is None else method.decode()
            loop, resolver = asyncio.get_running_loop(), _core._MethodResolver([], self._handlers)
            while True:
                call = self._request_call() if method is None else self._request_registered_call(method)
                state = await call
                context = _core._ServicerContext(state, None, None, loop)
                begun = _begun(self._calls, name, context)
                if isinstance(begun, str):  # a flood costs little: no task, until its turn comes
                    self._refusals.add(partial(self._refuse, name, state, context, begun, loop))
                else:
                    self._start(self._run(name, state, context, begun, resolver, loop), loop)

        def _start(self, call: Coroutine[Any, Any, None], loop: asyncio.AbstractEventLoop) -> None:
            self._open.add(loop.create_task(call))

        def _refuse(self, name: str, state: Any, context: Any, text: str, loop: asyncio.AbstractEventLoop) -> None:
            self._start(self._finish(_refuse(context, text), name, state, loop), loop)

        async def shutdown(self, grace: float | None) -> None:
            self._refusals.close()
            await super().shutdown(grace)

        async def _run(
            self,
            name: str,
            state: Any,
            context: Any,
            begun: _Begun | Awaitable[_Begun],
            resolver: Any,
            loop: asyncio.AbstractEventLoop,
        ) -> None:
            opened = await _awaited(begun)
            if isinstance(opened, str):
                await self._finish(_refuse(context, opened), name, state, loop)
                return
            OPEN_CALL.set(opened)
            try:
                await self._finish(_core._handle_rpc(name, resolver, (), state, loop, False), name, state, loop)
            finally:  # a callback of the task would take another turn of the event loop
                if opened is not None:
                    opened.over()

        async def _finish(self, answer: Any, name: str, state: Any, loop: asyncio.AbstractEventLoop) -> None:
            try:
                await _core._schedule_rpc_coro(answer, state, loop, name or "unknown method")
            finally:
                self._open.discard(cast("asyncio.Task[None]", asyncio.current_task()))

    return RegisteredCalls


_Begun = OpenCall | str | None
"""A call that was counted, why it is refused, or None for one of a method that is not registered."""


def _begun(calls: OpenCalls, name: str, context: Any) -> _Begun | Awaitable[_Begun]:
    try:
        return calls.begin(name, context) if name else None
    except Exception:
        _log.exception("a call of %s cannot be begun", name)
        return "the call cannot be begun"


async def _awaited(begun: _Begun | Awaitable[_Begun]) -> _Begun:
    return begun if begun is None or isinstance(begun, (OpenCall, str)) else await begun


async def _refuse(context: Any, text: str) -> None:
    try:
        await context.abort(*_refusal(text))
    except _core.ExecuteBatchError:
        _log.debug("a call that was one too many is gone before it was refused")


@lru_cache(maxsize=100)
def _refusal(text: str) -> tuple[Any, ...]:
    """How a call is refused that is one too many: the arguments of `abort`."""
    return abort_arguments(failure_of("", TooManyCallsError(text)))


_RegisteredCalls = _registered_calls()
