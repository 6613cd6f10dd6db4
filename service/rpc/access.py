"""Lets calls through to their handlers: who makes them, whether his role allows them, and what he has used up.

Everything is decided before a handler runs, and before a stream of requests is read. `CLIENT` then tells the servicers
whose call it is. A call ends when its client is no longer known.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from typing import Any

from proofbase.service.access.roles import CALLS
from proofbase.service.rpc.admission import HEADER, Admission
from proofbase.service.rpc.calls import Caller, Context
from proofbase.service.rpc.end_call import end_call
from proofbase.service.rpc.errors import abort
from proofbase.service.rpc.handlers import HandlerWrapper, same_shape
from proofbase.service.rpc.open_calls import OPEN_CALL
from proofbase.storage import StoreError

__all__ = ["AccessChecks"]

_NAMES = ("x509_subject_alternative_name", "x509_common_name")


class AccessChecks(HandlerWrapper):
    """Checks the client of every call that the table of roles does not leave to everybody.

    Args:
        admission: asks who makes a call.
        certificates: whether clients are asked for theirs.
    """

    def __init__(self, admission: Admission, *, certificates: bool) -> None:
        self._admission = admission
        self._certificates = certificates

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
        need = CALLS.get(method.removeprefix("/"))
        caller = await self._admission.admit(
            method.rpartition("/")[2], need, _headers(context), self._certificate_names(context)
        )
        call = OPEN_CALL.get()
        if call is not None:
            call.belongs_to(caller.identity.name)
        return caller

    def _certificate_names(self, context: Context) -> list[str]:
        """The names in the certificate that the client has shown; none without one."""
        return _certificate_names(context) if self._certificates else []

    def name_of(self, method: str, context: Context) -> str | None:
        """The name of the client of a call, by the tokens that were read last; None for a stranger."""
        sent = _headers(context)
        return self._admission.name_of(sent, () if sent else self._certificate_names(context))

    def look_again(self, context: Context) -> Awaitable[None] | None:
        """Reads the tokens again, if they are too old, for a client that shows something; None where that is no use."""
        if not self._admission.is_stale() or not (_headers(context) or self._certificate_names(context)):
            return None
        return self._refresh()

    async def _refresh(self) -> None:
        with suppress(StoreError):
            await self._admission.refresh()


def _ending(method: str, context: Context) -> Callable[[Exception], None]:
    """What ends a call from outside of its handler, which is the task that calls this."""
    call, handler = OPEN_CALL.get(), asyncio.current_task()
    if call is not None:
        return call.end
    ending: list[asyncio.Task[None]] = []

    def end(error: Exception) -> None:
        if not ending:
            ending.append(asyncio.create_task(end_call(method, error, context, handler)))

    return end


def _headers(context: Context) -> list[str]:
    return [str(value) for key, value in context.invocation_metadata() or () if key == HEADER]


def _certificate_names(context: Context) -> list[str]:
    properties = context.auth_context()
    names = [name for key in _NAMES for name in properties.get(key, ())]
    return [name.decode(errors="replace") for name in dict.fromkeys(names)]
