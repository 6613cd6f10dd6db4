"""How far long work on a store is."""

from __future__ import annotations

from typing import Protocol

__all__ = ["OnProgress", "ignore_progress"]


class OnProgress(Protocol):
    """Told now and then, from any thread, how far the work is. What it raises ends the work where that is possible.

    Args:
        phase: what is done at the moment, in a few words.
        done: how much of it.
        total: of how much; None where that is not known.
        unit: of what: `bytes`, `records`.
    """

    def __call__(self, phase: str, done: int, total: int | None, unit: str) -> None: ...


def ignore_progress(phase: str, done: int, total: int | None, unit: str) -> None:
    """Tells nobody."""
