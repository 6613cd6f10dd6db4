"""Work on tables: building those that are missing, or verifying every entry of those that are there."""

from __future__ import annotations

import errno
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from proofbase.service.answers import Cut
from proofbase.service.errors import InvalidRequestError, LimitExceededError, TablesBusyError
from proofbase.service.jobs.control import JobControl, Stopped
from proofbase.service.jobs.table import (
    USUAL_LEVEL,
    TableFinding,
    TableOutcome,
    TableProgress,
    TableResult,
    TableSpec,
)
from proofbase.service.jobs.table_needs import TableNeeds
from proofbase.service.jobs.verified_tables import VerifiedTables
from proofbase.service.resources import Resources
from proofbase.service.words.amounts import amount
from proofbase.storage import StoreReadOnlyError

if TYPE_CHECKING:
    from proofbase.engine._core import TableEntry

__all__ = ["TableJobWork"]


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
        directory = resources.tables.directory
        assert directory is not None  # otherwise there is no work on tables
        self._verified = VerifiedTables(directory, spec.game, {entry.name: entry.checksum for entry in self._plan})
        if spec.action == "verify":
            for entry in self._plan:
                if self._is_verified(entry):
                    self._count(*self._verified.outcomes[entry.name])
        self._verified_before = len(self._outcomes)
        tables_left = [
            entry for entry in self._plan if not (entry.present if spec.action == "build" else self._is_verified(entry))
        ]
        self._needs = TableNeeds.of(spec.action, tables_left, compress=spec.compress)
        self._entries_before = sum(outcome.entries for outcome in self._outcomes)
        self._started = time.monotonic()

    def run(self) -> TableResult:
        """Builds or verifies class after class."""
        self._started = time.monotonic()
        self._save()
        self._control.on_stop(self._work.cancel)
        try:
            finished = self._build() if self._spec.action == "build" else self._verify()
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

    def _build(self) -> bool:
        """Builds the tables that are missing. False if it was stopped."""
        return self._work.build(memory=self._memory, level=USUAL_LEVEL if self._spec.compress else None)

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
            self._verified.add(outcome, findings)
            self._count(outcome, findings)
            self._save()
        self._verified.forget()
        return True

    def _count(self, outcome: TableOutcome, findings: Sequence[TableFinding]) -> None:
        self._outcomes.append(outcome)
        self._findings += findings[: max(0, self._resources.limits.findings - len(self._findings))]

    def _is_verified(self, entry: TableEntry) -> bool:
        return entry.name in self._verified.outcomes

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
