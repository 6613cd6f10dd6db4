"""How many nodes a task may take: small ones first, larger ones as the question turns out to be hard."""

from __future__ import annotations

__all__ = ["FIRST_TASK_NODES", "TaskBudget"]

FIRST_TASK_NODES = 50_000
LARGEST_TASK_NODES = 5_000_000
"""Some five to ten seconds."""
TASK_SHARE = 16
"""A task may take one of so many parts of the work so far, for each worker beside the first: its budget grows with the
question. Two workers get the tasks that one would get: smaller ones make a larger tree, whose inner nodes have all been
searched in vain."""
KEPT_PARTS = 2
"""A leaf whose search goes on is divided when it has taken one of so many parts of the work, for each worker beside the
first: a single worker need not, and others only have to find leaves of their own."""
MOST_KEPT_NODES = 100_000_000
"""A leaf whose search goes on is divided when it has taken so much, a minute or two: a kill loses no more of it,
since answers of smaller questions are stored."""
LARGEST_LOADED_TASK = 30_000_000
"""The largest task where there are so many workers that smaller ones would keep the manager busy: about a minute."""
LONGEST_TASK_SECONDS = 60.0
"""A task ends then, however slow its worker is."""
LEAST_LIMIT_SECONDS = 2.0
SLOWER = 4
"""How many times as long as other tasks of its budget a task may take, and at least `LEAST_LIMIT_SECONDS`."""
BUSY_SHARE = 0.25
"""Tasks are made so large that the manager's own work takes about this share of the time."""
MERGING_SHARE = 0.75
"""The same of checking and storing. More of it is proofs than tasks, so that larger tasks spare little: they wait until
it is nearly too much, for large tasks cost the search far more (`simulate_manager.py`)."""


class TaskBudget:
    """Chooses the budgets of tasks.

    Args:
        first: nodes of the first tasks.
        least_seconds: what a task should take at least, once it is known how fast the workers are.
    """

    def __init__(self, first: int, least_seconds: float = 0.0) -> None:
        self._first = first
        self._least_seconds = least_seconds
        self._own_seconds = 0.0
        self._merging_seconds = 0.0
        self._tasks = 0
        self._nodes = 0
        self._seconds = 0.0

    def managed(self, seconds: float) -> None:
        """The manager has worked for so long: choosing, keeping its tree."""
        self._own_seconds += seconds

    def merged(self, seconds: float) -> None:
        """What is slowest of checking and storing was busy for so long."""
        self._merging_seconds += seconds

    def searched(self, nodes: int, seconds: float) -> None:
        """A task has ended."""
        self._tasks += 1
        self._nodes += nodes
        self._seconds += seconds

    def seconds(self, nodes: int) -> float:
        """How long a task may take. One whose worker, or whose algorithm, is much slower than the others ends early.

        Args:
            nodes: its budget.
        """
        if self._seconds <= 0 or self._nodes <= 0:
            return LONGEST_TASK_SECONDS
        expected = nodes * self._seconds / self._nodes
        return min(LONGEST_TASK_SECONDS, max(LEAST_LIMIT_SECONDS, SLOWER * expected))

    @staticmethod
    def is_large(own: int, budget: int, work: int, workers: int, *, kept: bool) -> bool:
        """Whether a leaf is to be divided, and not searched once more.

        Args:
            own: nodes of its own tasks.
            budget: of its next one.
            work: nodes of the whole question.
            workers: how many search at a time.
            kept: its next task goes on where the last one has ended; without that a task makes all of them again.
        """
        if not kept:
            return own * 2 > budget
        if own > MOST_KEPT_NODES:
            return True
        return workers > 1 and own * 2 > budget and own * KEPT_PARTS * (workers - 1) > work

    def nodes(self, work: int, workers: int) -> int:
        """What a task may take now.

        Args:
            work: nodes of the whole question so far.
            workers: how many search at a time, at least 1.
        """
        least = self._first
        if self._tasks and self._seconds > 0:
            speed = self._nodes / self._seconds
            least_seconds = max(self._own_seconds / BUSY_SHARE, self._merging_seconds / MERGING_SHARE) / self._tasks
            useful = int(max(least_seconds * workers, self._least_seconds) * speed)
            least = max(least, min(LARGEST_LOADED_TASK, useful))
        return max(least, min(LARGEST_TASK_NODES, work // (TASK_SHARE * max(1, workers - 1))))
