"""The processor time that one answer may cost."""

from __future__ import annotations

import time

__all__ = ["ProcessorLimit", "ProcessorLimitExceededError"]


class ProcessorLimitExceededError(Exception):
    """The work for one answer is more than it may be; never leaves the commands."""


class ProcessorLimit:
    """Seconds of processor time that the calling thread may still spend on an answer.

    The time that other threads take does not count: the same answer is cut at about the same place on a busy machine.

    Args:
        seconds: processor time from now on.
    """

    def __init__(self, seconds: float) -> None:
        self._end = time.thread_time() + seconds

    @property
    def exceeded(self) -> bool:
        """Whether all of it is spent."""
        return time.thread_time() > self._end

    def check(self) -> None:
        """Raises `ProcessorLimitExceededError` when all of it is spent."""
        if self.exceeded:
            raise ProcessorLimitExceededError
