"""Searches of tasks that ended without an answer, kept in memory so that a later task of the question goes on there."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from proofbase.service.jobs.question_run import QuestionRun

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable

__all__ = ["KeptSearch", "KeptSearches"]

Asked = tuple[str, int]
"""The text of a position and the bound that is asked for."""


@dataclass(frozen=True, slots=True)
class KeptSearch:
    """A search that can go on.

    Attributes:
        run: of its question; its last search is the one that goes on.
        algorithm: what was asked for: `auto`, or a name.
        nodes: that its last search has created.
        memory_bytes: that it holds.
        known: the records that it was given.
    """

    run: QuestionRun
    algorithm: str
    nodes: int
    memory_bytes: int
    known: RecordTable | None


class KeptSearches:
    """Searches by their questions, those put in last up to a limit of memory. Any thread may call.

    Args:
        most_bytes: that all of them may hold; set by `limit` later.
    """

    def __init__(self, most_bytes: int = 0) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._kept: OrderedDict[Asked, KeptSearch] = OrderedDict()
        self._lock = threading.Lock()

    def limit(self, most_bytes: int) -> None:
        """What they may hold from now on."""
        with self._lock:
            self._most_bytes = most_bytes
            self._shrink(most_bytes)

    def make_room(self, most_bytes: int, asked: Asked) -> None:
        """Lets the oldest ones go until those of other questions than this one hold so much at most."""
        with self._lock:
            own_search = self._remove(asked)
            self._shrink(most_bytes)
            if own_search is not None:
                self._add(asked, own_search)

    def algorithm(self, asked: Asked) -> str | None:
        """What the kept search of a question was asked to search by; None without one."""
        with self._lock:
            kept = self._kept.get(asked)
            return None if kept is None else kept.algorithm

    def put(self, asked: Asked, search: KeptSearch) -> None:
        """Keeps a search that nobody runs. The oldest ones go where that is too much."""
        with self._lock:
            self._remove(asked)
            self._add(asked, search)
            self._shrink(self._most_bytes)

    def take(self, asked: Asked) -> KeptSearch | None:
        """The search of a question, which is kept no more."""
        with self._lock:
            return self._remove(asked)

    def clear(self) -> None:
        """Keeps none."""
        with self._lock:
            self._kept.clear()
            self._bytes = 0

    def _add(self, asked: Asked, search: KeptSearch) -> None:
        self._kept[asked] = search
        self._bytes += search.memory_bytes

    def _remove(self, asked: Asked) -> KeptSearch | None:
        kept = self._kept.pop(asked, None)
        if kept is not None:
            self._bytes -= kept.memory_bytes
        return kept

    def _shrink(self, most_bytes: int) -> None:
        while self._bytes > most_bytes and self._kept:
            _, kept = self._kept.popitem(last=False)
            self._bytes -= kept.memory_bytes
