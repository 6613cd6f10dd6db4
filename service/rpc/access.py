"""Lets calls through to their handlers: who makes them, whether his role allows them, and what he has used up.

Everything is decided before a handler runs, and before a stream of requests is read. `CLIENT` then tells the servicers
whose call it is. A call ends when its client is no longer known.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from typing import Any

import grpc

from proofbase.service.access.roles import CALLS
from proofbase.service.rpc.admission import HEADER, Admission
from proofbase.service.rpc.calls import Caller, Context
from proofbase.service.rpc.errors import abort
from proofbase.service.rpc.handlers import HandlerWrapper, same_shape

__all__ = ["AccessChecks"]

_NAMES = ("x509_subject_alternative_name", "x509_common_name")
ABORT_SECONDS = 0.1
"""So long the status of a call that is ended may take to its client; then the handler is cancelled."""


class AccessChecks(HandlerWrapper):
    """Checks the client of every call that the table of roles does not leave to everybody.

    Args:
        admission: asks who makes a call.
    """

    def __init__(self, admission: Admission) -> None:
        self._admission = admission

    def wrap(self, method: str, handler: Any) -> Any:
        if CALLS.get(method.removeprefix("/")) == "nobody":
            return handler
        single = partial(self._single, method, is_stream=handler.request_streaming)
        return same_shape(handler, single, partial(self._streaming, method))

    def _single(self, method: str, inner: Any, *, is_stream: bool) -> Any:
        """For methods with one answer."""

        async def call(request: Any, context: Context) -> Any:
            try:
                caller = await self._admit(method, context)
                counted = self._counted(method, caller, context, is_stream=is_stream)
                counted.__enter__()
            except Exception as error:
                await abort(method, error, context)
                raise  # not reached: an abort raises
            try:
                return await inner(request, context)
            finally:
                counted.__exit__(None, None, None)

        return call

    def _streaming(self, method: str, inner: Any) -> Any:
        """For methods with a stream of answers."""

        async def call(request: Any, context: Context) -> AsyncIterator[Any]:
            try:
                caller = await self._admit(method, context)
                counted = self._counted(method, caller, context, is_stream=True)
                counted.__enter__()
            except Exception as error:
                await abort(method, error, context)
                return
            try:
                async for answer in inner(request, context):
                    yield answer
            finally:
                counted.__exit__(None, None, None)

        return call

    @contextmanager
    def _counted(self, method: str, caller: Caller, context: Context, *, is_stream: bool) -> Iterator[None]:
        """A call of a client, while it is open.

        Raises:
            QuotaExceededError: a stream, and he may have no more of them.
        """
        stream = caller.account.stream() if is_stream else nullcontext()
        with stream, self._admission.open_call(caller, _ending(method, context)):
            yield

    async def _admit(self, method: str, context: Context) -> Caller:
        """The client of a call, if he may make it: see `Admission.admit`."""
        sent = [str(value) for key, value in context.invocation_metadata() or () if key == HEADER]
        need = CALLS.get(method.removeprefix("/"))
        return await self._admission.admit(method.rpartition("/")[2], need, sent, _certificate_names(context))


def _ending(method: str, context: Context) -> Callable[[Exception], None]:
    """What ends a call from outside of its handler, which is the task that calls this."""
    handler = asyncio.current_task()
    ending: list[asyncio.Task[None]] = []

    def end(error: Exception) -> None:
        if not ending:
            ending.append(asyncio.create_task(_end(method, error, context, handler)))

    return end


async def _end(method: str, error: Exception, context: Context, handler: asyncio.Task[Any] | None) -> None:
    """Ends a call: its client is told, and a handler that waits for anything but the client is cancelled."""
    told = asyncio.create_task(_tell(method, error, context))
    # A client that takes no answers gets the status behind them, if ever.
    await asyncio.wait({told}, timeout=ABORT_SECONDS)
    if handler is not None:
        handler.cancel()


async def _tell(method: str, error: Exception, context: Context) -> None:
    with suppress(grpc.aio.AbortError, grpc.aio.UsageError, grpc.aio.InternalError):  # it has just ended by itself
        await abort(method, error, context)


def _certificate_names(context: Context) -> list[str]:
    """The names in the certificate that the client has shown; none without one."""
    found = context.auth_context()
    names = [name for key in _NAMES for name in found.get(key, ())]
    return [name.decode(errors="replace") for name in dict.fromkeys(names)]
