"""What became of the claims of a foreign file."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from proofbase.engine.formats.foreign.claim import ForeignClaim
from proofbase.service.answers import Value

__all__ = ["LISTED", "CheckedClaim", "ForeignReport", "Verdict"]

Verdict = Literal["proved", "refuted", "open"]
LISTED = 1_000
"""Claims of a kind that a report lists one by one; of the others it has the number."""


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim with what is proved of its position.

    Attributes:
        claim: what the file says.
        value: what is proved, for the side to move.
        verdict: on the claimed limits of the value.
        plies: within which the value is proved to be realised; None where that is not known.
        verdict_of_plies: on the claimed plies; None where the file claims none, or the value is not proved.
        searched: whether this run has searched the position, or another one with as many nodes.
        line: best play from there as far as it is known; of refuted claims.
    """

    claim: ForeignClaim
    value: Value
    verdict: Verdict
    plies: int | None = None
    verdict_of_plies: Verdict | None = None
    searched: bool = False
    line: tuple[str, ...] = ()


@dataclass(slots=True)
class ForeignReport:
    """All claims of a file, counted, and the first of those that are not proved.

    Attributes:
        game: name of the game.
        source: where the claims are from.
        claimed: how many the file has.
        known_before: those that were settled without a search.
        searched_in_vain: of the open ones, those that were searched.
        verdicts: how many claims are proved, refuted and open.
        verdicts_of_plies: the same of the claimed plies of proved values.
        refuted, open, refuted_plies: the first claims of each kind, at most `LISTED`.
        searching: how far the job is that runs now, in words; empty where none does.
    """

    game: str
    source: str | None
    claimed: int = 0
    known_before: int = 0
    searched_in_vain: int = 0
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    verdicts_of_plies: Counter[Verdict] = field(default_factory=Counter)
    refuted: list[CheckedClaim] = field(default_factory=list)
    open: list[CheckedClaim] = field(default_factory=list)
    refuted_plies: list[CheckedClaim] = field(default_factory=list)
    searching: str = ""

    def add(self, checked: CheckedClaim) -> None:
        """Counts a claim, and lists it if it is not proved."""
        self.claimed += 1
        self.verdicts[checked.verdict] += 1
        if checked.verdict == "open":
            self.searched_in_vain += checked.searched
        if checked.verdict_of_plies is not None:
            self.verdicts_of_plies[checked.verdict_of_plies] += 1
        kinds = [self.refuted] * (checked.verdict == "refuted") + [self.open] * (checked.verdict == "open")
        kinds += [self.refuted_plies] * (checked.verdict_of_plies == "refuted")
        for kind in kinds:
            if len(kind) < LISTED:
                kind.append(checked)

    @property
    def all_proved(self) -> bool:
        """Whether every claim is proved, those of plies included."""
        return self.verdicts["proved"] == self.claimed and not self.verdicts_of_plies["refuted"]
