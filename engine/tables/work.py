"""Work on the tables of a user's own game in plain Python: building, verifying, compressing (docs/your-own-game.md)."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from proofbase.engine.errors import BrokenGameError, NoTablesError
from proofbase.engine.rules.game import Game
from proofbase.engine.rules.tables.table_header import class_of_table
from proofbase.engine.tables.building import entries_of_table
from proofbase.engine.tables.files import TableInfo
from proofbase.engine.tables.places import Places
from proofbase.engine.tables.reading import PythonTables
from proofbase.engine.tables.verification import TableReport, verified
from proofbase.engine.tables.writing import write_table

__all__ = ["PythonTableWork"]

BYTES_OF_A_POSITION = 1000
"""Of memory that building or verifying takes: an estimate, as positions are what the game likes, of some ten moves."""


def _present(info: TableInfo) -> TableInfo:
    """A table that is there, with what its verification takes."""
    memory = BYTES_OF_A_POSITION * info.entries
    return replace(info, verify_memory=memory, verify_least_memory=memory)


class _Cancelled(Exception):
    """Ends the work from inside."""


class PythonTableWork:
    """Builds and verifies the tables of a size. It has the methods and the progress of the native core's `TableWork`.

    One call at a time; progress and cancel from any thread.

    Args:
        game: the rules in Python.
        directory: of the tables.
        size: what the game means by it.

    Raises:
        NoTablesError: the game has none.
    """

    def __init__(self, game: Game[Any], directory: str | Path, size: int) -> None:
        self._game = game
        self._directory = Path(directory)
        self._names = list(game.table_names(size))
        if not self._names:
            raise NoTablesError(f"{game.name} has no tables")
        self._cancelled = False
        self.phase = "waiting"
        self.table_class = 0
        self.threshold = 0
        self.done = self.size = self.before = self.total = 0

    def plan(self, memory: int | None = None) -> list[TableInfo]:
        """The tables of that size, present and missing ones. What they need does not depend on the memory."""
        tables = PythonTables(self._game, self._directory)
        present = {info.name: _present(info) for info in tables.entries()}
        return [present.get(name) or self._missing(name) for name in self._names]

    def build(self, checkpoint_seconds: float = 60.0, memory: int | None = None) -> bool:
        """Builds the missing tables; False if it was cancelled. Finished tables stay; there are no checkpoints.

        Raises ValueError, and builds nothing, if a class needs more bytes than `memory`.
        """
        for info in self.plan():
            if memory is not None and info.build_memory > memory:
                raise ValueError(f"table {info.name} needs {info.build_memory} bytes of memory at least")
        self._directory.mkdir(parents=True, exist_ok=True)
        with self._lock():
            return self._each(self._build)

    def verify(
        self, table_class: int, checkpoint_seconds: float = 60.0, memory: int | None = None
    ) -> TableReport | None:
        """Verifies the table with that number of its class; None if it was cancelled.

        Raises ValueError if the table is missing, or if it needs more bytes than `memory`.
        """
        (info,) = (info for info in self.plan() if info.table_class == table_class)
        if not info.present:
            raise ValueError(f"table {info.name} is not there")
        if memory is not None and info.verify_memory > memory:
            raise ValueError(f"table {info.name} needs {info.verify_memory} bytes of memory at least to be verified")
        self._begin(info, "checking")
        try:
            outcome = verified(self._game, PythonTables(self._game, self._directory), info.name, self._report)
        except _Cancelled:
            return None
        self.phase, self.before = "waiting", self.before + info.entries
        return outcome

    def rewrite(self, level: int | None = 12, block: int = 8192) -> bool:
        """Writes the tables that there are in another form, those that have it already excepted; False if cancelled.

        Args:
            level: of zstd, 1 to 22; None for the plain form.
            block: entries of a compressed block, a power of two from 1,024 to 1,048,576.
        """
        from proofbase.engine import _core

        if level is not None and (not 1 <= level <= 22 or block.bit_count() != 1 or not 1 << 10 <= block <= 1 << 20):
            raise ValueError("levels of compression are 1 to 22, blocks have a power of two of entries from 1024 on")
        wanted = 0 if level is None else block
        if not self._directory.exists():
            return True

        def rewrite(info: TableInfo) -> None:
            if not info.present or info.block == wanted:
                return
            self._begin(info, "writing")
            _core.rewrite_table(str(self._path(info.name)), level, block)

        with self._lock():
            return self._each(rewrite)

    def cancel(self) -> None:
        """Ends the call under way, and later ones."""
        self._cancelled = True

    def _build(self, info: TableInfo) -> None:
        if info.present:
            return
        self._begin(info, "preparing")
        tables = PythonTables(self._game, self._directory)
        earlier = set(self._names[: self._names.index(info.name)])

        def known(name: str, number: int) -> int | None:
            return tables.entry(name, number) if name in earlier else None

        entries = entries_of_table(Places(self._game, info.name, known), self._report)
        self.phase = "writing"
        write_table(self._path(info.name), self._game, info.name, entries)

    def _each(self, work: Any) -> bool:
        """Works on table after table; False if it was cancelled."""
        plan = self.plan()
        self.total, self.before = sum(info.entries for info in plan), 0
        try:
            for info in plan:
                self._report(0)
                work(info)
                self.phase, self.before = "waiting", self.before + info.entries
        except _Cancelled:
            return False
        return True

    def _begin(self, info: TableInfo, phase: str) -> None:
        self.table_class, self.size, self.done, self.phase = info.table_class, info.entries, 0, phase

    def _report(self, done: int) -> None:
        self.done = done
        if self._cancelled:
            raise _Cancelled

    def _missing(self, name: str) -> TableInfo:
        found = class_of_table(self._game, name)
        if found is None:
            raise BrokenGameError(f"{self._game.name} names the table {name}, and does not know it")
        (number, of_class, entries), plies = found
        memory, file = BYTES_OF_A_POSITION * entries, 320 + -(-entries // 8192) * (4 + 8192)
        return TableInfo(
            name,
            number,
            of_class,
            entries,
            plies,
            build_memory=memory,
            build_least_memory=memory,
            build_file=file,
        )

    def _path(self, name: str) -> Path:
        return self._directory / f"{name.replace(':', '_')}.table"

    @contextmanager
    def _lock(self) -> Iterator[None]:
        """The right to write tables, the same as the native core's; RuntimeError if another process has it."""
        file = os.open(self._directory / "build.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            raise RuntimeError(f"tables are being built in {self._directory} by another process") from None
        try:
            yield
        finally:
            os.close(file)
