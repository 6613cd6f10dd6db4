"""How far a proof manager is, in the words of a search."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

__all__ = ["ManagerOutcome", "ManagerProgress", "SearchedNow"]


@dataclass(frozen=True, slots=True)
class ManagerOutcome:
    """The state of a manager, as that of a search."""

    status: Literal["proved", "disproved", "unknown"]
    reason: Literal["nodes", "seconds", "cancelled", "exhausted"] | None = None


class SearchedNow(NamedTuple):
    """A task that is searched.

    Attributes:
        moves: to its position, by their numbers in the rules.
        at_least: its question.
        nodes: its budget.
        algorithm: that it is searched by.
        began: when (time.monotonic).
    """

    moves: tuple[int, ...]
    at_least: int
    nodes: int
    algorithm: str
    began: float


@dataclass(frozen=True, slots=True)
class ManagerProgress:
    """How far a manager is: the fields of a search's progress, and what its workers do."""

    nodes: int
    seconds: float
    nodes_per_second: float
    proof: int
    disproof: int
    memory: int = 0
    peak_nodes: None = None
    best_line: list[int] = field(default_factory=list)
    best_line_moves: int = 0
    replies_proved: int = 0
    replies: int = 0
    tasks: int = 0
    tasks_under_way: int = 0
    workers: int = 0
    merged: int = 0
    under_way: tuple[SearchedNow, ...] = ()
