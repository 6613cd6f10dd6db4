"""Whether a game gains or loses positions with the number of men on its board (Allis 1994, section 6.2.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum

__all__ = ["Convergence", "convergence_of"]


class Convergence(Enum):
    """Whether conversions lead to smaller classes of positions; a class has all positions with as many men."""

    CONVERGING = "converging"
    """Most conversions lead to a smaller class: tables of endgames can be made."""
    DIVERGING = "diverging"
    """Most conversions lead to a larger class."""
    UNCHANGEABLE = "unchangeable"
    """There are no conversions, or as many of each kind."""


def convergence_of(
    edges: Iterable[tuple[int | None, int | None]], positions: Mapping[int, float]
) -> Convergence | None:
    """The game converges if most edges lead to a class with fewer positions, and diverges if most lead to larger ones.

    Args:
        edges: pairs of numbers of men, the second after a move from the first; each counts once.
        positions: how many positions have so many men; an edge to or from another number is left out. None are known:
            neither is the answer.
    """
    if not positions:
        return None
    pairs = [(one, two) for one, two in set(edges) if one is not None and two is not None]
    known = [(positions[one], positions[two]) for one, two in pairs if one in positions and two in positions]
    smaller, larger = sum(one > two for one, two in known), sum(one < two for one, two in known)
    if smaller == larger:
        return Convergence.UNCHANGEABLE
    return Convergence.CONVERGING if smaller > larger else Convergence.DIVERGING
