"""What is said of a position beside its value: when it was verified, reported errors, notes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Note", "Report", "ReportStatus", "Verification"]

ReportStatus = Literal["open", "agrees", "refuted", "confirmed", "undecided"]


@dataclass(frozen=True, slots=True)
class Verification:
    """A verification of the records of one game. `position` is set where only those below it were checked.

    `rules` is `native` or `python`, `finished` in seconds since the epoch.
    """

    id: str
    finished: float
    program: str
    rules: str
    rules_version: int
    checked: int
    failed: int
    position: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """Somebody says that the value of a position is wrong, and what came of it. `evidence` is `certificate` or None."""

    id: str
    created: float
    value: int
    status: ReportStatus = "open"
    verdict: str | None = None
    by: str | None = None
    text: str | None = None
    evidence: str | None = None
    checked: int = 0
    checked_by_other_rules: int = 0
    finished: float | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """A plain text on a position, or with `of_game` on the game as a whole."""

    id: str
    created: float
    author: str
    text: str
    of_game: bool = False
