"""Work on tables: building those that are missing, or verifying every entry of those that are there."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from proofbase.service.answers import Cut
from proofbase.service.errors import TablesBusyError
from proofbase.service.jobs.control import JobControl, Stopped
from proofbase.service.jobs.model import TableFinding, TableOutcome, TableProgress, TableResult, TableSpec
from proofbase.service.native import new_table_work

if TYPE_CHECKING:
    from proofbase.engine._core import TableEntry, TableReport
    from proofbase.service.application import Application

__all__ = ["TablesWork"]


class TablesWork:
    """The work of one job on tables.

    What goes over a pause or a restart: finished tables are files, a class that is being built has its checkpoint
    beside them, and a verification keeps the outcome of each table that it is through with.
    """

    def __init__(self, app: Application, control: JobControl, spec: TableSpec) -> None:
        self._app = app
        self._control = control
        self._spec = spec
        self._work = new_table_work(app.games.open(spec.game), app.tables, spec.size, spec.threads)
        self._plan: list[TableEntry] = self._work.plan()
        self._names = {entry.table_class: entry.name for entry in self._plan}
        kept: dict[str, Any] = control.private.get("done", {})
        self._missing: list[str] = kept.get("missing", [entry.name for entry in self._plan if not entry.present])
        self._outcomes = [TableOutcome(**outcome) for outcome in kept.get("outcomes", ())]
        self._findings = [TableFinding(**finding) for finding in kept.get("findings", ())]
        self._skipped = sum(outcome.entries for outcome in self._outcomes)
        self._before: float = kept.get("seconds", 0.0)
        self._started = time.monotonic()

    def run(self) -> TableResult:
        """Builds or verifies class after class."""
        self._started = time.monotonic()
        self._save()
        self._control.on_stop(self._work.cancel)
        try:
            finished = self._build() if self._spec.action == "build" else self._verify()
        except RuntimeError as error:
            if type(error) is RuntimeError:  # the core's word for a directory where somebody else builds
                raise TablesBusyError(str(error)) from None
            raise
        finally:
            self._control.on_stop(None)
        if not finished:
            self._keep()
            raise Stopped(self._result() if self._control.reason == "cancel" else None)
        return self._result()

    def progress(self) -> TableProgress:
        """Positions of finished tables, and where the one under way is."""
        work = self._work
        phase = None if work.phase == "waiting" else work.phase
        return TableProgress(
            table=None if phase is None else self._names.get(work.table_class),
            phase=phase,
            done=min(work.done, work.size) if phase else 0,
            size=work.size if phase else 0,
            before=self._skipped + work.before,
            total=sum(entry.entries for entry in self._plan),
            failed=sum(outcome.failed for outcome in self._outcomes),
            seconds=self._seconds(),
        )

    def _build(self) -> bool:
        return self._work.build()

    def _verify(self) -> bool:
        through = {outcome.table for outcome in self._outcomes}
        for entry in self._plan:
            if entry.name in through:
                continue
            started = time.monotonic()
            report = self._work.verify(entry.table_class)
            if report is None:
                return False
            self._count(entry, report, time.monotonic() - started)
            self._save()
        return True

    def _count(self, entry: TableEntry, report: TableReport, seconds: float) -> None:
        self._outcomes.append(TableOutcome(entry.name, report.checked, report.failed, report.longest, seconds))
        room = max(0, self._app.limits.findings - len(self._findings))
        for found in report.findings[:room]:
            self._findings.append(TableFinding(entry.name, found.entry, found.value, found.rule, found.detail))

    def _result(self) -> TableResult:
        outcomes = self._outcomes
        if self._spec.action == "build":
            there = [entry for entry in self._work.plan() if entry.present and entry.name in self._missing]
            outcomes = [TableOutcome(entry.name, entry.entries) for entry in there]
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
        return self._before + time.monotonic() - self._started
