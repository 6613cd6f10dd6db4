"""Positions of `checkers` as OpenSpiel writes and plays them.

OpenSpiel's first player is our Black. It moves up, so that its board is ours turned by half. Each jump of a move is an
action of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from proofbase.engine.errors import InvalidMoveError, InvalidPositionError, quoted
from proofbase.engine.openspiel.checkers import DIRECTIONS, FREE, KINGS, MEN, NOBODY, CheckersState
from proofbase.engine.rules import Game
from proofbase.engine.rules.draughts.fen import Men, fen, read_fen

__all__ = ["fen_of", "jumps_as_moves", "state_of_fen"]

ROWS = COLUMNS = 8


def fen_of(state: CheckersState) -> str:
    """The FEN of a state on 8x8, without the actions since the last capture.

    Raises:
        ValueError: a man goes on taking.
    """
    if state.jumper != NOBODY:
        raise ValueError("a man goes on taking, and positions of checkers are those between moves")
    sets = [0, 0]
    kings = 0
    for square in range(32):
        sign = state.cells[_cell(square)]
        for side in (0, 1):
            sets[side] |= (sign in (MEN[side], KINGS[side])) << square
        kings |= (sign in KINGS) << square
    return fen(Men(sets[0], sets[1], kings, state.player))


def state_of_fen(text: str) -> CheckersState:
    """The state of a FEN, with a capture as the last action."""
    men = read_fen(text)
    cells = [FREE] * (ROWS * COLUMNS)
    for square in range(32):
        bit = 1 << square
        for side, own in enumerate((men.black, men.white)):
            if own & bit:
                cells[_cell(square)] = (KINGS if men.kings & bit else MEN)[side]
    return CheckersState("".join(cells), men.side, NOBODY, 0)


def jumps_as_moves(game: Game[Any], position: Any, actions: Sequence[int]) -> list[int]:
    """The moves of actions that follow a position of `checkers`.

    Raises:
        InvalidMoveError: an action is not legal.
        InvalidPositionError: the last man goes on taking.
    """
    moves = list[int]()
    done = 0
    while done < len(actions):
        paths = {move: _actions_of(game.move_text(position, move)) for move in game.moves(position)}
        candidates = [move for move, path in paths.items() if list(actions[done : done + len(path)]) == path]
        if not candidates:
            steps = list(actions[done:])
            if any(path[: len(steps)] == steps for path in paths.values()):
                raise InvalidPositionError("checkers: a man goes on taking: positions are those between moves")
            raise InvalidMoveError(f"action {actions[done]} is not legal in {quoted(game.text(position), 100)}")
        moves.append(candidates[0])
        done += len(paths[candidates[0]])
        position = game.play(position, candidates[0])
    return moves


def _actions_of(move: str) -> list[int]:
    """The actions of a move that is written with all its squares."""
    cells = [_cell(int(square) - 1) for square in move.replace("x", "-").split("-")]
    return [_action(cell, to) for cell, to in pairwise(cells)]


def _action(cell: int, to: int) -> int:
    (row, column), (to_row, to_column) = divmod(cell, COLUMNS), divmod(to, COLUMNS)
    steps = abs(to_row - row)
    return (cell * 4 + DIRECTIONS.index(((to_row - row) // steps, (to_column - column) // steps))) * 2 + steps - 1


def _cell(square: int) -> int:
    """The cell of a square from 0; cells row by row from the top left."""
    row, place = divmod(31 - square, 4)
    return row * COLUMNS + place * 2 + (row + 1) % 2
