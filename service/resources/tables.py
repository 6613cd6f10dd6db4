"""The tables of values beside a store: opened at the first question, and again when one of their files has changed."""

from __future__ import annotations

import logging
import os
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from proofbase.engine.rules import Game
from proofbase.engine.tables import PythonTables, TableFileInfo, ValueTables, table_files
from proofbase.service.errors import InvalidRequestError
from proofbase.service.resources.games import GameCache
from proofbase.service.resources.native import is_native, new_table_work, open_tables

if TYPE_CHECKING:
    from proofbase.engine._core import TableWork

__all__ = ["OpenTables"]

_log = logging.getLogger(__name__)
YOUNG_NANOSECONDS = 50_000_000
"""A directory that has changed so shortly before may change again without a later time of change: clocks have ticks."""


class OpenTables:
    """The tables of one directory. Thread-safe.

    A damaged table does not fail a question: its positions, or those of its damaged blocks, have no value from a table,
    so that records answer for them. The log names each damaged table once, and the statistics of the store list it.

    Args:
        directory: where they are; it need not exist. None: there are no tables.
    """

    def __init__(self, directory: Path | None) -> None:
        self.directory = directory
        self._open: dict[str, tuple[tuple[int, int] | None, ValueTables | None]] = {}
        """Tables by name of their game, each with the state of the directory when they were opened."""
        self._reported = set[str]()
        self._lock = threading.Lock()

    def of(self, game: Game[Any]) -> ValueTables | None:
        """The tables of a game as they are now; None where there are none."""
        if self.directory is None:
            return None
        try:
            about = os.stat(self.directory)
        except OSError:
            return None
        state = (about.st_ino, about.st_mtime_ns)
        found = self._open.get(game.name)
        if found is not None and found[0] == state and (found[1] is None or not found[1].changed()):
            if found[1] is not None and found[1].damaged():
                self.damage()
            return found[1]
        with self._lock:
            found = self._open.get(game.name)
            if found is None or found[0] != state or (found[1] is not None and found[1].changed()):
                self._report_damage()
                # Native games without tables say so at once; the Python rules at the first position.
                tables: ValueTables | None
                if is_native(game):
                    tables = open_tables(game, self.directory)
                else:
                    tables = PythonTables(game, self.directory, tolerant=True)
                young = 0 <= time.time_ns() - about.st_mtime_ns < YOUNG_NANOSECONDS
                found = self._open[game.name] = None if young else state, tables
                self._report_damage()
            return found[1]

    def damage(self) -> dict[str, str]:
        """What is wrong with tables, by their names, as far as questions have come upon it. New findings are logged."""
        with self._lock:
            return self._report_damage()

    def files(self, games: GameCache) -> list[tuple[TableFileInfo, str | None]]:
        """The table files of the directory, by name, each with what is wrong with it as far as it was found."""
        if self.directory is None:
            return []
        files = table_files(self.directory)
        for name in {file.game for file in files if file.game is not None}:
            with suppress(ValueError, ImportError):  # the table of a game that is not known here
                self.of(games.open(name))
        damage = self.damage()
        not_tables = {file.name: "it is no table of proofbase" for file in files if file.game is None}
        return [(file, damage.get(file.name, not_tables.get(file.name))) for file in files]

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

    def _report_damage(self) -> dict[str, str]:
        found = dict[str, str]()
        for _, tables in self._open.values():
            found.update(() if tables is None else tables.damaged())
        for message in found.values():
            if message not in self._reported:
                self._reported.add(message)
                _log.error("%s; its positions are answered without it", message)
        return found
