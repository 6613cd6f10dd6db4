"""Connections over HTTP: strangers' sockets give way, whatever they wait for, and no network has all places."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPSConnection
from pathlib import Path
from typing import Any

import pytest
from asking import ask
from certificates_made import Authority
from services import fill_tic_tac_toe, serving_both

from proofbase.service.access.security import Security
from proofbase.service.access.tokens import new_token
from proofbase.service.application import Application
from proofbase.service.http import listener
from proofbase.service.http.connections import Connection, Connections
from proofbase.storage import open_store

PLACES = 40
PATH = "/v1/games/tic-tac-toe/positions/-"


class Guarded:
    """A server with TLS that checks its clients, with few places for connections over HTTP."""

    def __init__(self, address: str, context: ssl.SSLContext, token: str, stack: ExitStack) -> None:
        self.address = address
        self.context = context
        self.header = {"authorization": f"Bearer {token}"}
        self.stack = stack

    def socket(self, *, tls: bool) -> socket.socket:
        host, _, port = self.address.partition(":")
        opened = self.stack.enter_context(socket.create_connection((host, int(port)), timeout=20))
        return self.stack.enter_context(self.context.wrap_socket(opened, server_hostname=host)) if tls else opened

    def status(self) -> int:
        return ask(self.address, PATH, context=self.context, **self.header).status


@pytest.fixture
def make_guarded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Guarded]]:
    with ExitStack() as stack:

        def make(greeting_seconds: float = 60.0) -> Guarded:
            monkeypatch.setattr(listener, "most_http_connections", lambda: PLACES)
            monkeypatch.setattr(listener, "GREETING_SECONDS", greeting_seconds)
            authority = Authority(tmp_path / "authority", "authority")
            app = stack.enter_context(Application(open_store("memory:")))
            fill_tic_tac_toe(app.resources.store)
            text, token = new_token("alice", "reader")
            app.resources.store.tokens().add(token)
            security = Security(*authority.issue("server", "127.0.0.1", "IP:127.0.0.1"), authenticate=True)
            _, http = stack.enter_context(serving_both(app, security))
            context = ssl.create_default_context(cafile=str(authority.certificate))
            return Guarded(http, context, text, stack)

        yield make


@pytest.fixture
def guarded(make_guarded: Callable[..., Guarded]) -> Guarded:
    return make_guarded()


@pytest.mark.parametrize("tls", [False, True])
def test_idle_sockets_do_not_shut_clients_out(guarded: Guarded, tls: bool) -> None:
    for _ in range(2 * PLACES):
        guarded.socket(tls=tls)
    for _ in range(3):
        assert guarded.status() == 200


def test_requests_that_never_end_do_not_shut_clients_out(guarded: Guarded) -> None:
    for _ in range(PLACES):
        guarded.socket(tls=True).sendall(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n" * 2)
    for _ in range(3):
        assert guarded.status() == 200


def test_a_connection_of_a_known_client_stays(guarded: Guarded) -> None:
    host, _, port = guarded.address.partition(":")
    kept = HTTPSConnection(host, int(port), timeout=20, context=guarded.context)
    with closing(kept):
        kept.request("GET", PATH, headers=guarded.header)
        first = kept.getresponse().read()
        connected = kept.sock
        for _ in range(2 * PLACES):
            guarded.socket(tls=False)
        kept.request("GET", PATH, headers=guarded.header)
        assert kept.getresponse().read() == first and kept.sock is connected


def test_a_socket_that_never_greets_is_closed(make_guarded: Callable[..., Guarded]) -> None:
    with make_guarded(greeting_seconds=0.5).socket(tls=False) as silent:
        assert silent.recv(1) == b"", "asyncio would wait for TLS for a minute"


@contextmanager
def connections(most: int) -> Iterator[Any]:
    """Connections of any address, and a function that makes one and tells whether there was room."""
    made: list[Connection] = []
    counted = Connections(most, 60.0)
    numbers = iter(range(10_000))

    def enter(host: str, *, known: bool = False) -> Connection | None:
        connection = Connection.of(socket.socket())
        made.append(connection)
        if not counted.enter(connection, (host, next(numbers))):
            return None
        connection.known = known
        return connection

    try:
        yield enter
    finally:
        for connection in made:
            connection.close()


def _ended(connection: Connection) -> bool:
    return connection._left is None


async def test_networks_share_the_places() -> None:
    with connections(10) as enter:
        greedy = [enter("192.0.2.1", known=True) for _ in range(10)]
        assert [connection is not None for connection in greedy] == [True] * 6 + [False] * 4
        assert all(enter(f"192.0.2.{number}", known=True) is not None for number in range(2, 6))
        assert enter("192.0.2.9", known=True) is None, "all places have known clients"
        greedy[0].close()
        assert enter("192.0.2.9", known=True) is not None


async def test_strangers_of_the_largest_network_give_way_the_oldest_first() -> None:
    with connections(10) as enter:
        first = [enter("192.0.2.1") for _ in range(6)]
        others = [enter(f"198.51.100.{number}") for number in range(4)]
        assert enter("203.0.113.1") is not None
        assert [_ended(each) for each in first] == [True] + [False] * 5 and not any(map(_ended, others))
        first[1].known, first[2].busy = True, True
        assert enter("203.0.113.2") is not None
        assert [_ended(each) for each in first] == [True, False, False, True, False, False]


async def test_addresses_of_one_network_of_ipv6_count_together() -> None:
    with connections(10) as enter:
        entered = [enter(f"2001:db8:0:1::{number:x}", known=True) for number in range(1, 11)]
        assert sum(connection is not None for connection in entered) == 6
