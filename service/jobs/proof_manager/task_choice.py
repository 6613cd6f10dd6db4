"""Which algorithm searches the next task: the one that has settled most questions a second so far.

A bandit with few arms. Each algorithm is tried some times in turn. After that a task goes to the algorithm with the
largest upper bound of its rate, (n + 1 + sqrt(n + 1)) / t for n questions settled in t seconds of search: settled
questions are counted as Poisson events, whose deviation is the root of their number. What is counted is forgotten by
and by, so that an algorithm that was worse before is tried again: further down in a tree, questions are other ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from proofbase.engine.rules import Game
from proofbase.service.jobs.proof_manager.task_budget import FIRST_TASK_NODES
from proofbase.service.resources.native import choose_algorithm

__all__ = ["TaskChoice", "candidates"]

TRIES = 3
"""Tasks that each algorithm gets in turn at the beginning."""
KEPT = 0.99
"""So much of what is counted is kept when a task ends: half of it is forgotten after 69 tasks."""
GUESS = 2
"""Questions that the best guess is believed to have settled: until one is settled, it gets two thirds of the time."""


def candidates(game: Game[Any]) -> tuple[str, ...]:
    """The algorithms for tasks of `auto`: `auto` itself, and each other one that it may go on with in this game."""
    first, second = choose_algorithm(game), choose_algorithm(game, nodes_used_up=True)
    third = choose_algorithm(game, memory_used_up=True)
    if first.nodes is not None and first.nodes > FIRST_TASK_NODES:
        return ("auto", second.name)  # a first task of `auto` ends before the second algorithm begins
    # A long task of `auto` is one of the second algorithm.
    others = dict.fromkeys(chosen.name for chosen in (first, third) if chosen.name != second.name)
    return ("auto", *others)


@dataclass
class _Counted:
    """What is counted of an algorithm; what has ended long ago counts less (KEPT)."""

    believed: int
    given: int = 0
    settled: float = 0.0
    seconds: float = 0.0

    @property
    def upper_rate(self) -> float:
        settled = self.settled + self.believed + 1
        return (settled + sqrt(settled)) / max(self.seconds, 1e-9)


class TaskChoice:
    """Chooses for each task of a job.

    Args:
        names: the algorithms, the best guess first; with a single one there is nothing to choose.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._counted = {name: _Counted(0 if number else GUESS) for number, name in enumerate(names)}

    def next(self) -> str:
        """The algorithm of a task that begins."""
        waiting = [name for name, counted in self._counted.items() if counted.given < TRIES or counted.seconds == 0]
        if waiting:  # until there is something to compare: in turn
            name = min(waiting, key=lambda name: self._counted[name].given)
        else:
            name = max(self._counted, key=lambda name: self._counted[name].upper_rate)
        self._counted[name].given += 1
        return name

    def finished(self, name: str, seconds: float, *, settled: bool) -> None:
        """A task has ended.

        Args:
            name: of its algorithm.
            seconds: of its search.
            settled: it has answered its question.
        """
        for counted in self._counted.values():
            counted.settled *= KEPT
            counted.seconds *= KEPT
        self._counted[name].settled += settled
        self._counted[name].seconds += seconds

    @property
    def name(self) -> str:
        """The best guess."""
        return next(iter(self._counted))

    @property
    def text(self) -> str:
        """Who has got how many tasks."""
        if len(self._counted) == 1:
            return f"each task by {self.name}"
        given = (f"{name} {counted.given:,}" for name, counted in self._counted.items())
        return f"tasks by what has settled most: {', '.join(given)}"
