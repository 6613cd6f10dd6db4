"""Games between two players, as a sample of how large the tree of a game is where it is played well."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from proofbase.engine.complexity import GameSample, sample_games
from proofbase.engine.games import open_game
from proofbase.engine.players.player import Player

__all__ = ["good_games"]

POSITIONS, NODES = 1_000, 1_000
"""For a move: positions of alpha-beta, and nodes of a search for a win. Nothing depends on the clock."""
NO_TIME_LIMIT = 1e6


def good_games(
    name: str, games: int, seed: int = 1, progress: Callable[[int], None] = lambda _: None, positions: int = POSITIONS
) -> GameSample:
    """Games of a player against itself, each up to where its winner is settled.

    Args:
        name: of the game.
        games: how many, at least 1.
        seed: of the choice among equal moves; the same one gives the same games.
        progress: told how many games were played.
        positions: of alpha-beta for one move.
    """
    game = open_game(name)
    player = Player(game, open_game(name, "python"), seconds=NO_TIME_LIMIT, nodes=NODES, seed=seed, positions=positions)

    def choices(position: Any, moves: Sequence[int]) -> Sequence[int]:
        return (player.choose(position, moves=moves).move,)

    return sample_games(game, games, seed, choices, progress, to_the_end=False)
