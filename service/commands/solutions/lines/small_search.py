"""Moves below a record that rests on a small search or on a diagram: nothing is stored there, so they are searched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from proofbase.engine.records import MAX_SEARCH_NODES
from proofbase.engine.rules import Game
from proofbase.service.answers import MoveAnswer, Value
from proofbase.service.commands.solutions.processor_limit import ProcessorLimit
from proofbase.service.resources.native import is_native, new_search, small_search_visits

__all__ = ["Guaranteed", "move_by_search"]

KEEPING_NODES = 100_000
"""Nodes of a search for a move that keeps a value: some hundredths of a second."""


class Guaranteed(NamedTuple):
    """A value for the side to move that the record of an earlier position guarantees, within so many plies."""

    value: int
    plies: int


def move_by_search(
    game: Game[Any], position: Any, moves: Sequence[MoveAnswer], guaranteed: Guaranteed, processor_limit: ProcessorLimit
) -> MoveAnswer | None:
    """The quickest move that reaches the value; where no move does, the one that holds out longest.

    Where small searches do not show it, a move that keeps the value.

    Returns:
        The move with its value, or None if no search shows it.

    Raises:
        ProcessorLimitExceededError: it takes too long.
    """
    gains = []
    if guaranteed.value > -game.highest_value:  # every move reaches the lowest value
        reached_by = [(_plies_by_move(game, position, move, guaranteed, processor_limit), move) for move in moves]
        gains = [(plies, move) for plies, move in reached_by if plies is not None]
    if gains:
        plies, best = min(gains, key=lambda gain: gain[0])
    elif guaranteed.value == game.highest_value:  # no move is limited to the highest one
        return _keeping_move(game, position, moves, guaranteed, processor_limit)
    else:
        losses = []
        for move in moves:
            child, reward = game.play(position, move.number), game.reward(position, move.number)
            reached = _plies_to_value(game, child, reward - guaranteed.value, guaranteed.plies - 1, processor_limit)
            if reached is None:
                return _keeping_move(game, position, moves, guaranteed, processor_limit)
            losses.append((reached + 1, move))
        if not losses:
            return None
        plies, best = max(losses, key=lambda loss: loss[0])
    return _known(best, guaranteed, plies)


def _known(move: MoveAnswer, guaranteed: Guaranteed, plies: int) -> MoveAnswer:
    return replace(move, value=Value.of(guaranteed.value), rank=plies, known=True)


def _keeping_move(
    game: Game[Any], position: Any, moves: Sequence[MoveAnswer], guaranteed: Guaranteed, processor_limit: ProcessorLimit
) -> MoveAnswer | None:
    """The first move of which a search of some nodes shows that it keeps the value; in games that end."""
    if not is_native(game) or not game.acyclic:
        return None
    for move in moves:
        processor_limit.check()
        child, upper_of_child = game.play(position, move.number), game.reward(position, move.number) - guaranteed.value
        final_value = game.terminal(child)
        if final_value is None:
            search = new_search(game, child, upper_of_child + 1, algorithm="null-window")
            kept = search.run(nodes=KEEPING_NODES).status == "disproved"
        else:
            kept = final_value <= upper_of_child
        if kept:
            return _known(move, guaranteed, guaranteed.plies)
    return None


def _plies_by_move(
    game: Game[Any], position: Any, move: MoveAnswer, guaranteed: Guaranteed, processor_limit: ProcessorLimit
) -> int | None:
    """Plies, this one included, within which a move reaches the value; None if the search does not show it."""
    child, reward = game.play(position, move.number), game.reward(position, move.number)
    for plies in range(1, guaranteed.plies + 1):
        processor_limit.check()
        if small_search_visits(game, child, reward - guaranteed.value, plies - 1, MAX_SEARCH_NODES) is not None:
            return plies
    return None


def _plies_to_value(
    game: Game[Any], position: Any, value: int, plies: int, processor_limit: ProcessorLimit
) -> int | None:
    """Plies within which the side to move reaches the value; None if the search does not show it."""
    final_value = game.terminal(position)
    if final_value is not None:
        return 0 if final_value >= value else None
    for depth in range(1, plies + 1):
        for move in game.moves(position):
            processor_limit.check()
            child, reward = game.play(position, move), game.reward(position, move)
            if small_search_visits(game, child, reward - value, depth - 1, MAX_SEARCH_NODES) is not None:
                return depth
    return None
