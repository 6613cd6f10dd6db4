"""Counts of calls for Prometheus: how many by method and code, how long they took, how many are open."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics

__all__ = ["CallMetrics", "RecordedCall"]

_log = logging.getLogger("proofbase.calls")
disable_created_metrics()  # type: ignore[no-untyped-call]  # a series for each counter that tells when it was made
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0)


class RecordedCall:
    """A call that is under way.

    Attributes:
        method: what is called: `Solutions/Lookup`, or the verb and the path of a route.
        code: how it has ended: the name of a gRPC status, or a status of HTTP.
    """

    __slots__ = ("code", "method")

    def __init__(self, method: str) -> None:
        self.method = method
        self.code = "UNKNOWN"


class CallMetrics:
    """The calls of one server.

    Args:
        registry: what is scraped. Each server of a process has its own.
    """

    def __init__(self, registry: CollectorRegistry) -> None:
        names = ("transport", "method")
        self._calls = Counter(
            "proofbase_calls", "Calls that have ended, by their codes.", (*names, "code"), registry=registry
        )
        self._seconds = Histogram(
            "proofbase_call_seconds",
            "How long calls took, streams as a whole.",
            names,
            registry=registry,
            buckets=SECONDS,
        )
        self._open = Gauge(
            "proofbase_open_calls",
            "Calls that are under way.",
            ("transport",),
            registry=registry,
            multiprocess_mode="livesum",
        )

    @contextmanager
    def recorded(self, transport: str, method: str) -> Iterator[RecordedCall]:
        """Counts the call that the block makes. Its `code` is set within, its `method` may be."""
        call, began, under_way = RecordedCall(method), time.perf_counter(), self._open.labels(transport)
        under_way.inc()
        try:
            yield call
        finally:
            seconds = time.perf_counter() - began
            under_way.dec()
            self._calls.labels(transport, call.method, call.code).inc()
            self._seconds.labels(transport, call.method).observe(seconds)
            if _log.isEnabledFor(logging.DEBUG):
                fields = {"transport": transport, "method": call.method, "code": call.code}
                _log.debug(
                    "%s %s: %s in %.1f ms",
                    transport,
                    call.method,
                    call.code,
                    1000 * seconds,
                    extra={"fields": {**fields, "milliseconds": round(1000 * seconds, 3)}},
                )
