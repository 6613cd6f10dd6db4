"""Stores the solution of a search, chunk by chunk: a job that is to stop, or has no time left, ends between two."""

from __future__ import annotations

import threading
from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, Any

from proofbase.engine.errors import SearchCancelledError
from proofbase.engine.records import tables_in
from proofbase.engine.records.claim import MAX_SEARCH_NODES
from proofbase.engine.rules import Game
from proofbase.service.errors import CallCancelledError, ServiceFailedError, UnsoundRecordsError
from proofbase.service.jobs.control import JobControl, Stopped
from proofbase.service.resources import Resources
from proofbase.service.resources.stop_signal import StopSignal
from proofbase.storage.entries import PutResult

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable, Search

__all__ = ["SolutionWriter", "WriteEnd"]

STORED_WHOLE = 2_000
"""Nodes of a solve, and records of its solution, up to which the solution is stored whole: it is small, and answers
lookups at every position. Of a larger one, claims that a small search settles are stored without the records below
them: a tenth of the size."""
NODES_A_VISIT = 4
"""A small search may visit so many times fewer positions than the searches of the solve: what it stands for stays a
small part of the solution."""
USERS_VISITS = 500
"""Positions that a small search may visit where the rules are in Python: some milliseconds."""


class _StopAsked(Exception):
    """The job is to stop, or the time is over: ends the reading of the claims that are to be stored."""


class WriteEnd(Enum):
    """How the storing of a solution ended."""

    STORED = "stored"
    STOPPED = "stopped"
    """The job was to stop before everything was stored."""
    LATE = "late"
    """The time was over before everything was stored."""
    UNSUPPORTED = "unsupported"
    """Claims fail their local check: stored records that the solution rests on may have been moved to the quarantine.
    Nothing of it was stored since."""


class SolutionWriter:
    """Takes the solution out of a search and stores it.

    Args:
        resources: the store, with its copies in memory.
        game: the game.
        control: of the job, which may be stopped at any time.
        nodes: of all searches of the job.
        seconds: what the budget leaves for it; None for no limit.

    Attributes:
        done, total: claims stored so far, and in all as far as that is known; for the progress of the job.
        changed: records that were added or improved.
        fault: what is wrong with a solution that is `UNSUPPORTED`.
        tables: names of those that the solution rests on.
    """

    def __init__(
        self, resources: Resources, game: Game[Any], control: JobControl, nodes: int, seconds: float | None = None
    ) -> None:
        self._resources = resources
        self._game = game
        self._control = control
        self._nodes = nodes
        self._seconds = seconds
        self._stop: Callable[[], None] | None = None
        """Ends the call of the native core that is being made."""
        self._late = False
        self.done = self.total = self.changed = 0
        self.fault = ""
        self.tables = frozenset[str]()

    def write(self, search: Search, source: str, removals: int | None) -> WriteEnd:
        """Stores all claims of the solution, when each of them has passed its local check.

        While the store has no room or does not answer, the job waits; then all claims are merged once more.

        Args:
            search: has answered its question.
            source: where the claims come from.
            removals: `SolutionStore.removals` when the search was given the stored records; None where that is not
                known.

        Raises:
            ServiceFailedError: a claim fails though no record has left the store: the search is at fault.
        """
        if self._seconds is None:
            return self._write(search, source, removals)
        timer = threading.Timer(max(self._seconds, 0.0), self._end_time)
        timer.daemon = True
        timer.start()
        try:
            return self._write(search, source, removals)
        finally:
            timer.cancel()

    def _write(self, search: Search, source: str, removals: int | None) -> WriteEnd:
        def put() -> WriteEnd:
            self._stop_if_asked()  # solution() forgets a cancel() that came before it
            self._on_stop(search.cancel)
            solution = self._solution(search)
            self.total = len(solution)
            signal = StopSignal()
            self._on_stop(signal.set)
            try:
                self._put(solution, source, signal)
            except UnsoundRecordsError as error:
                if removals == self._resources.store.removals(self._game.name):
                    raise ServiceFailedError(
                        f"the search {search.algorithm} is at fault, and nothing of its solution was stored: {error}"
                    ) from None
                self.fault = str(error)
                return WriteEnd.UNSUPPORTED
            return WriteEnd.STORED

        try:
            return self._control.with_retries(put)
        except (_StopAsked, Stopped, SearchCancelledError, CallCancelledError):
            if self._control.reason is not None:
                return WriteEnd.STOPPED
            if self._late:
                return WriteEnd.LATE
            raise

    def _end_time(self) -> None:
        self._late = True
        if self._stop is not None:
            self._stop()

    def _on_stop(self, stop: Callable[[], None]) -> None:
        self._stop = stop
        self._control.on_stop(stop)
        if self._late:
            stop()

    def _put(self, solution: RecordTable, source: str, stop: StopSignal) -> None:
        def count(stored: PutResult) -> None:
            self.done = min(self.total, self.done + stored.added + stored.improved + stored.unchanged)
            self.changed += stored.added + stored.improved

        self.done = 0
        writer = self._resources.writer
        checked = writer.check(self._game, solution, stop=stop)
        if self._resources.tables.of(self._game) is not None:
            self.tables = tables_in(solution.chunks())
        writer.put([checked], source=source, stop=stop, stored=count)

    def _solution(self, search: Search) -> RecordTable:
        """The solution, whole where it is small.

        The nodes alone do not tell: the search may have gone on with the table of an earlier job.
        """
        if self._nodes <= STORED_WHOLE:
            solution = search.solution(small_search_nodes=0)
            if len(solution) <= STORED_WHOLE:
                return solution
            self._nodes = len(solution)
        visits = self._nodes // NODES_A_VISIT
        most = USERS_VISITS if self._resources.games.is_users_own(self._game.name) else MAX_SEARCH_NODES
        return search.solution(small_search_nodes=min(visits, most))

    def _stop_if_asked(self) -> None:
        if self._control.reason is not None or self._late:
            raise _StopAsked
