"""Work on tables: building those that are missing, or verifying every entry of those that are there."""

from __future__ import annotations

import errno
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from proofbase.service.answers import Cut
from proofbase.service.answers.bounds import first_page
from proofbase.service.errors import InvalidRequestError, LimitExceededError, TablesBusyError
from proofbase.service.jobs.control import JobControl, Stopped
from proofbase.service.jobs.table_needs import TableNeeds
from proofbase.service.jobs.verified_tables import VerifiedTables
from proofbase.service.limits import FINDING_BYTES
from proofbase.service.resources import Resources
from proofbase.service.words.amounts import amount
from proofbase.service.words.game_words import tables_to_size
from proofbase.storage import StoreReadOnlyError

if TYPE_CHECKING:
    from proofbase.engine._core import TableEntry

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
    memory_bytes: int | None = None
    """A class that needs more is built and verified in parts; None: the limit of the service."""
    present: bool = False
    """Only the tables that are there are verified."""
    table: str | None = None
    """Only the table with this name, and those that it needs."""

    @property
    def subject(self) -> str:
        """The table, or the game and the size, or the game alone where all is verified that is there."""
        if self.table is not None:
            return self.table
        return self.game if self.present else tables_to_size(self.game, self.size)


@dataclass(frozen=True, slots=True)
class TableProgress:
    """How far work on tables is, in positions.

    `done` of `size` in this phase of the table that is being built or verified, `before` of `total` in tables that are
    finished; `failed` counts the findings of the finished tables. `plan` says what there was to do when the work began,
    and what it needs.
    """

    table: str | None = None
    phase: str | None = None
    done: int = 0
    size: int = 0
    before: int = 0
    total: int = 0
    failed: int = 0
    seconds: float = 0.0
    plan: str | None = None

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
        kept, more = first_page(self.findings, room=FINDING_BYTES)
        if more:
            cut = Cut("bytes", f"{len(kept)} findings are kept; there are {self.failed} in all")
            object.__setattr__(self, "findings", tuple(kept))
            object.__setattr__(self, "cut", cut)

    @property
    def outcome(self) -> str:
        """The answer in a few words."""
        failed = f", {self.failed:,} fail" if self.failed else ""
        return f"{len(self.tables):,} tables, {self.entries:,} entries{failed}"


class TableJobWork:
    """The work of one job on tables.

    What survives the end of the work: finished tables are files, a class that is being built or verified has its
    checkpoint beside them, and a verification keeps the outcomes of the tables that it has verified there, too. So
    another job of the same kind goes on as well.
    """

    def __init__(self, resources: Resources, control: JobControl, spec: TableSpec) -> None:
        self._resources = resources
        self._control = control
        self._spec = spec
        self._work = resources.tables.new_work(
            resources.games.open(spec.game), spec.size, spec.threads, plies=spec.distances, table=spec.table
        )
        limit = resources.limits.job_memory_bytes
        self._memory = min(spec.memory_bytes or limit, limit)
        """A class that needs more is built and verified in parts."""
        self._plan: Sequence[TableEntry] = self._work.plan(self._memory)
        if spec.present:
            self._plan = [entry for entry in self._plan if entry.present]
        self._names = {entry.table_class: entry.name for entry in self._plan}
        kept: dict[str, Any] = control.private.get("done", {})
        self._missing: list[str] = kept.get("missing", [entry.name for entry in self._plan if not entry.present])
        self._seconds_before: float = kept.get("seconds", 0.0)
        self._outcomes: list[TableOutcome] = []
        self._findings: list[TableFinding] = []
        self._verified_before = 0
        directory = resources.tables.directory
        assert directory is not None  # otherwise there is no work on tables
        self._verified = VerifiedTables(directory, spec.game, {entry.name: entry.checksum for entry in self._plan})
        if spec.action == "verify":
            self._count_verified()
        tables_left = [
            entry for entry in self._plan if not (entry.present if spec.action == "build" else self._is_verified(entry))
        ]
        self._needs = TableNeeds.of(spec.action, tables_left)
        self._entries_before = sum(outcome.entries for outcome in self._outcomes)
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
            if type(error) is not ValueError:
                raise
            if self._needs is not None and self._needs.memory[0] > self._memory:
                # Since the job was started the memory of a job was made less.
                message = f"{error}; {self._memory:,} are allowed (job_memory_bytes)"
                raise LimitExceededError(message, limit="job_memory_bytes", largest=self._memory) from None
            raise InvalidRequestError(str(error), field="size") from None  # a smaller table is not there
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EROFS, errno.ENOTDIR):
                raise
            raise StoreReadOnlyError(f"no tables can be written there: {error}") from None
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
            plan=self._text_of_plan(),
        )

    def _verify(self) -> bool:
        """Verifies table after table. False if it was stopped."""
        for entry in self._plan:
            if self._is_verified(entry):
                continue
            started = time.monotonic()
            report = self._work.verify(entry.table_class, memory=self._memory)
            if report is None:
                return False
            seconds = round(time.monotonic() - started, 3)
            outcome = TableOutcome(entry.name, report.checked, report.failed, report.longest, seconds)
            findings = [TableFinding(entry.name, one.entry, one.value, one.rule, one.detail) for one in report.findings]
            self._verified.add(
                entry.name, {"row": asdict(outcome), "findings": [asdict(finding) for finding in findings]}
            )
            self._count(outcome, findings)
            self._save()
        self._verified.forget()
        return True

    def _count(self, outcome: TableOutcome, findings: Sequence[TableFinding]) -> None:
        self._outcomes.append(outcome)
        self._findings += findings[: max(0, self._resources.limits.findings - len(self._findings))]

    def _is_verified(self, entry: TableEntry) -> bool:
        return entry.name in self._verified.outcomes

    def _count_verified(self) -> None:
        """Counts what an earlier verification has found out about tables that are the same now."""
        for entry in self._plan:
            try:
                kept = self._verified.outcomes[entry.name]
                outcome, findings = TableOutcome(**kept["row"]), [TableFinding(**one) for one in kept["findings"]]
            except (KeyError, TypeError):  # nothing, or not what was written there
                self._verified.outcomes.pop(entry.name, None)
            else:
                self._count(outcome, findings)
        self._verified_before = len(self._outcomes)

    def _text_of_plan(self) -> str | None:
        before = f"{amount(self._verified_before, 'table')} verified before, going on" if self._verified_before else ""
        needs = "" if self._needs is None else self._needs.text
        return " with ".join(filter(None, (before, needs))) or None

    def _result(self) -> TableResult:
        place = {entry.name: number for number, entry in enumerate(self._plan)}
        outcomes = sorted(self._outcomes, key=lambda outcome: place[outcome.table])
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
            findings=tuple(sorted(self._findings, key=lambda finding: place[finding.table])),
            cut=cut,
        )

    def _save(self) -> None:
        self._keep()
        self._control.save(self.progress())

    def _keep(self) -> None:
        self._control.private["done"] = {"missing": self._missing, "seconds": self._seconds()}

    def _seconds(self) -> float:
        return self._seconds_before + time.monotonic() - self._started
