"""Exit statuses, and which error leads to which."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["ExitStatus", "UsageError", "exit_status_of"]


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


def exit_status_of(error: BaseException) -> ExitStatus:
    """USAGE for errors in what was asked, FAILED for all others, errors in the data of a file included."""
    if isinstance(error, UsageError):
        return ExitStatus.USAGE
    from proofbase.service.errors import error_mapping

    mapping = error_mapping(error)
    asked = mapping.status == "INVALID_ARGUMENT" and mapping.field != "data"
    return ExitStatus.USAGE if asked or mapping.field == "game" else ExitStatus.FAILED
