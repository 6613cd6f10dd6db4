"""What a solve has asked and used. The job keeps it over pauses and restarts."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields, replace
from typing import Literal

from proofbase.service.answers import Value
from proofbase.service.jobs.control import JobControl
from proofbase.service.jobs.json_values import from_json
from proofbase.service.jobs.solve.model import Question, SolveSpec, Spent
from proofbase.service.jobs.solve.thresholds import ThresholdSchedule
from proofbase.service.jobs.solve.unstored_answers import UnstoredAnswers
from proofbase.service.limits import QUESTIONS

__all__ = ["SolveAccount"]


class SolveAccount:
    """Counts what the questions of a solve cost, over all runs of its job.

    Args:
        control: of the job, with what earlier runs kept.
        spec: what is asked.

    Attributes:
        spent: what the questions that have ended have used.
        questions: that have ended.
        schedule: which question is next.
        unstored: what the questions that have ended have shown, where that is not stored.
    """

    def __init__(self, control: JobControl, spec: SolveSpec) -> None:
        self._control = control
        self._spec = spec
        private = control.private
        spent = private.get("spent", {})  # by a newer release it may have more
        self.spent = Spent(**{field.name: spent[field.name] for field in fields(Spent) if field.name in spent})
        self.questions = [from_json(Question, entry) for entry in private.get("questions", ())]
        self.schedule = ThresholdSchedule(spec.thresholds, spec.at_least)
        self.schedule.restore(private.get("questioning"))
        self._counted = {int(threshold): nodes for threshold, nodes in private.get("counted", {}).items()}
        """By threshold the nodes of its last search that `spent` has already; not of the search that runs now."""
        self.unstored = UnstoredAnswers.restored(private.get("unstored"))
        self._turns = {int(threshold): nodes for threshold, nodes in private.get("turns", {}).items()}
        """Nodes of the turns of questions that are not listed yet."""
        self._started = time.monotonic()

    def start(self) -> None:
        """The work begins now."""
        self._started = time.monotonic()

    def seconds(self) -> float:
        """Seconds of work; waiting for the store is none."""
        return self.spent.seconds + time.monotonic() - self._started - self._control.waited

    def seconds_left(self) -> float | None:
        """What is left of the budget; None if it has no limit of time."""
        limit = self._spec.budget.seconds
        return None if limit is None else limit - self.seconds()

    @contextmanager
    def storing(self) -> Iterator[None]:
        """While a solution is stored."""
        before = self.seconds()
        try:
            yield
        finally:
            self.spent.storing += self.seconds() - before

    def nodes_left(self) -> int | None:
        """How many nodes the search that runs now may have; None if the budget has no limit of nodes."""
        limit = self._spec.budget.nodes
        return None if limit is None else max(1, limit - self.spent.nodes) + self.spent.inherited

    def budget_used(self) -> str | None:
        """Which part of the budget is used up."""
        return self._spec.budget.used_up(self.spent.nodes, self.seconds())

    def inherit(self, threshold: int, nodes: int, *, of_another_job: bool) -> None:
        """The search that runs now begins with so many nodes, which this job or another one has created."""
        counted = self._counted.pop(threshold, 0)
        self.spent.inherited = nodes if of_another_job else min(max(counted, self.spent.inherited), nodes)

    def checkpoint_nodes(self, threshold: int) -> int:
        """The nodes of the checkpoint of a question, as far as this job has created it; 0 where nothing is known."""
        nodes: int = self._counted.get(threshold) or self._control.private.get("checkpoint_nodes", 0)
        return nodes

    def take_up(self, threshold: int) -> None:
        """The search that runs now has waited for its turn."""
        self.spent.inherited = self._counted.pop(threshold)

    def add_search(self, threshold: int, nodes: int, peak_nodes: int | None, least: int) -> int:
        """Adds a search that has ended, or waits for its next turn.

        Args:
            threshold: its question.
            nodes: that it has created.
            peak_nodes: the most that it has held.
            least: so many nodes at least are taken into account where questions take turns.

        Returns:
            The nodes that this job has created since the search began, or since its last turn.
        """
        self.spent.peak_nodes = self.spent.peak_with(peak_nodes)
        new_nodes, self.spent.inherited = nodes - self.spent.inherited, 0
        self.spent.nodes += new_nodes
        self.schedule.add_nodes(threshold, max(new_nodes, least))
        self._counted[threshold] = nodes
        return new_nodes

    def add_question(
        self,
        threshold: int,
        status: Literal["proved", "disproved", "unknown"],
        value: Value,
        nodes: int,
        seconds: float,
    ) -> None:
        """Lists a question that has ended, with the nodes of its earlier turns."""
        self.spent.questions += 1
        nodes += self._turns.pop(threshold, 0)
        self.questions.append(Question(threshold, status, value, nodes, seconds))

    def add_turn(self, threshold: int, nodes: int) -> None:
        """A question has had a turn, and is to have another one."""
        self._turns[threshold] = self._turns.get(threshold, 0) + nodes

    def keep(self) -> None:
        """Has the job keep it, the next time that it is saved."""
        private = self._control.private
        private["spent"] = asdict(replace(self.spent, seconds=self.seconds()))
        private["questions"] = [asdict(question) for question in self.questions[-QUESTIONS:]]
        private["questioning"] = self.schedule.state()
        private["counted"] = {str(threshold): nodes for threshold, nodes in self._counted.items()}
        private["turns"] = {str(threshold): nodes for threshold, nodes in self._turns.items()}
        private["unstored"] = self.unstored.state() if self.unstored else None

    @property
    def kept_seconds(self) -> float:
        """The seconds of work as they were kept last; 0 before."""
        kept: float = self._control.private.get("spent", {}).get("seconds", 0.0)
        return kept
