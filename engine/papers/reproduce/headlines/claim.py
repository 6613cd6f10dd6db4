"""A claim of a paper, and the verdict that a measurement gives it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Claim", "Headline", "Verdict"]

FIGURE = re.compile(r"\{([\d,.]*)\}")


class Verdict(StrEnum):
    """What our figures say of a claim."""

    HOLDS = "holds"
    DOES_NOT_HOLD = "does not hold"
    NOT_MEASURED = "cannot be measured here"


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim.

    Attributes:
        place: the paper and the section.
        sentence: the claim, in our words.
        figures: how its figures read, as in `{8} to {560} times`; `{}` stands for one that the paper does not have.
        sample: what ours are measured on.
        measure: gives ours; None where there is nothing to measure.
        holds: whether the claim holds by our figures; None where they cannot decide it.
        because: why it does not hold, or why it cannot be measured; used with such a verdict only.
    """

    place: str
    sentence: str
    figures: str
    sample: str = ""
    measure: Callable[[], Sequence[float]] | None = None
    holds: Callable[[Sequence[float]], bool] | None = None
    because: str = ""

    @property
    def printed(self) -> tuple[float, ...]:
        """The figures of the paper; empty where it has none."""
        texts = [text.replace(",", "") for text in FIGURE.findall(self.figures) if text]
        return tuple(float(text) if "." in text else int(text) for text in texts)

    @property
    def template(self) -> str:
        """The figures' text with `{}` for each of them."""
        return FIGURE.sub("{}", self.figures)

    def judged(self) -> Headline:
        """The claim with our figures and their verdict."""
        ours = None if self.measure is None else tuple(self.measure())
        if ours is None or self.holds is None:
            return Headline(self, ours, Verdict.NOT_MEASURED, self.because)
        if self.holds(ours):
            return Headline(self, ours, Verdict.HOLDS, "")
        return Headline(self, ours, Verdict.DOES_NOT_HOLD, self.because or f"ours is {self.text(ours)}")

    def text(self, figures: Sequence[float] | None) -> str:
        """Figures in words: counts in whole numbers, others with four digits."""
        if not figures:
            return "no figure"
        return self.template.format(*(f"{n:,.0f}" if abs(n) >= 1_000 or n == int(n) else f"{n:.4g}" for n in figures))


@dataclass(frozen=True, slots=True)
class Headline:
    """A claim that was judged.

    Attributes:
        claim: the claim.
        ours: our figures; None where nothing is measured.
        verdict: what they say.
        because: why the claim does not hold or cannot be measured; else empty.
    """

    claim: Claim
    ours: tuple[float, ...] | None
    verdict: Verdict
    because: str

    def text(self) -> str:
        """Three lines: the claim, the figures, the verdict."""
        claim = self.claim
        ours = "" if self.ours is None else f"; ours {claim.text(self.ours)} ({claim.sample})"
        because = f", because {self.because}" if self.because else ""
        figures = f"printed: {claim.text(claim.printed)}{ours}"
        return f"{claim.place}: {claim.sentence}\n  {figures}\n  {self.verdict}{because}\n"
