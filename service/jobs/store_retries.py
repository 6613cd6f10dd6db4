"""How long a job waits for a store that does not take its writes, and what it says meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

from proofbase.service.errors import text_of
from proofbase.storage import TransientStoreError

__all__ = ["LONGEST_TEXT", "backoff_seconds", "error_text", "waiting_message"]

FIRST_SECONDS = 0.25
LONGEST_SECONDS = 30.0
LONGEST_TEXT = 2_000
"""Characters of an error that a job keeps: the text of a user's exception may be of any length."""


def backoff_seconds() -> Iterator[float]:
    """Seconds between one try and the next: each twice the one before, up to half a minute."""
    seconds = FIRST_SECONDS
    while True:
        yield seconds
        seconds = min(2 * seconds, LONGEST_SECONDS)


def waiting_message(error: TransientStoreError, seconds: float) -> str:
    """What watchers are told."""
    return f"waiting for the store: {error_text(error)[:300]}; retry in {seconds:.3g} s"


def error_text(error: BaseException) -> str:
    """The text of an exception in a form that every store and message can hold, at most `LONGEST_TEXT` characters."""
    try:
        text = text_of(error)
    except BaseException:  # the exception is a user's: its __str__ may do anything
        text = ""
    text = text or type(error).__name__
    if len(text) > LONGEST_TEXT:
        text = f"{text[: LONGEST_TEXT - 50]}... ({len(text):,} characters)"
    return text.replace("\0", "?").encode("utf-8", "replace").decode()
