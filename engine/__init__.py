"""Games, searches and checks.

The public names are imported when they are first used. So `import proofbase.engine` imports nothing else, and stores
can import `proofbase.engine.records` without the games.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from proofbase.engine.conformance import check_game
    from proofbase.engine.errors import EngineError
    from proofbase.engine.formats.notation import read_moves, read_position
    from proofbase.engine.games import list_games, open_game, register
    from proofbase.engine.many_positions import PositionStatus, SolvedPositions, solve_positions
    from proofbase.engine.rules import Game, open_rules

__all__ = [
    "EngineError",
    "Game",
    "PositionStatus",
    "SolvedPositions",
    "check_game",
    "list_games",
    "open_game",
    "open_rules",
    "read_moves",
    "read_position",
    "register",
    "solve_positions",
]

_HOMES = {
    "EngineError": "errors",
    "Game": "rules",
    "PositionStatus": "many_positions",
    "SolvedPositions": "many_positions",
    "check_game": "conformance",
    "list_games": "games",
    "open_game": "games",
    "open_rules": "rules",
    "read_moves": "formats.notation",
    "read_position": "formats.notation",
    "register": "games",
    "solve_positions": "many_positions",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
