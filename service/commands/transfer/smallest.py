"""The smallest part of closed records that a root rests on, for `export --smallest`."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from proofbase.engine.errors import SearchCancelledError
from proofbase.service.commands.transfer.needless_parts import drop_needless_parts
from proofbase.service.resources.native import new_stop_flag
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
    best, found = table, table.trimmed(root, stop=stop.native_flag())
    round_seconds = 0.0
    while len(found) < len(best):
        best, began = found, time.monotonic()
        found = _trimmed_until(ends, best, root, stop)
        round_seconds = time.monotonic() - began
    # The search for strategies begins with one more such round.
    if (left := ends - time.monotonic() - round_seconds) > 0:
        found = best.trimmed(root, VISITS_BESIDE_STRATEGIES, strategy_seconds=left, stop=stop.native_flag())
        best = found if len(found) < len(best) else best
    drop_needless_parts(best, ends, stop.check)
    return best


def _trimmed_until(ends: float, table: RecordTable, root: bytes, stop: StopSignal) -> RecordTable:
    """One more round, or the table itself where the time is over before the round is."""
    left = ends - time.monotonic()
    if left <= 0:
        return table
    over = new_stop_flag()
    stop.on_set(over.set)
    timer = threading.Timer(left, over.set)
    timer.daemon = True
    timer.start()
    try:
        return table.trimmed(root, VISITS_BESIDE_STRATEGIES, stop=over)
    except SearchCancelledError:
        stop.check()
        return table
    finally:
        timer.cancel()
