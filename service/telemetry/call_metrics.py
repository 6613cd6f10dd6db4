"""Counts of calls for Prometheus: how many by method and code, how long they took, how many are open."""

from __future__ import annotations

import logging
import time
from functools import cache
from types import TracebackType
from typing import Self

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics

__all__ = ["CallMetrics", "RecordedCall"]

_log = logging.getLogger("proofbase.calls")
disable_created_metrics()  # type: ignore[no-untyped-call]  # a series for each counter that tells when it was made
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0)


class RecordedCall:
    """A call that is under way while the context lasts.

    Attributes:
        transport: `grpc` or `http`.
        method: what is called: `Solutions/Lookup`, or the verb and the path of a route.
        code: how it has ended: the name of a gRPC status, or a status of HTTP.
    """

    __slots__ = ("_began", "_metrics", "code", "method", "transport")

    def __init__(self, metrics: CallMetrics, transport: str, method: str) -> None:
        self._metrics = metrics
        self.transport = transport
        self.method = method
        self.code = "UNKNOWN"
        self._began = 0.0

    def __enter__(self) -> Self:
        self._began = time.perf_counter()
        self._metrics.begin(self.transport)
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._metrics.end(self, time.perf_counter() - self._began)


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
        # Finding the child of a metric by its labels takes longer than counting.
        self._calls_of = cache(self._calls.labels)
        self._seconds_of = cache(self._seconds.labels)
        self._open_of = cache(self._open.labels)

    def recorded(self, transport: str, method: str) -> RecordedCall:
        """Counts the call that is made while the context lasts. Its `code` is set within, its `method` may be."""
        return RecordedCall(self, transport, method)

    def begin(self, transport: str) -> None:
        """A call is under way."""
        self._open_of(transport).inc()

    def end(self, call: RecordedCall, seconds: float) -> None:
        """A call has ended."""
        self._open_of(call.transport).dec()
        self._calls_of(call.transport, call.method, call.code).inc()
        self._seconds_of(call.transport, call.method).observe(seconds)
        if _log.isEnabledFor(logging.DEBUG):
            fields = {"transport": call.transport, "method": call.method, "code": call.code}
            _log.debug(
                "%s %s: %s in %.1f ms",
                call.transport,
                call.method,
                call.code,
                1000 * seconds,
                extra={"fields": {**fields, "milliseconds": round(1000 * seconds, 3)}},
            )
