"""The games that a service has opened, by any of their names."""

from __future__ import annotations

import threading
from typing import Any, Literal

from proofbase.engine.errors import quoted
from proofbase.engine.games import open_game
from proofbase.engine.rules import FAMILIES, Game
from proofbase.service.errors import InvalidRequestError

__all__ = ["GameCache"]

MOST_NAMES = 256
"""More names than this are not remembered: the games are opened again."""
LONGEST_NAME = 100
BUILT_IN = frozenset(family.name for family in FAMILIES)


class GameCache:
    """Opens every game once. Games have no state, so all threads share them.

    Args:
        rules: the rules for everything but a verification that asks for others.
    """

    def __init__(self, rules: Literal["native", "python"] = "native") -> None:
        self.rules = rules
        self._games: dict[str, Game[Any]] = {}
        self._lock = threading.Lock()

    def open(self, name: str) -> Game[Any]:
        """The game of that name.

        Raises:
            UnknownGameError, InvalidParametersError: there is none.
            InvalidRequestError: no name at all.
        """
        game = self._games.get(name)
        if game is not None:
            return game
        if not name:
            raise InvalidRequestError("no game was named", field="game")
        if len(name) > LONGEST_NAME:
            raise InvalidRequestError(f"{quoted(name)} is too long for the name of a game", field="game")
        game = open_game(name, self.rules)
        with self._lock:
            if len(self._games) >= MOST_NAMES:
                self._games.clear()
            return self._games.setdefault(name, game)

    def open_python(self, name: str) -> Game[Any]:
        """The same game by the rules in plain Python: the second opinion of a verification.

        Raises:
            UnknownGameError, InvalidParametersError: there is none.
        """
        return open_game(name, "python")

    def answers_at_once(self, name: str) -> bool:
        """Whether a game of that name is open and its rules are compiled: its methods take microseconds."""
        game = self._games.get(name)
        return game is not None and getattr(game, "key_size", 0) > 0

    def has_slow_rules(self, name: str) -> bool:
        """Whether the rules of a game are in Python, so that its methods, or opening it, may take any time."""
        game = self._games.get(name)
        if game is not None:
            return getattr(game, "key_size", 0) == 0
        return self.rules == "python" or name.partition(":")[0] not in BUILT_IN

    def close(self) -> None:
        """Forgets the games."""
        with self._lock:
            self._games.clear()
