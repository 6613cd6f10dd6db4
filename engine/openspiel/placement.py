"""Games in which stones are put on a board and stay: the key is the board with the side to move.

OpenSpiel sets up no positions, so a state is made again by playing its stones in some order. That works because more
stones never undo a win: every part of a position in which the game goes on is one in which it goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from proofbase.engine.openspiel.rules import PyspielRules, PyspielState, player_sign, rows_of

__all__ = ["FallingStones", "PlacedStones"]

SIGNS = "xo"
"""The signs of the first and the second player."""
EMPTY, NONE = ".", "#"
"""A free cell, and one that is not on the board."""


class PlacedStones(PyspielRules):
    """Actions are cells. Texts have the rows of the board and the player to move, `x.o/.x./... o`.

    Args:
        game: the `pyspiel.Game`.
        width: cells of a row.
        cells: of the board.
    """

    def __init__(self, game: Any, width: int, cells: int) -> None:
        super().__init__(game)
        self.width = width
        self.cells = cells
        start = game.new_initial_state()
        legal = self.cells_on_board(start)
        self._empty = "".join(EMPTY if cell in legal else NONE for cell in range(cells))
        self._initial = self._state(self._empty, 0, start)

    def cells_on_board(self, start: Any) -> set[int]:
        """The cells that may get a stone, by the initial state."""
        return set(start.legal_actions())

    def initial(self) -> PyspielState:
        return self._initial

    def apply(self, state: PyspielState, action: int) -> PyspielState:
        child, player = self.child(state, action)
        board = self.board(state.text)
        return self._state(board[:action] + SIGNS[state.player] + board[action + 1 :], player, child)

    def board(self, text: str) -> str:
        """The cells of a text of a state, in the order of their numbers."""
        return text[:-2].replace("/", "")

    def read(self, text: str) -> PyspielState:
        body, player = player_sign(text, SIGNS)
        board = body.replace("/", "")
        if len(board) != self.cells or self._text(board, player) != text:
            raise ValueError(f"it has not rows such as {self._initial.text}")
        if board.replace("x", EMPTY).replace("o", EMPTY) != self._empty:
            raise ValueError(f"cells are x, o or {EMPTY}")
        return self._state(board, player, self._made(board, player))

    def squares(self, state: PyspielState) -> Sequence[str]:
        return state.text[:-2].replace(NONE, " ").split("/")

    def action_squares(self, state: PyspielState, action: int) -> Sequence[int]:
        return (action,)

    def _state(self, board: str, player: int, state: Any) -> PyspielState:
        return PyspielState(self._text(board, player), player, state)

    def _text(self, board: str, player: int) -> str:
        return f"{'/'.join(rows_of(board, self.width))} {SIGNS[player]}"

    def _made(self, board: str, player: int) -> Any:
        """A `pyspiel.State` with these stones in which a player is to move."""
        stones = [[cell for cell, sign in enumerate(board) if sign == own] for own in SIGNS]
        check_counts(len(stones[0]), len(stones[1]), player)
        last = stones[1 - player]
        if not last:
            return self.game.new_initial_state()
        for at in range(len(last) - 1, -1, -1):  # the last stone may be the one that ends the game
            order = [*last[:at], *last[at + 1 :], last[at]]
            pair = [order, stones[player]] if player == 1 else [stones[player], order]
            made = self.played([own[ply] for ply in range(len(order)) for own in pair if ply < len(own)])
            if made is not None:
                return made
        raise ValueError("no game leads to it")

    def played(self, actions: Sequence[int]) -> Any:
        """The `pyspiel.State` after these actions; None where the game is over before the last one."""
        state = self.game.new_initial_state()
        for action in actions:
            if state.is_terminal():
                return None
            state.apply_action(action)
        return state


class FallingStones(PlacedStones):
    """Actions are columns, in which stones fall down. Rows are told from the top."""

    def cells_on_board(self, start: Any) -> set[int]:
        return set(range(self.cells))

    def apply(self, state: PyspielState, action: int) -> PyspielState:
        child, player = self.child(state, action)
        board = self.board(state.text)
        cell = max(cell for cell in range(action, self.cells, self.width) if board[cell] == EMPTY)
        return self._state(board[:cell] + SIGNS[state.player] + board[cell + 1 :], player, child)

    def action_squares(self, state: PyspielState, action: int) -> Sequence[int]:
        return (action,)

    def _made(self, board: str, player: int) -> Any:
        columns = ["".join(board[column :: self.width])[::-1].rstrip(EMPTY) for column in range(self.width)]
        if any(EMPTY in column for column in columns):
            raise ValueError("a stone hangs in the air")
        check_counts(board.count(SIGNS[0]), board.count(SIGNS[1]), player)
        for actions in self._orders(columns, player):
            made = self.played(actions)
            if made is not None:
                return made
        raise ValueError("no game leads to it")

    def _orders(self, columns: list[str], player: int) -> list[list[int]]:
        """Orders in which the stones can have come, one for each last stone: the stones are taken off again."""
        orders = []
        for last, column in enumerate(columns):
            if column.endswith(SIGNS[1 - player]):
                heights = [len(other) - (number == last) for number, other in enumerate(columns)]
                before = _taken_off(columns, tuple(heights), player, set())
                if before is not None:
                    orders.append([*before, last])
        return orders if any(columns) else [[]]


def _taken_off(
    columns: Sequence[str], heights: tuple[int, ...], player: int, hopeless: set[tuple[int, ...]]
) -> list[int] | None:
    """An order of the stones below the heights, whose last one is of a player; None if there is none."""
    if not any(heights):
        return []
    if heights in hopeless:
        return None
    for column, height in enumerate(heights):
        if height and columns[column][height - 1] == SIGNS[player]:
            below = (*heights[:column], height - 1, *heights[column + 1 :])
            before = _taken_off(columns, below, 1 - player, hopeless)
            if before is not None:
                return [*before, column]
    hopeless.add(heights)
    return None


def check_counts(first: int, second: int, player: int) -> None:
    """Refuses numbers of stones that do not arise when stones are put in turns.

    Raises:
        ValueError: they do not.
    """
    if first - second != player:
        raise ValueError(f"{SIGNS[player]} is not to move with {first} x and {second} o")
