"""A copy of a store in a directory, made while a server or a command writes to it."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

from proofbase.storage.entries import Audit
from proofbase.storage.errors import StoreDamagedError, StoreError
from proofbase.storage.lmdb.data_file import DATA_FILE
from proofbase.storage.lmdb.maintenance.new_directory import NewDirectory, full_or_failed
from proofbase.storage.lmdb.store import LmdbStore
from proofbase.storage.lmdb.tokens import ACCESS_DIRECTORY, copy_tokens
from proofbase.storage.progress import OnProgress
from proofbase.storage.store import SolutionStore, tables_directory

__all__ = ["copied_with_progress", "hot_copy", "read_back"]

LOOK_SECONDS = 0.2


def hot_copy(
    source: Path, target: Path, check: Callable[[SolutionStore], None], on_progress: OnProgress
) -> dict[str, Audit]:
    """Copies a store with its tokens and tables, as it is at one moment, and reads the copy back.

    Args:
        source: directory of the store.
        target: directory that must not exist, or be empty.
        check: is given the copy before it appears; what it raises ends the copy.
        on_progress: told how far it is.

    Returns:
        What the copy holds of each game.

    Raises:
        NotAStoreError: the target is not empty.
        StoreDamagedError: the store, and so the copy, is damaged; there is no copy then.
        StoreError: the store cannot be read, or the copy not be written.
    """
    with LmdbStore(str(source), read_only=True) as store:
        new = NewDirectory(target)
        try:
            copied_with_progress(store, new.path, on_progress, compact=False)
            _copy_tables(source, new.path, on_progress)
            if (source / ACCESS_DIRECTORY / DATA_FILE).exists():
                copy_tokens(source, new.path)
            audits = read_back(new.path, on_progress)
            with LmdbStore(str(new.path), read_only=True) as copy:
                check(copy)
            new.appear()
        except OSError as error:
            if isinstance(error, StoreError):
                raise
            raise full_or_failed(error, f"the copy {target} cannot be written") from None
        finally:
            new.close()
    return audits


def copied_with_progress(store: LmdbStore, directory: Path, on_progress: OnProgress, *, compact: bool) -> None:
    """Copies the data file, and tells how many bytes of it are there."""
    sizes = store.sizes()
    total = sizes.used_bytes if compact else sizes.total_bytes
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(LOOK_SECONDS):
            on_progress("copy", _size_of(directory / DATA_FILE), total, "bytes")

    watching = threading.Thread(target=watch, name="progress of a copy", daemon=True)
    watching.start()
    try:
        store.copy_files(directory, compact=compact)
    finally:
        ended.set()
        watching.join()


def read_back(directory: Path, on_progress: OnProgress) -> dict[str, Audit]:
    """Opens a copy for the first time, which checks all of its pages, and reads every record of it.

    Raises:
        StoreDamagedError: a page or a record is not sound, or the records are not those that the store counts.
    """
    audits: dict[str, Audit] = {}
    with LmdbStore(str(directory), create=False) as copy:
        games = copy.games()
        total, before = sum(game.records for game in games), 0
        for game in games:
            tell = partial(_tell_read, on_progress, before, total)
            audits[game.name] = audit = copy.audit(game.name, tell)
            before += audit.records
            if audit.damaged or not audit.complete:
                raise StoreDamagedError(
                    f"the store is damaged: of {game.name} it counts {audit.stored_records} records, {audit.records} "
                    f"are there, and {audit.damaged} of them are damaged (`proofbase store check` tells more); "
                    "there is no copy"
                )
    return audits


def _tell_read(on_progress: OnProgress, before: int, total: int, done: int) -> None:
    on_progress("read back", before + done, total, "records")


def _copy_tables(source: Path, target: Path, on_progress: OnProgress) -> None:
    tables = tables_directory(source)
    files = sorted(tables.glob("*.table")) if tables.is_dir() else []
    total, done = sum(map(_size_of, files)), 0
    for file in files:
        goal = tables_directory(target) / file.name
        goal.parent.mkdir(exist_ok=True)
        shutil.copy2(file, goal)
        done += _size_of(goal)
        on_progress("copy tables", done, total, "bytes")


def _size_of(path: Path) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
