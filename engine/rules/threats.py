"""What a game of threats offers to the check of threat trees (docs/zones.md)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

__all__ = ["Attack", "Defence", "ThreatRules"]


class Attack(NamedTuple):
    """The squares that win for the attacker.

    Attributes:
        wins: the empty squares on which he wins at once.
        double_threats: where he has none of these: the empty squares that leave him two or more of them, each with
            the set of those. Left out where he has one.
    """

    wins: int
    double_threats: Sequence[tuple[int, int]]


class Defence(NamedTuple):
    """The empty squares of the defender's open lines: those without a stone of the attacker.

    Attributes:
        one: of the lines that lack one stone. On these he wins at once.
        two: of the lines that lack at most two.
        three: of the lines that lack at most three.
    """

    one: int
    two: int
    three: int


class ThreatRules(ABC):
    """A game in which a move puts a stone on an empty square, and a side wins by filling a line of squares.

    Moves are numbers of squares, the same for both sides and in all positions. A set of squares is a number with a bit
    for each of them. The lines may favour the defender: what wins for him by the rules must be a line, and what wins
    for the attacker must win by the rules. That the answers follow from lines as docs/zones.md asks for is tested
    (tests/engine/checks/test_threat_evidence.py).

    Attributes:
        squares: by move, the set of its square.
        board: all squares.
    """

    squares: Sequence[int]
    board: int

    @abstractmethod
    def stones(self, position: Any) -> tuple[int, int]:
        """The squares with stones of the side to move, and those of the other side."""

    @abstractmethod
    def attack(self, attacker: int, defender: int) -> Attack:
        """The attacker's winning squares and double threats, whoever is to move."""

    @abstractmethod
    def defence(self, attacker: int, defender: int) -> Defence:
        """The squares of the defender's open lines, whoever is to move."""

    def positions_before(self, position: Any) -> Iterable[Any]:
        """The positions from which one move of the other side leads to this one, or none where they are not known.

        Lookups find by them what records of earlier positions say; no check asks for them.
        """
        return ()
