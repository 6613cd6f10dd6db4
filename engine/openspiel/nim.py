"""Nim: the key is what is left of the piles, with the side to move.

An action takes some of one pile. OpenSpiel sets up no positions: a state is made again by taking what is missing.
"""

from __future__ import annotations

from typing import Any

from proofbase.engine.openspiel.rules import PyspielRules, PyspielState, player_sign

__all__ = ["Nim"]

SIGNS = "12"


class Nim(PyspielRules):
    """Texts have the piles and the player to move, `1,3,5,7 1`."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self._piles = _piles_of(game.new_initial_state())
        self._initial = self._state(game.new_initial_state(), 0)

    def initial(self) -> PyspielState:
        return self._initial

    def apply(self, state: PyspielState, action: int) -> PyspielState:
        return self._state(*self.child(state, action))

    def read(self, text: str) -> PyspielState:
        body, player = player_sign(text, SIGNS)
        words = body.split(",")
        if not all(word.isascii() and word.isdecimal() and len(word) < 6 for word in words):
            raise ValueError("it is not piles and player, such as 1,3,5,7 1")
        taken = [full - int(word) for full, word in zip(self._piles, words, strict=True)]
        if min(taken) < 0:
            raise ValueError("a pile is larger than at the start")
        state = self.game.new_initial_state()
        for action in self._actions(taken, player):
            state.apply_action(action)
        read = self._state(state, player)
        if read.text != text:
            raise ValueError(f"it would be {read.text}")
        return read

    def _actions(self, taken: list[int], player: int) -> list[int]:
        """Actions that take so much of the piles, as many as bring a player to move."""
        parts = [(pile, count) for pile, count in enumerate(taken) if count]
        if len(parts) % 2 != player:
            at = next((at for at, (_, count) in enumerate(parts) if count > 1), None)
            if at is None:
                raise ValueError("the other player is to move there")
            pile, count = parts[at]
            parts[at : at + 1] = [(pile, 1), (pile, count - 1)]
        return [(count - 1) * len(taken) + pile for pile, count in parts]

    def _state(self, state: Any, player: int) -> PyspielState:
        return PyspielState(f"{','.join(map(str, _piles_of(state)))} {SIGNS[player]}", player, state)


def _piles_of(state: Any) -> list[int]:
    """From OpenSpiel's `(0): 1 3 5 7`."""
    return [int(word) for word in str(state).partition(":")[2].split()]
