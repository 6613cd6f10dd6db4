"""Clobber: the key is the board with the side to move, from which OpenSpiel makes a state."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from proofbase.engine.openspiel.rules import PyspielRules, PyspielState, player_sign

__all__ = ["Clobber"]

SIGNS = "ox"
"""The first player has o."""


class Clobber(PyspielRules):
    """Texts have the rows from the top and the player to move, `xox/oxo/xox o`."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self._initial = self._state(game.new_initial_state(), 0)

    def initial(self) -> PyspielState:
        return self._initial

    def apply(self, state: PyspielState, action: int) -> PyspielState:
        return self._state(*self.child(state, action))

    def read(self, text: str) -> PyspielState:
        body, player = player_sign(text, SIGNS)
        rows, whole = body.split("/"), self._initial.text[:-2].split("/")
        if [len(row) for row in rows] != [len(row) for row in whole] or not set(body) <= set("xo./"):
            raise ValueError(f"it has not rows such as {self._initial.text}")
        return self._state(self.game.new_initial_state(f"{player}{body.replace('/', '')}"), player)

    def squares(self, state: PyspielState) -> Sequence[str]:
        return state.text[:-2].split("/")

    def action_squares(self, state: PyspielState, action: int) -> Sequence[int]:
        width = state.text.index("/") if "/" in state.text else len(state.text) - 2
        cell, direction = divmod(action, 4)
        return (cell, cell + (-width, 1, width, -1)[direction])

    def _state(self, state: Any, player: int) -> PyspielState:
        rows = re.findall(r"^ *\d+([xo.]+)$", str(state), re.MULTILINE)
        return PyspielState(f"{'/'.join(rows)} {SIGNS[player]}", player, state)
