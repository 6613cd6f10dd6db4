"""Which questions lead to the exact value, and in which order (Allis, van der Meulen, van den Herik 1994, 3.5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from proofbase.service.answers import Value

__all__ = ["FIRST_LIMIT", "STRATEGIES", "Ask", "Questioning", "Strategy", "next_threshold"]

Strategy = Literal["auto", "bisect", "down", "up", "both"]
STRATEGIES: tuple[Strategy, ...] = ("auto", "bisect", "down", "up", "both")

FIRST_LIMIT = 20_000
"""Nodes of a first attempt from one side, when questions come from both sides."""
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


class Ask(NamedTuple):
    """A question to ask: its threshold, and the nodes after which to turn to another one (None: never)."""

    threshold: int
    nodes: int | None


@dataclass
class Questioning:
    """The questions of one job.

    From both sides an attempt is limited: the questions near the value may be hard, and must not keep the easy ones at
    the other end from being asked. When both ends have withstood an attempt the limit grows fourfold, so that all the
    attempts that came to nothing cost at most a third of the last one at their end.

    Attributes:
        strategy, at_least: as for `next_threshold`.
        above: the turn, from both sides.
        limit: nodes of an attempt.
        withstood: the ends (`True` the upper one) that have withstood an attempt of this limit.
        full: the ends whose question needs more memory than there is.
    """

    strategy: Strategy
    at_least: int | None
    above: bool = True
    limit: int = FIRST_LIMIT
    withstood: set[bool] = field(default_factory=set)
    full: set[bool] = field(default_factory=set)

    @classmethod
    def restored(cls, strategy: Strategy, at_least: int | None, state: dict[str, Any] | None) -> Questioning:
        """As it was when `state` was taken; anew without one."""
        if not state:
            return cls(strategy, at_least)
        sets = {name: {bool(end) for end in state[name]} for name in ("withstood", "full")}
        return cls(strategy, at_least, state["above"], state["limit"], **sets)

    def state(self) -> dict[str, Any]:
        """What has to be kept over a restart, as JSON values."""
        return {
            "above": self.above,
            "limit": self.limit,
            "withstood": sorted(self.withstood),
            "full": sorted(self.full),
        }

    def next(self, value: Value) -> Ask | None:
        """The question to ask when this is known; None when nothing is open."""
        threshold = next_threshold(value, self.at_least, self.strategy, above=self.above)
        if threshold is None:
            return None
        last = self.strategy != "both" or self.at_least is not None or value.upper - value.lower == 1
        return Ask(threshold, None if last or self.full else self.limit)

    def settled(self) -> None:
        """The question was answered: the other end has its turn."""
        self.withstood.clear()
        if not self.full:
            self.above = not self.above

    def withstands(self) -> None:
        """The question's nodes are used up."""
        self.withstood.add(self.above)
        self.above = not self.above
        if len(self.withstood) == 2:
            self.withstood.clear()
            self.limit *= GROWTH

    def is_full(self, value: Value) -> bool:
        """The question's memory is used up. Returns whether there is another question to ask."""
        self.full.add(self.above)
        self.above = not self.above
        return self.strategy == "both" and value.upper - value.lower > 1 and len(self.full) < 2
