"""What the commands and the jobs work on: an open store, its games, its tables, copies of its records, and the limits.

`Resources` holds them. Nothing here knows a command, a job or a transport.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Self

from proofbase.service.limits import Limits
from proofbase.service.resources.cluster import Cluster
from proofbase.service.resources.continuations import Continuations
from proofbase.service.resources.games import GameCache
from proofbase.service.resources.record_cache import RecordCache
from proofbase.service.resources.record_writer import RecordWriter
from proofbase.service.resources.sources import SourceList
from proofbase.service.resources.table_counts import TableCounts
from proofbase.service.resources.table_memory import TableMemory
from proofbase.service.resources.tables import OpenTables
from proofbase.service.resources.undamaged_records import UndamagedRecords
from proofbase.service.resources.uploads import Uploads
from proofbase.storage import SolutionStore
from proofbase.storage.closing import Closing

__all__ = ["Resources"]


class Resources(Closing):
    """The resources of one service. Thread-safe; close them, or use them as a context manager.

    Args:
        store: an open store; it is closed with the resources.
        limits: what is accepted.
        rules: the rules that answer; `python` needs no compiled core but cannot search. None: the native ones where the
            core is installed.
        tables: directory of tables; None for the one beside the store.
        cluster: searches for the jobs with workers; None for threads and processes of this machine.

    Attributes:
        store: where records and jobs are kept.
        limits: what is accepted.
        cluster: searches for the jobs with workers, if there is one.
        games: the games, by any of their names.
        tables: the tables of values.
        table_counts: how many positions of each have which value.
        cache: copies of the store's records in memory.
        sources: the store's list of where claims came from.
        undamaged: the store's records without the damaged ones.
        uploads: receives the files that are imported.
        continuations: signs the continuations of answers that were cut.
    """

    def __init__(
        self,
        store: SolutionStore,
        limits: Limits | None = None,
        *,
        rules: Literal["native", "python"] | None = None,
        tables: Path | str | None = None,
        cluster: Cluster | None = None,
    ) -> None:
        self.cluster = cluster
        self.limits = limits or Limits()
        self.games = GameCache(rules, lambda name: store.count(name) > 0)
        memory = TableMemory(self.limits.table_bytes)
        self.tables = OpenTables(store.tables_directory if tables is None else Path(tables), memory, store)
        if store.published:
            from proofbase.service.resources.checked_package import CheckedPackage  # noqa: PLC0415  imports what reads by HTTP

            store = CheckedPackage(store, self.games, self.tables)
        self.store = store
        self.table_counts = TableCounts(self.tables.directory)
        self.cache = RecordCache(store, self.games, self.limits.cache_bytes, self.tables)
        self.writer = RecordWriter(self.cache, self.limits.job_memory_bytes)
        self.sources = SourceList(store)
        self.undamaged = UndamagedRecords(store)
        self.uploads = Uploads(self.limits.import_bytes)
        self.continuations = Continuations()

    @property
    def package(self) -> str | None:
        """URL of the package that all answers are from, which carry it as a mark; None for a store of one's own."""
        return self.store.url if self.store.published else None

    def close(self) -> None:
        """Drops the copies and closes the store."""
        self.tables.damage()  # what the last questions came upon is logged as well
        self.cache.close()
        self.games.close()
        self.store.close()
