"""Which questions lead to the exact value, and in which order (Allis, van der Meulen, van den Herik 1994, 3.5)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from proofbase.service.answers import Value

__all__ = ["LONGER", "THRESHOLD_ORDERS", "Attempt", "ThresholdOrder", "ThresholdSchedule", "next_threshold"]

ThresholdOrder = Literal["auto", "bisect", "down", "up", "both"]
THRESHOLD_ORDERS: tuple[ThresholdOrder, ...] = ("auto", "bisect", "down", "up", "both")

LONGER = 16
"""A turn brings its question beyond the others by one part in so many of their nodes."""
MOST_IN_TURN = 3
"""Questions that are asked in turn where more than three values are left."""


def next_threshold(value: Value, at_least: int | None, order: ThresholdOrder = "auto") -> int | None:
    """The threshold to ask first, None when nothing is open.

    Args:
        value: what is known.
        at_least: the only threshold of interest; None for the exact value.
        order: `bisect` halves the interval; `down` goes from its upper end, `up` from its lower end, step by step;
            `both` begins at the upper end; `auto` bisects where more than three values are left, and else asks for the
            best one first, as its proof or refutation is the usual interest in games of win, draw and loss.
    """
    if at_least is not None:
        return at_least if value.lower < at_least <= value.upper else None
    if value.exact:
        return None
    width = value.upper - value.lower
    if order in ("down", "both") or (order == "auto" and width <= 2):
        return value.upper
    if order == "up":
        return value.lower + 1
    return value.lower + (width + 1) // 2


class Attempt(NamedTuple):
    """One turn of a question.

    Attributes:
        threshold: the question: is the value at least this?
        nodes: after so many more nodes it is the turn of another question; None: there is no other.
    """

    threshold: int
    nodes: int | None


@dataclass
class ThresholdSchedule:
    """The order of the questions of one job.

    With the orders `auto` and `both` the open questions are asked in turn: one of them may be hard, and must not
    keep an easy one from being asked. The question that has had the fewest nodes is next, until it is a little ahead of
    the others. So all questions together take little more than twice the nodes (with three, three times those) of the
    one that is answered first.

    Attributes:
        order, at_least: as for `next_threshold`.
        first_turn: nodes of the first turn of a question.
        nodes: that the questions have had, by threshold; that of the last turn is the last one.
        alone: the question that has all the memory, since two searches do not fit into it; None: none has.
        closed: the questions with which no search gets any further.
        likely: limits of the value, both included, that a search has found and did not prove; None: none has. With the
            order `auto` the questions are those that lead to a value within them.
    """

    order: ThresholdOrder
    at_least: int | None
    first_turn: int = 1
    nodes: dict[int, int] = field(default_factory=dict)
    alone: int | None = None
    closed: set[int] = field(default_factory=set)
    likely: tuple[int, int] | None = None

    def restore(self, state: dict[str, Any] | None) -> None:
        """Goes on where `state` was stored. That of an earlier release has other names, and tells nothing."""
        self.nodes = {int(threshold): nodes for threshold, nodes in (state or {}).get("nodes", {}).items()}

    def state(self) -> dict[str, Any]:
        """What has to be kept over a restart, as JSON values."""
        return {"nodes": {str(threshold): nodes for threshold, nodes in self.nodes.items()}}

    def next(self, value: Value) -> Attempt | None:
        """The turn that is next when this value is known; None when nothing is open."""
        questions = [threshold for threshold in self._questions(value) if threshold not in self.closed]
        if not questions:
            return None
        if self.alone in questions or len(questions) == 1:
            return Attempt(questions[0] if self.alone not in questions else self.alone, None)
        spent = [self.nodes.get(threshold, 0) for threshold in questions]
        ahead = max(spent) + max(spent) // LONGER - min(spent)
        return Attempt(questions[spent.index(min(spent))], max(self.first_turn, ahead))

    def close(self, threshold: int, value: Value) -> Attempt | None:
        """No search gets any further with a question. Returns the next turn; None when nothing is open."""
        self.closed.add(threshold)
        self.alone = None
        return self.next(value)

    def _questions(self, value: Value) -> list[int]:
        """The questions that are asked in turn, those that are asked first in front."""
        if self.order not in ("auto", "both") or self.at_least is not None:
            threshold = next_threshold(value, self.at_least, self.order)
            return [] if threshold is None else [threshold]
        if value.exact:
            return []
        expected = self._expected(value) if self.order == "auto" else value
        lower, upper = expected.lower, expected.upper
        if expected.exact:
            questions = [lower, upper + 1]
        elif self.order == "both" or upper - lower <= 2:
            questions = [upper, lower + 1]
            if self.order == "both" and next(reversed(self.nodes), lower) >= upper:
                questions.reverse()  # the last question was that of the upper end
        else:
            questions = [threshold for threshold in self.nodes if lower < threshold <= upper]
            while len(questions) < MOST_IN_TURN:  # of four values there are three
                borders = sorted({lower, *questions, upper + 1})
                low, high = max(pairwise(borders), key=lambda gap: gap[1] - gap[0])
                questions.append(low + (high - low) // 2)
        return [threshold for threshold in dict.fromkeys(questions) if value.lower < threshold <= value.upper]

    def expect(self, limits: tuple[int, int] | None) -> None:
        """Narrows the likely limits by others; None tells nothing."""
        if limits is not None:
            lower, upper = self.likely or limits
            self.likely = max(lower, limits[0]), min(upper, limits[1])

    def _expected(self, value: Value) -> Value:
        """The known value, narrowed by the limits that are likely; without these if they contradict it."""
        if self.likely is None:
            return value
        lower, upper = max(value.lower, self.likely[0]), min(value.upper, self.likely[1])
        return replace(value, lower=lower, upper=upper) if lower <= upper else value

    def add_nodes(self, threshold: int, nodes: int) -> None:
        """A question has had a turn."""
        self.nodes[threshold] = self.nodes.pop(threshold, 0) + nodes
