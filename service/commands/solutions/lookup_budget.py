"""What the searches of a lookup may take."""

from __future__ import annotations

import time
from dataclasses import dataclass

from proofbase.service.errors import InvalidRequestError, LimitExceededError
from proofbase.service.resources import Resources

__all__ = ["LookupBudget", "lookup_budget"]


@dataclass(frozen=True, slots=True)
class LookupBudget:
    """What the searches of one call may cost.

    Attributes:
        nodes: that the search of each position may create.
        seconds: of all searches of the call; None for the limit of the service.
    """

    nodes: int
    seconds: float | None = None

    def deadline(self, resources: Resources) -> float:
        """When the searches of a call that begins now have to end, on the clock of `time.monotonic`.

        Raises:
            InvalidRequestError: a budget below 1 node or not above 0 seconds.
            LimitExceededError: more nodes or seconds than a lookup may take.
        """
        limits = resources.limits
        if self.nodes < 1:
            raise InvalidRequestError(f"a search of {self.nodes} nodes: at least 1 is needed", field="search_nodes")
        if self.nodes > limits.search_nodes:
            raise LimitExceededError(
                f"a search of {self.nodes} nodes for a lookup: at most {limits.search_nodes}; a solve may take more",
                limit="search_nodes",
                largest=limits.search_nodes,
                field="search_nodes",
            )
        # Games in Python make few nodes a second: the time is limited in any case.
        seconds = limits.search_seconds if self.seconds is None else self.seconds
        if not seconds > 0:
            raise InvalidRequestError(f"a search of {seconds} seconds: more than 0 are needed", field="search_seconds")
        if seconds > limits.search_seconds:
            raise LimitExceededError(
                f"searches of {seconds} seconds for a lookup: at most {limits.search_seconds}; a solve may take more",
                limit="search_seconds",
                largest=limits.search_seconds,
                field="search_seconds",
            )
        return time.monotonic() + seconds


def lookup_budget(nodes: int | None, seconds: float | None) -> LookupBudget | None:
    """The budget of a call, None for one that allows no search.

    Raises:
        InvalidRequestError: a limit of seconds without one of nodes.
    """
    if nodes is None and seconds is not None:
        raise InvalidRequestError("search_seconds without search_nodes: there is no search", field="search_seconds")
    return None if nodes is None else LookupBudget(nodes, seconds)
