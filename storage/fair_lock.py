"""A lock that serves those who wait in the order in which they came."""

from __future__ import annotations

import threading
from collections import deque
from types import TracebackType

__all__ = ["FairLock"]


class FairLock:
    """A lock for `with`, first come, first served.

    A thread that releases a `threading.Lock` and asks for it again gets it before those who wait, so one long put of
    many chunks would keep all short writes waiting to its end. Here each of them gets its turn between two chunks.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._held = False
        self._turns: deque[threading.Lock] = deque()
        """One locked lock for each thread that waits; it is released when the thread's turn has come."""

    def __enter__(self) -> None:
        with self._guard:
            if not self._held:
                self._held = True
                return
            turn = threading.Lock()
            turn.acquire()
            self._turns.append(turn)
        try:
            turn.acquire()
        except BaseException:  # Ctrl-C while the main thread waits
            with self._guard:
                waits = turn in self._turns
                if waits:
                    self._turns.remove(turn)
            if not waits:
                self._pass_on()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pass_on()

    def _pass_on(self) -> None:
        with self._guard:
            if self._turns:
                self._turns.popleft().release()
            else:
                self._held = False
