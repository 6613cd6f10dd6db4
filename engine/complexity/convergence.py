"""Whether a game gains or loses positions with the number of men on its board (Allis 1994, section 6.2.2)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

__all__ = ["Convergence", "Edges", "convergence_of"]


class Convergence(Enum):
    """Whether conversions lead to smaller classes of positions; a class has all positions with as many men."""

    CONVERGING = "converging"
    """Most conversions lead to a smaller class: tables of endgames can be made."""
    DIVERGING = "diverging"
    """Most conversions lead to a larger class."""
    UNCHANGEABLE = "unchangeable"
    """There are no conversions, or as many of each kind."""


class Edges:
    """Which classes of positions lead to which."""

    def __init__(self) -> None:
        self._edges: set[tuple[int, int]] = set()

    def add(self, men: int | None, then: int | None) -> None:
        """A move leads from a position with so many men to one with so many."""
        if men is not None and then is not None and men != then:
            self._edges.add((men, then))

    def convergence(self, positions: Mapping[int, float]) -> Convergence | None:
        """What the majority of edges does; None without numbers of positions by men."""
        return convergence_of(self._edges, positions) if positions else None


def convergence_of(edges: set[tuple[int, int]], positions: Mapping[int, float]) -> Convergence:
    """The game converges if most edges lead to a class with fewer positions, and diverges if most lead to larger ones.

    Args:
        edges: pairs of numbers of men, the second after a move from the first.
        positions: how many positions have so many men; an edge to or from another number is left out.
    """
    known = [(positions[one], positions[two]) for one, two in edges if one in positions and two in positions]
    smaller, larger = sum(one > two for one, two in known), sum(one < two for one, two in known)
    if smaller == larger:
        return Convergence.UNCHANGEABLE
    return Convergence.CONVERGING if smaller > larger else Convergence.DIVERGING
