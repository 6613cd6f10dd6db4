"""Services to test: the same tests run in this process and over a real server on 127.0.0.1."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from exact_solution import exact_records

from proofbase.engine.games import open_game
from proofbase.service.access.security import Security
from proofbase.service.application import Application
from proofbase.service.client import Client
from proofbase.service.operations.settings import Operation
from proofbase.service.rpc import listener
from proofbase.service.server import Server
from proofbase.storage import SolutionStore

MANY_CALLS, FEW_CALLS = listener.ACCEPTED_AT_ONCE, 4
listener.ACCEPTED_AT_ONCE = FEW_CALLS
"""A server awaits so many calls of every method: with a hundred its start and its end take a tenth of a second of the
processor. Tests with a flood of calls use the fixture `many_calls`."""


@dataclass
class Service:
    """A client, and what it talks to."""

    client: Client
    app: Application

    @property
    def store(self) -> SolutionStore:
        return self.app.resources.store


MakeService = Callable[..., Service]


@contextmanager
def serving(app: Application, security: Security | None = None) -> Iterator[str]:
    """A server on a free port in a thread of its own; gives its address."""
    with serving_both(app, security) as (address, _):
        yield address


@contextmanager
def serving_both(
    app: Application,
    security: Security | None = None,
    origins: Sequence[str] = (),
    operation: Operation | None = None,
) -> Iterator[tuple[str, str]]:
    """The same, which answers over HTTP as well; gives both addresses."""
    ready = threading.Event()
    loop = asyncio.new_event_loop()
    addresses: list[str] = []
    stop: list[asyncio.Event] = []

    async def run() -> None:
        server = Server(app, security, operation)
        stop.append(asyncio.Event())
        port = await server.start("127.0.0.1:0", "127.0.0.1:0", origins)
        addresses.extend((f"127.0.0.1:{port}", f"127.0.0.1:{server.http_port}"))
        ready.set()
        await stop[0].wait()
        await server.stop(0.5)

    thread = threading.Thread(target=loop.run_until_complete, args=(run(),), daemon=True)
    thread.start()
    assert ready.wait(20), "the server did not start"
    try:
        yield addresses[0], addresses[1]
    finally:
        loop.call_soon_threadsafe(stop[0].set)
        thread.join(20)
        loop.close()


def fill_tic_tac_toe(store: SolutionStore) -> None:
    """Stores the exact value of every position of tic-tac-toe."""
    game = open_game("tic-tac-toe", "python")
    records = exact_records(game, game.initial())
    store.put_many(game.name, sorted(records.items()), source="the rules", rules_version=game.rules_version)
