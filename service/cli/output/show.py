"""A function that shows how far long work is."""

from __future__ import annotations

from typing import Protocol

__all__ = ["Show"]


class Show(Protocol):
    """Shows the state of the work.

    Args:
        text: how far the work is, in words.
        done, total: the same as numbers; a total of None is not known.
    """

    def __call__(self, text: str, done: float = 0, total: float | None = None) -> None: ...
