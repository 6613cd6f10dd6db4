"""Texts of people: plain, of bounded length, without signs that a screen takes as commands."""

from __future__ import annotations

from proofbase.service.errors import InvalidRequestError
from proofbase.service.limits import TEXT_CHARACTERS
from proofbase.service.words.visible import is_shown
from proofbase.storage import Capability, SolutionStore, StoreReadOnlyError

__all__ = ["TEXT_CHARACTERS", "check_keeps", "plain_text"]


def plain_text(field: str, text: str, most: int) -> str:
    """A text as it is kept: without blanks around it, its lines ended by a line feed.

    Raises:
        InvalidRequestError: it is empty, too long, or holds control characters or such that change the direction.
    """
    lines = "\n".join(line.rstrip() for line in text.strip().splitlines())
    if not lines:
        raise InvalidRequestError(f"an empty {field}", field=field)
    if len(lines) > most:
        raise InvalidRequestError(f"a {field} of {len(lines):,} characters: {most:,} are possible", field=field)
    for sign in lines:
        if sign != "\n" and not is_shown(sign):
            raise InvalidRequestError(f"a {field} with the sign {sign!r}, which cannot be shown", field=field)
    return lines


def check_keeps(store: SolutionStore) -> None:
    """Refuses what the store could not keep.

    Raises:
        StoreReadOnlyError: it is open read-only, or of a kind that keeps no annotations.
    """
    if store.read_only or Capability.ANNOTATIONS not in store.capabilities:
        raise StoreReadOnlyError(f"the store {store.url} is open read-only: nothing can be added to what is said")
