"""Messages of errors in the words of the command line: its options instead of the fields of the protocol."""

from __future__ import annotations

import re

from proofbase.service.errors import text_of

__all__ = ["error_text"]

OPTIONS = {
    "at_least and result_at_least": "--at-least and --win-by",
    "result_at_least": "--win-by",
    "at_least": "--at-least",
    "max_nodes": "--nodes",
    "max_plies": "--plies",
    "max_depth": "--depth",
    "search_nodes": "--search",
    "search_seconds": "--seconds",
    "thresholds": "--thresholds",
    "memory_bytes": "--memory",
}
_FIELD = re.compile(r"(?<![\w.-])(" + "|".join(sorted(OPTIONS, key=len, reverse=True)) + r")(?![\w=])")


def error_text(error: BaseException) -> str:
    """The message of an error for somebody at the command line."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return _FIELD.sub(lambda match: OPTIONS[match[1]], text_of(error)) or type(error).__name__
