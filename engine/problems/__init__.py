"""Composed problems: whether a win within so many moves has exactly one key, with a proof (docs/problems.md)."""

from proofbase.engine.problems.problem import (
    Attempt,
    Continuation,
    Dual,
    Problem,
    ProblemReport,
    Reply,
    examine,
    plies_of,
)

__all__ = ["Attempt", "Continuation", "Dual", "Problem", "ProblemReport", "Reply", "examine", "plies_of"]
