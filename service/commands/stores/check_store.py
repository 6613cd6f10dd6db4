"""Whether a store is as it was written: every row that it keeps. The rules are not asked: `verify` does that."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from proofbase.engine.errors import EngineError
from proofbase.engine.games import open_game
from proofbase.engine.tables import TableFileInfo, table_files
from proofbase.service.jobs.local_checks import audit_finding
from proofbase.service.resources.native import open_tables
from proofbase.storage import (
    Audit,
    MalformedRecordError,
    OnProgress,
    SolutionStore,
    StoreDamagedError,
    StoreError,
    UnsupportedOperationError,
)
from proofbase.storage.auditing import tally
from proofbase.storage.contents import Contents

__all__ = ["StoreCheck", "StoreFinding", "check_store"]

Row = TypeVar("Row")

MOST_FINDINGS = 1_000
"""Findings that are kept; all are counted."""


@dataclass(frozen=True, slots=True)
class StoreFinding:
    """Something that is damaged.

    Attributes:
        part: `files`, `records`, `quarantine`, `sources`, `jobs`, `checkpoints`, `tokens` or `tables`.
        where: the game, the job or the table; empty for the store as a whole.
        detail: what is wrong.
    """

    part: str
    where: str
    detail: str

    @property
    def text(self) -> str:
        """The finding in a line."""
        return f"{self.part}{f' of {self.where}' if self.where else ''}: {self.detail}"


@dataclass(slots=True)
class StoreCheck:
    """What a check has found.

    Attributes:
        checked: how many rows of each part were read.
        failed: how many findings there are.
        findings: the first of them.
        passed_over: what could not be checked, with the reason.
    """

    checked: dict[str, int] = field(default_factory=dict)
    failed: int = 0
    findings: list[StoreFinding] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)

    def add(self, part: str, where: str, detail: str) -> None:
        """A finding."""
        self.failed += 1
        if len(self.findings) < MOST_FINDINGS:
            self.findings.append(StoreFinding(part, where, detail))

    def count_checked(self, part: str, number: int) -> None:
        """So many rows more of a part were read."""
        self.checked[part] = self.checked.get(part, 0) + number

    def read_rows(self, part: str, rows: Callable[[list[StoreError]], Iterator[Row]], where: str = "") -> list[Row]:
        """Reads the rows of a part to their end; gives those that are sound, and adds what is wrong with the others.

        Args:
            part: of the store.
            rows: begins to read; the errors of damaged rows are added to the list.
            where: the game or the job.
        """
        faults: list[StoreError] = []
        sound: list[Row] = []
        try:
            sound = list(rows(faults))
        except StoreDamagedError as error:
            faults.append(error)
        self.count_checked(part, len(sound))
        for fault in faults:
            self.add(part, where, str(fault))
        return sound


def check_store(store: SolutionStore, on_progress: OnProgress) -> StoreCheck:
    """Reads everything that a store keeps, as of one moment, and compares it with its checksums and sums.

    Args:
        store: is read only.
        on_progress: told how far it is.

    Raises:
        UnsupportedOperationError: a store that is not kept.
        StoreError: it cannot be read at all.
    """
    check = StoreCheck()
    on_progress("check the pages", 0, None, "pages")
    try:
        reason = store.check_files()
        if reason is not None:
            check.passed_over.append(reason)
    except StoreDamagedError as error:
        check.add("files", "", str(error))
        return check  # whoever follows its pages may be led anywhere
    with store.contents() as contents:
        games = contents.games()
        total, before = sum(game.records for game in games), 0
        for game in games:
            faults: list[MalformedRecordError] = []
            tell = _telling(on_progress, before, total)
            sound, marks = tally(game.name, contents.records(game.name, faults), faults, tell)
            audit = Audit.of(game.generation, game.records, game.fingerprint, sound, marks, len(faults))
            for fault in faults:
                check.add("records", game.name, str(fault))
            wrong = audit_finding(game.name, audit)
            if wrong is not None:
                check.add("records", game.name, wrong.detail)
            before += audit.records
            check.checked["records"] = before
            check.read_rows("quarantine", partial(contents.quarantined, game.name), game.name)
            check.read_rows("estimates", partial(contents.estimates, game.name), game.name)
        check.read_rows("sources", contents.sources)
        check.read_rows("annotations", contents.annotations)
        on_progress("check the jobs", 0, None, "jobs")
        for job in check.read_rows("jobs", contents.jobs):
            check.read_rows("checkpoints", partial(_chunk_sizes, contents, job.id), job.id)
    _check_tokens(store, check)
    _check_tables(store, check, on_progress)
    return check


def _chunk_sizes(contents: Contents, job_id: str, faults: list[StoreError]) -> Iterator[int]:
    """The bytes of each chunk of a checkpoint; the chunks themselves may be larger than the memory."""
    return map(len, contents.checkpoint(job_id, faults))


def _telling(on_progress: OnProgress, before: int, total: int) -> Callable[[int], None]:
    return lambda done: on_progress("check the records", before + done, total, "records")


def _check_tokens(store: SolutionStore, check: StoreCheck) -> None:
    try:
        with store.tokens() as kept:
            check.checked["tokens"] = len(kept.all())
    except UnsupportedOperationError:
        return
    except (StoreError, ValueError) as error:
        check.add("tokens", "", str(error))


def _check_tables(store: SolutionStore, check: StoreCheck, on_progress: OnProgress) -> None:
    """Reads every block of the tables, which compares their checksums; their values are a matter of `tables verify`."""
    directory = store.tables_directory
    files = [] if directory is None else table_files(directory)
    by_game: dict[str, list[TableFileInfo]] = {}
    for file in files:
        if file.game is None:
            check.add("tables", file.name, "it is no table of proofbase")
        else:
            by_game.setdefault(file.game, []).append(file)
    for name, of_game in by_game.items():
        assert directory is not None
        try:
            tables = open_tables(open_game(name), directory)
        except (EngineError, ImportError, OSError) as error:
            check.passed_over.append(f"the tables of {name} were not read: {error}")
            continue
        for entry in () if tables is None else tables.entries():
            on_progress("check the tables", check.checked.get("tables", 0), len(files), "tables")
            try:
                tables.histogram(entry.table_class)  # type: ignore[union-attr]
            except (EngineError, OSError) as error:
                check.add("tables", entry.name, str(error))
            check.count_checked("tables", 1)
        damaged = dict(() if tables is None else tables.damaged())
        for table, message in damaged.items():
            if not any(finding.part == "tables" and finding.where == table for finding in check.findings):
                check.add("tables", table, message)
        listed = {entry.name for entry in (() if tables is None else tables.entries())}
        for file in of_game:
            if file.name not in listed and file.name not in damaged:
                check.add("tables", file.name, "it cannot be opened")
