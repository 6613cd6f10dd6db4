"""within:N:GAME, from its rules: another game with a limit of plies. Who wins within N of them?

1. A position is a position of the inner game with the number of plies that are left, at most N. Play begins in the
   inner game's initial position with N plies left.
2. Moves, rewards and ends are those of the inner game. Each move takes one of the plies.
3. Without plies left the game is over, and worth 0: nobody has won in time.

There are no cycles, even where the inner game has some. In games of win, draw and loss "at least 1" is a win within the
plies left, and "at most 0" says that there is none: together they are distances (docs/fact-model.md).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from proofbase.engine.errors import (
    InvalidKeyError,
    InvalidMoveError,
    InvalidParametersError,
    InvalidPositionError,
    quoted,
)
from proofbase.engine.rules.game import Game
from proofbase.engine.rules.set_up import Exchanged

__all__ = ["FAMILY", "MOST_PLIES", "PLIES_BYTES", "Within", "WithinPosition", "split_parameters"]

FAMILY = "within"
MOST_PLIES = 9999
PLIES_BYTES = 2
"""The end of a key, behind the inner key: the plies left, big-endian."""


class WithinPosition(NamedTuple):
    """Rule 1."""

    inner: Any
    """The position of the inner game."""
    plies: int
    """How many are left."""


def split_parameters(parameters: str | None) -> tuple[int, str]:
    """The plies and the name of the inner game in `N:GAME`.

    Raises:
        InvalidParametersError: it is not that, or the inner game is `within` itself.
    """
    fields = re.fullmatch("([1-9][0-9]{0,3}):(.+)", parameters or "", re.DOTALL)
    if not fields:
        raise InvalidParametersError(
            f"within: {quoted(parameters or '')} is not N:GAME, with 1 to {MOST_PLIES} plies and a game, "
            "such as 5:tic-tac-toe"
        )
    if fields[2].partition(":")[0] == FAMILY:
        raise InvalidParametersError("within: the inner game is another one, not within")
    return int(fields[1]), fields[2]


class Within(Game[WithinPosition]):
    """The inner game with at most so many plies. Moves are those of the inner game; texts end with ` plies=5`.

    Args:
        plies: 1 to 9999.
        inner: any game but one of this class.
    """

    def __init__(self, plies: int, inner: Game[Any]) -> None:
        self.plies = plies
        self.inner = inner
        self.name = f"{FAMILY}:{plies}:{inner.name}"
        self.rules_version = inner.rules_version
        self.wins_by_own_move = inner.wins_by_own_move
        self.loses_by_own_move = inner.loses_by_own_move
        self.players_words = inner.players_words
        self._has_rewards = inner.has_rewards()
        # Without plies left the value is 0, at most V from the inner game's, and with each ply more the difference does
        # not grow. Without rewards a value other than 0 is forced to an end of the inner game, which is worth as much.
        self._slack = inner.highest_value if self._has_rewards else 0
        self.highest_value = inner.highest_value + self._slack

    def initial(self) -> WithinPosition:
        return WithinPosition(self.inner.initial(), self.plies)

    def terminal(self, position: WithinPosition) -> int | None:
        value = self.inner.terminal(position.inner)
        return 0 if value is None and position.plies == 0 else value  # rules 2 and 3

    def moves(self, position: WithinPosition) -> Sequence[int]:
        return self.inner.moves(position.inner) if position.plies else ()

    def play(self, position: WithinPosition, move: int) -> WithinPosition:
        if position.plies == 0:
            raise InvalidMoveError(f"no plies are left in {quoted(self.text(position), 100)}")
        return WithinPosition(self.inner.play(position.inner, move), position.plies - 1)

    def reward(self, position: WithinPosition, move: int) -> int:
        return self.inner.reward(position.inner, move)

    def has_rewards(self) -> bool:
        return self._has_rewards

    def limit(self, position: WithinPosition) -> int:
        return self.inner.limit(position.inner) + self._slack

    def score(self, position: WithinPosition) -> int:
        return self.inner.score(position.inner)

    def side(self, position: WithinPosition) -> int:
        return self.inner.side(position.inner)

    def table_entry(self, position: WithinPosition) -> tuple[str, int] | None:
        """The entry of the inner game, if its tables hold plies."""
        return None if self.inner.table_end_value is None else self.inner.table_entry(position.inner)

    @property
    def table_game(self) -> Game[Any]:
        return self.inner

    def table_value(self, position: WithinPosition, value: int, plies: int | None) -> int:
        """A game that takes more plies than are left is worth 0 (rule 3)."""
        return value if plies is not None and plies <= position.plies else 0

    def key(self, position: WithinPosition) -> bytes:
        return self.inner.key(position.inner) + position.plies.to_bytes(PLIES_BYTES, "big")

    def position(self, key: bytes) -> WithinPosition:
        plies = int.from_bytes(key[-PLIES_BYTES:], "big")
        if len(key) < PLIES_BYTES or plies > self.plies:
            raise InvalidKeyError(f"{key.hex()} does not end with 0 to {self.plies} plies left in {PLIES_BYTES} bytes")
        return WithinPosition(self.inner.position(key[:-PLIES_BYTES]), plies)

    def text(self, position: WithinPosition) -> str:
        return f"{self.inner.text(position.inner)} plies={position.plies}"

    def parse(self, text: str) -> WithinPosition:
        """Reads the inner game's text with ` plies=5` behind it, or without: then all plies are left."""
        before, space, last = text.rpartition(" ")
        if not last.startswith("plies="):
            return WithinPosition(self._parse_inner(text), self.plies)
        number = last.removeprefix("plies=")
        if not re.fullmatch("0|[1-9][0-9]{0,3}", number) or int(number) > self.plies:
            raise InvalidPositionError(f"{quoted(last)}: of {self.name} 0 to {self.plies} plies can be left")
        inner = self._parse_inner(before) if space else self.inner.initial()
        return WithinPosition(inner, int(number))

    def _parse_inner(self, text: str) -> Any:
        """A position that is set up is shown with the colours of its key."""
        inner = self.inner.parse(text)
        return tuple(inner) if type(inner) is Exchanged else inner

    def draw(self, position: WithinPosition) -> str:
        return f"{self.inner.draw(position.inner)}\nplies left: {position.plies}"

    def move_text(self, position: WithinPosition, move: int) -> str:
        return self.inner.move_text(position.inner, move)

    def parse_move(self, position: WithinPosition, text: str) -> int:
        if position.plies == 0:
            raise InvalidMoveError(f"no move {quoted(text)}: no plies are left in {quoted(self.text(position), 100)}")
        return self.inner.parse_move(position.inner, text)

    def margin_text(self, result: int, side: int, *, or_more: bool = False) -> str:
        return self.inner.margin_text(result, side, or_more=or_more)
