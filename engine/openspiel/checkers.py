"""Checkers as OpenSpiel plays it. The key is the board, who acts, the man that goes on taking, and the quiet actions.

1. Men stand on the dark cells of three rows a side. They go one step diagonally forward, kings in all directions.
2. A man is jumped over and taken where the cell behind is free. Who can take has to, and goes on taking with the same
   man as long as it can. One jump is one action. A man that becomes a king goes on no further.
3. Who cannot move loses. After 40 actions without a capture the game is drawn: so no position comes back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from proofbase.engine.openspiel.boards import WrittenRules, checked_number, winner_result
from proofbase.engine.openspiel.rules import rows_of

__all__ = ["DIRECTIONS", "FREE", "KINGS", "MEN", "NOBODY", "Checkers", "CheckersState"]

FREE = "."
MEN, KINGS = ("o", "+"), ("8", "*")
"""The signs of the first player, who moves up, and of the second."""
DIRECTIONS = ((-1, -1), (-1, 1), (1, 1), (1, -1))
"""Steps in rows and columns."""
MOST_QUIET = 40
NOBODY = -1


class CheckersState(NamedTuple):
    """A state."""

    cells: str
    player: int
    jumper: int
    """The cell of the man that goes on taking, or -1."""
    quiet: int
    """Actions since the last capture, at most 40."""


class Checkers(WrittenRules[CheckersState]):
    """An action is ((row * columns + column) * 4 + direction) * 2 + (1 for taking). Texts: `.+.+/o.o. o 3 -`."""

    def __init__(self, game: Any, rows: int, columns: int) -> None:
        super().__init__(game)
        self.rows, self.columns = rows, columns

    def initial(self) -> CheckersState:
        cells = ""
        for row in range(self.rows):  # rule 1
            sign = MEN[1] if row < 3 else MEN[0] if row >= self.rows - 3 else FREE
            cells += "".join(sign if (row + column) % 2 else FREE for column in range(self.columns))
        return CheckersState(cells, 0, NOBODY, 0)

    def player(self, state: CheckersState) -> int:
        return state.player

    def result(self, state: CheckersState) -> int | None:
        if state.quiet >= MOST_QUIET:  # rule 3
            return 0
        return None if self.actions(state) else winner_result(1 - state.player)

    def actions(self, state: CheckersState) -> Sequence[int]:
        steps, jumps = list[int](), list[int]()
        own_men = (MEN[state.player], KINGS[state.player])
        for cell, man in enumerate(state.cells):
            if man in own_men:
                for direction in self._directions(man):
                    action = (cell * 4 + direction) * 2
                    if self._cell(state, cell, direction, 1) == FREE:
                        steps.append(action)
                    elif self._may_jump(state, cell, direction):
                        jumps.append(action + 1)
        if state.jumper != NOBODY:
            return [action for action in jumps if action // 8 == state.jumper]
        return jumps or steps  # rule 2

    def after(self, state: CheckersState, action: int) -> CheckersState:
        taking = action % 2
        cell, direction = divmod(action // 2, 4)
        to = self._place(cell, direction, 1 + taking)
        cells = list(state.cells)
        man = cells[cell]
        last_row = 0 if state.player == 0 else self.rows - 1
        crowned = man == MEN[state.player] and to // self.columns == last_row
        cells[cell], cells[to] = FREE, KINGS[state.player] if crowned else man
        if not taking:
            return CheckersState("".join(cells), 1 - state.player, NOBODY, state.quiet + 1)
        cells[self._place(cell, direction, 1)] = FREE
        after = CheckersState("".join(cells), state.player, NOBODY, 0)
        if not crowned and any(self._may_jump(after, to, way) for way in self._directions(man)):
            return after._replace(jumper=to)
        return after._replace(player=1 - state.player)

    def text(self, state: CheckersState) -> str:
        jumper = "-" if state.jumper == NOBODY else str(state.jumper)
        return f"{'/'.join(rows_of(state.cells, self.columns))} {MEN[state.player]} {state.quiet} {jumper}"

    def read(self, text: str) -> CheckersState:
        words = text.split(" ")
        if len(words) != 4 or words[1] not in MEN or not set(words[0]) <= set(f"{FREE}/{''.join(MEN + KINGS)}"):
            raise ValueError(f"it is not such as {self.text(self.initial())}")
        cells = words[0].replace("/", "")
        jumper = NOBODY if words[3] == "-" else checked_number(words[3], self.rows * self.columns - 1)
        state = CheckersState(cells, MEN.index(words[1]), jumper, checked_number(words[2], MOST_QUIET))
        if len(cells) != self.rows * self.columns or self.text(state) != text:
            raise ValueError(f"it has not rows such as {self.text(self.initial())}")
        if jumper != NOBODY and (state.quiet or not self.actions(state)):
            raise ValueError(f"the man on cell {jumper} has nothing to take")
        return state

    def squares(self, state: CheckersState) -> Sequence[str]:
        return rows_of(state.cells, self.columns)

    def action_squares(self, state: CheckersState, action: int) -> Sequence[int]:
        cell, direction = divmod(action // 2, 4)
        return cell, self._place(cell, direction, 1 + action % 2)

    def _directions(self, man: str) -> Sequence[int]:
        return (0, 1) if man == MEN[0] else (2, 3) if man == MEN[1] else (0, 1, 2, 3)

    def _place(self, cell: int, direction: int, steps: int) -> int:
        row, column = DIRECTIONS[direction]
        return cell + steps * (row * self.columns + column)

    def _cell(self, state: CheckersState, cell: int, direction: int, steps: int) -> str:
        """The sign of a cell; empty beyond the board."""
        row = cell // self.columns + steps * DIRECTIONS[direction][0]
        column = cell % self.columns + steps * DIRECTIONS[direction][1]
        return state.cells[row * self.columns + column] if 0 <= row < self.rows and 0 <= column < self.columns else ""

    def _may_jump(self, state: CheckersState, cell: int, direction: int) -> bool:
        other = (MEN[1 - state.player], KINGS[1 - state.player])
        return self._cell(state, cell, direction, 1) in other and self._cell(state, cell, direction, 2) == FREE
