"""A store served by this process, until it is told to stop."""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from proofbase.service.access.security import Security
from proofbase.service.application import open_application
from proofbase.service.limits import Limits
from proofbase.service.operations.settings import Operation
from proofbase.service.resources.cluster import Cluster
from proofbase.service.rpc.listener import allow_many_connections
from proofbase.service.server.server import Server

__all__ = ["DEFAULT_LISTEN", "Addresses", "serve"]

DEFAULT_LISTEN = "127.0.0.1:50051"
SWITCH_SECONDS = 0.0005


class Addresses(NamedTuple):
    """Where a server answers, as `host:port`; None where it does not."""

    grpc: str
    http: str | None = None
    metrics: str | None = None


def serve(
    url: str,
    listen: str = DEFAULT_LISTEN,
    *,
    http_listen: str | None = None,
    http_origins: Sequence[str] = (),
    security: Security | None = None,
    limits: Limits | None = None,
    read_only: bool = False,
    create: bool = True,
    tables: Path | None = None,
    cluster: Cluster | None = None,
    operation: Operation | None = None,
    on_ready: Callable[[Addresses], None] = lambda addresses: None,
    until: asyncio.Event | None = None,
) -> None:
    """Opens a store and serves it until SIGTERM or SIGINT, then stops gracefully: jobs go on at the next start.

    Args:
        url: the store.
        listen: `host:port`; port 0 for any free one.
        http_listen: the same for HTTP; None for gRPC alone.
        http_origins: pages of elsewhere that browsers may let ask over HTTP, such as `https://example.org`.
        security: TLS, and which clients are answered; an address that others can reach needs it.
        limits: what is accepted.
        read_only: serve without writing.
        create: make a store that is not there.
        tables: directory of the tables of values; None for the one beside the store.
        cluster: searches for the jobs with workers; None for threads and processes of this machine.
        operation: how it is operated.
        on_ready: called when calls are accepted.
        until: ends the server as well when it is set (from the same event loop).

    Raises:
        StoreError: the store cannot be opened.
        UnsafeServerError: strangers could read or write there.
        ServiceUnavailableError: it cannot listen there, or the gRPC server has ended by itself.
    """
    import_module("proofbase.engine.games")  # slow imports before the port is open
    # A thread that computes in Python lets the event loop in so soon; 5 ms, which is usual, add up to many for a call.
    sys.setswitchinterval(SWITCH_SECONDS)
    allow_many_connections()
    settings: dict[str, Any] = {"limits": limits, "tables": tables, "cluster": cluster}
    with open_application(url, read_only=read_only, create=create, **settings) as app:
        server = partial(Server, app, security, operation)
        asyncio.run(_serve(server, listen, http_listen, http_origins, on_ready, until))


async def _serve(
    make: Callable[[], Server],
    listen: str,
    http_listen: str | None,
    http_origins: Sequence[str],
    on_ready: Callable[[Addresses], None],
    until: asyncio.Event | None,
) -> None:
    server = make()
    port = await server.start(listen, http_listen, http_origins)
    gc.freeze()  # modules and all that lasts: no collection looks at it again
    stop, hurry = until or asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        # Not in the main thread: the caller stops the server.
        with suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(name, _stop_or_hurry, stop, hurry)
    address = f"{listen.rpartition(':')[0]}:{port}"
    http = None if http_listen is None else f"{http_listen.rpartition(':')[0]}:{server.http_port}"
    on_ready(Addresses(address, http, server.metrics_address))
    stopping = asyncio.create_task(stop.wait())
    ended = asyncio.create_task(server.ended())
    try:
        await asyncio.wait([stopping, ended], return_when=asyncio.FIRST_COMPLETED)
        if ended.done():
            ended.result()
        await server.drain(hurry)
    finally:
        stopping.cancel()
        ended.cancel()
        await server.stop()


def _stop_or_hurry(stop: asyncio.Event, hurry: asyncio.Event) -> None:
    """Takes a signal: the first one stops the server, the second one cuts its drain short."""
    (hurry if stop.is_set() else stop).set()
