"""Moves that are the same by a symmetry of the game: they lead to positions with the same key."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from proofbase.engine.errors import EngineError
from proofbase.engine.games import default_rules, open_game
from proofbase.engine.rules import Game, is_built_in
from proofbase.service.answers import MoveAnswer, PositionAnswer

__all__ = ["move_reward", "symmetric_moves"]

MOST_BY_PYTHON = 40
"""More moves than this are not compared by rules in plain Python: it would take too long."""


@lru_cache(64)
def _rules(name: str) -> Game[Any]:
    return open_game(name, default_rules())


def move_reward(answer: PositionAnswer, move: MoveAnswer) -> int:
    """What a move adds at once to the score of the side that makes it."""
    if not is_built_in(answer.game):
        return 0
    rules = _rules(answer.game)
    return rules.reward(rules.parse(answer.position), move.number)


def symmetric_moves(answer: PositionAnswer, moves: list[MoveAnswer]) -> list[list[MoveAnswer]]:
    """The moves in groups, each of moves that lead to positions which are the same up to a symmetry of the game.

    Groups and their moves are in the order of the moves. A user's own rules may take any time and are not asked: each
    move is then a group of its own.
    """
    if not is_built_in(answer.game) or (default_rules() == "python" and len(moves) > MOST_BY_PYTHON):
        return [[move] for move in moves]
    groups: dict[tuple[object, ...], list[MoveAnswer]] = {}
    try:
        rules = _rules(answer.game)
        for move in moves:
            key = rules.key(rules.parse(move.position))
            groups.setdefault((key, move.value, move.rank, move.terminal), []).append(move)
    except (EngineError, ValueError):
        return [[move] for move in moves]
    return list(groups.values())
