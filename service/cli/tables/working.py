"""What the commands of tables share: the directory, the game, the work with a progress bar."""

from __future__ import annotations

import errno
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from proofbase.service.cli.exits import UsageError

if TYPE_CHECKING:
    from proofbase.engine._core import TableEntry, TableWork
    from proofbase.engine.tables import PythonTableWork, TableInfo

__all__ = ["directory_of", "game_of", "make_store", "new_work", "run_with_progress", "size_of"]

T = TypeVar("T")
REPORT_SECONDS = 0.1
LARGEST_SIZE = 48


def game_of(name: str) -> Any:
    """The game of that name."""
    from proofbase.engine.games import open_game

    return open_game(name)


def directory_of(store: str | None, tables: Path | None) -> Path:
    """Where the tables are: beside the store, if no other directory is named."""
    from proofbase.service.cli.session import store_url, usage_errors_of_urls
    from proofbase.storage import shown_url, store_directory, tables_directory

    if tables is not None:
        return tables
    with usage_errors_of_urls():
        directory = store_directory(store_url(store))
    if directory is None:
        raise UsageError(
            f"--store {shown_url(store_url(store))} is no directory: say with --tables where the tables are"
        )
    return tables_directory(directory)


def make_store(url: str) -> None:
    """Makes the store beside which tables are to be built: a directory with tables and nothing else is none."""
    from proofbase.storage import StoreNotFoundError, open_store

    try:
        open_store(url, read_only=True, create=False).close()
    except StoreNotFoundError:
        open_store(url).close()


def size_of(game: str, size: int | None) -> int:
    """The size that was asked for; a game of one's own decides by itself how large its tables are."""
    from proofbase.engine.rules import is_built_in

    if size is None and is_built_in(game):
        raise UsageError("--stones N (or --men N) is missing: all classes of so many stones or men of both sides")
    return LARGEST_SIZE if size is None else size


def new_work(
    game: str, directory: Path, size: int, threads: int, distances: bool = False
) -> TableWork | PythonTableWork:
    """Work on the tables of a size; UsageError if there are no tables of plies that `distances` asks for."""
    from proofbase.service.resources.native import new_table_work

    try:
        return new_table_work(game_of(game), directory, size, threads, plies=distances)
    except ValueError as error:
        if type(error) is ValueError:  # the game has no tables of plies beside those of values
            raise UsageError(str(error)) from None
        raise


def run_with_progress(
    work: TableWork | PythonTableWork, plan: Sequence[TableEntry | TableInfo], what: str, call: Callable[[], T]
) -> T:
    """Makes a call in a thread, with a progress bar on a terminal. Ctrl-C cancels it.

    Args:
        work: the work whose progress is shown.
        plan: its tables.
        what: the work in a word.
        call: does it.
    """
    from proofbase.service.cli.watching import table_progress

    outcome, failure = list[T](), list[BaseException]()

    def run() -> None:
        try:
            outcome.append(call())
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=run, name="tables")
    thread.start()
    names = {entry.table_class: entry.name for entry in plan}
    with table_progress(what, names) as show:
        try:
            while thread.is_alive():
                thread.join(REPORT_SECONDS)
                show(work)
        except KeyboardInterrupt:
            work.cancel()
            thread.join()
    if failure:
        if type(failure[0]) is RuntimeError:  # somebody else builds in that directory
            raise BlockingIOError(errno.EAGAIN, str(failure[0]))
        raise failure[0]
    return outcome[0]
