"""The transposition table that searches of one piece of work hand on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from proofbase.engine._core import Search

__all__ = ["UNKNOWN", "SearchTable"]

UNKNOWN = -1
"""In the place of a number of removals: nobody knows what was stored when the search began."""


class SearchTable:
    """Holds the table of the last search that had one. What is true of positions helps with every later question.

    Not thread-safe: for searches that follow one another. A table has the size that the memory of its first search
    allows, so all of them should have the same memory.

    Attributes:
        removals: `SolutionStore.removals` when the first of these searches was given the stored records; None before,
            and `UNKNOWN` after a search that went on from a checkpoint. The table may hold what follows from records
            that have gone since.
    """

    def __init__(self) -> None:
        self._owner: Search | None = None
        self.removals: int | None = None

    def lend(self, search: Search) -> bool:
        """Gives the table to a search that has not run, if the search can use it; whether there was one that it can."""
        if self._owner is None or not search.take_table(self._owner):
            return False
        self._owner = None
        return True

    def keep(self, search: Search) -> None:
        """Takes the table of a search that will not run again, if it has one."""
        if search.has_table:
            self._owner = search

    def drop(self) -> None:
        """Frees its memory."""
        self._owner = self.removals = None
