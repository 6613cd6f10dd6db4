"""Lets calls through to their handlers: who makes them, whether his role allows them, and what he has used up.

Everything is decided before a handler runs, and before a stream of requests is read. `CLIENT` then tells the servicers
whose call it is.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import nullcontext
from functools import partial
from typing import Any

from proofbase.service.access.roles import CALLS
from proofbase.service.rpc.admission import HEADER, Admission
from proofbase.service.rpc.calls import Caller, Context
from proofbase.service.rpc.errors import abort
from proofbase.service.rpc.handlers import HandlerWrapper, same_shape

__all__ = ["AccessChecks"]

_NAMES = ("x509_subject_alternative_name", "x509_common_name")


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
                stream = caller.account.stream() if is_stream else nullcontext()
                stream.__enter__()
            except Exception as error:
                await abort(method, error, context)
                raise  # not reached: an abort raises
            try:
                return await inner(request, context)
            finally:
                stream.__exit__(None, None, None)

        return call

    def _streaming(self, method: str, inner: Any) -> Any:
        """For methods with a stream of answers. It ends when the client's token does."""

        async def call(request: Any, context: Context) -> AsyncIterator[Any]:
            try:
                caller = await self._admit(method, context)
                stream = caller.account.stream()
                stream.__enter__()
            except Exception as error:
                await abort(method, error, context)
                return
            try:
                async for answer in inner(request, context):
                    try:
                        await self._admission.check_still_known(caller.identity)
                    except Exception as error:
                        await abort(method, error, context)
                    yield answer
            finally:
                stream.__exit__(None, None, None)

        return call

    async def _admit(self, method: str, context: Context) -> Caller:
        """The client of a call, if he may make it: see `Admission.admit`."""
        sent = [str(value) for key, value in context.invocation_metadata() or () if key == HEADER]
        need = CALLS.get(method.removeprefix("/"))
        return await self._admission.admit(method.rpartition("/")[2], need, sent, _certificate_names(context))


def _certificate_names(context: Context) -> list[str]:
    """The names in the certificate that the client has shown; none without one."""
    found = context.auth_context()
    names = [name for key in _NAMES for name in found.get(key, ())]
    return [name.decode(errors="replace") for name in dict.fromkeys(names)]
