"""The tables of values beside a store: opened at the first question, and again when one of their files has changed."""

from __future__ import annotations

import logging
import os
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from proofbase.engine.errors import NoTablesError
from proofbase.engine.rules import Game
from proofbase.engine.tables import PythonTables, TableFileInfo, ValueTables, table_files
from proofbase.service.errors import InvalidRequestError
from proofbase.service.resources.games import GameCache
from proofbase.service.resources.native import is_native, new_table_work, open_tables
from proofbase.service.resources.stored_tables import StoredTables
from proofbase.service.resources.table_memory import TableMemory
from proofbase.storage import SolutionStore

if TYPE_CHECKING:
    from proofbase.engine._core import TableWork

__all__ = ["OpenTables"]

_log = logging.getLogger(__name__)
MOST_GAMES = 256
"""Games whose tables, or lack of tables, are remembered."""
YOUNG_NANOSECONDS = 50_000_000
"""A directory that has changed so shortly before may change again without a later time of change: clocks have ticks."""


_State = tuple[int, int] | None
"""Inode and time of change of a directory; None where another change may have left the same."""
_Stamp = tuple[int, int, int] | None
"""Inode, size and time of change of a file; None where there is none."""


class _Opened(NamedTuple):
    """The tables of a game.

    Attributes:
        state: of the directory when they were opened.
        tables: None for a game without tables.
        stamps: of the files, by name, before they were opened.
    """

    state: _State
    tables: ValueTables | None
    stamps: dict[str, _Stamp]

    def is_current(self, state: _State) -> bool:
        """Whether the files are as they were, in a directory that is in this state now."""
        return self.state == state and (self.tables is None or not self.tables.changed())


def _stamp_of(path: Path) -> _Stamp:
    try:
        about = os.stat(path)
    except OSError:
        return None
    return about.st_ino, about.st_size, about.st_ctime_ns


class OpenTables:
    """The tables of one directory. Thread-safe.

    A damaged table does not fail a question: its positions, or those of its damaged blocks, have no value from a table,
    so that records answer for them. The log names each damaged table once, and the statistics of the store list it.

    Args:
        directory: where they are; it need not exist. None: there are none but those that the store itself holds.
        memory: takes the blocks of all tables.
        store: may hold tables itself.
    """

    def __init__(self, directory: Path | None, memory: TableMemory, store: SolutionStore) -> None:
        self.directory = directory
        self._memory = memory
        self._store = store
        self._stored: dict[tuple[str, bool], StoredTables | None] = {}
        """Tables that the store holds, by name of their game, and whether its rules are native."""
        self._open: dict[tuple[str, bool], _Opened] = {}
        """Tables by name of their game, and whether its rules are native: these have positions of another type."""
        self._damage: dict[str, tuple[str, _Stamp]] = {}
        """What was found to be wrong with tables, by their names, each with the file's stamp before it was opened.

        It is kept here, as tables that are opened anew do not know what was found in blocks before.
        """
        self._logged = set[str]()
        self._lock = threading.Lock()

    def of(self, game: Game[Any]) -> ValueTables | None:
        """The tables of a game as they are now; None where there are none."""
        if self.directory is None:
            return self._stored_of(game)
        try:
            about = os.stat(self.directory)
        except OSError:
            return None
        state, name = (about.st_ino, about.st_mtime_ns), (game.name, is_native(game))
        opened = self._open.get(name)
        if opened is not None and opened.is_current(state):
            if opened.tables is not None and opened.tables.damaged():
                self.damage()
            return opened.tables
        with self._lock:
            opened = self._open.get(name)
            if opened is None or not opened.is_current(state):
                self._log_damage()
                stamps = {file.name: _stamp_of(file) for file in self.directory.glob("*.table")}
                # Native games without tables say so at once; the Python rules at the first position.
                tables: ValueTables | None
                if is_native(game):
                    tables = open_tables(game, self.directory, self._memory)
                else:
                    tables = PythonTables(game, self.directory, tolerant=True, cache=self._memory.python)
                young = 0 <= time.time_ns() - about.st_mtime_ns < YOUNG_NANOSECONDS
                if len(self._open) >= MOST_GAMES:
                    self._open.clear()  # most of them have no tables
                opened = self._open[name] = _Opened(None if young else state, tables, stamps)
                self._log_damage()
            return opened.tables

    def has_some(self, game: Game[Any]) -> bool:
        """Whether there is a table of a game now: a directory may have none, or those of other games alone."""
        if self.directory is None:
            return self._stored_of(game) is not None
        return bool(table_files(self.directory, game.name))

    def _stored_of(self, game: Game[Any]) -> StoredTables | None:
        name = game.name, is_native(game)
        if name not in self._stored:
            if len(self._stored) >= MOST_GAMES:
                self._stored.clear()
            blocks = self._store.packed_tables(game.name)
            self._stored[name] = None if blocks is None else StoredTables(game, blocks)
        return self._stored[name]

    def version(self, game: Game[Any]) -> str:
        """Another text whenever answers from the tables of a game may be others; empty for a game without tables."""
        tables = self.of(game)
        if tables is None:
            return ""
        if self.directory is None:
            return f"of the store {len(tables.damaged())}"
        about = os.stat(self.directory)
        return f"{about.st_ino} {about.st_mtime_ns} {len(tables.damaged())}"

    def damage(self) -> dict[str, str]:
        """What is wrong with tables, by their names, as far as questions have come upon it. New findings are logged."""
        with self._lock:
            return self._log_damage()

    def files(self, games: GameCache) -> list[tuple[TableFileInfo, str | None]]:
        """The table files of the directory, by name, each with what is wrong with it as far as it was found."""
        if self.directory is None:
            return self._stored_files(games)
        files = table_files(self.directory)
        for name in {file.game for file in files if file.game is not None}:
            with suppress(ValueError, ImportError):  # the table of a game that is not known here
                self.of(games.open(name))
        damage = self.damage()
        not_tables = {file.name: "it is no table of proofbase" for file in files if file.game is None}
        return [(file, damage.get(file.name, not_tables.get(file.name))) for file in files]

    def _stored_files(self, games: GameCache) -> list[tuple[TableFileInfo, str | None]]:
        """The same of the tables that the store itself holds; their sizes are those of their entries."""
        infos = []
        for entry in self._store.games():
            blocks = self._store.packed_tables(entry.name)
            if blocks is None:
                continue
            damage: dict[str, str] = {}
            with suppress(ValueError, ImportError):
                tables = self.of(games.open(entry.name))
                damage = {} if tables is None else dict(tables.damaged())
            for name, about in blocks.tables.items():
                info = TableFileInfo(name, entry.name, about.entries, -(-about.entries * about.bits // 8))
                infos.append((info, damage.get(name)))
        return sorted(infos)

    def new_work(
        self, game: Game[Any], size: int, threads: int, *, plies: bool = False, table: str | None = None
    ) -> TableWork:
        """Work on the tables of a size in this directory: to build or to verify them.

        Raises:
            NoTablesError: the game has none.
            BrokenGameError: a user's game breaks a requirement of `Game`.
            InvalidRequestError: there is no directory, or no table of that name to be built alone.
            NativeCoreMissingError: the game was opened by the rules in plain Python.
        """
        if self.directory is None:
            raise InvalidRequestError("tables are files beside a store in a directory, and this store is none")
        try:
            work = new_table_work(game, self.directory, size, threads, plies=plies)
        except NoTablesError:
            raise
        except ValueError as error:
            if type(error) is ValueError:  # the game has no such tables of plies
                raise InvalidRequestError(str(error), field="distances") from None
            raise
        if table is not None:
            try:
                work.restrict_to(table)
            except ValueError as error:
                raise InvalidRequestError(str(error), field="table") from None
        return work

    def _log_damage(self) -> dict[str, str]:
        if self.directory is None:
            return {}
        stamps = {name: _stamp_of(self.directory / f"{name}.table") for name in self._damage}
        # A file that was damaged may be another one now.
        self._damage = {name: found for name, found in self._damage.items() if found[1] == stamps[name]}
        for opened in self._open.values():
            for name, message in () if opened.tables is None else opened.tables.damaged():
                stamp = _stamp_of(self.directory / f"{name}.table")
                if stamp == opened.stamps.get(f"{name}.table"):
                    self._damage.setdefault(name, (message, stamp))
        current = {name: message for name, (message, _) in self._damage.items()}
        for message in current.values():
            if message not in self._logged:
                self._logged.add(message)
                _log.error("%s; its positions are answered without it", message)
        return current
