"""The memory for blocks of tables, which all tables of a service share."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from proofbase.engine.tables import BlockCache

if TYPE_CHECKING:
    from proofbase.engine._core import TableCache

__all__ = ["TableMemory"]


class TableMemory:
    """Room for blocks of tables: those that are not asked for give way.

    Args:
        limit: bytes for the tables that the native core reads, 4 MiB at least, and as many for those that are read by
            plain Python, which are few: those of users' own games.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit

    @cached_property
    def native(self) -> TableCache:
        """The cache of the native core."""
        from proofbase.engine._core import TableCache

        return TableCache(self._limit)

    @cached_property
    def python(self) -> BlockCache:
        """The cache of plain Python."""
        return BlockCache(self._limit)
