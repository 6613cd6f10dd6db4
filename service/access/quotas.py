"""What each client may use up: lookups a second, streams, jobs, and processor time a day. Kept in memory.

What is used up is an error that says when to come again. Several tokens of one name share what the client may use.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from proofbase.service.errors import QuotaExceededError
from proofbase.service.limits import Limits

__all__ = ["Account", "Accounts"]

DAY = 86_400.0


@dataclass
class _Used:
    """What a client has used."""

    allowance: float
    """Lookups that it may make at once; below 0 after a large batch."""
    renewed: float
    """When the allowance was computed, on the monotonic clock."""
    streams: int = 0
    day: int = 0
    """Days since the epoch (UTC)."""
    seconds: float = 0.0
    """Processor time on that day."""
    lock: threading.Lock = field(default_factory=threading.Lock)


class Account:
    """What one client may use. Thread-safe."""

    def __init__(self, name: str, limits: Limits, used: _Used, clock: Callable[[], float]) -> None:
        self.name = name
        self._limits = limits
        self._used = used
        self._clock = clock

    def spend_lookups(self, number: int) -> None:
        """Counts positions that are looked up. One batch may be larger than what is left; the next one waits for it.

        Raises:
            QuotaExceededError: the lookups of this second are used up.
        """
        rate, now = self._limits.client_lookups, time.monotonic()
        with self._used.lock:
            allowance = min(float(rate), self._used.allowance + (now - self._used.renewed) * rate)
            self._used.renewed = now
            self._used.allowance = allowance - number if allowance > 0 else allowance
        if allowance <= 0:
            raise QuotaExceededError(
                f"{self.name} may look up {rate} positions a second (client_lookups)",
                limit="client_lookups",
                largest=rate,
                retry_after=math.ceil(-allowance / rate) or 1,
            )

    @contextmanager
    def stream(self) -> Iterator[None]:
        """One open stream.

        Raises:
            QuotaExceededError: as many are open as may be.
        """
        most = self._limits.client_streams
        with self._used.lock:
            if self._used.streams >= most:
                raise QuotaExceededError(
                    f"{self.name} has {most} streams open, and may have no more (client_streams): end one first",
                    limit="client_streams",
                    largest=most,
                    retry_after=0,
                )
            self._used.streams += 1
        try:
            yield
        finally:
            with self._used.lock:
                self._used.streams -= 1

    def add_seconds(self, seconds: float) -> None:
        """Counts processor time."""
        with self._used.lock:
            self._new_day()
            self._used.seconds += max(0.0, seconds)

    def check_seconds(self) -> None:
        """Refuses work that takes processor time where that of the day is used up.

        Raises:
            QuotaExceededError: it is.
        """
        most = self._limits.client_cpu_seconds
        with self._used.lock:
            self._new_day()
            used_up = self._used.seconds >= most
        if used_up:
            seconds_left = math.ceil(DAY - self._clock() % DAY)
            raise QuotaExceededError(
                f"{self.name} has used up the {most} seconds of processor time of this day (client_cpu_seconds); "
                "the next day begins at 00:00 UTC",
                limit="client_cpu_seconds",
                largest=most,
                retry_after=seconds_left,
            )

    def check_jobs(self, unfinished: int) -> None:
        """Refuses another job where the client has as many as it may.

        Args:
            unfinished: jobs of the client that run or wait.

        Raises:
            QuotaExceededError: that is so, or the processor time of the day is used up.
        """
        self.check_seconds()
        most = self._limits.client_jobs
        if unfinished >= most:
            raise QuotaExceededError(
                f"{self.name} has {unfinished} jobs that run or wait, and may have no more (client_jobs): come again "
                "when one of them has ended",
                limit="client_jobs",
                largest=most,
                retry_after=0,
            )

    def _new_day(self) -> None:
        day = int(self._clock() // DAY)
        if day != self._used.day:
            self._used.day, self._used.seconds = day, 0.0


class Accounts:
    """The accounts of all clients of one server, by name. Thread-safe.

    Args:
        limits: those that begin with `client_`.
        clock: gives seconds since the epoch.
    """

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.time) -> None:
        self._limits = limits
        self._clock = clock
        self._used: dict[str, _Used] = {}
        self._lock = threading.Lock()

    def of(self, name: str) -> Account:
        """The account of a client."""
        with self._lock:
            if name not in self._used:
                self._used[name] = _Used(float(self._limits.client_lookups), time.monotonic())
            return Account(name, self._limits, self._used[name], self._clock)
