"""The search of a lookup: questions about a position until its value is known or a small budget is used up.

The search takes the stored records as proved, and nothing of it is stored.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from proofbase.engine.records import MalformedRecordError, merge_encoded
from proofbase.engine.rules import Game
from proofbase.service.answers import Searched, Value
from proofbase.service.jobs.question_run import QuestionRun, RunEnd
from proofbase.service.jobs.solve.thresholds import next_threshold
from proofbase.service.resources import Resources
from proofbase.service.resources.algorithm_choice import AlgorithmChoice
from proofbase.service.resources.native import new_record_table, new_search
from proofbase.service.resources.search_table import SearchTable
from proofbase.storage import SolutionStore

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable, Search

__all__ = ["StoredAndFound", "search_position"]

FOUND = 0
"""Number of the source of what the search proved, while it is merged with stored claims; stores count from 1."""


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
        searched = self._found.get(key)
        if stored is None or searched is None:
            return stored or searched
        try:
            return merge_encoded(stored, searched, FOUND) or stored
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
    results = new_record_table(game)
    records = StoredAndFound(resources.store, results)
    known = resources.cache.records(game.name)
    choice = AlgorithmChoice(game, "auto", {}, position, has_tables=partial(resources.tables.has_some, game))
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
            results.load(chunk)
        if search.status == "proved":
            value = Value(threshold, value.upper, True, value.upper_known)
        else:
            value = Value(value.lower, threshold - 1, value.lower_known, True)
        if value.exact:
            return records, Searched(spent, search.algorithm)
        if spent >= nodes:
            return records, Searched(spent, search.algorithm, RunEnd.NODES.value)
