"""Gives every call over gRPC an id, and counts it."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator
from functools import partial
from types import TracebackType
from typing import Any

import grpc

from proofbase.service.rpc.calls import Context
from proofbase.service.rpc.handlers import HandlerWrapper, same_shape
from proofbase.service.rpc.open_calls import OPEN_CALL
from proofbase.service.telemetry.call_ids import CALL_ID, CALL_ID_HEADER, call_id_of
from proofbase.service.telemetry.call_metrics import CallMetrics, RecordedCall

__all__ = ["CallRecords"]


class CallRecords(HandlerWrapper):
    """The outermost one: calls that others refuse are counted as well.

    The id is in the trailing metadata of every call, and of a stream in the initial metadata, too.

    Args:
        metrics: counts the calls.
    """

    def __init__(self, metrics: CallMetrics) -> None:
        self._metrics = metrics

    def wrap(self, method: str, handler: Any) -> Any:
        method = method.removeprefix("/proofbase.v1.").removeprefix("/")

        def streaming(inner: Any) -> Any:
            # A method gives its answers one by one, or it writes them by itself.
            wrap = self._streaming if inspect.isasyncgenfunction(inner) else self._single
            return wrap(method, inner)

        return same_shape(handler, partial(self._single, method), streaming)

    def _single(self, method: str, inner: Any) -> Any:
        async def call(request: Any, context: Context) -> Any:
            with self._recorded(method, context):
                return await inner(request, context)

        return call

    def _streaming(self, method: str, inner: Any) -> Any:
        async def call(request: Any, context: Context) -> AsyncIterator[Any]:
            with self._recorded(method, context):
                await context.send_initial_metadata(((CALL_ID_HEADER, CALL_ID.get() or ""),))
                async for answer in inner(request, context):
                    yield answer

        return call

    def _recorded(self, method: str, context: Context) -> _RecordedCall:
        sent = None
        for key, value in context.invocation_metadata() or ():
            if key == CALL_ID_HEADER:
                sent = value
                break
        call_id = call_id_of(sent if isinstance(sent, str) else None)
        CALL_ID.set(call_id)
        context.set_trailing_metadata(((CALL_ID_HEADER, call_id),))
        call = OPEN_CALL.get()
        if call is not None:
            call.handler = asyncio.current_task()
        return _RecordedCall(self._metrics, method, context)


class _RecordedCall(RecordedCall):
    """A call over gRPC. Its code is that of its context, or tells how its method has ended."""

    __slots__ = ("_context",)

    def __init__(self, metrics: CallMetrics, method: str, context: Context) -> None:
        super().__init__(metrics, "grpc", method)
        self._context = context

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error_type is None:
            self.code = "OK"
        elif issubclass(error_type, (asyncio.CancelledError, GeneratorExit)):
            self.code = _code_of(self._context) or "CANCELLED"  # a call that the server has ended has a status
        else:
            self.code = _code_of(self._context) or "UNKNOWN"
        super().__exit__(error_type, error, trace)


def _code_of(context: Context) -> str | None:
    """The status that a call was aborted with."""
    code = context.code()
    return code.name if isinstance(code, grpc.StatusCode) else None
