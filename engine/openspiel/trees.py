"""Games for whose positions no key is known: a position is the list of the actions that led to it."""

from __future__ import annotations

from typing import Any

from proofbase.engine.openspiel.rules import PyspielRules, PyspielState

__all__ = ["LONGEST_KEY", "TreeRules", "tree_key_bytes"]

LONGEST_KEY = 240
"""Bytes of a key; a key of `Game` has at most 255, some of which are for other games around this one."""
START = "start"


def tree_key_bytes(game: Any) -> int:
    """The most bytes of a list of actions."""
    return 1 + int(game.max_game_length()) * _action_bytes(game)


def _action_bytes(game: Any) -> int:
    return 1 if game.num_distinct_actions() <= 256 else 2


class TreeRules(PyspielRules):
    """Texts are the numbers of the actions, `4-0-8`; `start` is the initial position.

    Equal positions that arise by different orders of moves are different here: solves take longer, and no value
    depends on anything that is not in the key.
    """

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        state = game.new_initial_state()
        self._initial = PyspielState(START, state.current_player(), state)
        self._bytes = _action_bytes(game)

    def initial(self) -> PyspielState:
        return self._initial

    def apply(self, state: PyspielState, action: int) -> PyspielState:
        child, player = self.child(state, action)
        text = f"{state.text}-{action}" if state.text != START else str(action)
        return PyspielState(text, player, child)

    def draw(self, state: PyspielState) -> str:
        return f"{super().draw(state)}\n(positions of this game are lists of moves: {state.text})"

    def read(self, text: str) -> PyspielState:
        if text == START:
            return self._initial
        return self._played([_number(word) for word in text.split("-")])

    def key(self, state: PyspielState) -> bytes:
        """One byte for the kind of key (0), then one or two bytes for each action."""
        actions = [] if state.text == START else map(int, state.text.split("-"))
        return b"\0" + b"".join(action.to_bytes(self._bytes, "big") for action in actions)

    def from_key(self, key: bytes) -> PyspielState:
        if key[:1] != b"\0" or (len(key) - 1) % self._bytes:
            raise ValueError("it is no list of actions")
        numbers = range(1, len(key), self._bytes)
        return self._played([int.from_bytes(key[start : start + self._bytes], "big") for start in numbers])

    def _played(self, actions: list[int]) -> PyspielState:
        state = self._initial
        for action in actions:
            state = self.apply(state, action)
        return state


def _number(word: str) -> int:
    if not (word.isascii() and word.isdecimal()) or (word != "0" and word.startswith("0")) or len(word) > 9:
        raise ValueError(f"it is neither {START} nor numbers of actions such as 4-0-8")
    return int(word)
