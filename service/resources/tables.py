"""The tables of values beside a store: opened at the first question, and again when their directory has changed."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from proofbase.engine.rules import Game
from proofbase.engine.tables import PythonTables, ValueTables
from proofbase.service.errors import InvalidRequestError
from proofbase.service.resources.native import is_native, new_table_work, open_tables

if TYPE_CHECKING:
    from proofbase.engine._core import TableWork

__all__ = ["OpenTables"]


class OpenTables:
    """The tables of one directory. Thread-safe.

    Args:
        directory: where they are; it need not exist. None: there are no tables.
    """

    def __init__(self, directory: Path | None) -> None:
        self.directory = directory
        self._open: dict[str, tuple[int, ValueTables]] = {}
        """Tables by name of their game, each with the directory's time of change when they were opened."""
        self._lock = threading.Lock()

    def of(self, game: Game[Any]) -> ValueTables | None:
        """The tables of a game as they are now; None where there are none.

        Raises:
            DamagedTableError: a file is not as it was written, or was built by other rules.
        """
        if self.directory is None:
            return None
        try:
            changed = self.directory.stat().st_mtime_ns
        except OSError:
            return None
        with self._lock:
            found = self._open.get(game.name)
            if found is None or found[0] != changed:
                # Native games without tables say so at once; the Python rules at the first position.
                tables = open_tables(game, self.directory) if is_native(game) else PythonTables(game, self.directory)
                if tables is None:
                    return None
                found = self._open[game.name] = changed, tables
            return found[1]

    def new_work(self, game: Game[Any], size: int, threads: int) -> TableWork:
        """Work on the tables of a size in this directory: to build or to verify them.

        Raises:
            NoTablesError: the game has none.
            InvalidRequestError: there is no directory.
            NativeCoreMissingError: the game was opened by the rules in plain Python.
        """
        if self.directory is None:
            raise InvalidRequestError("tables are files beside a store in a directory, and this store is none")
        return new_table_work(game, self.directory, size, threads)
