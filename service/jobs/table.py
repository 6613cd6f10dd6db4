"""What work on tables is asked, how far it is, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from proofbase.service.answers import Cut
from proofbase.service.answers.bounds import first_page
from proofbase.service.limits import FINDING_BYTES
from proofbase.service.words.game_words import tables_to_size

__all__ = ["USUAL_LEVEL", "TableFinding", "TableOutcome", "TableProgress", "TableResult", "TableSpec"]

USUAL_LEVEL = 12
"""Of zstd, for tables that are compressed."""


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
    compress: bool = False
    """Each table is compressed before the next one is built, those that are there too."""

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
