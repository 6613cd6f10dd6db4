"""Jobs as the service sees them: typed, where the store keeps JSON. Fields mirror protos/proofbase/v1/jobs.proto."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from proofbase.service.answers import Cut, Value
from proofbase.service.errors import InvalidRequestError
from proofbase.service.jobs.thresholds import Strategy
from proofbase.storage.entries import Job as StoredJob

__all__ = [
    "FINISHED",
    "KINDS",
    "UNFINISHED",
    "Budget",
    "Finding",
    "Job",
    "Kind",
    "Progress",
    "Question",
    "Result",
    "SolveProgress",
    "SolveResult",
    "SolveSpec",
    "Spec",
    "TableFinding",
    "TableOutcome",
    "TableProgress",
    "TableResult",
    "TableSpec",
    "VerificationProgress",
    "VerificationResult",
    "VerificationSpec",
    "kind_of",
    "stored_question",
]

State = Literal["queued", "running", "paused", "done", "failed", "cancelled"]
Kind = Literal["solve", "verification", "table"]
KINDS: tuple[Kind, ...] = ("solve", "verification", "table")
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
class TableSpec:
    """Tables to build (those that are missing) or to verify (all): of a game, up to a size such as awari's stones."""

    game: str
    size: int
    action: Literal["build", "verify"] = "build"
    threads: int = 0


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
class TableProgress:
    """How far work on tables is, in positions.

    `done` of `size` in this phase of the table under way, `before` of `total` in tables that are finished; `failed`
    counts the findings of those.
    """

    table: str | None = None
    phase: str | None = None
    done: int = 0
    size: int = 0
    before: int = 0
    total: int = 0
    failed: int = 0
    seconds: float = 0.0


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
class TableOutcome:
    """A table that was built, or verified: then with its findings, its longest line in plies, and the seconds."""

    table: str
    entries: int
    failed: int = 0
    longest: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class TableFinding:
    """An entry of a table that does not stand (docs/tables.md)."""

    table: str
    entry: int
    value: int
    rule: str
    detail: str


@dataclass(frozen=True, slots=True)
class TableResult:
    """What work on tables has brought. Tables that were there before a build are not in it."""

    tables: tuple[TableOutcome, ...]
    entries: int
    failed: int
    seconds: float
    findings: tuple[TableFinding, ...] = ()
    cut: Cut | None = None


Spec = SolveSpec | VerificationSpec | TableSpec
Progress = SolveProgress | VerificationProgress | TableProgress
Result = SolveResult | VerificationResult | TableResult


def kind_of(spec: Spec) -> Kind:
    """The kind of the job that has this specification."""
    return "solve" if isinstance(spec, SolveSpec) else "table" if isinstance(spec, TableSpec) else "verification"


@dataclass(frozen=True, slots=True)
class Job:
    """A job and where it stands."""

    id: str
    kind: Kind
    state: State
    created: float
    updated: float
    spec: Spec
    progress: Progress | None = None
    result: Result | None = None
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
        report = stored.progress.get("report")
        read_spec, read_progress, read_result = _READERS[stored.kind]
        return cls(
            id=stored.id,
            kind=stored.kind,  # type: ignore[arg-type]  # the ledger leaves out what is none of these
            state=stored.state,  # type: ignore[arg-type]  # the store's own check admits exactly these names
            created=stored.created,
            updated=stored.updated,
            spec=read_spec(stored.spec),
            progress=None if report is None else read_progress(report),
            result=None if stored.result is None else read_result(stored.result),
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


def _table_result(data: dict[str, Any]) -> TableResult:
    tables = tuple(TableOutcome(**entry) for entry in data["tables"])
    findings = tuple(TableFinding(**entry) for entry in data["findings"])
    return TableResult(**{**data, "tables": tables, "findings": findings, "cut": data["cut"] and Cut(**data["cut"])})


_Reader = tuple[Callable[[Any], Spec], Callable[[Any], Progress], Callable[[Any], Result]]
_READERS: dict[str, _Reader] = {
    "solve": (_solve_spec, _solve_progress, _solve_result),
    "verification": (
        lambda data: VerificationSpec(**data),
        lambda data: VerificationProgress(**data),
        _verification_result,
    ),
    "table": (lambda data: TableSpec(**data), lambda data: TableProgress(**data), _table_result),
}
