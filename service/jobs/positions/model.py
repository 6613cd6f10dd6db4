"""What a job over a list of positions is asked, how far it is, and what it has found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from proofbase.service.answers import Value
from proofbase.service.answers.bounds import cut_text
from proofbase.service.jobs.budget import NO_LIMITS, Budget
from proofbase.service.jobs.solve.thresholds import ThresholdOrder
from proofbase.service.limits import MOVE_CHARACTERS

__all__ = ["PositionOutcome", "PositionsProgress", "PositionsResult", "PositionsSpec"]

SOURCE_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class PositionsSpec:
    """What was asked about every position; `at_least` and `result_at_least` both None ask for the exact values.

    `positions` counts them: the list itself may be long, and is kept beside the job (position_log.py). The budget is
    that of each position. `source` says where the list is from, for people.
    """

    game: str
    positions: int
    at_least: int | None = None
    result_at_least: int | None = None
    algorithm: str = "auto"
    budget: Budget = NO_LIMITS
    thresholds: ThresholdOrder = "auto"
    source: str | None = None

    def __post_init__(self) -> None:
        if self.source is not None:
            object.__setattr__(self, "source", cut_text(self.source, SOURCE_CHARACTERS))

    def of(self, positions: int) -> PositionsSpec:
        """The same about so many positions."""
        return replace(self, positions=positions)

    @property
    def action(self) -> str:
        """What the job does."""
        return "solve"

    @property
    def subject(self) -> str:
        """The game, the list and the question."""
        if self.result_at_least is not None:
            question = f"result at least {self.result_at_least}?"
        else:
            question = "exact value" if self.at_least is None else f"at least {self.at_least}?"
        source = f" of {self.source}" if self.source else ""
        return f"{self.game} {self.positions:,} positions{source}: {question}"


@dataclass(frozen=True, slots=True)
class PositionsProgress:
    """How far such a job is.

    `done` of `positions`, of which `open` were left open by their budgets. Nodes and seconds count over pauses and
    restarts. `line` and `position` are those of the position that is being solved.
    """

    done: int = 0
    positions: int = 0
    open: int = 0
    nodes: int = 0
    seconds: float = 0.0
    positions_per_second: float = 0.0
    seconds_left: float | None = None
    line: int | None = None
    position: str | None = None

    def __post_init__(self) -> None:
        if self.position is not None:
            object.__setattr__(self, "position", cut_text(self.position, MOVE_CHARACTERS))

    @property
    def text(self) -> str | None:
        """The number of positions, their rate, and the position that is being solved."""
        if not self.positions:
            return None
        per_second = self.positions_per_second
        rate = f", {per_second:,.0f} a second" if per_second >= 10 else f", {per_second:,.2g} a second"
        if 0 < per_second < 1:
            rate = f", {60 * per_second:,.2g} a minute"
        open_ones = f", {self.open:,} open" if self.open else ""
        line = f", line {self.line}" if self.line is not None else ""
        position = f": {self.position}" if self.position is not None else ""
        done = f"{self.done:,} of {self.positions:,} positions{open_ones}"
        return f"{done}{rate if per_second else ''}{line}{position}"

    @property
    def share(self) -> tuple[int, int] | None:
        """Positions that are done, of all."""
        return (self.done, self.positions) if self.positions else None


@dataclass(frozen=True, slots=True)
class PositionOutcome:
    """What was found out about one position. `number` is its place in the list, `line` that in the file, if any."""

    number: int
    line: int | None
    position: str
    status: Literal["proved", "disproved", "exact", "unknown"]
    unknown_reason: str | None
    value: Value
    best_move: str | None
    rank: int | None
    nodes: int
    seconds: float
    records: int
    algorithm: str


@dataclass(frozen=True, slots=True)
class PositionsResult:
    """What the job has found: how many positions have which status, and what it took."""

    positions: int
    exact: int
    proved: int
    disproved: int
    open: int
    nodes: int
    seconds: float
    positions_per_second: float
    records: int

    @property
    def outcome(self) -> str:
        """The summary in one line."""
        counts = {"exact": self.exact, "proved": self.proved, "disproved": self.disproved, "open": self.open}
        listed = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
        return f"{self.positions:,} positions: {listed or 'none'}; {self.nodes:,} nodes, {self.records:,} records"
