"""What a solve is asked, how far it is, and what it has found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from proofbase.service.answers import Value
from proofbase.service.answers.bounds import cut_text
from proofbase.service.jobs.budget import NO_LIMITS, Budget
from proofbase.service.jobs.solve.thresholds import ThresholdOrder
from proofbase.service.limits import LINE_CHARACTERS, LINE_MOVES, MOVE_CHARACTERS, QUESTIONS

__all__ = [
    "Phase",
    "ProofNumberSample",
    "Question",
    "SolveProgress",
    "SolveResult",
    "SolveSpec",
    "Spent",
    "TaskUnderWay",
]

Phase = Literal["searching", "replaying", "storing"]


@dataclass(frozen=True, slots=True)
class SolveSpec:
    """What a solve was asked; `at_least` None asks for the exact value.

    With `workers` other than 0 a proof manager gives tasks to so many threads, or processes (`worker_processes`).
    """

    game: str
    position: str
    at_least: int | None = None
    algorithm: str = "auto"
    budget: Budget = NO_LIMITS
    thresholds: ThresholdOrder = "auto"
    workers: int = 0
    worker_processes: bool = False

    @property
    def action(self) -> str:
        """What the job does."""
        return "solve"

    @property
    def subject(self) -> str:
        """The game, the position and the question."""
        question = "exact value" if self.at_least is None else f"at least {self.at_least}?"
        return f"{self.game} {self.position}: {question}"


@dataclass(frozen=True, slots=True)
class TaskUnderWay:
    """A part of the question that a worker searches: the first moves to its position, its question and its budget.

    `line_moves` counts all moves; `seconds` is for how long it has been searched.
    """

    line: tuple[str, ...]
    line_moves: int
    at_least: int
    nodes: int
    seconds: float
    algorithm: str = ""


@dataclass(frozen=True, slots=True)
class ProofNumberSample:
    """Proof and disproof number of a question at one moment of a solve, and the nodes of the solve; -1 is infinite."""

    seconds: float
    proof: int
    disproof: int
    nodes: int = 0


@dataclass(frozen=True, slots=True)
class SolveProgress:
    """How far a solve is. Counts run over all questions, pauses and restarts of the job.

    `best_line` holds the first moves only where the line is long; `best_line_moves` counts all of them. Of a solve with
    workers: tasks that have ended and that are searched, of the question that is asked now, and the records merged; the
    oldest tasks that are searched now, and how the numbers of that question went. `peak_nodes` is the most nodes that
    one search of the solve has held at one time; None where none held nodes.
    """

    at_least: int | None = None
    settled: int = 0
    nodes: int = 0
    seconds: float = 0.0
    nodes_per_second: float = 0.0
    proof: int = 1
    disproof: int = 1
    memory_bytes: int = 0
    best_line: tuple[str, ...] = ()
    value: Value | None = None
    algorithm: str | None = None
    algorithm_reason: str | None = None
    phase: Phase | None = None
    phase_done: int = 0
    phase_total: int = 0
    best_line_moves: int = 0
    tasks: int = 0
    tasks_under_way: int = 0
    workers: int = 0
    merged: int = 0
    under_way: tuple[TaskUnderWay, ...] = ()
    course: tuple[ProofNumberSample, ...] = ()
    peak_nodes: int | None = None

    def __post_init__(self) -> None:
        # A job that an earlier release stored may hold a line of a hundred thousand moves.
        line = tuple(cut_text(move, MOVE_CHARACTERS) for move in self.best_line[:LINE_MOVES])
        room = LINE_CHARACTERS
        for kept, move in enumerate(line):
            room -= len(move)
            if room < 0:
                line = line[:kept]
                break
        object.__setattr__(self, "best_line_moves", max(self.best_line_moves, len(self.best_line)))
        object.__setattr__(self, "best_line", line)

    @property
    def text(self) -> str | None:
        """The question that is being asked, with the size and the proof numbers of its search."""
        if self.phase == "replaying":
            total = f"{self.phase_done:,} of {self.phase_total:,}" if self.phase_total else f"{self.phase_done:,}"
            return f"replaying {total} nodes of the checkpoint"
        if self.at_least is None:
            return None
        if self.phase == "storing" and not self.phase_total:
            return f"at least {self.at_least}? {self.nodes:,} nodes, taking the solution out"
        if self.phase == "storing":
            total = f" of {self.phase_total:,}" if self.phase_total else ""
            return f"at least {self.at_least}? {self.nodes:,} nodes, storing {self.phase_done:,}{total} claims"
        proof, disproof = ("∞" if number < 0 else f"{number:,}" for number in (self.proof, self.disproof))
        value = self.value
        interval = f"{value.lower} to {value.upper}, " if value is not None and value.upper - value.lower > 2 else ""
        size = f"{interval}at least {self.at_least}? {self.nodes:,} nodes, {self.nodes_per_second:,.0f}/s, "
        memory = f"{self.memory_bytes / 2**20:,.1f} MiB"
        if self.phase == "searching" and self.phase_total:
            now = f", now {' '.join(self.best_line)}" if self.best_line else ""
            return f"{size}{self.phase_done} of {self.phase_total} replies proved{now}, {memory}"
        if self.workers:
            now = f"{self.tasks_under_way:,} under way on {self.workers:,} worker{'s' * (self.workers != 1)}"
            tasks = f"{self.tasks:,} tasks done, {now}"
            return f"{size}proof {proof} disproof {disproof}, {tasks}, {self.merged:,} records merged"
        return f"{size}proof {proof} disproof {disproof}, {memory}"

    @property
    def share(self) -> tuple[int, int] | None:
        """Nobody knows how long a search will take; the other phases know how much they have to do."""
        return (self.phase_done, self.phase_total) if self.phase_total and self.phase != "searching" else None


@dataclass
class Spent:
    """What the questions of a solve that have ended, and earlier runs of the job, have used.

    `inherited` are nodes with which the search that runs now began: of another job, or of its own earlier turns.
    `storing` are those of the seconds in which solutions were stored. `peak_nodes` is as in the progress.
    `tables` are those that the stored claims rest on.
    """

    nodes: int = 0
    seconds: float = 0.0
    records: int = 0
    settled: int = 0
    questions: int = 0
    algorithm: str = "store"
    inherited: int = 0
    storing: float = 0.0
    peak_nodes: int | None = None
    tables: list[str] = field(default_factory=list)

    def peak_with(self, search: int | None) -> int | None:
        """The peak, with that of a search; None where neither held nodes."""
        return max((peak for peak in (self.peak_nodes, search) if peak is not None), default=None)


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a solve, and the interval that was known when it ended. Its seconds are those of searching."""

    at_least: int
    status: Literal["proved", "disproved", "unknown"]
    value: Value
    nodes: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class SolveResult:
    """What a solve found.

    `questions` are the last ones only where there are many; `questions_in_all` counts all of them. `resumable` says
    that the budget ended the solve, and that its work is kept: with a larger budget it goes on where it ended.
    `storing_seconds` are those of the `seconds` in which solutions were taken out of searches and stored. `peak_nodes`
    is as in the progress. `found_value` is what searches have found of the value, where the budget ended before its
    proof was stored: nobody has checked it. None where it is no more than `value`. `tables` are the names of the tables
    that stored claims of these searches rest on; of a solve with workers none are named.
    """

    status: Literal["proved", "disproved", "exact", "unknown"]
    value: Value
    best_move: str | None
    rank: int | None
    nodes: int
    seconds: float
    nodes_per_second: float
    records: int
    algorithm: str
    unknown_reason: str | None = None
    algorithm_reason: str | None = None
    questions: tuple[Question, ...] = ()
    resumable: bool = False
    questions_in_all: int = 0
    storing_seconds: float = 0.0
    peak_nodes: int | None = None
    found_value: Value | None = None
    tables: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "questions_in_all", max(self.questions_in_all, len(self.questions)))
        object.__setattr__(self, "questions", self.questions[-QUESTIONS:])
        if self.best_move is not None:
            object.__setattr__(self, "best_move", cut_text(self.best_move, MOVE_CHARACTERS))

    @property
    def outcome(self) -> str:
        """The answer in a few words."""
        value, move = self.value, f", best move {self.best_move}" if self.best_move else ""
        bounds = f"value {_bounds_text(value)}"
        reason = f" ({self.unknown_reason})" if self.unknown_reason else ""
        unproved = f", {_bounds_text(self.found_value)} found and not proved" if self.found_value else ""
        return f"{bounds}{move}" if self.status == "exact" else f"{self.status}{reason}, {bounds}{move}{unproved}"


def _bounds_text(value: Value) -> str:
    lower, upper = (f"{bound:+d}" if bound else "0" for bound in (value.lower, value.upper))
    return lower if value.exact else f"{lower} to {upper}"
