"""Lets calls through to their handlers: who makes them, whether his role allows them, and what he has used up.

Everything is decided before a handler runs, and before a stream of requests is read. `CLIENT` then tells the servicers
whose call it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import nullcontext
from typing import Any

import grpc
from grpc.aio import ServerInterceptor

from proofbase.service.access.clients import Identity, KnownClients
from proofbase.service.access.quotas import Accounts
from proofbase.service.access.roles import CALLS, Need
from proofbase.service.errors import NotAuthenticatedError
from proofbase.service.rpc.calls import CLIENT, Caller, Context
from proofbase.service.rpc.errors import abort
from proofbase.service.rpc.pools import Pools
from proofbase.storage import StoreError

__all__ = ["AccessInterceptor"]

HEADER = "authorization"
PATIENCE_SECONDS = 2.0
"""How long a call waits for the tokens; then those that were read before count."""
_NAMES = ("x509_subject_alternative_name", "x509_common_name")


class AccessInterceptor(ServerInterceptor):
    """Checks the client of every call that the table of roles does not leave to everybody.

    Args:
        clients: those that the server knows.
        accounts: what they have used.
        pools: read the tokens, which may wait for the store.
    """

    def __init__(self, clients: KnownClients, accounts: Accounts, pools: Pools) -> None:
        self._clients = clients
        self._accounts = accounts
        self._pools = pools
        self._reading: asyncio.Task[None] | None = None

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        handler = await continuation(handler_call_details)
        method = handler_call_details.method
        need = CALLS.get(method.removeprefix("/"))
        if handler is None or need == "nobody":
            return handler
        read, write = handler.request_deserializer, handler.response_serializer
        if handler.response_streaming:
            inner = handler.stream_stream if handler.request_streaming else handler.unary_stream
            make = (
                grpc.stream_stream_rpc_method_handler
                if handler.request_streaming
                else grpc.unary_stream_rpc_method_handler
            )
            return make(self._streaming(method, need, inner), read, write)
        if handler.request_streaming:
            single = self._single(method, need, handler.stream_unary, is_stream=True)
            return grpc.stream_unary_rpc_method_handler(single, read, write)
        return grpc.unary_unary_rpc_method_handler(
            self._single(method, need, handler.unary_unary, is_stream=False), read, write
        )

    def _single(self, method: str, need: Need | None, inner: Any, *, is_stream: bool) -> Any:
        """For methods with one answer."""

        async def call(request: Any, context: Context) -> Any:
            try:
                caller = await self._admit(method, need, context)
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

    def _streaming(self, method: str, need: Need | None, inner: Any) -> Any:
        """For methods with a stream of answers. It ends when the client's token does."""

        async def call(request: Any, context: Context) -> AsyncIterator[Any]:
            try:
                caller = await self._admit(method, need, context)
                stream = caller.account.stream()
                stream.__enter__()
            except Exception as error:
                await abort(method, error, context)
                return
            try:
                async for answer in inner(request, context):
                    try:
                        await self._check_still_known(caller.identity)
                    except Exception as error:
                        await abort(method, error, context)
                    yield answer
            finally:
                stream.__exit__(None, None, None)

        return call

    async def _admit(self, method: str, need: Need | None, context: Context) -> Caller:
        """The client of a call, if he may make it.

        Raises:
            NotAuthenticatedError, RoleLackingError: he may not.
            StoreError: nobody can tell: the tokens cannot be read.
        """
        await self._refresh()
        sent = [value for key, value in context.invocation_metadata() or () if key == HEADER]
        if len(sent) > 1:
            raise NotAuthenticatedError("the call has several headers `authorization`")
        header = str(sent[0]) if sent else None
        identity = self._clients.identify(header, _certificate_names(context))
        self._clients.check_role(identity, method.rpartition("/")[2], need)
        caller = Caller(identity, self._accounts.of(identity.name))
        CLIENT.set(caller)
        return caller

    async def _check_still_known(self, identity: Identity) -> None:
        await self._refresh()
        if not self._clients.is_still_known(identity):
            raise NotAuthenticatedError(f"the token of {identity.name} was revoked, or has ended, during the call")

    async def _refresh(self) -> None:
        """Reads the tokens again when they are too old. A store that does not answer holds no call up for long."""
        if not self._clients.is_stale():
            return
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(self._read())
        await asyncio.wait({self._reading}, timeout=PATIENCE_SECONDS)
        self._clients.check_age()

    async def _read(self) -> None:
        try:
            self._clients.take(await self._pools.run("access", "", self._clients.read))
        except StoreError as error:
            self._clients.could_not_read(error)


def _certificate_names(context: Context) -> list[str]:
    """The names in the certificate that the client has shown; none without one."""
    found = context.auth_context()
    names = [name for key in _NAMES for name in found.get(key, ())]
    return [name.decode(errors="replace") for name in dict.fromkeys(names)]
