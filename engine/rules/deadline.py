"""Calls of a user's game that have to return in time: Python cannot interrupt them, but their caller can go on."""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from proofbase.engine.errors import GameFailedError
from proofbase.engine.rules.failures import lines_of
from proofbase.engine.rules.process_end import may_outlast

__all__ = ["call_in_time"]

R = TypeVar("R")


class _Ended(BaseException):
    """Raised in a thread whose caller waits no longer."""


def call_in_time(call: Callable[[], R], seconds: float | None, game: str) -> R:
    """Calls a function that runs a user's rules, in a thread of its own.

    Args:
        call: what to call; what it raises is raised here.
        seconds: how long to wait; None waits for ever, in this thread.
        game: the name of the game.

    Raises:
        GameFailedError: it has not returned. The message shows where it stands. Rules that compute are ended; a thread
            that sleeps is left alone until it wakes.
    """
    if seconds is None:
        return call()
    results: list[R] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(call())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run, name=f"rules of {game}", daemon=True)
    may_outlast(thread)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        stands = lines_of(sys._current_frames().get(thread.ident or 0))
        _end(thread)
        where = f" ({'; '.join(stands)})" if stands else ""
        failure = GameFailedError(f"{game}: its rules have not returned for {seconds:.3g} s{where}")
        failure.exception, failure.frames = "", tuple(stands)
        raise failure
    if errors:
        raise errors[0]
    return results[0]


def _end(thread: threading.Thread) -> None:
    kind: Any = ctypes.py_object(_Ended)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), kind)
