"""How many men stand on a board, and whether a game gains or loses positions with them (Allis 1994, section 6.2.2)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from proofbase.engine.rules import Game
from proofbase.engine.rules.awari import Awari
from proofbase.engine.rules.chessboard.game import ChessboardGame
from proofbase.engine.rules.connect_four import ConnectFour
from proofbase.engine.rules.gomoku import Gomoku
from proofbase.engine.rules.mens_morris import MensMorris
from proofbase.engine.rules.othello import Othello
from proofbase.engine.rules.qubic import Qubic
from proofbase.engine.rules.tic_tac_toe import TicTacToe

__all__ = ["Convergence", "Edges", "convergence_of", "men_on"]


class Convergence(Enum):
    """Whether conversions lead to smaller classes of positions; a class has all positions with as many men."""

    CONVERGING = "converging"
    """Most conversions lead to a smaller class: tables of endgames can be made."""
    DIVERGING = "diverging"
    """Most conversions lead to a larger class."""
    UNCHANGEABLE = "unchangeable"
    """There are no conversions, or as many of each kind."""


def men_on(game: Game[Any], position: Any) -> int | None:
    """The men (stones, discs) on the board of a position; None where the game does not say where they are.

    Args:
        game: in the Python rules. A user's game says it by `squares`.
        position: of this game.
    """
    if isinstance(game, Awari):
        return int(sum(position.own) + sum(position.other))
    if isinstance(game, MensMorris):
        return int(position.own.bit_count() + position.other.bit_count())
    if isinstance(game, ChessboardGame):
        return sum(letter.isalpha() for letter in game.text(position).split()[0])
    if isinstance(game, ConnectFour):
        return sum(map(len, position))
    if isinstance(game, TicTacToe):
        return 9 - int(position.count("."))
    if isinstance(game, Gomoku):
        return int(position[0].bit_count() + position[1].bit_count())
    if isinstance(game, Qubic):
        return 64 - len(bytes(position[2]))
    if isinstance(game, Othello):
        return len(str(position.cells).replace("-", ""))
    rows = game.squares(position)
    return sum(letter not in ". " for row in rows for letter in row) if rows else None


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
