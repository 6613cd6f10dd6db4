"""Ids of jobs."""

from __future__ import annotations

import secrets

__all__ = ["new_job_id"]


def new_job_id(now: float) -> str:
    """An id that is unique across servers, and sorts by time: milliseconds since the epoch, then 40 random bits."""
    return f"{int(now * 1000):011x}{secrets.token_hex(5)}"
