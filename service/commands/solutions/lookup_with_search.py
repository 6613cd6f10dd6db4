"""Look up one position, and search it within a budget where its value is not known."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from proofbase.engine.records import MalformedRecordError, merge_encoded
from proofbase.engine.rules import Game
from proofbase.service.answers import PositionAnswer, Searched, Value
from proofbase.service.commands.solutions.lookup import answer_position
from proofbase.service.errors import InvalidRequestError, LimitExceededError
from proofbase.service.jobs.thresholds import next_threshold
from proofbase.service.positions import Where, find_position
from proofbase.service.resources import Resources
from proofbase.service.resources.native import new_record_table, new_search
from proofbase.storage import SolutionStore

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable

__all__ = ["lookup_with_search"]

MOST_SECONDS = 10.0
"""The search of a lookup ends after this time in any case: games in Python make few nodes a second."""
FOUND = 0
"""Number of the source of what the search proved, while it is merged with stored claims; stores count from 1."""


def lookup_with_search(
    resources: Resources, game_name: str, where: Where = None, *, nodes: int, board: bool = False
) -> PositionAnswer:
    """What the store knows of a position; where that is not its value, a search within `nodes` adds what it proves.

    The search takes the stored records as proved. Nothing of the search is stored. The answer's `searched` says that
    there was a search; claims and sources are those of the store alone.

    Args:
        resources: the store and what belongs to it.
        game_name: any name of the game.
        where: the position.
        nodes: what the search may create, over all its questions.
        board: whether to draw it.

    Raises:
        UnknownGameError, InvalidPositionError, InvalidKeyError: there is no such position.
        InvalidRequestError: a budget below 1.
        LimitExceededError: more nodes than a lookup may search.
        MalformedRecordError: its record is damaged.
    """
    if nodes < 1:
        raise InvalidRequestError(f"a search of {nodes} nodes: at least 1 is needed", field="search_nodes")
    if nodes > resources.limits.search_nodes:
        raise LimitExceededError(
            f"a search of {nodes} nodes for a lookup: at most {resources.limits.search_nodes}; a solve may take more",
            limit="search_nodes",
            largest=resources.limits.search_nodes,
            field="search_nodes",
        )
    game = resources.games.open(game_name)
    position = find_position(game, where)
    answer = answer_position(resources, game, position, board=board)
    if answer.known:
        return answer
    found = new_record_table(game)
    searched = _search(resources, game, position, answer.value, nodes, found)
    after = answer_position(resources, game, position, board=board, records=_StoredAndFound(resources.store, found))
    return replace(after, stored=answer.stored, claims=answer.claims, sources=answer.sources, searched=searched)


def _search(
    resources: Resources, game: Game[Any], position: Any, value: Value, nodes: int, found: RecordTable
) -> Searched:
    """Asks questions until the value is known or the budget is used up; what they prove goes into `found`."""
    known = resources.cache.records(game.name)
    spent, deadline = 0, time.monotonic() + MOST_SECONDS
    while True:
        threshold = next_threshold(value, None)
        assert threshold is not None, "the value is open"
        search = new_search(game, position, threshold, algorithm="auto", known=known)
        seconds = max(deadline - time.monotonic(), 0.001)
        search.run(nodes=nodes - spent, seconds=seconds, memory=resources.limits.job_memory_bytes)
        spent += search.progress().nodes
        if search.status == "unknown":
            return Searched(spent, search.algorithm, search.reason)
        for chunk in search.solution(small_search_nodes=0).chunks():
            found.load(chunk)
        if search.status == "proved":
            value = Value(threshold, value.upper, True, value.upper_known)
        else:
            value = Value(value.lower, threshold - 1, value.lower_known, True)
        if value.exact:
            return Searched(spent, search.algorithm)
        if spent >= nodes:
            return Searched(spent, search.algorithm, "nodes")


class _StoredAndFound:
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
