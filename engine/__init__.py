"""Games, searches and checks. Importing this package imports neither the native core nor anything third-party."""

from __future__ import annotations

from proofbase.engine.errors import EngineError
from proofbase.engine.games import list_games, open_game, register
from proofbase.engine.notation import read_moves, read_position
from proofbase.engine.rules import Game, open_rules

__all__ = [
    "EngineError",
    "Game",
    "list_games",
    "open_game",
    "open_rules",
    "read_moves",
    "read_position",
    "register",
]
