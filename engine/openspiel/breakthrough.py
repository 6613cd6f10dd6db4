"""Breakthrough, with the actions of OpenSpiel. The key is the board with the player to move.

1. Men stand in the first and last row; in the first two and last two where there are at least six rows.
2. A man goes one step forward, straight or diagonally, to a free cell, or takes a man diagonally.
3. Who reaches the last row or takes all men wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from proofbase.engine.openspiel.boards import Board, BoardRules, winner_result

__all__ = ["Breakthrough"]

FREE = "."
BLACK, WHITE = "bw"
"""The first player moves down, the second one up."""


class Breakthrough(BoardRules):
    """An action is ((row * columns + column) * 6 + direction) * 2 + (1 for taking), directions of black first."""

    signs = BLACK + WHITE
    men = BLACK + WHITE + FREE

    def __init__(self, game: Any, rows: int, columns: int) -> None:
        super().__init__(game)
        self.rows, self.columns = rows, columns

    def initial(self) -> Board:
        filled = 2 if self.rows >= 6 else 1  # rule 1
        rows = [BLACK] * filled + [FREE] * (self.rows - 2 * filled) + [WHITE] * filled
        return Board("".join(sign * self.columns for sign in rows[: self.rows]), 0)

    def result(self, state: Board) -> int | None:
        cells = state.cells  # rule 3
        if BLACK in cells[-self.columns :] or WHITE not in cells:
            return winner_result(0)
        if WHITE in cells[: self.columns] or BLACK not in cells:
            return winner_result(1)
        return None

    def actions(self, state: Board) -> Sequence[int]:
        own, other, forward = (BLACK, WHITE, 1) if state.player == 0 else (WHITE, BLACK, -1)
        actions = []
        for cell, man in enumerate(state.cells):
            if man != own:
                continue
            row, column = divmod(cell, self.columns)
            for side in (-1, 0, 1):  # rule 2
                to_row, to_column = row + forward, column + side
                if 0 <= to_row < self.rows and 0 <= to_column < self.columns:
                    there = state.cells[to_row * self.columns + to_column]
                    action = (cell * 6 + 3 * state.player + side + 1) * 2
                    if there == FREE:
                        actions.append(action)
                    elif side and there == other:
                        actions.append(action + 1)
        return actions

    def after(self, state: Board, action: int) -> Board:
        cell, to = self.action_squares(state, action)
        cells = list(state.cells)
        cells[to], cells[cell] = cells[cell], FREE
        return Board("".join(cells), 1 - state.player)

    def action_squares(self, state: Board, action: int) -> Sequence[int]:
        cell, direction = divmod(action // 2, 6)
        return cell, cell + (self.columns if direction < 3 else -self.columns) + direction % 3 - 1
