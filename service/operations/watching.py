"""Opens the port for metrics, liveness and readiness of a server in this process."""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from prometheus_client import CollectorRegistry, ProcessCollector

from proofbase.service.access.security import is_loopback
from proofbase.service.application import Application
from proofbase.service.operations.port import WatchPort
from proofbase.service.operations.readiness import Readiness
from proofbase.service.operations.settings import Operation
from proofbase.service.operations.state_metrics import ServerMetrics, StoreMetrics

__all__ = ["open_watch_port", "warn_if_open"]

_log = logging.getLogger(__name__)
SILENCE_SECONDS = 5.0
"""An event loop that is silent for so long is taken for dead."""


def open_watch_port(
    operation: Operation, app: Application, registry: CollectorRegistry, readiness: Readiness
) -> WatchPort | None:
    """The port that the operation asks for; None where it asks for none. Called in the event loop of the server.

    Raises:
        ServiceUnavailableError: it cannot listen there.
    """
    listen = operation.metrics_listen
    if listen is None:
        return None
    registry.register(StoreMetrics(app.resources.store, lambda: readiness.reason))
    registry.register(ServerMetrics(app))
    ProcessCollector(registry=registry)
    port = WatchPort(listen, registry, partial(_silence_of, asyncio.get_running_loop()), lambda: readiness.reason)
    warn_if_open(listen)
    return port


def warn_if_open(listen: str) -> None:
    """Says it where others can read the metrics."""
    if not is_loopback(listen):
        _log.warning("whoever reaches %s sees the metrics of this server", listen)


def _silence_of(loop: asyncio.AbstractEventLoop) -> str | None:
    """Why the event loop does not live any more; None where it answers."""
    ping = asyncio.sleep(0)
    try:
        asyncio.run_coroutine_threadsafe(ping, loop).result(SILENCE_SECONDS)
    except TimeoutError:
        return f"the event loop has not answered for {SILENCE_SECONDS:g} s"
    except RuntimeError:
        ping.close()
        return "the server has ended"
    return None
