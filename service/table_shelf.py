"""The tables beside a store: opened when a game is first asked for, and again when their directory has changed."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from proofbase.engine.rules import Game
from proofbase.engine.tables import PythonTables, ValueTables
from proofbase.service.native import is_native, open_tables

__all__ = ["TableShelf", "tables_directory"]


def tables_directory(url: str) -> Path | None:
    """Where the tables of a store are; None for stores that are no directory."""
    path = unquote(url[5:]) if url.lower().startswith("lmdb:") else url
    path = path.removeprefix("//")
    is_directory = ":" not in path.partition("/")[0] or url.lower().startswith("lmdb:")
    return Path(path).expanduser() / "tables" if is_directory and path else None


class TableShelf:
    """The tables of one directory. Thread-safe.

    Args:
        directory: where they are; it need not exist. None: there are no tables.
    """

    def __init__(self, directory: Path | None) -> None:
        self.directory = directory
        self._open: dict[str, tuple[int, ValueTables]] = {}
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
