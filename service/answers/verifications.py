"""When records were verified, and by what."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Verification"]


@dataclass(frozen=True, slots=True)
class Verification:
    """A verification of the records of one game. `position` is set where only those below it were checked.

    `rules` is `native` or `python`, `finished` in seconds since the epoch. `package` is the package whose manifest says
    so, and nobody here has seen it; None for what this store has seen itself.
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
    package: str | None = None
