"""The search of a lookup: questions about a position until its value is known or a small budget is used up.

The search takes the stored records as proved, and nothing of it is stored.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from proofbase.engine.records import MalformedRecordError, merge_encoded
from proofbase.engine.rules import Game
from proofbase.service.answers import Searched, Value
from proofbase.service.errors import InvalidRequestError, LimitExceededError
from proofbase.service.jobs.question_run import QuestionRun, RunEnd
from proofbase.service.jobs.solve.thresholds import next_threshold
from proofbase.service.resources import Resources
from proofbase.service.resources.algorithm_choice import AlgorithmChoice
from proofbase.service.resources.native import new_record_table, new_search
from proofbase.service.resources.search_table import SearchTable
from proofbase.storage import SolutionStore

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable, Search

__all__ = ["LookupBudget", "StoredAndFound", "lookup_budget", "search_position"]

FOUND = 0
"""Number of the source of what the search proved, while it is merged with stored claims; stores count from 1."""


@dataclass(frozen=True, slots=True)
class LookupBudget:
    """What the searches of one call may cost.

    Attributes:
        nodes: that the search of each position may create.
        seconds: of all searches of the call; None for the limit of the service.
    """

    nodes: int
    seconds: float | None = None

    def deadline(self, resources: Resources) -> float:
        """When the searches of a call that begins now have to end, on the clock of `time.monotonic`.

        Raises:
            InvalidRequestError: a budget below 1 node or not above 0 seconds.
            LimitExceededError: more nodes or seconds than a lookup may take.
        """
        limits = resources.limits
        if self.nodes < 1:
            raise InvalidRequestError(f"a search of {self.nodes} nodes: at least 1 is needed", field="search_nodes")
        if self.nodes > limits.search_nodes:
            raise LimitExceededError(
                f"a search of {self.nodes} nodes for a lookup: at most {limits.search_nodes}; a solve may take more",
                limit="search_nodes",
                largest=limits.search_nodes,
                field="search_nodes",
            )
        # Games in Python make few nodes a second: the time is limited in any case.
        seconds = limits.search_seconds if self.seconds is None else self.seconds
        if not seconds > 0:
            raise InvalidRequestError(f"a search of {seconds} seconds: more than 0 are needed", field="search_seconds")
        if seconds > limits.search_seconds:
            raise LimitExceededError(
                f"searches of {seconds} seconds for a lookup: at most {limits.search_seconds}; a solve may take more",
                limit="search_seconds",
                largest=limits.search_seconds,
                field="search_seconds",
            )
        return time.monotonic() + seconds


def lookup_budget(nodes: int | None, seconds: float | None) -> LookupBudget | None:
    """The budget of a call, None for one that allows no search.

    Raises:
        InvalidRequestError: a limit of seconds without one of nodes.
    """
    if nodes is None and seconds is not None:
        raise InvalidRequestError("search_seconds without search_nodes: there is no search", field="search_seconds")
    return None if nodes is None else LookupBudget(nodes, seconds)


class StoredAndFound:
    """Records of the store, with what a search has proved."""

    def __init__(self, store: SolutionStore, found: RecordTable) -> None:
        self._store = store
        self._found = found

    def get_many(self, game: str, keys: Iterable[bytes]) -> list[bytes | None]:
        """The records of the keys: those of the store, merged with those that the search has proved."""
        keys = list(keys)
        stored = self._store.get_many(game, keys)
        return [self._merged(game, key, record) for key, record in zip(keys, stored, strict=True)]

    def _merged(self, game: str, key: bytes, stored: bytes | None) -> bytes | None:
        found = self._found.get(key)
        if stored is None or found is None:
            return stored or found
        try:
            return merge_encoded(stored, found, FOUND) or stored
        except MalformedRecordError as error:
            raise error.at(game, key) from None


def search_position(
    resources: Resources,
    game: Game[Any],
    position: Any,
    value: Value,
    nodes: int,
    deadline: float,
    table: SearchTable | None = None,
) -> tuple[StoredAndFound, Searched]:
    """Asks questions about a position until its value is known, or the nodes or the time are used up.

    Args:
        resources: the store and what belongs to it.
        game: of the position.
        position: one where the game goes on.
        value: what is known of it; not exact.
        nodes: for all questions.
        deadline: on the clock of `time.monotonic`.
        table: what the searches of other positions have left.

    Returns:
        What the store and the search know, and what the search was.
    """
    found = new_record_table(game)
    records = StoredAndFound(resources.store, found)
    known = resources.cache.records(game.name)
    choice = AlgorithmChoice(game, "auto", {}, position)
    table = table or SearchTable()
    memory = resources.limits.job_memory_bytes
    spent = 0
    while True:
        threshold = next_threshold(value, None)
        assert threshold is not None, "the value is open"

        def new(algorithm: str, threshold: int = threshold) -> Search:
            return new_search(game, position, threshold, algorithm=algorithm, known=known)

        run = QuestionRun(threshold, choice, new, table)
        while True:
            search = run.begin_search()
            end = run.run(max(deadline - time.monotonic(), 0.001), memory, max(1, nodes - spent))
            spent += search.progress().nodes
            if end is RunEnd.MEMORY or not run.another_search_follows(end):
                break
        if end is not RunEnd.ANSWERED:
            return records, Searched(spent, search.algorithm, end.value)
        for chunk in search.solution(small_search_nodes=0).chunks():
            found.load(chunk)
        if search.status == "proved":
            value = Value(threshold, value.upper, True, value.upper_known)
        else:
            value = Value(value.lower, threshold - 1, value.lower_known, True)
        if value.exact:
            return records, Searched(spent, search.algorithm)
        if spent >= nodes:
            return records, Searched(spent, search.algorithm, RunEnd.NODES.value)
