"""The smallest part of closed records that a root rests on, for `export --smallest`."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from proofbase.engine.errors import SearchCancelledError
from proofbase.service.commands.transfer.needless_parts import drop_needless_parts
from proofbase.service.resources.stop_signal import StopSignal

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable

__all__ = ["smallest"]

VISITS_BESIDE_STRATEGIES = 1000
"""Positions of a small search in a certificate with strategies: those are checked faster than longer searches."""


def smallest(table: RecordTable, root: bytes, seconds: float, stop: StopSignal) -> RecordTable:
    """Trims a table in rounds, looks for strategies, and takes out needless lines and trees, until the time is over.

    The first round is that of every certificate: it is made however long it takes. A later one that the time ends is
    as if it had not begun.

    Args:
        table: closed records.
        root: a key of them.
        seconds: how long all of it may take.
        stop: ends it.

    Raises:
        CallCancelledError, SearchCancelledError: `stop` was set.
    """
    ends = time.monotonic() + seconds
    best, round_seconds = table, 0.0
    trimmed: RecordTable | None = table.trimmed(root, stop=stop.native_flag())
    with _set_at(ends, stop) as over:
        while trimmed is not None and len(trimmed) < len(best):
            best, began = trimmed, time.monotonic()
            trimmed = _trimmed_unless(over, best, root)
            round_seconds = time.monotonic() - began
        # The search for strategies begins with one more such round. It ends by itself: `over` would throw away what it
        # has found.
        if not over.is_set and (seconds_left := ends - time.monotonic() - round_seconds) > 0:
            with_strategies = best.trimmed(
                root, VISITS_BESIDE_STRATEGIES, strategy_seconds=seconds_left, stop=stop.native_flag()
            )
            best = with_strategies if len(with_strategies) < len(best) else best
        drop_needless_parts(best, over)
    stop.check()
    return best


def _trimmed_unless(over: StopSignal, table: RecordTable, root: bytes) -> RecordTable | None:
    """One more round; None where it was ended before it was done."""
    try:
        return table.trimmed(root, VISITS_BESIDE_STRATEGIES, stop=over.native_flag())
    except SearchCancelledError:
        return None


@contextmanager
def _set_at(ends: float, stop: StopSignal) -> Iterator[StopSignal]:
    """A signal that is set from a time on (time.monotonic), and where `stop` is set."""
    over = StopSignal()
    stop.on_set(over.set)
    if (seconds_left := ends - time.monotonic()) <= 0:
        over.set()
    timer = threading.Timer(seconds_left, over.set)
    timer.daemon = True
    timer.start()
    try:
        yield over
    finally:
        timer.cancel()
