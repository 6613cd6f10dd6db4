"""Work on tables: building those that are missing, or verifying every entry of those that are there."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from proofbase.service.answers import Cut
from proofbase.service.bounds import first_page
from proofbase.service.errors import LimitExceededError, TablesBusyError
from proofbase.service.jobs.control import JobControl, Stopped
from proofbase.service.limits import FINDING_BYTES
from proofbase.service.resources import Resources

if TYPE_CHECKING:
    from proofbase.engine._core import TableEntry, TableReport
    from proofbase.engine.tables import TableInfo
    from proofbase.engine.tables.verification import TableReport as OwnReport

__all__ = ["TableFinding", "TableJobWork", "TableOutcome", "TableProgress", "TableResult", "TableSpec"]


@dataclass(frozen=True, slots=True)
class TableSpec:
    """Tables to build (those that are missing) or to verify (all): of a game, up to so many stones or men."""

    game: str
    size: int
    action: Literal["build", "verify"] = "build"
    threads: int = 0
    distances: bool = False
    """Tables of plies beside those of values are built as well."""

    @property
    def subject(self) -> str:
        """The action, the game and the size."""
        return f"{self.action} {self.game} to size {self.size}"


@dataclass(frozen=True, slots=True)
class TableProgress:
    """How far work on tables is, in positions.

    `done` of `size` in this phase of the table that is being built or verified, `before` of `total` in tables that are
    finished; `failed` counts the findings of the finished tables.
    """

    table: str | None = None
    phase: str | None = None
    done: int = 0
    size: int = 0
    before: int = 0
    total: int = 0
    failed: int = 0
    seconds: float = 0.0

    @property
    def text(self) -> str | None:
        """The table that is being built or verified, and how far."""
        return None if self.table is None else f"{self.table}, {self.phase}: {self.done:,} of {self.size:,}"

    @property
    def share(self) -> tuple[int, int] | None:
        """Positions of tables that are finished, of all."""
        return (self.before, self.total) if self.total else None


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
    """An entry of a table that fails its verification (docs/tables.md)."""

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

    def __post_init__(self) -> None:
        shown, more = first_page(self.findings, room=FINDING_BYTES)
        if more:
            cut = Cut("bytes", f"{len(shown)} findings are kept; there are {self.failed} in all")
            object.__setattr__(self, "findings", tuple(shown))
            object.__setattr__(self, "cut", cut)

    @property
    def outcome(self) -> str:
        """The answer in a few words."""
        failed = f", {self.failed:,} fail" if self.failed else ""
        return f"{len(self.tables):,} tables, {self.entries:,} entries{failed}"


class TableJobWork:
    """The work of one job on tables.

    What survives a pause or a restart: finished tables are files, a class that is being built has its checkpoint
    beside them, and a verification keeps the outcome of each table that it has verified.
    """

    def __init__(self, resources: Resources, control: JobControl, spec: TableSpec) -> None:
        self._resources = resources
        self._control = control
        self._spec = spec
        self._work = resources.tables.new_work(
            resources.games.open(spec.game), spec.size, spec.threads, plies=spec.distances
        )
        self._memory = resources.limits.job_memory_bytes
        """A class that needs more is built and verified in parts."""
        self._plan: Sequence[TableEntry | TableInfo] = self._work.plan()
        self._names = {entry.table_class: entry.name for entry in self._plan}
        kept: dict[str, Any] = control.private.get("done", {})
        self._missing: list[str] = kept.get("missing", [entry.name for entry in self._plan if not entry.present])
        self._outcomes = [TableOutcome(**outcome) for outcome in kept.get("outcomes", ())]
        self._findings = [TableFinding(**finding) for finding in kept.get("findings", ())]
        self._entries_before = sum(outcome.entries for outcome in self._outcomes)
        self._seconds_before: float = kept.get("seconds", 0.0)
        self._started = time.monotonic()

    def run(self) -> TableResult:
        """Builds or verifies class after class."""
        self._started = time.monotonic()
        self._save()
        self._control.on_stop(self._work.cancel)
        try:
            finished = self._work.build(memory=self._memory) if self._spec.action == "build" else self._verify()
        except RuntimeError as error:
            if type(error) is RuntimeError:  # what the core raises when somebody else builds in that directory
                raise TablesBusyError(str(error)) from None
            raise
        except ValueError as error:
            if type(error) is ValueError:  # since the job was started the memory of a job was made less
                message = f"{error}; {self._memory:,} are allowed (job_memory_bytes)"
                raise LimitExceededError(message, limit="job_memory_bytes", largest=self._memory) from None
            raise
        finally:
            self._control.on_stop(None)
        if not finished:
            self._keep()
            raise Stopped(self._result() if self._control.reason == "cancel" else None)
        return self._result()

    def progress(self) -> TableProgress:
        """Positions of finished tables, and how far the next table is."""
        work = self._work
        phase = None if work.phase == "waiting" else work.phase
        return TableProgress(
            table=None if phase is None else self._names.get(work.table_class),
            phase=phase,
            done=min(work.done, work.size) if phase else 0,
            size=work.size if phase else 0,
            before=self._entries_before + work.before,
            total=sum(entry.entries for entry in self._plan),
            failed=sum(outcome.failed for outcome in self._outcomes),
            seconds=self._seconds(),
        )

    def _verify(self) -> bool:
        """Verifies table after table. False if it was stopped."""
        verified = {outcome.table for outcome in self._outcomes}
        for entry in self._plan:
            if entry.name in verified:
                continue
            started = time.monotonic()
            report = self._work.verify(entry.table_class, memory=self._memory)
            if report is None:
                return False
            self._count(entry, report, time.monotonic() - started)
            self._save()
        return True

    def _count(self, entry: TableEntry | TableInfo, report: TableReport | OwnReport, seconds: float) -> None:
        self._outcomes.append(TableOutcome(entry.name, report.checked, report.failed, report.longest, seconds))
        room = max(0, self._resources.limits.findings - len(self._findings))
        for found in report.findings[:room]:
            self._findings.append(TableFinding(entry.name, found.entry, found.value, found.rule, found.detail))

    def _result(self) -> TableResult:
        outcomes = self._outcomes
        if self._spec.action == "build":
            built = [entry for entry in self._work.plan() if entry.present and entry.name in self._missing]
            outcomes = [TableOutcome(entry.name, entry.entries) for entry in built]
        failed, kept = sum(outcome.failed for outcome in outcomes), len(self._findings)
        cut = Cut("count", f"{kept} findings are kept; there are {failed} in all") if kept < failed else None
        return TableResult(
            tables=tuple(outcomes),
            entries=sum(outcome.entries for outcome in outcomes),
            failed=failed,
            seconds=self._seconds(),
            findings=tuple(self._findings),
            cut=cut,
        )

    def _save(self) -> None:
        self._keep()
        self._control.save(self.progress())

    def _keep(self) -> None:
        self._control.private["done"] = {
            "missing": self._missing,
            "outcomes": [asdict(outcome) for outcome in self._outcomes],
            "findings": [asdict(finding) for finding in self._findings],
            "seconds": self._seconds(),
        }

    def _seconds(self) -> float:
        return self._seconds_before + time.monotonic() - self._started
