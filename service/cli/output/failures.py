"""What a command that failed prints, and its exit status."""

from __future__ import annotations

import traceback

from proofbase.service.cli import screen
from proofbase.service.cli.exit_status import ExitStatus, UsageError
from proofbase.service.cli.output.wording import error_text
from proofbase.service.errors import error_mapping

__all__ = ["exit_status_of", "report_failure"]


def report_failure(error: Exception) -> ExitStatus:
    """Prints one message, and before it the traceback where the program or a user's game has a mistake."""
    if isinstance(error, UsageError | OSError | ModuleNotFoundError) or error_mapping(error).type is not Exception:
        screen.note(f"proofbase: {error_text(error)}")
    else:
        screen.note(traceback.format_exc(), lines=True)
        screen.note(f"proofbase: internal error: {type(error).__name__}: {error}")
    return exit_status_of(error)


def exit_status_of(error: BaseException) -> ExitStatus:
    """USAGE for errors in what was asked, FAILED for all others, errors in the data of a file included."""
    if isinstance(error, UsageError):
        return ExitStatus.USAGE
    mapping = error_mapping(error)
    is_request = mapping.status == "INVALID_ARGUMENT" and mapping.field != "data"
    return ExitStatus.USAGE if is_request or mapping.field == "game" else ExitStatus.FAILED
