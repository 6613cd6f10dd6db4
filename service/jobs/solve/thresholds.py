"""Which questions lead to the exact value, and in which order (Allis, van der Meulen, van den Herik 1994, 3.5)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from proofbase.service.answers import Value

__all__ = ["FIRST_LIMIT", "STRATEGIES", "Attempt", "Strategy", "ThresholdSchedule", "next_threshold"]

Strategy = Literal["auto", "bisect", "down", "up", "both"]
STRATEGIES: tuple[Strategy, ...] = ("auto", "bisect", "down", "up", "both")

FIRST_LIMIT = 20_000
"""Nodes of a first attempt, when the ends of the interval are asked in turn."""
GROWTH = 4


def next_threshold(
    value: Value, at_least: int | None, strategy: Strategy = "auto", *, above: bool = True
) -> int | None:
    """The threshold to ask next, None when nothing is open.

    Args:
        value: what is known.
        at_least: the only threshold of interest; None for the exact value.
        strategy: `bisect` halves the interval; `down` goes from its upper end, `up` from its lower end, step by step;
            `both` takes the two ends in turn; `auto` bisects where more than three values are left, and else asks for
            the best one first, as its proof or refutation is the usual interest in games of win, draw and loss.
        above: with `both`, whether it is the turn of the upper end.
    """
    if at_least is not None:
        return at_least if value.lower < at_least <= value.upper else None
    if value.exact:
        return None
    width = value.upper - value.lower
    if strategy == "down" or (strategy == "both" and above) or (strategy == "auto" and width <= 2):
        return value.upper
    if strategy in ("up", "both"):
        return value.lower + 1
    return value.lower + (width + 1) // 2


class Attempt(NamedTuple):
    """One search for the answer to a question.

    Attributes:
        threshold: the question: is the value at least this?
        nodes: give up after so many nodes and ask another question; None: never.
    """

    threshold: int
    nodes: int | None


@dataclass
class ThresholdSchedule:
    """The order of the questions of one job.

    With the strategy `both` an attempt is limited: the questions near the value may be hard, and must not keep the easy
    ones at the other end from being asked. When an attempt has failed at both ends the limit grows fourfold, so that
    all the attempts that failed cost at most a third of the last one at their end.

    Attributes:
        strategy, at_least: as for `next_threshold`.
        above: with `both`, whether it is the turn of the upper end.
        limit: nodes of an attempt.
        failed: the ends (`True` the upper one) at which an attempt of this limit has failed.
        too_large: the ends whose question needs more memory than there is.
        likely: limits of the value, both included, that a search has found and did not prove; None: none has. With the
            strategy `auto` the questions are those that lead to a value within them.
    """

    strategy: Strategy
    at_least: int | None
    above: bool = True
    limit: int = FIRST_LIMIT
    failed: set[bool] = field(default_factory=set)
    too_large: set[bool] = field(default_factory=set)
    likely: tuple[int, int] | None = None

    # The names in the stored state are those of the first release: a newer one takes up the jobs of an older one.

    @classmethod
    def restored(cls, strategy: Strategy, at_least: int | None, state: dict[str, Any] | None) -> ThresholdSchedule:
        """The schedule whose `state` was stored; a new one without a state."""
        if not state:
            return cls(strategy, at_least)
        failed, too_large = ({bool(end) for end in state[name]} for name in ("withstood", "full"))
        return cls(strategy, at_least, state["above"], state["limit"], failed, too_large)

    def state(self) -> dict[str, Any]:
        """What has to be kept over a restart, as JSON values."""
        return {
            "above": self.above,
            "limit": self.limit,
            "withstood": sorted(self.failed),
            "full": sorted(self.too_large),
        }

    def next(self, value: Value) -> Attempt | None:
        """The attempt to make when this value is known; None when nothing is open."""
        expected = self._expected(value)
        threshold = next_threshold(expected, self.at_least, self.strategy, above=self.above)
        if threshold is None and not value.exact and self.at_least is None:
            threshold = expected.lower if value.lower < expected.lower else expected.upper + 1
        if threshold is None:
            return None
        only_question = self.strategy != "both" or self.at_least is not None or value.upper - value.lower == 1
        return Attempt(threshold, None if only_question or self.too_large else self.limit)

    def expect(self, limits: tuple[int, int] | None) -> None:
        """Narrows the likely limits by others; None tells nothing."""
        if limits is not None:
            lower, upper = self.likely or limits
            self.likely = max(lower, limits[0]), min(upper, limits[1])

    def _expected(self, value: Value) -> Value:
        """The known value, narrowed by the limits that are likely; without these if they contradict it."""
        if self.likely is None or self.strategy != "auto" or self.at_least is not None:
            return value
        lower, upper = max(value.lower, self.likely[0]), min(value.upper, self.likely[1])
        return replace(value, lower=lower, upper=upper) if lower <= upper else value

    def answered(self) -> None:
        """The question was answered: it is the turn of the other end."""
        self.failed.clear()
        if not self.too_large:
            self.above = not self.above

    def out_of_nodes(self) -> None:
        """The attempt has used up its nodes: it is the turn of the other end."""
        self.failed.add(self.above)
        self.above = not self.above
        if len(self.failed) == 2:
            self.failed.clear()
            self.limit *= GROWTH

    def out_of_memory(self, value: Value) -> bool:
        """The attempt has used up the memory. Returns whether there is another question to ask.

        If there is none, nothing changes: a job that goes on with more memory asks this question again.
        """
        if self.strategy != "both" or value.upper - value.lower <= 1 or self.too_large - {self.above}:
            return False
        self.too_large.add(self.above)
        self.above = not self.above
        return True
