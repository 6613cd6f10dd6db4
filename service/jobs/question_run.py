"""The run of one question: choose the algorithm, lend its search the table, run it, ask why it ended, choose the next.

Solves, the tasks of a proof manager and lookups with a search all ask their questions this way. They differ in how long
a slice of a search is and in what they do between two slices.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

from proofbase.service.resources.algorithm_choice import AlgorithmChoice
from proofbase.service.resources.native import ChosenAlgorithm
from proofbase.service.resources.search_table import SearchTable

__all__ = ["QuestionRun", "RunEnd"]


class RunEnd(StrEnum):
    """Why a search does not go on. Results hold these names as `unknown_reason`."""

    ANSWERED = "answered"
    NODES = "nodes"
    """The nodes that all searches of the question may create are used up."""
    ATTEMPT_NODES = "attempt"
    """So are those of this attempt: another question is to be asked."""
    TRIAL_NODES = "first nodes"
    """So are those for which this algorithm is tried: another algorithm is to be used."""
    SECONDS = "seconds"
    """The slice is over, or the time for the question."""
    MEMORY = "memory"
    EXHAUSTED = "exhausted"
    """The search has nothing left to try."""
    INTERRUPTED = "interrupted"
    """Something else is to be done first. Then the question is asked again, with the table."""
    REPETITION = "repetition"
    """What the search has found depends on its path."""
    CANCELLED = "cancelled"


class QuestionRun:
    """The searches for the answer to one question, of which each has the transposition table of the one before.

    Args:
        threshold: the question: is the value at least this?
        choice: of the algorithms.
        new_search: makes a search by the algorithm of this name.
        table: what earlier searches have left.

    Attributes:
        chosen: the algorithm of the last search.
        search: the last search.
        took_table: whether it has the table of the one before.
    """

    chosen: ChosenAlgorithm
    search: Any
    took_table: bool

    def __init__(
        self, threshold: int, choice: AlgorithmChoice, new_search: Callable[[str], Any], table: SearchTable
    ) -> None:
        self.threshold = threshold
        self._choice = choice
        self._new_search = new_search
        self._table = table

    def begin_search(self) -> Any:
        """Makes the next search, by the algorithm that is chosen now."""
        self.chosen = self._choice.for_question(self.threshold)
        self.search = self._new_search(self.chosen.name)
        self.took_table = self._table.lend(self.search)
        return self.search

    def begin_again(self) -> Any:
        """Makes the last search anew: that one is of no use."""
        self._table.keep(self.search)
        return self.begin_search()

    def run(self, seconds: float, memory: int, nodes: int | None, attempt_nodes: int | None = None) -> RunEnd:
        """Runs the search for one slice.

        Args:
            seconds: of the slice.
            memory: bytes that the search may hold.
            nodes: that the search may have in all.
            attempt_nodes: that the search may have in this attempt.

        Returns:
            Why the slice has ended; `SECONDS` if the search can go on.
        """
        limits = {
            RunEnd.NODES: nodes,
            RunEnd.ATTEMPT_NODES: attempt_nodes,
            RunEnd.TRIAL_NODES: self.chosen.nodes,
        }
        end_of_nodes, limit = min(
            ((end, limit) for end, limit in limits.items() if limit is not None),
            key=lambda entry: entry[1],
            default=(RunEnd.NODES, None),
        )
        outcome = self.search.run(nodes=limit, seconds=seconds, memory=memory)
        self._table.keep(self.search)
        if outcome.status != "unknown":
            return RunEnd.ANSWERED
        return end_of_nodes if outcome.reason == RunEnd.NODES else RunEnd(outcome.reason)

    def another_search_follows(self, end: RunEnd) -> bool:
        """Whether another algorithm is to go on with the question.

        Args:
            end: of the last search.
        """
        if end is RunEnd.TRIAL_NODES:
            self._choice.note_nodes_used_up(self.threshold)
            return True
        if end is RunEnd.EXHAUSTED:
            return self._choice.note_exhausted(self.threshold)
        return end is RunEnd.MEMORY and self._choice.note_memory_used_up(self.threshold)
