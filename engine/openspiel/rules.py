"""The rules of one game of OpenSpiel behind the class `TurnGame`: states, who acts, actions, results, keys.

A state is immutable and hashable, and equal to another exactly when both have the same future. Actions have
OpenSpiel's numbers. Results are those of the first player (player 0).
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

__all__ = ["PyspielRules", "PyspielState", "Rules", "player_sign", "rows_of"]

S = TypeVar("S")
_COLOURS = re.compile("\x1b\\[[0-9;]*m")
"""What makes a terminal write in colours: twixt draws its board with them."""


class Rules(ABC, Generic[S]):
    """One game with its parameters.

    Attributes:
        game: the `pyspiel.Game`.
    """

    def __init__(self, game: Any) -> None:
        self.game = game
        self._start = game.new_initial_state()

    @abstractmethod
    def initial(self) -> S:
        """The state in which the game starts."""

    @abstractmethod
    def player(self, state: S) -> int:
        """Who acts, 0 or 1; at the end of the game who would act next."""

    @abstractmethod
    def actions(self, state: S) -> Sequence[int]:
        """What the player may do, in ascending order. Not asked at the end of the game."""

    @abstractmethod
    def apply(self, state: S, action: int) -> S:
        """The state after an action.

        Raises:
            ValueError: the action is seen to be illegal.
        """

    @abstractmethod
    def result(self, state: S) -> int | None:
        """What the first player has at the end of the game; None when it goes on."""

    @abstractmethod
    def text(self, state: S) -> str:
        """One line of printable ASCII: different states have different texts."""

    @abstractmethod
    def read(self, text: str) -> S:
        """The state of a text that `text` gives.

        Raises:
            ValueError: it is no such text.
        """

    def key(self, state: S) -> bytes:
        """The exact encoding of a state."""
        return self.text(state).encode("ascii")

    def from_key(self, key: bytes) -> S:
        """The state of a key.

        Raises:
            ValueError: it is none.
        """
        return self.read(key.decode("ascii"))

    def action_text(self, state: S, action: int) -> str:
        """How OpenSpiel writes an action."""
        return str(self._start.action_to_string(self.player(state), action))

    def draw(self, state: S) -> str:
        """The state on several lines."""
        return self.text(state)

    def squares(self, state: S) -> Sequence[str]:
        """As `Game.squares`."""
        return ()

    def action_squares(self, state: S, action: int) -> Sequence[int]:
        """As `Game.move_squares`."""
        return ()


class PyspielState:
    """A state of OpenSpiel that nobody changes, with its text. States are equal if their texts are.

    Attributes:
        text: tells the state.
        player: who acts, or would act if the game were not over.
        state: the `pyspiel.State`; never to be changed.
    """

    __slots__ = ("player", "state", "text")

    def __init__(self, text: str, player: int, state: Any) -> None:
        self.text = text
        self.player = player
        self.state = state

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PyspielState) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return self.text


class PyspielRules(Rules[PyspielState]):
    """Rules that OpenSpiel's own states follow. Subclasses say how a state is told, and how it is made again."""

    def player(self, state: PyspielState) -> int:
        return state.player

    def actions(self, state: PyspielState) -> Sequence[int]:
        actions: Sequence[int] = state.state.legal_actions()
        return actions

    def result(self, state: PyspielState) -> int | None:
        if not state.state.is_terminal():
            return None
        value = float(state.state.player_return(0))
        if not value.is_integer():
            raise ValueError(f"the return {value} is no whole number")
        return int(value)

    def text(self, state: PyspielState) -> str:
        return state.text

    def action_text(self, state: PyspielState, action: int) -> str:
        return str(state.state.action_to_string(state.player, action))

    def draw(self, state: PyspielState) -> str:
        return _COLOURS.sub("", str(state.state))

    def child(self, state: PyspielState, action: int) -> tuple[Any, int]:
        """A new `pyspiel.State` after an action, and who acts there."""
        if state.state.is_terminal() or action not in state.state.legal_actions():
            raise ValueError(f"{action} is no legal action")
        child = state.state.child(action)
        return child, 1 - state.player if child.is_terminal() else child.current_player()


def rows_of(cells: str, width: int) -> list[str]:
    """A board of cells as its rows."""
    return [cells[start : start + width] for start in range(0, len(cells), width)]


def player_sign(text: str, signs: str) -> tuple[str, int]:
    """Splits `BODY SIGN` into the body and the number of the sign.

    Raises:
        ValueError: the last word is not one of the signs.
    """
    body, space, sign = text.rpartition(" ")
    if not space or len(sign) != 1 or sign not in signs:
        raise ValueError(f"it ends with none of {', '.join(signs)}, who is to move")
    return body, signs.index(sign)
