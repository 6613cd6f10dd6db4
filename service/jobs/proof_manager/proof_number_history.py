"""How the numbers of a question went over time, in a bounded number of moments."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from proofbase.service.jobs.solve.model import ProofNumberSample

__all__ = ["MOMENTS", "ProofNumberHistory"]

MOMENTS = 60
FIRST_INTERVAL = 0.5
"""Seconds between two moments at the beginning. It is doubled whenever there are too many of them."""


class ProofNumberHistory:
    """Moments at about equal intervals.

    Args:
        before: those of an earlier run of the same question.
    """

    def __init__(self, before: Iterable[ProofNumberSample] = ()) -> None:
        self._interval = FIRST_INTERVAL
        self._kept = list[ProofNumberSample]()
        self._lock = threading.Lock()
        for moment in before:
            self.add(moment)

    def add(self, moment: ProofNumberSample) -> None:
        """Keeps a moment, if the last one is long enough ago."""
        with self._lock:
            if self._kept and moment.seconds < self._kept[-1].seconds + self._interval:
                return
            self._kept.append(moment)
            if len(self._kept) > MOMENTS - 1:
                self._interval *= 2
                self._kept = self._kept[::2]

    def until(self, now: ProofNumberSample) -> tuple[ProofNumberSample, ...]:
        """The moments that are kept, and now."""
        with self._lock:
            kept = list(self._kept)
        kept = [moment for moment in kept if moment.seconds < now.seconds]
        return (*kept, now)
