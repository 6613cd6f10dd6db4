"""How a solve searches: with one search of the native core at a time, or with a proof manager."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from proofbase.service.jobs.solve.context import SolveContext
from proofbase.service.jobs.solve.solution_writer import SolutionWriter, WriteEnd
from proofbase.service.resources.algorithm_choice import AlgorithmChoice
from proofbase.service.resources.native import ChosenAlgorithm, new_search
from proofbase.service.resources.search_table import UNKNOWN

if TYPE_CHECKING:
    from proofbase.engine._core import Search

__all__ = ["NativeSearches", "Searches", "StoredSolution"]

FIRST_TURN, USERS_FIRST_TURN = 1_000, 100
"""Nodes of a first turn; by rules in Python some of them take a second."""
HELD_NODES = 100_000
"""Most nodes of a search without a table that waits until its solution is known to be needed: some ten megabytes."""


class StoredSolution(NamedTuple):
    """What was stored of the solution of a search.

    Attributes:
        end: how the storing ended.
        records: that were added or improved.
        fault: what is wrong with a solution that was not stored.
        tables: names of those that it rests on.
    """

    end: WriteEnd
    records: int
    fault: str = ""
    tables: frozenset[str] = frozenset()


class Searches(Protocol):
    """Makes the searches of a solve, one after the other.

    A search is one of the native core, or has its methods `run`, `cancel`, `progress`, `checkpoint` and `restore`.
    """

    choice: AlgorithmChoice
    """The choice of the algorithms for `new`."""
    first_turn: int
    """Nodes of the first turn of a question, where several are asked in turn."""

    def new(self, threshold: int, algorithm: str, stop_if_asked: Callable[[], None]) -> Any:
        """A search for the answer to a question.

        Args:
            threshold: the question.
            algorithm: a family with its policies.
            stop_if_asked: called while a large store is read; what it raises ends that.
        """

    def for_value(self, stop_if_asked: Callable[[], None]) -> Search | None:
        """A search whose `find_value` tells what the value may be before the first question; None where none does.

        Args:
            stop_if_asked: as for `new`.
        """

    def restored(self) -> None:
        """The last search that was made goes on with a checkpoint of which nobody knows what it rests on."""

    def end(self, waiting: Collection[int] = ()) -> None:
        """No search will run again, but those of the questions that are waiting for their next turn."""

    def can_be_kept(self, search: Any) -> bool:
        """Whether a search keeps its work until its next turn; what others have done is in their table, or stored."""

    def can_wait(self, search: Any) -> bool:
        """Whether the solution of a search can be had later as well: from itself, or from a search with its table."""

    def store_solution(self, search: Any, threshold: int, nodes: int, seconds: float | None) -> StoredSolution:
        """Stores what a search has proved or disproved.

        Args:
            search: has answered its question.
            threshold: the question.
            nodes: of all searches of the solve.
            seconds: that it may take.
        """

    def add_progress(self, fields: dict[str, Any], search: Any) -> None:
        """Adds what is known here of the search that runs now, None between two. Called from any thread.

        Args:
            search: that runs now.
            fields: those of `SolveProgress` by name; those that are missing have their defaults.
        """

    def reason(self, chosen: ChosenAlgorithm) -> str | None:
        """Why this algorithm was chosen, in words for people."""


class NativeSearches:
    """One search of the native core at a time.

    Args:
        context: the solve.
    """

    def __init__(self, context: SolveContext) -> None:
        self._context = context
        self.choice = AlgorithmChoice(
            context.game,
            context.spec.algorithm,
            context.control.private,
            context.position,
            has_tables=partial(context.resources.tables.has_some, context.game),
        )
        self.first_turn = USERS_FIRST_TURN if context.of_users_game else FIRST_TURN
        self._writer: SolutionWriter | None = None
        """What stores the solution of the search, while it does."""

    def new(self, threshold: int, algorithm: str, stop_if_asked: Callable[[], None]) -> Search:
        """As in `Searches`."""
        context, cache = self._context, self._context.resources.cache
        if context.table.removals is None:
            context.table.removals = context.resources.store.removals(context.game.name)
        known = cache.records(context.game.name, stop_if_asked)
        return new_search(context.game, context.position, threshold, algorithm=algorithm, known=known)

    def for_value(self, stop_if_asked: Callable[[], None]) -> Search | None:
        """As in `Searches`."""
        chosen = self.choice.after_first_nodes() if self._context.game.highest_value > 1 else None
        return None if chosen is None else self.new(1, chosen.name, stop_if_asked)

    def restored(self) -> None:
        """As in `Searches`."""
        self._context.table.removals = UNKNOWN

    def end(self, waiting: Collection[int] = ()) -> None:
        """There is nothing to close."""

    def can_be_kept(self, search: Search) -> bool:
        """As in `Searches`."""
        return not search.has_table

    def can_wait(self, search: Search) -> bool:
        """As in `Searches`. The nodes of a user's game are dear: what is stored saves some of the next search."""
        return search.has_table or (search.progress().nodes <= HELD_NODES and not self._context.of_users_game)

    def store_solution(self, search: Search, threshold: int, nodes: int, seconds: float | None) -> StoredSolution:
        """As in `Searches`."""
        context = self._context
        # Without the job and its budget: else there would be a new source for every job.
        source = f"solve {search.algorithm} at_least={threshold}{context.control.job.origin}"
        self._writer = writer = SolutionWriter(context.resources, context.game, context.control, nodes, seconds)
        removals = context.table.removals
        try:
            end = writer.write(search, source, None if removals == UNKNOWN else removals)
        finally:
            self._writer = None
        return StoredSolution(end, writer.changed, writer.fault, writer.tables)

    def add_progress(self, fields: dict[str, Any], search: Search | None) -> None:
        """The claims that are being stored."""
        writer = self._writer
        if writer is not None and fields["phase"] == "searching":
            fields |= {"phase": "storing", "phase_done": writer.done, "phase_total": writer.total}

    def reason(self, chosen: ChosenAlgorithm) -> str | None:
        """As in `Searches`."""
        return chosen.reason
