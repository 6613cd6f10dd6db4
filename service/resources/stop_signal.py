"""Ends the work of a call whose caller has gone: an import or an export that a client has broken off."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from typing import IO, TYPE_CHECKING, TypeVar

from proofbase.service.errors import CallCancelledError
from proofbase.service.resources.native import new_stop_flag

if TYPE_CHECKING:
    from proofbase.engine._core import StopFlag

__all__ = ["StopSignal", "StoppableFile"]

T = TypeVar("T")


class StopSignal:
    """Tells work in another thread to stop. The work asks for it at least every 50 ms. Thread-safe.

    Args:
        confirm: called by the work before it writes; raises where the caller may write no more.
    """

    def __init__(self, confirm: Callable[[], None] = lambda: None) -> None:
        self.is_set = False
        self.confirm = confirm
        self._flag: StopFlag | None = None
        self._actions: list[Callable[[], object]] = []

    def set(self) -> None:
        """Ends the work soon."""
        self.is_set = True
        if self._flag is not None:
            self._flag.set()
        for action in self._actions:
            action()

    def on_set(self, action: Callable[[], object]) -> None:
        """Has something called when it is set, at once if it is; perhaps twice."""
        self._actions.append(action)
        if self.is_set:
            action()

    def check(self) -> None:
        """Asked by the work.

        Raises:
            CallCancelledError: it is to stop.
        """
        if self.is_set:
            raise CallCancelledError("the caller has broken the call off")

    def native_flag(self) -> StopFlag:
        """For native calls; they raise `SearchCancelledError` then."""
        if self._flag is None:
            self._flag = new_stop_flag()
            if self.is_set:
                self._flag.set()
        return self._flag

    def checked(self, items: Iterable[T]) -> Iterator[T]:
        """The same items; asks before each of them. A generator that gives them is closed at the end.

        A scan of a store holds a read transaction, and the traceback of the exception holds on to the scan.
        """
        try:
            for item in items:
                self.check()
                yield item
        finally:
            if isinstance(items, Generator):
                items.close()


class StoppableFile:
    """A file that is read until the signal is set: every way to read asks for it."""

    def __init__(self, file: IO[bytes], stop: StopSignal) -> None:
        self._file = file
        self._stop = stop

    def read(self, size: int = -1) -> bytes:
        """Reads, as files do; raises CallCancelledError once the signal is set."""
        self._stop.check()
        return self._file.read(size)

    def readline(self, size: int = -1) -> bytes:
        """Reads a line, as files do."""
        self._stop.check()
        return self._file.readline(size)

    def __iter__(self) -> Iterator[bytes]:
        return self._stop.checked(self._file)

    def seek(self, offset: int, whence: int = 0) -> int:
        """Moves, as files do."""
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        """The place, as files tell it."""
        return self._file.tell()
