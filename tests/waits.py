"""Waiting for what another thread or process does."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["until"]


def until(condition: Callable[[], object], why: str = "", seconds: float = 120.0) -> None:
    """Waits until the condition holds.

    Raises:
        AssertionError: it did not within `seconds`; the message is `why`.
    """
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, why
        time.sleep(0.01)
