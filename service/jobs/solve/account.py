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
from proofbase.service.jobs.solve.report import Question, SolveSpec, Spent
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
        spent: by the questions that have ended.
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
        self.schedule = ThresholdSchedule.restored(spec.thresholds, spec.at_least, private.get("questioning"))
        self.unstored = UnstoredAnswers.restored(private.get("unstored"))
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

    def inherit(self, nodes: int, *, of_another_job: bool) -> None:
        """The search that runs now begins with so many nodes, which this job or another one has created."""
        self.spent.inherited = nodes if of_another_job else min(self.spent.inherited, nodes)

    def add_search(self, nodes: int, peak_nodes: int | None) -> int:
        """Adds a search that has ended; returns its nodes without those that another job has created."""
        self.spent.peak_nodes = self.spent.peak_with(peak_nodes)
        own, self.spent.inherited = nodes - self.spent.inherited, 0
        self.spent.nodes += own
        return own

    def add_question(
        self,
        threshold: int,
        status: Literal["proved", "disproved", "unknown"],
        value: Value,
        nodes: int,
        seconds: float,
    ) -> None:
        """Lists a question that has ended."""
        self.spent.questions += 1
        self.questions.append(Question(threshold, status, value, nodes, seconds))

    def keep(self) -> None:
        """Has the job keep it, the next time that it is saved."""
        private = self._control.private
        private["spent"] = asdict(replace(self.spent, seconds=self.seconds()))
        private["questions"] = [asdict(question) for question in self.questions[-QUESTIONS:]]
        private["questioning"] = self.schedule.state()
        private["unstored"] = self.unstored.state() if self.unstored else None

    @property
    def kept_seconds(self) -> float:
        """The seconds of work as they were kept last; 0 before."""
        kept: float = self._control.private.get("spent", {}).get("seconds", 0.0)
        return kept
