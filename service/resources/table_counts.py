"""Counts of the entries of tables by value and plies, remembered as long as their files stay as they are."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

from proofbase.engine.errors import DamagedTableError
from proofbase.engine.rules import Game
from proofbase.engine.tables import TableFileInfo, table_counts

__all__ = ["Counts", "TableCounts"]

Counts = dict[tuple[int, int | None], int]
"""How many positions have a value and so many plies to the end; None for the plies in a table of values."""
MOST_ENTRIES = 50_000_000
"""Entries that one question counts: some seconds."""
_Stamp = tuple[int, int, int]


class TableCounts:
    """Counts of the tables of one directory. Thread-safe.

    Args:
        directory: where they are; None where there are none.
    """

    def __init__(self, directory: Path | None) -> None:
        self._directory = directory
        self._counts: dict[str, tuple[_Stamp, Counts]] = {}
        self._lock = threading.Lock()

    def of(self, game: Game[Any], files: list[TableFileInfo]) -> dict[str, Counts]:
        """The counts of a game's tables by their names.

        Those of large tables are missing, and those of the last ones where a question would take long: asked again, it
        goes on. Damaged tables have none.

        Args:
            game: the rules in plain Python.
            files: the tables.
        """
        by_table: dict[str, Counts] = {}
        if self._directory is None:  # tables that the store itself holds would be read whole, from afar
            return by_table
        entries_left = MOST_ENTRIES
        with self._lock:
            for file in files:
                counts, read = self._count(game, file, entries_left)
                entries_left -= read
                if counts is not None:
                    by_table[file.name] = counts
        return by_table

    def _count(self, game: Game[Any], file: TableFileInfo, most: int) -> tuple[Counts | None, int]:
        """The counts of a table, and how many entries were read for them."""
        assert self._directory is not None, "there are no files without a directory"
        path = self._directory / f"{file.name}.table"
        try:
            about = os.stat(path)
            stamp = about.st_ino, about.st_size, about.st_ctime_ns
            known = self._counts.get(file.name)
            if known is not None and known[0] == stamp:
                return known[1], 0
            if file.entries > most:
                return None, 0
            counts = table_counts(game, path)
        except (OSError, DamagedTableError):
            return None, file.entries
        self._counts[file.name] = stamp, counts
        return counts, file.entries
