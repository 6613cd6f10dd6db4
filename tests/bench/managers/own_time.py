"""Workers whose time is counted and not waited for, in the thread of the manager: what is the same in all of them."""

from __future__ import annotations

from typing import Generic, TypeVar

__all__ = ["WorkersInOwnTime"]

R = TypeVar("R")


class WorkersInOwnTime(Generic[R]):
    """The methods of `Workers` by which nothing happens where nobody waits.

    A subclass begins tasks (`submit`), and ends them at their time (`next_finished`).

    Attributes:
        count: how many workers.
        now: seconds since the beginning.
    """

    sends_known = False
    known_sent = 0

    def __init__(self, count: int) -> None:
        self.count = count
        self.now = 0.0
        self._under_way: list[tuple[float, int, R]] = []  # a heap: when the task ends, its number and its result

    def keeps(self, asked: tuple[str, int]) -> str | None:
        """No search is kept."""
        return None

    def forget(self, asked: tuple[str, int]) -> None:
        """No search is kept."""

    def task_memory(self, job_bytes: int) -> int:
        """As much as one worker would have: each has its own machine."""
        return job_bytes

    def wake(self) -> None:
        """Nobody waits."""

    def stop(self) -> None:
        """What is under way ends now: the answer is there."""
        self._under_way = [(self.now, number, result) for _, number, result in self._under_way]

    def go_on(self) -> None:
        """There is nothing to do."""

    def close(self) -> None:
        """There is nothing to end."""
