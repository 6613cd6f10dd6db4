"""Which task comes next: what the two orders of a proof manager (best first, depth first) have in common."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from proofbase.service.jobs.proof_manager.question_tree import Node
from proofbase.service.jobs.proof_manager.task import TaskResult

__all__ = ["NextTask", "TaskOrder"]


class NextTask(NamedTuple):
    """A task that can begin.

    Attributes:
        path: from the root to the node that is searched.
        nodes, seconds: its budget.
        with_solution: its answer comes with the solution, to be stored. Otherwise the answer is only believed.
    """

    path: list[Node]
    nodes: int
    seconds: float
    with_solution: bool = True


class TaskOrder(Protocol):
    """Chooses the questions of tasks, and keeps the tree up to date when they end."""

    trusts: bool
    """Whether it believes what no record shows yet. Then it has the solution taken out at the end."""

    def next(self, most_nodes: int | None) -> NextTask | None:
        """The next task; None while there is none.

        Args:
            most_nodes: that it may take.
        """

    def line(self) -> tuple[int, ...]:
        """The moves from the root to where the search is."""

    def ended(self, path: list[Node], result: TaskResult, answer: bool | None) -> None:
        """A task has ended, with an answer of which nothing is stored, or without one (None).

        Args:
            path: from the root to its node.
            result: what it has brought.
            answer: of the task, where no solution was taken out.
        """
