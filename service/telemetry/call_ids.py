"""The id of a call: the client gets it back, log lines have it, and a job keeps the one of the call that started it."""

from __future__ import annotations

import random
import re
from contextvars import ContextVar

__all__ = ["CALL_ID", "CALL_ID_HEADER", "call_id_of"]

CALL_ID_HEADER = "x-request-id"
"""The name of the header (HTTP) or the metadata (gRPC), in both directions."""
_ACCEPTED = re.compile(r"[A-Za-z0-9._-]{1,64}")

CALL_ID: ContextVar[str | None] = ContextVar("CALL_ID", default=None)
"""The id of the call that this task or thread works for; None outside of calls."""


def call_id_of(sent: str | None) -> str:
    """The id that a client, or a proxy before the server, has given to a call; a new one where it has given none.

    An id that could forge log lines (other characters than letters, digits, `.`, `_`, `-`, or more than 64) is not
    taken over.
    """
    if sent is not None and _ACCEPTED.fullmatch(sent):
        return sent
    # No secret: the generator of this process needs no call of the system, and begins anew in forked processes.
    return f"{random.getrandbits(64):016x}"
