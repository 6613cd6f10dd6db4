"""Asks of every call, over gRPC and over HTTP alike, who makes it and whether his role allows it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from proofbase.service.access.clients import Identity, KnownClients
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
        await self._refresh()
        if len(sent) > 1:
            raise NotAuthenticatedError("the call has several headers `authorization`")
        identity = self._clients.identify(sent[0] if sent else None, certificate_names)
        self._clients.check_role(identity, call, need)
        caller = Caller(identity, self._accounts.of(identity.name))
        CLIENT.set(caller)
        return caller

    async def check_still_known(self, identity: Identity) -> None:
        """During a stream: whether the client's token is still valid.

        Raises:
            NotAuthenticatedError: it is not.
        """
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
