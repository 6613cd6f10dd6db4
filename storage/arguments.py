"""Checks of what the callers of a backend give."""

from __future__ import annotations

# In UTF-8 at most 400 bytes, which fits a key of every backend.
MAX_NAME_CHARACTERS = 100
MAX_SOURCE_CHARACTERS = 1000
MAX_REASON_CHARACTERS = 10_000


def check_limit(limit: int | None) -> None:
    """Refuses negative limits.

    Raises:
        ValueError: the limit is below 0.
    """
    if limit is not None and limit < 0:
        raise ValueError(f"a limit is 0 or more, not {limit}")


def check_text(what: str, text: str, limit: int) -> None:
    """Refuses texts that a backend cannot keep.

    Raises:
        ValueError: the text is empty, too long, holds NUL or is not valid Unicode.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{what} is not valid Unicode: {text!r}") from None
    if not 1 <= len(text) <= limit or "\0" in text:
        raise ValueError(f"{what} has 1..{limit} characters and no NUL: {text[:80]!r}")
