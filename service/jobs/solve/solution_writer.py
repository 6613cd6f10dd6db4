"""Stores the solution of a search, piece by piece: a job that is to stop, or has no time left, ends between two."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from proofbase.engine.errors import SearchCancelledError
from proofbase.engine.rules import Game
from proofbase.service.jobs.control import JobControl, Stopped
from proofbase.service.resources.native import new_stop_flag
from proofbase.service.resources.record_cache import RecordCache
from proofbase.storage.entries import PutResult

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable, Search

__all__ = ["SolutionWriter"]

CHUNK = 1_000
"""Claims that are taken out of the native table at a time: some milliseconds."""
STORED_WHOLE = 100_000
"""Nodes of a search, and records of its solution, up to which the solution is stored whole: it is small, and answers
lookups at every position. Of a larger one, claims that a small search settles are stored without the records below
them: a tenth of the size."""


class _StopAsked(Exception):
    """The job is to stop, or the time is over: ends the reading of the claims that are to be stored."""


class SolutionWriter:
    """Takes the solution out of a search and stores it.

    Args:
        cache: the store, with its copies in memory.
        game: the game.
        control: of the job, which may be stopped at any time.
        seconds: what the budget leaves for it; None for no limit.

    Attributes:
        done, total: claims stored so far, and in all as far as that is known; for the progress report.
        changed: records that were added or improved.
        late: whether the time was over before everything was stored.
    """

    def __init__(self, cache: RecordCache, game: Game[Any], control: JobControl, seconds: float | None = None) -> None:
        self._cache = cache
        self._game = game
        self._control = control
        self._seconds = seconds
        self._stop: Callable[[], None] | None = None
        """Ends the call of the native core that is being made."""
        self.done = self.total = self.changed = 0
        self.late = False

    def write(self, search: Search, source: str) -> bool:
        """Stores all claims of the solution, what a claim rests on before the claim itself.

        So the stored set is closed between two writes, too, and after a `kill -9`. While the store has no room or does
        not answer, the job waits; then all claims are merged once more.

        Returns:
            False if the job was to stop, or the time was over, before everything was stored.
        """
        if self._seconds is None:
            return self._write(search, source)
        timer = threading.Timer(max(self._seconds, 0.0), self._end_time)
        timer.daemon = True
        timer.start()
        try:
            return self._write(search, source)
        finally:
            timer.cancel()

    def _write(self, search: Search, source: str) -> bool:

        def count(stored: PutResult) -> None:
            self.done += stored.added + stored.improved + stored.unchanged
            self.changed += stored.added + stored.improved

        def put() -> None:
            self.done = 0
            self._cache.put(
                self._game.name,
                self._claims(search),
                source=source,
                rules_version=self._game.rules_version,
                stored=count,
            )

        try:
            self._control.with_retries(put)
        except (_StopAsked, Stopped, SearchCancelledError):
            if self._control.reason is None and not self.late:
                raise
            return False
        self.late = False  # if it is over by now, that was in time
        return True

    def _end_time(self) -> None:
        self.late = True
        if self._stop is not None:
            self._stop()

    def _on_stop(self, stop: Callable[[], None]) -> None:
        self._stop = stop
        self._control.on_stop(stop)
        if self.late:
            stop()

    def _claims(self, search: Search) -> Iterator[tuple[bytes, bytes]]:
        self._stop_if_asked()  # solution() forgets a cancel() that came before it
        self._on_stop(search.cancel)
        solution = self._solution(search)
        self.total = len(solution)
        flag = new_stop_flag()
        self._on_stop(flag.set)
        for chunk in solution.chunks(CHUNK, well_founded=True, stop=flag):
            for item in chunk:
                self._stop_if_asked()
                yield item

    def _solution(self, search: Search) -> RecordTable:
        """The solution, whole where it is small.

        The nodes of the search alone do not tell: it may have gone on with the table of an earlier one.
        """
        if search.progress().nodes <= STORED_WHOLE:
            solution = search.solution(small_search_nodes=0)
            if len(solution) <= STORED_WHOLE:
                return solution
        return search.solution()

    def _stop_if_asked(self) -> None:
        if self._control.reason is not None or self.late:
            raise _StopAsked
