"""Asks of every call, over gRPC and over HTTP alike, who makes it and whether his role allows it.

A call that is let through is ended when its client is no longer known: within a second, whatever the call waits for.
A call that writes asks once more before it does (`Caller.confirm`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from proofbase.service.access.clients import Identity, KnownClients, ended_during_call
from proofbase.service.access.quotas import Accounts
from proofbase.service.access.roles import Need
from proofbase.service.errors import NotAuthenticatedError
from proofbase.service.rpc.calls import CLIENT, Caller
from proofbase.service.rpc.pools import Pools
from proofbase.storage import StoreError

__all__ = ["HEADER", "Admission"]

HEADER = "authorization"
PATIENCE_SECONDS = 2.0
"""How long a call waits for the tokens; then those that were read before count."""
LOOK_SECONDS = 0.25
"""From one look at the clients of the open calls to the next. With the age of the tokens that is below a second."""


@dataclass(eq=False, slots=True)
class _OpenCall:
    """A call that was let through.

    Attributes:
        identity: whose it is.
        end: ends it, with an error for the client. It may be called again while the call is still open.
    """

    identity: Identity
    end: Callable[[Exception], None]


class Admission:
    """Knows the clients of one server. For one event loop.

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
        self._open = set[_OpenCall]()

    async def admit(
        self, call: str, need: Need | None, sent: Sequence[str], certificate_names: Sequence[str]
    ) -> Caller:
        """The client of a call, if he may make it. `CLIENT` tells the servicers from now on.

        Args:
            call: its name, for messages.
            need: the role that it needs; None where the table has none.
            sent: the headers `authorization`.
            certificate_names: of the client's certificate, which the connection has verified.

        Raises:
            NotAuthenticatedError, RoleLackingError: he may not.
            StoreError: nobody can tell: the tokens cannot be read.
        """
        await self.refresh()
        if len(sent) > 1:
            raise NotAuthenticatedError("the call has several headers `authorization`")
        identity = self._clients.identify(sent[0] if sent else None, certificate_names)
        self._clients.check_role(identity, call, need)
        caller = Caller(identity, self._accounts.of(identity.name), partial(self._clients.confirm, identity))
        CLIENT.set(caller)
        return caller

    def name_of(self, sent: Sequence[str], certificate_names: Sequence[str]) -> str | None:
        """The name of the client that shows this, by the tokens that were read last; None for a stranger."""
        if len(sent) > 1 or not (sent or certificate_names):
            return None
        try:
            return self._clients.identify(sent[0] if sent else None, certificate_names).name
        except NotAuthenticatedError:
            return None

    def is_stale(self) -> bool:
        """Whether the tokens have to be read again."""
        return self._clients.is_stale()

    @contextmanager
    def open_call(self, caller: Caller, end: Callable[[Exception], None]) -> Iterator[None]:
        """Has a call ended when its client is no longer known, while the context lasts.

        Args:
            caller: whose call it is.
            end: ends it, with an error for the client; called in the event loop, perhaps again.
        """
        call = _OpenCall(caller.identity, end)
        self._open.add(call)
        try:
            yield
        finally:
            self._open.discard(call)

    async def run(self) -> None:
        """Ends the calls of clients that are no longer known, until it is cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if self._open:
                await self._end_unknown()

    async def _end_unknown(self) -> None:
        fault: Exception | None = None
        try:
            await self.refresh()
        except StoreError as error:
            fault = error
        known: dict[Identity, bool] = {}
        for call in list(self._open):
            identity = call.identity
            if fault is None and identity not in known:
                known[identity] = self._clients.is_still_known(identity)
            if fault is not None or not known[identity]:
                call.end(fault or NotAuthenticatedError(ended_during_call(identity)))

    async def refresh(self) -> None:
        """Reads the tokens again when they are too old. A store that does not answer holds no call up for long.

        Raises:
            StoreError: those that were read before are too old to count.
        """
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
