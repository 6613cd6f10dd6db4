"""Dots and boxes, with the actions of OpenSpiel. The key is the lines, the boxes of each player, and who is to move.

1. A player draws a line between two dots. Who draws the fourth side of a box owns it and draws another line.
2. When all lines are drawn, who has more boxes wins; with `utility_margin` the difference is what counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from proofbase.engine.openspiel.boards import WrittenRules, checked_number

__all__ = ["DotsAndBoxes", "DotsState"]


class DotsState(NamedTuple):
    """A state."""

    lines: str
    """`1` for each line that is drawn, `0` for others, by the numbers of the actions."""
    points: tuple[int, int]
    player: int


class DotsAndBoxes(WrittenRules[DotsState]):
    """An action is a line: those that lie, row by row, then those that stand. Texts: `0110001 2:1 1`."""

    def __init__(self, game: Any, rows: int, columns: int, *, margin: bool) -> None:
        super().__init__(game)
        self.margin = margin
        lying = (rows + 1) * columns
        self._lines = lying + rows * (columns + 1)
        self._boxes = [
            (
                row * columns + column,
                (row + 1) * columns + column,
                lying + row * (columns + 1) + column,
                lying + row * (columns + 1) + column + 1,
            )
            for row in range(rows)
            for column in range(columns)
        ]
        self._boxes_at = [[box for box in self._boxes if line in box] for line in range(self._lines)]

    def initial(self) -> DotsState:
        return DotsState("0" * self._lines, (0, 0), 0)

    def player(self, state: DotsState) -> int:
        return state.player

    def result(self, state: DotsState) -> int | None:
        if "0" in state.lines:
            return None
        margin = state.points[0] - state.points[1]  # rule 2
        return margin if self.margin else (margin > 0) - (margin < 0)

    def actions(self, state: DotsState) -> Sequence[int]:
        return [line for line, drawn in enumerate(state.lines) if drawn == "0"]

    def after(self, state: DotsState, action: int) -> DotsState:
        lines = f"{state.lines[:action]}1{state.lines[action + 1 :]}"
        won = sum(all(lines[line] == "1" for line in box) for box in self._boxes_at[action])
        if not won:
            return DotsState(lines, state.points, 1 - state.player)
        first, second = state.points
        points = (first + won, second) if state.player == 0 else (first, second + won)
        return DotsState(lines, points, state.player)  # rule 1

    def text(self, state: DotsState) -> str:
        return f"{state.lines} {state.points[0]}:{state.points[1]} {state.player + 1}"

    def read(self, text: str) -> DotsState:
        lines, _, rest = text.partition(" ")
        points, _, player = rest.partition(" ")
        if len(lines) != self._lines or not set(lines) <= set("01") or player not in ("1", "2"):
            raise ValueError(f"it is not such as {self.text(self.initial())}")
        first, _, second = points.partition(":")
        most = len(self._boxes)
        state = DotsState(lines, (checked_number(first, most), checked_number(second, most)), int(player) - 1)
        if sum(all(lines[line] == "1" for line in box) for box in self._boxes) != sum(state.points):
            raise ValueError("the points are not as many as the boxes")
        return state
