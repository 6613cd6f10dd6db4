"""Jobs as the service sees them: typed, where the store keeps JSON. Fields mirror protos/proofbase/v1/jobs.proto."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

from proofbase.service.answers import Cut, Value
from proofbase.service.errors import InvalidRequestError
from proofbase.service.jobs.thresholds import Strategy
from proofbase.storage.entries import Job as StoredJob

__all__ = [
    "FINISHED",
    "UNFINISHED",
    "Budget",
    "Finding",
    "Job",
    "Question",
    "SolveProgress",
    "SolveResult",
    "SolveSpec",
    "VerificationProgress",
    "VerificationResult",
    "VerificationSpec",
    "stored_question",
]

State = Literal["queued", "running", "paused", "done", "failed", "cancelled"]
UNFINISHED: tuple[State, ...] = ("queued", "running")
FINISHED: tuple[State, ...] = ("done", "failed", "cancelled")


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one job; None is not limited (memory: the service's limit).

    Raises:
        InvalidRequestError: a limit is 0 or less.
    """

    nodes: int | None = None
    seconds: float | None = None
    memory_bytes: int | None = None

    def __post_init__(self) -> None:
        for name in ("nodes", "seconds", "memory_bytes"):
            number = getattr(self, name)
            if number is not None and not 0 < number < float("inf"):
                raise InvalidRequestError(
                    f"a budget of {number} {name.replace('_bytes', '')}: more than 0 is needed "
                    "(leave it out for no limit)",
                    field=f"budget.{name}",
                )


@dataclass(frozen=True, slots=True)
class SolveSpec:
    """What a solve was asked; `at_least` None asks for the exact value."""

    game: str
    position: str
    at_least: int | None = None
    algorithm: str = "auto"
    budget: Budget = Budget()
    thresholds: Strategy = "auto"


@dataclass(frozen=True, slots=True)
class VerificationSpec:
    """What is to be verified: everything, one game (`game`), or what a position's claims rest on (`position`)."""

    game: str | None = None
    position: str | None = None
    sample: int | None = None
    seed: int = 0
    rules: Literal["native", "python"] = "native"
    quarantine: bool = False


@dataclass(frozen=True, slots=True)
class SolveProgress:
    """How far a solve is. Counts run over all questions, pauses and restarts of the job."""

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


@dataclass(frozen=True, slots=True)
class VerificationProgress:
    """How far a verification is; `total` is 0 while it is not known."""

    game: str | None = None
    checked: int = 0
    total: int = 0
    failed: int = 0
    seconds: float = 0.0
    records_per_second: float = 0.0


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
    """What a solve found."""

    status: Literal["proved", "disproved", "exact", "unknown"]
    value: Value
    best_move: str | None
    rank: int
    nodes: int
    seconds: float
    nodes_per_second: float
    records: int
    algorithm: str
    unknown_reason: str | None = None
    algorithm_reason: str | None = None
    questions: tuple[Question, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One broken rule of one record."""

    game: str
    key: bytes
    position: str | None
    claim: str | None
    rule: str
    detail: str


@dataclass(frozen=True, slots=True)
class VerificationResult:
    """What a verification found."""

    checked: int
    failed: int
    seconds: float
    records_per_second: float
    findings: tuple[Finding, ...] = ()
    quarantined: int = 0
    cut: Cut | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """A job and where it stands."""

    id: str
    kind: Literal["solve", "verification"]
    state: State
    created: float
    updated: float
    spec: SolveSpec | VerificationSpec
    progress: SolveProgress | VerificationProgress | None = None
    result: SolveResult | VerificationResult | None = None
    error: str | None = None
    error_reason: str | None = None

    @property
    def finished(self) -> bool:
        """Whether the job will never run again."""
        return self.state in FINISHED

    @property
    def resting(self) -> bool:
        """Whether the job does not move by itself: finished or paused."""
        return self.state not in UNFINISHED

    def to_stored(self, private: dict[str, Any] | None = None) -> StoredJob:
        """As the store keeps it; `private` is what the work itself wants to find again after a restart."""
        progress: dict[str, Any] = {"report": _plain(self.progress), "private": private or {}}
        if self.error_reason is not None:
            progress["error_reason"] = self.error_reason
        return StoredJob(
            id=self.id,
            kind=self.kind,
            state=self.state,
            created=self.created,
            updated=self.updated,
            spec=_plain(self.spec) or {},
            progress=progress,
            result=_plain(self.result),
            error=self.error,
        )

    @classmethod
    def from_stored(cls, stored: StoredJob) -> Job:
        """Inverse of `to_stored`."""
        solve = stored.kind == "solve"
        report = stored.progress.get("report")
        progress: SolveProgress | VerificationProgress | None = None
        result: SolveResult | VerificationResult | None = None
        if report is not None:
            progress = _solve_progress(report) if solve else VerificationProgress(**report)
        if stored.result is not None:
            result = _solve_result(stored.result) if solve else _verification_result(stored.result)
        return cls(
            id=stored.id,
            kind="solve" if solve else "verification",
            state=stored.state,  # type: ignore[arg-type]  # the store's own check admits exactly these names
            created=stored.created,
            updated=stored.updated,
            spec=_solve_spec(stored.spec) if solve else VerificationSpec(**stored.spec),
            progress=progress,
            result=result,
            error=stored.error,
            error_reason=stored.progress.get("error_reason"),
        )


def stored_question(data: dict[str, Any]) -> Question:
    """A question from its JSON values."""
    return Question(**{**data, "value": Value(**data["value"])})


def _plain(data: Any) -> dict[str, Any] | None:
    """JSON values only: bytes become hexadecimal text."""
    if data is None:
        return None
    return {name: _json_value(value) for name, value in dataclasses.asdict(data).items()}


def _json_value(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {name: _json_value(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_json_value(entry) for entry in value]
    return value


def _solve_spec(data: dict[str, Any]) -> SolveSpec:
    return SolveSpec(**{**data, "budget": Budget(**data["budget"])})


def _solve_progress(data: dict[str, Any]) -> SolveProgress:
    value = data["value"]
    return SolveProgress(**{**data, "best_line": tuple(data["best_line"]), "value": value and Value(**value)})


def _solve_result(data: dict[str, Any]) -> SolveResult:
    questions = tuple(stored_question(entry) for entry in data.get("questions", ()))
    return SolveResult(**{**data, "value": Value(**data["value"]), "questions": questions})


def _verification_result(data: dict[str, Any]) -> VerificationResult:
    findings = tuple(Finding(**{**entry, "key": bytes.fromhex(entry["key"])}) for entry in data["findings"])
    return VerificationResult(**{**data, "findings": findings, "cut": data["cut"] and Cut(**data["cut"])})
