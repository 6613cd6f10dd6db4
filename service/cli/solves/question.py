"""What a solve of one position asks."""

from __future__ import annotations

from typing import NamedTuple

from proofbase.service.jobs.budget import Budget
from proofbase.service.jobs.solve.thresholds import ThresholdOrder

__all__ = ["SolveQuestion"]


class SolveQuestion(NamedTuple):
    """What a solve asks, and how; the fields are those of `Client.start_solve`."""

    at_least: int | None
    result_at_least: int | None
    algorithm: str
    thresholds: ThresholdOrder
    budget: Budget
    workers: int = 0
    worker_processes: bool = False

    @property
    def text(self) -> str:
        """The question in words."""
        if self.result_at_least is not None:
            return {1: "win?", 0: "draw?"}.get(self.result_at_least, f"win by {self.result_at_least}?")
        return "exact value" if self.at_least is None else f"value at least {self.at_least}?"
