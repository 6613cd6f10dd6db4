"""What the commands answer: immutable data that mirrors the messages of proofbase.v1 field by field.

convert.py copies the fields between dataclasses and messages by name; each field is documented at its message in
protos/. A text that may be missing is None here and empty on the wire.

`package` of any answer is the URL of the package that is asked, None for a store: its records were checked as they were
read, each by those after its moves, and its tables were not.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from proofbase.service.answers.html_repr import HtmlRepr
from proofbase.service.answers.verifications import Verification

__all__ = [
    "AnalysedMove",
    "Analysis",
    "Census",
    "Claim",
    "Cut",
    "Estimate",
    "ExportSummary",
    "GameInfo",
    "GameStatistics",
    "ImportResult",
    "ImportTablesResult",
    "Line",
    "LineStep",
    "MoveAnswer",
    "Outcome",
    "PositionAnswer",
    "Proof",
    "ProofNode",
    "Searched",
    "Source",
    "Statistics",
    "TableCount",
    "TableInfo",
    "ThreatAnswer",
    "ThreatStep",
    "ThreatWin",
    "Value",
]

Side = Literal["lower", "upper"]
EvidenceName = Literal["children", "table", "line", "search", "threats", "strategy", "search_to_limits", "pairing"]


@dataclass(frozen=True, slots=True)
class Value:
    """An interval that holds a value, for the side that moves. Where a limit is not known, it is the game's own."""

    lower: int
    upper: int
    lower_known: bool
    upper_known: bool

    @classmethod
    def of(cls, value: int) -> Value:
        """A value that is known."""
        return cls(value, value, lower_known=True, upper_known=True)

    @classmethod
    def within(cls, limit: int) -> Value:
        """A value of which nothing is known but the limit of the game's values."""
        return cls(-limit, limit, lower_known=False, upper_known=False)

    @property
    def exact(self) -> bool:
        """Whether the value is known."""
        return self.lower == self.upper

    @property
    def anything_known(self) -> bool:
        """Whether one of the limits is known, or both."""
        return self.exact or self.lower_known or self.upper_known

    @property
    def known_bounds(self) -> tuple[int | None, int | None]:
        """The lower and the upper limit; None for one that is not known."""
        return (self.lower if self.lower_known else None, self.upper if self.upper_known else None)

    def narrowed(self, threshold: int, *, proved: bool) -> Value:
        """The interval when a question is answered as well: the value is at least the threshold, or it is not."""
        if proved:
            return self if threshold <= self.lower else replace(self, lower=threshold, lower_known=True)
        return self if threshold > self.upper else replace(self, upper=threshold - 1, upper_known=True)


@dataclass(frozen=True, slots=True)
class Cut:
    """Why an answer is not complete, and how to go on."""

    reason: Literal["count", "depth", "bytes"]
    message: str
    continuation: str | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """An entry of the store's list of sources; `created` in seconds since the epoch, `program` has stored it."""

    number: int
    text: str
    created: float
    program: str | None = None


@dataclass(frozen=True, slots=True)
class Threats:
    """The trees of a claim by threats, in short (docs/zones.md). Moves are those of the position that was asked for.

    `trees` counts those against single replies and the one `against_pass`; `named` replies have records of their own.
    """

    trees: int
    against_pass: bool
    nodes: int
    named: tuple[str, ...] = ()
    first_moves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Strategy:
    """The diagram of a claim by a strategy (docs/strategies.md), as seen in the position that was asked for.

    `diagram` is the text of the position with the mark of every empty square: `!` at once, `&` while no other such
    square is open, `^` in answer, `+`, `=` and `-` where nothing else is to be done, in this order. `named`
    replies have records of their own.
    """

    diagram: str
    named: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pairing:
    """The pairs of a claim by a pairing (docs/strategies.md), as seen in the position that was asked for.

    `diagram` is the text of the position with the same letter on both squares of a pair, and `!` on the square of the
    claim's move; `pairs` are the squares of each pair, such as `a1-b2`.
    """

    diagram: str
    pairs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim. Its witness is a move of the position that was asked for, in the orientation of the request.

    `rank` is None where the evidence is a table of values: it holds no distances. Where `above_tables`, the rank counts
    the plies to the end of the game or to such a table.
    """

    side: Side
    bound: int
    rank: int | None
    evidence: EvidenceName
    witness: str | None = None
    table: str | None = None
    line: tuple[int, ...] = ()
    search_nodes: int = 0
    sources: tuple[int, ...] = ()
    threats: Threats | None = None
    strategy: Strategy | None = None
    pairing: Pairing | None = None
    above_tables: bool = False


@dataclass(frozen=True, slots=True)
class MoveAnswer:
    """A legal move with its value for the side that makes it.

    `rank` is None where the value is not known exactly, and where it rests on a table of values.
    """

    move: str
    number: int
    value: Value
    rank: int | None
    known: bool
    position: str
    terminal: bool
    no_win_within: int = 0
    no_loss_within: int = 0


@dataclass(frozen=True, slots=True)
class Searched:
    """The search that a lookup made. `unknown_reason` is why the search ended with the value open.

    `algorithm` is empty where the time of a batch was over before the position's search.
    """

    nodes: int
    algorithm: str
    unknown_reason: str | None = None


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a search believes of an open question about the position: no claim, and no part of the value.

    `proof` and `disproof` are its numbers after `nodes` of search, `updated` in seconds since the epoch.
    """

    at_least: int
    proof: int
    disproof: int
    nodes: int
    updated: float
    algorithm: str | None = None
    job: str | None = None


@dataclass(frozen=True, slots=True)
class PositionAnswer(HtmlRepr):
    """What the store knows of one position, and what a search has added if one was asked for and needed.

    `rank` is None where nothing is known, and where a bound rests on a table of values. `no_win_within` and
    `no_loss_within` are plies, 0 where nothing was asked or is proved. `package` is None where the game is over.
    """

    game: str
    position: str
    key: bytes
    stored: bool
    terminal: bool
    value: Value
    rank: int | None
    witness: str | None
    moves: tuple[MoveAnswer, ...]
    claims: tuple[Claim, ...]
    sources: tuple[Source, ...]
    side: int
    score: int = 0
    board: str | None = None
    searched: Searched | None = None
    cut: Cut | None = None
    estimates: tuple[Estimate, ...] = ()
    no_win_within: int = 0
    no_loss_within: int = 0
    verification: Verification | None = None
    package: str | None = None

    @property
    def known(self) -> bool:
        """Whether the exact value is known."""
        return self.value.exact


@dataclass(frozen=True, slots=True)
class LineStep:
    """A move of a line and the position after it, whose value is for the side to move there; `rank` as in an answer."""

    move: str
    number: int
    position: str
    value: Value
    rank: int | None


@dataclass(frozen=True, slots=True)
class Line(HtmlRepr):
    """Best play from a position, and why it stops."""

    game: str
    position: str
    value: Value
    steps: tuple[LineStep, ...]
    stop: Literal["end_of_game", "not_known", "plies", "repetition", "no_known_move"]
    stop_message: str
    last_position: str
    cut: Cut | None = None
    package: str | None = None


Outcome = Literal["unknown", "win", "draw", "loss", "not_loss", "not_win"]
"""Outcome of the game as a whole for the side that moves. `not_loss`: a win or a draw; `not_win`: a draw or a loss."""


@dataclass(frozen=True, slots=True)
class AnalysedMove:
    """A move of a game that was played. Values and outcomes are those of the side that made it."""

    move: str
    number: int
    side: int
    position: str
    position_after: str
    score: int
    value: Value
    value_of_move: Value
    outcome: Outcome
    outcome_of_move: Outcome
    changes_outcome: bool
    gives_away: int
    better_moves: tuple[str, ...] = ()
    refutation: tuple[str, ...] = ()

    def with_refutation(self, line: tuple[str, ...]) -> AnalysedMove:
        """The same move, with the line of best play after it."""
        return replace(self, refutation=line)


@dataclass(frozen=True, slots=True)
class Analysis(HtmlRepr):
    """A game, move by move. `decided_by` counts its moves from 1; 0 where no known move changed the outcome."""

    game: str
    position: str
    moves: tuple[AnalysedMove, ...]
    decided_by: int
    last_position: str
    cut: Cut | None = None
    package: str | None = None


@dataclass(frozen=True, slots=True)
class ProofNode:
    """A node of a proof: one claim, with the move that leads to its position."""

    number: int
    parent: int
    depth: int
    kind: Literal["inner", "terminal", "leaf", "repeated", "cut", "missing", "range"]
    move: str | None
    position: str
    key: bytes
    claim: Claim
    same_as: int = 0


@dataclass(frozen=True, slots=True)
class Proof(HtmlRepr):
    """A page of a proof, depth-first."""

    game: str
    position: str
    nodes: tuple[ProofNode, ...]
    cut: Cut | None = None
    package: str | None = None


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A game of the store, or one that the service can open.

    Attributes:
        metrics: what is told of its positions, of `value`, `score`, `plies` and `tables` (docs/http.md).
    """

    name: str
    description: str
    records: int
    rules_version: int
    highest_value: int
    key_size: int
    initial: str
    available: bool
    metrics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GameStatistics:
    """Counts of one game."""

    game: str
    records: int
    quarantined: int
    generation: int
    cached: int
    fingerprint: str | None = None
    verification: Verification | None = None


@dataclass(frozen=True, slots=True)
class Census:
    """Counts of claims by kind."""

    records: int
    claims: int
    exact: dict[int, int]
    open: int
    evidence: dict[str, int]
    highest_rank: int
    record_bytes: int
    cut: Cut | None = None


@dataclass(frozen=True, slots=True)
class TableCount:
    """How many positions of a table have a value and so many plies to the end; None in a table of values."""

    value: int
    entries: int
    plies: int | None = None


@dataclass(frozen=True, slots=True)
class TableInfo:
    """The file of a table. `damage` is what was found to be wrong with it; `game` is None if it is no table.

    `histogram` is there where it was asked for and counted, by value and then by plies.
    """

    name: str
    game: str | None
    entries: int
    bytes: int
    damage: str | None = None
    histogram: tuple[TableCount, ...] = ()


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts of a store."""

    games: tuple[GameStatistics, ...]
    sources: tuple[Source, ...]
    jobs: dict[str, int] = field(default_factory=dict)
    store: str = ""
    read_only: bool = False
    census: Census | None = None
    tables: tuple[TableInfo, ...] = ()
    cut: Cut | None = None
    package: str | None = None


@dataclass(frozen=True, slots=True)
class ThreatStep:
    """A move of the attacker in a win by threats."""

    depth: int
    reply: str | None
    move: str
    last: bool


@dataclass(frozen=True, slots=True)
class ThreatWin:
    """What a search for a win by threats came to; `line` and `steps` are empty where it found none."""

    outcome: Literal["won", "none", "cut"]
    nodes: int
    line: tuple[str, ...] = ()
    steps: tuple[ThreatStep, ...] = ()
    size: int = 0


@dataclass(frozen=True, slots=True)
class ThreatAnswer:
    """Wins by threats in a position, and what stops them."""

    game: str
    position: str
    side: int
    board: str
    own: ThreatWin
    implicit: ThreatWin | None = None
    related: tuple[str, ...] = ()
    remaining: tuple[str, ...] = ()
    cut: Cut | None = None


@dataclass(frozen=True, slots=True)
class ExportSummary:
    """The size of an export, and the fingerprint of its records (None for a drawing)."""

    records: int
    bytes: int
    cut: Cut | None = None
    fingerprint: str | None = None
    package: str | None = None


@dataclass(frozen=True, slots=True)
class ImportResult:
    """The outcome of an import."""

    game: str
    records: int
    added: int
    improved: int
    unchanged: int
    root: str | None = None


@dataclass(frozen=True, slots=True)
class ImportTablesResult:
    """The tables that were verified and put in their place, and how many entries they have together."""

    game: str
    tables: tuple[str, ...]
    entries: int
