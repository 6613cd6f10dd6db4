"""The games that a service has opened, by any of their names."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cached_property
from typing import Any, Literal

from proofbase.engine.errors import InvalidParametersError, RulesNotLoadedError, UnknownGameError, quoted
from proofbase.engine.games import canonical_alias, default_rules, open_game
from proofbase.engine.rules import Game, is_built_in
from proofbase.engine.rules.guarded import GuardedGame
from proofbase.engine.rules.within import FAMILY as WITHIN
from proofbase.service.errors import InvalidRequestError

__all__ = ["PATIENCE", "GameCache"]

MOST_NAMES = 256
"""More names than this are not remembered: the games are opened again."""
LONGEST_NAME = 100
PATIENCE = 30.0
"""Seconds that the rules of a user's game may take for one call of the short check."""


class GameCache:
    """Opens every game once. Games have no state, so all threads share them.

    Args:
        rules: the rules for everything but a verification that asks for others. None: the native ones where the core is
            installed; this is looked at when it is first needed.
        stored: whether the store has records of a game.
    """

    def __init__(
        self, rules: Literal["native", "python"] | None = None, stored: Callable[[str], bool] = lambda name: False
    ) -> None:
        self._rules = rules
        self._stored = stored
        self._games: dict[str, Game[Any]] = {}
        self._sound: set[str] = set()
        self._lock = threading.Lock()

    @cached_property
    def rules(self) -> Literal["native", "python"]:
        """The rules that games are opened by."""
        return self._rules or default_rules()

    def open(self, name: str) -> Game[Any]:
        """The game of that name.

        Raises:
            UnknownGameError, InvalidParametersError: there is none.
            RulesNotLoadedError: the store has records of it, but its rules are not loaded here.
            InvalidRequestError: no name at all.
        """
        game = self._games.get(name)
        if game is not None:
            return game
        if not name:
            raise InvalidRequestError("no game was named", field="game")
        if len(name) > LONGEST_NAME:
            raise InvalidRequestError(f"{quoted(name)} is too long for the name of a game", field="game")
        game = self._opened(name, self.rules)
        with self._lock:
            if len(self._games) >= MOST_NAMES:
                self._games.clear()
            return self._games.setdefault(name, game)

    def open_python(self, name: str) -> Game[Any]:
        """The same game by the rules in plain Python: the second opinion of a verification.

        Raises:
            UnknownGameError, InvalidParametersError, RulesNotLoadedError: as for `open`.
        """
        return self._opened(name, "python")

    def is_users_own(self, name: str) -> bool:
        """Whether a name is not that of a built-in game: then its rules may do anything."""
        return not is_built_in(canonical_alias(name))

    def users_family(self, name: str) -> str:
        """The family of the user's game by whose rules a game of that name is played; empty where they are ours."""
        name = canonical_alias(name) if name else ""
        if not name or is_built_in(name):
            return ""
        family, _, parameters = name.partition(":")
        inner = parameters.partition(":")[2].partition(":")[0] if family == WITHIN else ""
        return inner or family

    def refuse_broken(self, name: str, patience: float = PATIENCE) -> None:
        """Makes the short check of a user's game, before its first record is stored by this process.

        It takes a fraction of a second, and is made once. Built-in games are checked by their tests.

        Args:
            name: the game.
            patience: how many seconds to wait for rules that do not return.

        Raises:
            BrokenGameError: the game breaks a requirement of `proofbase.engine.rules.Game`.
            GameFailedError: its rules do not return.
            UnknownGameError, InvalidParametersError: there is none.
        """
        if not self.is_users_own(name) or name in self._sound:
            return
        # What checks a user's game is imported with the first one.
        from proofbase.engine.conformance import refuse_broken_game  # noqa: PLC0415

        refuse_broken_game(open_game(name, "python"), patience)
        with self._lock:
            if len(self._sound) >= MOST_NAMES:
                self._sound.clear()
            self._sound.add(name)

    def answers_at_once(self, name: str) -> bool:
        """Whether a game of that name is open and its rules are compiled: its methods take microseconds."""
        game = self._games.get(name)
        return game is not None and getattr(game, "key_size", 0) > 0

    def has_slow_rules(self, name: str) -> bool:
        """Whether the rules of a game are in Python, so that its methods, or opening it, may take any time."""
        game = self._games.get(name)
        if game is not None:
            return getattr(game, "key_size", 0) == 0
        return self.rules == "python" or self.is_users_own(name)

    def close(self) -> None:
        """Forgets the games."""
        with self._lock:
            self._games.clear()

    def _opened(self, name: str, rules: Literal["native", "python"]) -> Game[Any]:
        if canonical_alias(name) != name and self._stored(name):
            # The records of that name are another game's, whatever people call ours.
            raise RulesNotLoadedError(f"the store has records of {quoted(name)}, and its rules are not loaded")
        try:
            game = open_game(name, rules)
            return GuardedGame(game) if rules == "python" and self.is_users_own(name) else game
        except InvalidParametersError:
            raise
        except UnknownGameError as error:
            if self._stored(name):
                raise RulesNotLoadedError(f"the store has records of it, but this is an {error}") from None
            raise
