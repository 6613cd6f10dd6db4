"""A choice between moves of unknown value by random games: a guess, and nothing that is known of a value.

Each move is followed by games of random moves, and the move with the best average result is taken (B. Abramson,
"Expected-outcome: a general model of static evaluation", 1990). It needs nothing but the rules.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from proofbase.engine.rules import Game

__all__ = ["RandomChoice", "choose_by_random_games"]

GAMES, SECONDS = 2_000, 0.5
"""At most so many random games, and so long: for all moves together."""
PLIES = 500
"""A random game that goes on for longer counts with what was scored so far."""
CANDIDATES = 16
"""Moves that are tried: the first ones in the order of the rules."""


class RandomChoice(NamedTuple):
    """The move that did best, and in how many games of how many moves."""

    move: int
    games: int
    candidates: int


def choose_by_random_games(game: Game[Any], position: Any, moves: Sequence[int], seed: int = 0) -> RandomChoice:
    """The move with the best average result for the side to move; the first one among equals.

    Args:
        game: the game.
        position: one where the game goes on.
        moves: legal moves of it, at least one.
        seed: of the random games; the same choice comes out unless the time ends them.
    """
    candidates = moves[:CANDIDATES]
    if len(candidates) == 1:
        return RandomChoice(candidates[0], 0, 1)
    source, deadline = random.Random(seed), time.monotonic() + SECONDS
    totals, games = [0] * len(candidates), [0] * len(candidates)
    while sum(games) + len(candidates) <= GAMES and time.monotonic() < deadline:
        for number, move in enumerate(candidates):
            child = game.play(position, move)
            totals[number] += game.reward(position, move) - _random_result(game, child, source)
            games[number] += 1
    averages = [total / max(1, count) for total, count in zip(totals, games, strict=True)]
    best = max(range(len(candidates)), key=lambda number: averages[number])
    return RandomChoice(candidates[best], sum(games), len(candidates))


def _random_result(game: Game[Any], position: Any, source: random.Random) -> int:
    """What the side to move scores in one random game."""
    result, sign = 0, 1
    for _ in range(PLIES):
        over = game.terminal(position)
        if over is not None:
            return result + sign * over
        move = source.choice(game.moves(position))
        result += sign * game.reward(position, move)
        position, sign = game.play(position, move), -sign
    return result
