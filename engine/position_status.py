"""What was found out about a position of many."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["PositionStatus"]


class PositionStatus(IntEnum):
    """What a call found out about a position: the numbers in the column `status`."""

    EXACT = 0
    """The value is known: `lower` and `upper` are equal."""
    PROVED = 1
    """The value is at least what was asked for."""
    DISPROVED = 2
    """The value is less than what was asked for."""
    NODES = 3
    """A limit of nodes has left it open."""
    SECONDS = 4
    """A limit of time has left it open."""
