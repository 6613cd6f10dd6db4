"""Reads of a mapped file: a transaction as a context, and long reads some rows at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from itertools import islice
from types import TracebackType
from typing import TypeVar

import lmdb

T = TypeVar("T")

BLOCK = 256


class ReadTransaction:
    """A read transaction while the context lasts. Every lookup has one or two: a class is quicker than a generator.

    Args:
        begin: begins a transaction.
        end: ends it.
        translate: makes an error of the store of an error of liblmdb.
    """

    __slots__ = ("_begin", "_end", "_translate", "_txn")

    def __init__(
        self,
        begin: Callable[[], lmdb.Transaction[bytes]],
        end: Callable[[lmdb.Transaction[bytes]], None],
        translate: Callable[[lmdb.Error], Exception],
    ) -> None:
        self._begin = begin
        self._end = end
        self._translate = translate

    def __enter__(self) -> lmdb.Transaction[bytes]:
        self._txn = self._begin()
        return self._txn

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end(self._txn)
        if isinstance(error, lmdb.Error):
            raise self._translate(error) from None


class SharedRead:
    """A context in which the reads of a thread are one transaction. One of them in another one is that one.

    Args:
        of_thread: has the transaction while the context lasts, as `txn`.
        read: begins it.
    """

    __slots__ = ("_before", "_of_thread", "_read")

    def __init__(self, of_thread: threading.local, read: ReadTransaction) -> None:
        self._of_thread = of_thread
        self._read = read

    def __enter__(self) -> None:
        self._before = getattr(self._of_thread, "txn", None)
        self._of_thread.txn = self._read.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._of_thread.txn = self._before
        self._read.__exit__(kind, error, trace)


def in_blocks(look: Callable[[], None], rows: Iterator[T], size: int = BLOCK) -> Iterator[T]:
    """The same rows, read from the map some at a time, each time after a look at the file.

    So a scan whose consumer takes its time does not touch the map of a file that was cut short meanwhile.
    """
    while True:
        look()
        block: list[T] = []
        failure: Exception | None = None
        try:
            block.extend(islice(rows, size))
        except Exception as error:  # raised where it came up: behind the rows before it
            failure = error
        yield from block
        if failure is not None:
            raise failure
        if len(block) < size:
            look()  # the last rows as well end with an error where the store was closed meanwhile
            return
