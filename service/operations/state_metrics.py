"""Counts of what a server holds and does at the moment, read when Prometheus asks."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from proofbase.service.application import Application
from proofbase.storage import SolutionStore, StoreError, StoreSizes

__all__ = ["ServerMetrics", "StoreMetrics"]

_log = logging.getLogger(__name__)
KEPT_SECONDS = 5.0
"""Sizes are read at most so often, however often somebody asks."""


class StoreMetrics(Collector):
    """Size, records, jobs and readers of a store.

    Args:
        store: is read.
        reason: why the server is not ready; None while it is.
    """

    def __init__(self, store: SolutionStore, reason: Callable[[], str | None]) -> None:
        self._store = store
        self._reason = reason
        self._lock = threading.Lock()
        self._read = float("-inf")
        self._kept: list[Metric] = []

    def collect(self) -> Iterable[Metric]:
        """As prometheus_client asks."""
        yield _gauge("proofbase_ready", "1 while calls should be sent here.", float(self._reason() is None))
        with self._lock:
            if time.monotonic() - self._read > KEPT_SECONDS:
                try:
                    self._kept = list(self._of_store())
                except StoreError as error:
                    _log.warning("no metrics of the store: %s", error)
                    self._kept = []
                self._read = time.monotonic()
            yield from self._kept

    def _of_store(self) -> Iterable[Metric]:
        store = self._store
        jobs = GaugeMetricFamily("proofbase_jobs", "Jobs of the store.", labels=("state",))
        for state, number in store.count_jobs().items():
            jobs.add_metric((state,), number)
        yield jobs
        games = store.games()
        yield _gauge("proofbase_store_games", "Games of which the store has records.", len(games))
        yield _gauge("proofbase_store_records", "Records of the store.", sum(game.records for game in games))
        if not store.temporary:
            yield from _sizes(store.sizes())


def _sizes(sizes: StoreSizes) -> Iterable[Metric]:
    yield _gauge("proofbase_store_bytes", "Bytes of the data file, or of the tables.", sizes.total_bytes)
    if sizes.used_bytes is not None and sizes.free_bytes is not None:
        yield _gauge("proofbase_store_used_bytes", "Bytes of the pages that hold something.", sizes.used_bytes)
        yield _gauge("proofbase_store_free_bytes", "Bytes of the pages that are used next.", sizes.free_bytes)
    if sizes.map_bytes is not None:
        yield _gauge("proofbase_store_map_bytes", "How far the file may grow before its map does.", sizes.map_bytes)
        yield _gauge("proofbase_store_readers", "Processes that have the store open.", len(sizes.readers))
        behind = max((reader.behind or 0 for reader in sizes.readers), default=0)
        yield _gauge("proofbase_store_oldest_scan_commits", "Commits since the oldest open scan began.", behind)
    parts = GaugeMetricFamily("proofbase_store_part_bytes", "Bytes of each database or table.", labels=("part",))
    for part in sizes.parts:
        parts.add_metric((part.name,), part.bytes)
    yield parts


class ServerMetrics(Collector):
    """Jobs, searches and copies of records of one process.

    Args:
        app: what the server serves.
    """

    def __init__(self, app: Application) -> None:
        self._app = app

    def collect(self) -> Iterable[Metric]:
        """As prometheus_client asks."""
        jobs = self._app.jobs.here()
        running = [job for job in jobs if job.state == "running"]
        yield _gauge("proofbase_jobs_running", "Jobs that run in this process.", len(running))
        yield _gauge("proofbase_jobs_waiting", "Jobs that wait in this process.", len(jobs) - len(running))
        rate = sum(float(getattr(job.progress, "nodes_per_second", 0.0)) for job in running)
        yield _gauge("proofbase_search_nodes_per_second", "Nodes a second of the searches that run.", rate)
        cache = self._app.resources.cache
        yield _counter("proofbase_cache_hits", "Batches that were answered from records in memory.", cache.hits)
        yield _counter("proofbase_cache_misses", "Batches for which the store was asked.", cache.misses)
        yield _gauge("proofbase_cache_records", "Records in memory.", cache.records_in_memory())


def _gauge(name: str, about: str, value: float) -> Metric:
    return GaugeMetricFamily(name, about, value=value)


def _counter(name: str, about: str, value: float) -> Metric:
    return CounterMetricFamily(name, about, value=value)
