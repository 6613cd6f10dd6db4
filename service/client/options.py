"""Options that several methods of a client have in common, by name. All of them may be left out.

The lines under `Attributes` are also what `help()` of a method shows of them (arguments.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypedDict

from proofbase.service.jobs.budget import Budget
from proofbase.service.jobs.solve.thresholds import Strategy

__all__ = [
    "DEFAULTS",
    "OneSolveOptions",
    "QuestionOptions",
    "SearchOptions",
    "SolveOptions",
    "TableOptions",
    "VerificationOptions",
]


class SearchOptions(TypedDict, total=False):
    """The searches that a lookup may make. Nothing of them is stored.

    Attributes:
        search: positions of unknown value are searched, creating at most so many nodes each; None: nothing is searched.
        search_seconds: of all searches of the call (of a stream: of each batch), below the service's own limit.
    """

    search: int | None
    search_seconds: float | None


class SolveOptions(TypedDict, total=False):
    """How something is solved.

    Attributes:
        algorithm: name of a search with its policies; `auto` without it.
        thresholds: for the exact value, the order of the questions.
        budget: limits.
    """

    algorithm: str
    thresholds: Strategy
    budget: Budget | None


class QuestionOptions(SolveOptions, total=False):
    """What is asked about a position; the exact value without both thresholds.

    Attributes:
        at_least: is the value at least this?
        result_at_least: is the result of the game as a whole, the score so far plus the value, at least this? 1 asks
            for a win, 0 for a draw or better.
    """

    at_least: int | None
    result_at_least: int | None


class OneSolveOptions(QuestionOptions, total=False):
    """What is asked about one position, and who searches.

    Attributes:
        workers: 0 for one search; otherwise a proof manager gives tasks to so many workers.
        worker_processes: whether the workers are processes; threads otherwise.
    """

    workers: int
    worker_processes: bool


class TableOptions(TypedDict, total=False):
    """Work on tables.

    Attributes:
        action: `build` those that are missing (also without it), or `verify` all.
        threads: 0 (also without it) for one a processor.
        distances: tables of plies beside those of values are among them (docs/tables.md).
        memory_bytes: a class that needs more is built or verified in parts; None: the limit `job_memory_bytes`.
        disk_bytes: begin only if the files need no more.
        present: verify those of the tables that are there; without it all have to be there.
    """

    action: Literal["build", "verify"]
    threads: int
    distances: bool
    memory_bytes: int | None
    disk_bytes: int | None
    present: bool


class VerificationOptions(TypedDict, total=False):
    """What is checked of the records that were asked for, and how.

    Attributes:
        sample: only so many records, drawn without replacement; None: all.
        seed: of the drawing, 0 to 2**63 - 1; 0 without it.
        rules: `native` (also without it), or `python`: the independent rules.
        quarantine: what fails, and what rests on it, is moved out of the records.
        repair: what failing records rest on is proved anew, where a search can.
        zones: replies outside the zones of threat trees are not played out (docs/zones.md).
    """

    sample: int | None
    seed: int
    rules: Literal["native", "python"]
    quarantine: bool
    repair: bool
    zones: bool


DEFAULTS: Mapping[str, Any] = {
    "algorithm": "auto",
    "thresholds": "auto",
    "workers": 0,
    "worker_processes": False,
    "action": "build",
    "threads": 0,
    "distances": False,
    "present": False,
    "seed": 0,
    "rules": "native",
    "quarantine": False,
    "repair": False,
    "zones": False,
}
"""What stands for an option that is left out; None for the others."""
