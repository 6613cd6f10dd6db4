"""Exit statuses, and the error of arguments."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["ExitStatus", "UsageError"]


class ExitStatus(IntEnum):
    """How a command ended."""

    POSITIVE = 0
    """Done: proved, exact, valid, found."""
    NEGATIVE = 1
    """Done, with the other answer: disproved, unknown, not valid."""
    USAGE = 2
    """What was asked makes no sense: an unknown game, an illegal position, an option out of range."""
    FAILED = 3
    """It could not be done: no such store, an unreadable file, a contradiction, no server."""


class UsageError(ValueError):
    """Arguments that make no sense together."""
