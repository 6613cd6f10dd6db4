"""What the commands work on: one opened store with its games, limits, copies of records and jobs."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self

from proofbase.service.answers import Source
from proofbase.service.games import GameShelf
from proofbase.service.jobs.runner import JobRunner
from proofbase.service.limits import Limits
from proofbase.service.record_cache import RecordCache
from proofbase.service.table_shelf import TableShelf, tables_directory
from proofbase.storage import SolutionStore, open_store

if TYPE_CHECKING:
    from proofbase.service.commands.get_proof import Traversal

__all__ = ["Application", "open_application"]

KEPT_TRAVERSALS = 16


class Application:
    """One service, without a transport. Thread-safe; close it, or use it as a context manager.

    Args:
        store: an open store; the application closes it.
        limits: what is accepted.
        rules: the rules that answer; `python` needs no compiled core but cannot search.
        tables: directory of tables; None for the one beside the store.
    """

    def __init__(
        self,
        store: SolutionStore,
        limits: Limits | None = None,
        *,
        rules: Literal["native", "python"] = "native",
        tables: Path | None = None,
    ) -> None:
        self.store = store
        self.limits = limits or Limits()
        self.games = GameShelf(rules)
        self.tables = TableShelf(tables_directory(store.url) if tables is None else tables)
        self.cache = RecordCache(store, self.games, self.limits.cache_bytes, self.tables)
        self.jobs = JobRunner(self)
        self._sources: dict[int, Source] = {}
        self._traversals: OrderedDict[str, Traversal] = OrderedDict()
        self._lock = threading.Lock()

    def sources(self, numbers: Iterable[int]) -> tuple[Source, ...]:
        """Entries of the store's list of sources, by number."""
        wanted = sorted(set(numbers))
        if any(number not in self._sources for number in wanted):
            self._sources = {
                entry.number: Source(entry.number, entry.text, entry.created) for entry in self.store.sources()
            }
        return tuple(self._sources[number] for number in wanted if number in self._sources)

    def keep_traversal(self, token: str, traversal: Traversal) -> None:
        """Keeps a proof that stopped at the end of a page, for whoever asks for the next page."""
        with self._lock:
            self._traversals[token] = traversal
            while len(self._traversals) > KEPT_TRAVERSALS:
                self._traversals.popitem(last=False)

    def take_traversal(self, token: str) -> Traversal | None:
        """A kept traversal, once."""
        with self._lock:
            return self._traversals.pop(token, None)

    def close(self) -> None:
        """Stops the jobs (they can be resumed) and closes the store."""
        self.jobs.close()
        self.cache.close()
        self.games.close()
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_application(
    url: str, *, limits: Limits | None = None, read_only: bool = False, create: bool = True, **settings: Any
) -> Application:
    """Opens a store and an application on it.

    Raises:
        StoreError: the store cannot be opened; its subclass says why.
    """
    store = open_store(url, read_only=read_only, create=create)
    try:
        return Application(store, limits, **settings)
    except BaseException:
        store.close()
        raise
