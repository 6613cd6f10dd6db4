"""Tables of a game that are received: verified entry by entry before they are put in their place, all or none."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from proofbase.engine.errors import DamagedTableError
from proofbase.engine.rules.tables.table_header import PLIES
from proofbase.service.answers import ImportTablesResult
from proofbase.service.commands.transfer.table_file import file_of_table
from proofbase.service.errors import CallCancelledError, InvalidRequestError
from proofbase.service.resources import Resources
from proofbase.service.resources.stop_signal import StopSignal
from proofbase.service.resources.table_memory import TableMemory
from proofbase.service.resources.tables import OpenTables
from proofbase.storage import OnProgress, StoreFullError, StoreReadOnlyError
from proofbase.storage.closing import Closing
from proofbase.storage.scratch_directory import ScratchDirectory

if TYPE_CHECKING:
    from proofbase.engine._core import TableEntry, TableWork

__all__ = ["LARGEST_SIZE", "NewTables", "directory_for_tables", "import_tables", "verified_classes"]

LARGEST_SIZE = 48
"""More stones or men than any table has."""


def import_tables(
    resources: Resources,
    game_name: str,
    tables: Iterable[tuple[str, Iterable[bytes]]],
    on_progress: OnProgress = lambda *_: None,
) -> ImportTablesResult:
    """Puts tables of a game into the directory of tables, all or none.

    Args:
        resources: the store and what belongs to it.
        game_name: any name of the game.
        tables: names of tables, each with the bytes of its file. The smaller tables that they need are among them, or
            there already.
        on_progress: told how far the verification is.

    Raises:
        UnknownGameError: no such game.
        InvalidRequestError: there is no directory of tables, or a table needs others that are not there.
        DamagedTableError: a table is damaged, or not what it should be.
        LimitExceededError, SpoolFullError: they have more bytes than an import may have.
        StoreReadOnlyError, StoreFullError: they cannot be written.
    """
    with NewTables(resources) as new:
        new.open(game_name)
        for name, chunks in tables:
            new.begin(name)
            for chunk in chunks:
                new.write(chunk)
        return new.finish(StopSignal(), on_progress)


def directory_for_tables(resources: Resources) -> Path:
    """Where tables can be put.

    Raises:
        InvalidRequestError: there is no directory of tables.
        StoreReadOnlyError: nothing can be put there.
    """
    directory = resources.tables.directory
    if directory is None:
        raise InvalidRequestError("tables are files beside a store in a directory, and this store is none")
    if resources.store.read_only:
        raise StoreReadOnlyError(f"the store {resources.store.url} is open read-only: nothing can be stored")
    return directory


class NewTables(Closing):
    """Tables that are being received, in a directory beside those that are there. Closing it removes the directory.

    Another thread may close it at any time: that waits for what is being done, and what is asked later is refused.

    Args:
        resources: the store and what belongs to it.
    """

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._file: IO[bytes] | None = None
        self._names: list[str] = []
        self._size = 0
        self._scratch: ScratchDirectory | None = None
        self._closed = False
        self._lock = threading.Lock()

    def open(self, game_name: str) -> None:
        """Makes the directory. To be called first.

        Args:
            game_name: any name of their game.

        Raises:
            UnknownGameError: no such game.
            InvalidRequestError: there is no directory of tables.
            StoreReadOnlyError, StoreFullError: nothing can be written there.
            CallCancelledError: this is closed.
        """
        with self._open():
            self._game = self._resources.games.open(game_name)
            self._directory = directory_for_tables(self._resources)
            try:
                self._directory.mkdir(parents=True, exist_ok=True)
                # Beside the tables: what is verified is put into its place by renaming it.
                self._scratch = ScratchDirectory(self._directory)
                self._new = self._scratch.path
                for path in self._directory.glob("*.table"):
                    (self._new / path.name).symlink_to(path.resolve())
            except OSError as error:
                raise self._failed(error) from None

    def begin(self, name: str) -> None:
        """Begins the next table.

        Raises:
            InvalidRequestError: no table has such a name, or it was among them before.
            StoreFullError: it cannot be written.
            CallCancelledError: this is closed.
        """
        with self._open():
            self._begin(name)

    def _begin(self, name: str) -> None:
        file_name = file_of_table(name)
        if file_name is None:
            raise InvalidRequestError(f"no table is named {name[:100]!r}", field="table")
        path = self._new / file_name
        if path.stem in self._names:
            raise InvalidRequestError(f"the table {name} is there twice", field="table")
        self._end_file()
        self._names.append(path.stem)
        try:
            path.unlink(missing_ok=True)  # the link to one that is replaced
            self._file = path.open("wb")
        except OSError as error:
            raise self._failed(error) from None

    def write(self, data: bytes) -> None:
        """Adds bytes to the table that was begun.

        Raises:
            InvalidRequestError: none was begun.
            LimitExceededError, SpoolFullError: these are more bytes than an import may have.
            StoreFullError: they cannot be written.
            CallCancelledError: this is closed.
        """
        with self._open():
            self._write(data)

    def _write(self, data: bytes) -> None:
        if self._file is None:
            raise InvalidRequestError("the first bytes belong to no table: its name comes first", field="table")
        self._resources.uploads.take(self._size, len(data))
        self._size += len(data)
        try:
            self._file.write(data)
        except OSError as error:
            raise self._failed(error) from None

    def finish(self, stop: StopSignal, on_progress: OnProgress) -> ImportTablesResult:
        """Verifies every entry of the tables, and puts them in their place.

        Args:
            stop: ends the verification when it is set.
            on_progress: told how far it is.

        Raises:
            DamagedTableError: one fails; none is taken.
            InvalidRequestError: it needs smaller tables that are not there, or more memory than a job may use.
            CallCancelledError: `stop` was set, or this is closed.
            StoreFullError: they cannot be written.
        """
        with self._open():
            self._end_file()
            try:
                entries = self._verify(stop, on_progress) if self._names else 0
            except DamagedTableError as error:  # the directory says nothing to whoever has sent them
                raise DamagedTableError(str(error).replace(f"{self._new}{os.sep}", "")) from None
            stop.check()
            stop.confirm()
            try:
                assert self._scratch is not None, "the tables are received"
                self._scratch.put(f"{name}.table" for name in self._names)
            except OSError as error:
                raise self._failed(error) from None
            return ImportTablesResult(self._game.name, tuple(sorted(self._names)), entries)

    def close(self) -> None:
        """Removes what was not put into its place."""
        with self._lock:
            self._closed = True
            if self._file is not None:
                self._file.close()
            if self._scratch is not None:
                self._scratch.close()
                self._scratch = None
            self._resources.uploads.give_back(self._size)
            self._size = 0

    @contextmanager
    def _open(self) -> Iterator[None]:
        with self._lock:
            if self._closed:
                raise CallCancelledError("the tables are received no more")
            yield

    def _end_file(self) -> None:
        if self._file is None:
            return
        try:
            with self._file as file:
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise self._failed(error) from None
        self._file = None

    def _failed(self, error: OSError) -> StoreFullError | StoreReadOnlyError:
        message = f"tables cannot be written in {self._directory}: {error.strerror}"
        if error.errno in (errno.EACCES, errno.EROFS, errno.ENOTDIR):
            return StoreReadOnlyError(message)
        return StoreFullError(error.errno, message)

    def _verify(self, stop: StopSignal, on_progress: OnProgress) -> int:
        """Verifies the classes of the new tables, each entry by its moves. Returns how many entries the tables have."""
        limits, new = self._resources.limits, set(self._names)
        tables = OpenTables(self._new, TableMemory(limits.table_bytes), self._resources.store)
        work = tables.new_work(self._game, LARGEST_SIZE, 0)
        stop.on_set(work.cancel)
        memory = limits.job_memory_bytes
        # A class has a table of values, and perhaps one of plies, which is verified with it.
        classes = work.plan(memory)
        of_class = {entry.name: {entry.name, f"{entry.name}{PLIES}"} & new for entry in classes}
        plan = [entry for entry in classes if of_class[entry.name]]
        not_listed = new - {entry.name for entry in plan if entry.present} - {f"{entry.name}{PLIES}" for entry in plan}
        if not_listed:
            raise DamagedTableError(f"table {min(not_listed)}: it is no table of {self._game.name}, or is damaged")
        values = next((entry.name for entry in plan if not entry.present), None)
        if values is not None:
            raise InvalidRequestError(f"the table {values}, to which plies belong, is not there")
        for entry, failed, fault in verified_classes(work, plan, memory, on_progress):
            stop.check()
            if failed:
                raise DamagedTableError(f"table {entry.name}: {fault}; nothing of {self._game.name} was taken")
            if fault is not None:
                raise InvalidRequestError(f"table {entry.name}: {fault}")
        # Where plies have a table of their own, the plan may have it as well.
        return sum({name: entry.entries for entry in plan for name in of_class[entry.name]}.values())


class VerifiedClass(NamedTuple):
    """A table, how many of its entries fail, and these in words, or why it could not be verified."""

    table: TableEntry
    failed: int = 0
    fault: str | None = None


def verified_classes(
    work: TableWork, plan: Sequence[TableEntry], memory: int, on_progress: OnProgress
) -> Iterator[VerifiedClass]:
    """Verifies tables, smaller ones first, those that need more bytes of memory than `memory` in parts.

    Each counts only together with the smaller ones that it needs: where the caller removes a file between two of them,
    those that need it are not verified.

    Raises:
        DamagedTableError: a file cannot be opened.
        BrokenGameError: a user's game does not fit its tables.
    """
    for done, table in enumerate(plan):
        on_progress(f"verify {table.name}", done, len(plan), "tables")
        try:
            verification = work.verify(table.table_class, memory=memory)
        except ValueError as error:
            if type(error) is not ValueError:
                raise
            yield VerifiedClass(table, fault=str(error))
            continue
        if verification is None or not verification.failed:
            yield VerifiedClass(table)
            continue
        first = verification.findings[0]
        such = f"such as {first.entry} ({first.rule}: {first.detail})"
        yield VerifiedClass(table, verification.failed, f"{verification.failed:,} entries fail, {such}")
