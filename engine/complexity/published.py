"""What Allis (1994) says of the games of ours: Figure 6.1, and the texts of section 6.3 for it."""

from __future__ import annotations

from typing import NamedTuple

from proofbase.engine.complexity.convergence import Convergence

__all__ = ["FIGURE_6_1", "PublishedSize", "published_size"]


class PublishedSize(NamedTuple):
    """A game of section 6.3: the numbers are log10, as printed there."""

    game: str
    state_space: int
    game_tree: int
    convergence: Convergence
    sudden_death: bool
    """A pattern on the board ends the game; else its termination is fixed (6.2.3)."""


FIGURE_6_1 = (
    PublishedSize("qubic", 30, 34, Convergence.DIVERGING, True),
    PublishedSize("connect-four", 14, 21, Convergence.DIVERGING, True),
    PublishedSize("gomoku", 105, 70, Convergence.DIVERGING, True),
    PublishedSize("mens-morris:9", 10, 50, Convergence.CONVERGING, False),
    PublishedSize("awari", 12, 32, Convergence.CONVERGING, False),
    PublishedSize("chess", 50, 123, Convergence.CONVERGING, True),
    PublishedSize("othello", 28, 58, Convergence.DIVERGING, False),
    PublishedSize("checkers", 18, 31, Convergence.CONVERGING, False),
    PublishedSize("renju", 105, 70, Convergence.DIVERGING, True),
)


def published_size(game: str) -> PublishedSize | None:
    """What is printed of a game; None for one that is not there.

    Args:
        game: its canonical name.
    """
    return next((size for size in FIGURE_6_1 if size.game == game), None)
