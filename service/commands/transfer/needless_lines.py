"""Lines that a claim does not need (docs/fact-model.md, "Line"), for `export --smallest`."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from proofbase.engine.records import Claim, Evidence, Record, decode_record, encode_record, line_payload

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable

__all__ = ["drop_needless_lines"]

BATCH = 1_000
"""Records that are checked in one call."""


def drop_needless_lines(table: RecordTable, ends: float, stop_if_asked: Callable[[], None]) -> int:
    """Takes lines out of upper claims whose moves the other lines, or records of the table, refute as well.

    The longest lines are tried first. At the end, and when it is broken off by the time, every claim passes its check
    that passed it before.

    Args:
        table: closed records; changed in place.
        ends: the time, on the monotonic clock, at which it ends.
        stop_if_asked: called between two batches; what it raises ends the call in the same way.

    Returns:
        The lines that were taken out.
    """
    tried: dict[bytes, set[tuple[int, ...]]] = {}
    for chunk in table.chunks(BATCH):
        if time.monotonic() >= ends:
            return 0
        tried |= {key: set() for key, data in chunk if _claim_with_lines(data) is not None}
    dropped = 0
    while tried and time.monotonic() < ends:
        batch = list(tried)[:BATCH]
        before = {key: table.get(key) or b"" for key in batch}
        for key, data in before.items():
            shorter = _without_a_line(data, tried[key])
            if shorter is None:
                del tried[key]
            else:
                _put(table, key, shorter)
        changed = [key for key in batch if key in tried]
        failing = {finding.key for finding in table.check(changed).findings}
        for key in failing:
            _put(table, key, before[key])
        dropped += len(changed) - len(failing)
        stop_if_asked()
    return dropped


def _claim_with_lines(data: bytes) -> Claim | None:
    """The strongest upper claim of a record, if it rests on several lines."""
    claim = decode_record(data).upper
    return claim if claim is not None and claim.evidence == Evidence.LINE and len(claim.lines) > 1 else None


def _without_a_line(data: bytes, tried: set[tuple[int, ...]]) -> bytes | None:
    """The record without its longest line that was not tried, which is now; None if there is none."""
    claim = _claim_with_lines(data)
    if claim is None or not (left := [line for line in claim.lines if line not in tried]):
        return None
    longest = max(left, key=len)
    tried.add(longest)
    numbers = chain.from_iterable((len(line), *line) for line in claim.lines if line != longest)
    smaller = replace(claim, payload=line_payload(numbers))
    claims = decode_record(data).claims
    return encode_record(Record.of([smaller if old == claim else old for old in claims]))


def _put(table: RecordTable, key: bytes, data: bytes) -> None:
    """Puts a record in the place of another, with which it is not merged."""
    table.remove([key])
    table.put(key, data)
