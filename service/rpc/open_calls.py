"""How many calls are open at a time, and whose: what strangers hold is bounded apart from what known clients hold.

A stranger is whoever makes a call that needs no role, or shows nothing that the server knows. The calls of strangers
have a small share, of a connection, of a network and in total, and they end after a time. So strangers can take no room
of known clients. A call counts from its headers on: one whose request never comes is open, too.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address, ip_network
from typing import Any

from proofbase.service.errors import ServiceUnavailableError, TooManyCallsError
from proofbase.service.rpc.calls import Context
from proofbase.service.rpc.end_call import end_call
from proofbase.service.rpc.server_load import FairShare

__all__ = ["KNOWN_CALLS", "OPEN_CALL", "STRANGERS", "WATCHES", "OpenCall", "OpenCalls", "StrangersShare", "network_of"]

KNOWN_CALLS = 4_000
"""Calls of all known clients at a time: each client has no more than are left for others."""


@dataclass(frozen=True, slots=True)
class StrangersShare:
    """What strangers may hold.

    Attributes:
        calls: at a time in total; those of one network are no more than are left for others.
        of_a_connection: the same of one connection.
        seconds: after which such a call ends.
    """

    calls: int
    of_a_connection: int
    seconds: float


STRANGERS = StrangersShare(calls=200, of_a_connection=16, seconds=10.0)
"""Health checks, and calls whose client is not known: these are refused as soon as their request has come."""
WATCHES = StrangersShare(calls=100, of_a_connection=4, seconds=600.0)
"""Watches of the health: they last. Whoever watches goes on with a new one."""
_WATCH = "/grpc.health.v1.Health/Watch"


class OpenCall:
    """One open call over gRPC.

    Attributes:
        handler: the task that answers it; None until its request has come.
    """

    def __init__(self, calls: OpenCalls, method: str, context: Context, peer: str, room: _Room, key: str) -> None:
        self.handler: asyncio.Task[Any] | None = None
        self._calls = calls
        self._method = method
        self._context = context
        self._peer = peer
        self._room: _Room | None = room
        self._key = key
        self._ending: asyncio.Task[None] | None = None
        room.take(key, peer)
        self._timer = (
            None if room.seconds is None else asyncio.get_running_loop().call_later(room.seconds, self._expire)
        )

    def belongs_to(self, name: str) -> None:
        """A stranger turns out to be a known client, whose token was read just now.

        Raises:
            TooManyCallsError: no more calls of the client may be open.
        """
        known = self._calls.known
        if self._room is None or self._room is known:
            return
        refusal = known.refusal(name, self._peer)
        if refusal is not None:
            raise TooManyCallsError(refusal)
        self.over()
        self._room, self._key = known, name
        known.take(name, self._peer)

    def over(self) -> None:
        """It has ended, and gives its place back."""
        if self._timer is not None:
            self._timer.cancel()
        if self._room is not None:
            self._room.give_back(self._key, self._peer)
            self._room = None

    def end(self, error: Exception, *, quiet: bool = False) -> None:
        """Ends it from outside of its handler, with an error for the client. It may be called again.

        Args:
            error: what the client is told.
            quiet: the log need not tell.
        """
        if self._ending is None and not self._is_over():
            ending = end_call(self._method, error, self._context, self.handler, is_over=self._is_over, quiet=quiet)
            self._ending = asyncio.create_task(ending)

    def _is_over(self) -> bool:
        return self._room is None or self._calls.closed

    def _expire(self) -> None:
        assert self._room is not None
        text = f"a call without a client that is known ends after {self._room.seconds:g} s: make another one"
        self.end(ServiceUnavailableError(text), quiet=True)


class OpenCalls:
    """The open calls of one server. For one event loop.

    Args:
        name_of: whose share a call takes, by its method and its context; None for a stranger.
        look_again: what is awaited before a call is refused: perhaps it is a client's whose token was not read yet.
            None where that cannot be.
    """

    def __init__(
        self,
        name_of: Callable[[str, Context], str | None],
        look_again: Callable[[Context], Awaitable[None] | None] = lambda context: None,
    ) -> None:
        self.known = _Room("clients", FairShare(KNOWN_CALLS), None, None)
        self._strangers = _strangers_room("strangers", STRANGERS)
        self._watches = _strangers_room("watches of strangers", WATCHES)
        self._name_of = name_of
        self._look_again = look_again
        self.closed = False
        """The server has ended: no call may be touched."""

    def begin(self, method: str, context: Context) -> OpenCall | str | Awaitable[OpenCall | str]:
        """Counts a call until it is over; or tells why no more calls may be open, perhaps after another look.

        Args:
            method: such as `/proofbase.v1.Solutions/Lookup`.
            context: of the call.
        """
        begun = self._begin(method, context)
        looking = self._look_again(context) if isinstance(begun, str) else None
        return begun if looking is None else self._begin_after(looking, method, context)

    async def _begin_after(self, looking: Awaitable[None], method: str, context: Context) -> OpenCall | str:
        await looking
        return self._begin(method, context)

    def _begin(self, method: str, context: Context) -> OpenCall | str:
        name, peer = self._name_of(method, context), context.peer()
        if name is not None:
            room, key = self.known, name
        else:
            room = self._watches if method == _WATCH else self._strangers
            key = network_of(peer)
        return room.refusal(key, peer) or OpenCall(self, method, context, peer, room, key)


class _Room:
    """The places for calls of one kind."""

    def __init__(self, what: str, share: FairShare, of_a_connection: int | None, seconds: float | None) -> None:
        self._what = what
        self._share = share
        self._most_of_a_connection = of_a_connection
        self._of_connections: Counter[str] = Counter()
        self.seconds = seconds

    def refusal(self, key: str, peer: str) -> str | None:
        """Why there is no place for another call. The text is always the same: floods are answered with little work."""
        most = self._most_of_a_connection
        if most is not None and self._of_connections.get(peer, 0) >= most:
            return f"{most} calls of {self._what} are open on this connection, and more are not possible"
        if not self._share.fits(key, 1):
            return (
                f"too many calls of {self._what} are open, and too many of {key}: "
                f"{self._share.limit} are possible, shared out fairly"
            )
        return None

    def take(self, key: str, peer: str) -> None:
        self._share.add(key, 1)
        if self._most_of_a_connection is not None:
            self._of_connections[peer] += 1

    def give_back(self, key: str, peer: str) -> None:
        self._share.add(key, -1)
        if self._most_of_a_connection is not None:
            self._of_connections[peer] -= 1
            if not self._of_connections[peer]:
                del self._of_connections[peer]


def _strangers_room(what: str, share: StrangersShare) -> _Room:
    return _Room(what, FairShare(share.calls), share.of_a_connection, share.seconds)


def network_of(peer: str) -> str:
    """The network that a connection comes from: an address of IPv4, or the first 64 bits of one of IPv6.

    Args:
        peer: as gRPC names it: `ipv4:192.0.2.1:50000`, `ipv6:%5B2001:db8::1%5D:50000`; or an address alone.
    """
    return _network(peer.partition(":")[2].rpartition(":")[0] if peer.startswith(("ipv4:", "ipv6:")) else peer)


@lru_cache(maxsize=10_000)
def _network(text: str) -> str:
    try:
        address = ip_address(text.replace("%5B", "").replace("%5D", "").strip("[]").partition("%")[0])
    except ValueError:
        return text
    mapped = getattr(address, "ipv4_mapped", None)
    if mapped is not None or address.version == 4:
        return str(mapped or address)
    return str(ip_network((address, 64), strict=False))


OPEN_CALL: ContextVar[OpenCall | None] = ContextVar("OPEN_CALL", default=None)
"""The call over gRPC that this task answers; None where the listener counts no calls."""
