"""The connections of the HTTP port: shared out among networks, and those of strangers give way to new ones.

A connection counts from its first packet on, before TLS, so that sockets that never say anything are bounded, too.
"""

from __future__ import annotations

import asyncio
import socket
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from proofbase.service.rpc.open_calls import network_of
from proofbase.service.rpc.server_load import FairShare

__all__ = ["Connection", "Connections", "ListeningSocket"]


class Connection(socket.socket):
    """One connection that was accepted.

    Attributes:
        known: a known client has made a call on it: it stays when there are too many.
        busy: a request is being answered: it gives way after those on which nothing happens.
    """

    known: bool
    busy: bool
    _left: Callable[[], None] | None
    _greeting: asyncio.TimerHandle | None

    @classmethod
    def of(cls, accepted: socket.socket) -> Connection:
        """The connection of an accepted socket, which is not used any more."""
        made = cls(accepted.family, accepted.type, accepted.proto, accepted.detach())
        made.known, made.busy, made._left, made._greeting = False, False, None, None
        return made

    def expect(self, seconds: float) -> None:
        """Ends the connection unless `greeted` is called within so many seconds."""
        self._greeting = asyncio.get_running_loop().call_later(seconds, self.end)

    def greeted(self) -> None:
        """Its TLS is there; whoever reads it looks after it from now on."""
        if self._greeting is not None:
            self._greeting.cancel()
            self._greeting = None

    def end(self) -> None:
        """Has its transport see the end of the stream, and close."""
        self._leave()
        with suppress(OSError):
            self.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """See `socket.socket`."""
        self._leave()
        super().close()

    def on_leave(self, left: Callable[[], None]) -> None:
        """Has `left` called once, when the connection ends."""
        self._left = left

    def _leave(self) -> None:
        self.greeted()
        on_leave, self._left = self._left, None
        if on_leave is not None:
            on_leave()


class Connections:
    """The open connections of one port. For one event loop.

    Args:
        most: connections at a time. A network has no more than are left for others.
        greeting_seconds: until TLS is there.
    """

    def __init__(self, most: int, greeting_seconds: float) -> None:
        self._share = FairShare(most)
        self._greeting_seconds = greeting_seconds
        self._of: dict[str, OrderedDict[Any, Connection]] = {}
        """By network and address, the oldest first."""

    def enter(self, connection: Connection, address: Any) -> bool:
        """Counts a new connection; False where there is no room for it and none of a stranger that gives way."""
        network = network_of(address[0]) if isinstance(address, tuple) else "this machine"
        while not self._share.fits(network, 1):
            full = self._share.total >= self._share.limit
            most = max(self._of, key=lambda name: len(self._of[name])) if full else network
            if not (self._make_room(most) or (full and self._make_room(network))):
                return False
        self._share.add(network, 1)
        self._of.setdefault(network, OrderedDict())[address] = connection
        connection.on_leave(lambda: self._leave(network, address))
        connection.expect(self._greeting_seconds)
        return True

    def find(self, address: Any) -> Connection | None:
        """The connection that comes from an address and a port."""
        network = network_of(address[0]) if isinstance(address, tuple) else "this machine"
        return self._of.get(network, {}).get(address)

    def _make_room(self, network: str) -> bool:
        """Ends the oldest connection of a stranger in a network; False where there is none."""
        strangers = [each for each in self._of.get(network, {}).values() if not each.known]
        idlest = next((each for each in strangers if not each.busy), strangers[0] if strangers else None)
        if idlest is not None:
            idlest.end()
        return idlest is not None

    def _leave(self, network: str, address: Any) -> None:
        self._share.add(network, -1)
        del self._of[network][address]
        if not self._of[network]:
            del self._of[network]


class ListeningSocket(socket.socket):
    """A listening socket that gives only connections for which there is room. asyncio calls `accept`."""

    connections: Connections

    @classmethod
    def of(cls, bound: socket.socket, connections: Connections) -> ListeningSocket:
        """The same socket, which is not used otherwise any more."""
        made = cls(bound.family, bound.type, bound.proto, bound.detach())
        made.setblocking(False)
        made.connections = connections
        return made

    def accept(self) -> tuple[Connection, Any]:
        """The next connection for which there is room.

        Raises:
            BlockingIOError: there is none at the moment.
        """
        while True:
            accepted, address = super().accept()
            connection = Connection.of(accepted)
            if self.connections.enter(connection, address):
                return connection, address
            connection.close()
