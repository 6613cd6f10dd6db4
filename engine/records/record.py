"""Records: the undominated claims of one position."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from proofbase.engine.records.claim import Claim, Side
from proofbase.engine.records.errors import RecordOverflowError
from proofbase.engine.records.varint import LIMIT

__all__ = ["MAX_CLAIMS", "Record", "order_fault"]

MAX_CLAIMS = 15


@dataclass(frozen=True, slots=True)
class Record:
    """The undominated claims of one position, in the order of the encoding.

    Lower claims come first, then upper ones; within a side the strongest bound first. Build one from claims in any
    order with `Record.of`.

    Attributes:
        claims: 1 to 15 claims; all of them name a source or none does.

    Raises:
        ValueError: the claims are not in order, one dominates another, or only some name a source.
    """

    claims: tuple[Claim, ...]
    lower: Claim | None = field(init=False, repr=False, compare=False)
    """The strongest lower claim."""
    upper: Claim | None = field(init=False, repr=False, compare=False)
    """The strongest upper claim."""

    def __post_init__(self) -> None:
        fault = order_fault(self.claims)
        if fault is not None:
            raise ValueError(fault)
        if len({claim.source is None for claim in self.claims}) > 1:
            raise ValueError("either all claims of a record name a source or none does")
        # Asked for many times of each record that is looked up.
        lower = self.claims[0] if self.claims[0].side == Side.LOWER else None
        object.__setattr__(self, "lower", lower)
        upper = next((claim for claim in self.claims if claim.side == Side.UPPER), None)
        object.__setattr__(self, "upper", upper)

    @classmethod
    def of(cls, claims: Iterable[Claim]) -> Record:
        """The record of a set of claims in any order: dominated claims are dropped; `Claim.tie` decides between ties.

        Raises:
            RecordOverflowError: more than 15 undominated claims.
            ValueError: no claims, or only some of them name a source.
        """
        kept: list[Claim] = []
        for claim in sorted(claims, key=_encoding_order):
            # Within a side bounds only weaken from here on, so a claim must win by its rank.
            if not kept or kept[-1].side != claim.side or claim.rank < kept[-1].rank:
                kept.append(claim)
        if len(kept) > MAX_CLAIMS:
            raise RecordOverflowError(f"{len(kept)} undominated claims; a record holds at most {MAX_CLAIMS}")
        return cls(tuple(kept))

    @property
    def has_sources(self) -> bool:
        """Whether the claims name their sources, as those of stores do."""
        return self.claims[0].source is not None

    def value(self, highest_value: int) -> int | None:
        """The value for the side to move when it is known, else None.

        Args:
            highest_value: the game's range limit; values lie in [-highest_value, highest_value], which needs no claim.
        """
        lower = -highest_value if self.lower is None else max(self.lower.bound, -highest_value)
        upper = highest_value if self.upper is None else min(self.upper.bound, highest_value)
        return lower if lower == upper else None

    def contradiction(self) -> tuple[Claim, Claim] | None:
        """The strongest lower and upper claim when they exclude each other, else None."""
        lower, upper = self.lower, self.upper
        return (lower, upper) if lower is not None and upper is not None and lower.bound > upper.bound else None

    def with_source(self, source: int | None) -> Record:
        """The same claims, all from one source; with None from no source, as certificates have them."""
        return Record(tuple(claim.with_source(source) for claim in self.claims))


def order_fault(claims: tuple[Claim, ...]) -> str | None:
    """The rule of order or dominance that a sequence of claims breaks, None when it is a record's."""
    if not claims:
        return "a record has at least one claim"
    if len(claims) > MAX_CLAIMS:
        return f"a record has at most {MAX_CLAIMS} claims"
    for before, after in pairwise(claims):
        if before.side > after.side:
            return "an upper claim stands before a lower one"
        if before.side != after.side:
            continue
        if before.bound == after.bound or (before.bound < after.bound) == (after.side == Side.LOWER):
            return "claims of a side are not ordered from the strongest bound"
        if after.rank >= before.rank:
            return "a claim is dominated by another"
    return None


def _encoding_order(claim: Claim) -> tuple[int, int, int, tuple[int, int, bytes], int]:
    """The order of the encoding; of claims that are equal but for the source, the smallest source comes first."""
    strength = -claim.bound if claim.side == Side.LOWER else claim.bound
    return claim.side, strength, claim.rank, claim.tie, LIMIT if claim.source is None else claim.source
