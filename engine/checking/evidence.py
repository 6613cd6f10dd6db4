"""Evidence that is played out by the rules alone: forcing lines and small searches (docs/fact-model.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from proofbase.engine.rules.game import Game

__all__ = ["line_reaches", "small_search_visits"]


def line_reaches(game: Game[Any], position: Any, lower: int, line: Sequence[int]) -> bool:
    """Whether a forcing line reaches a bound against every legal reply, by the rules alone (docs/fact-model.md).

    Args:
        position: not terminal; the line's side is to move.
        lower: the bound that the line is to reach.
        line: moves of its side and the replies of the other side in turn; the first and the last move are its side's.
    """
    if len(line) % 2 == 0:
        return False
    for index in range(0, len(line), 2):
        if line[index] not in game.moves(position):
            return False
        upper = game.reward(position, line[index]) - lower
        position = game.play(position, line[index])
        value = game.terminal(position)
        if index + 1 == len(line):
            return value is not None and value <= upper
        if value is not None:
            return False
        reply, replies = line[index + 1], game.moves(position)
        if reply not in replies:
            return False
        for other in replies:
            if other == reply:
                continue
            child, bound = game.play(position, other), game.reward(position, other) - upper
            value = game.terminal(child)
            if not _wins_at_once(game, child, bound, reply) if value is None else value < bound:
                return False
        lower = game.reward(position, reply) - upper
        position = game.play(position, reply)
        if game.terminal(position) is not None:
            return False
    return False


def _wins_at_once(game: Game[Any], position: Any, lower: int, first: int) -> bool:
    """Whether one move ends the game with at least the bound; the move `first` is tried first."""
    moves = game.moves(position)
    for move in [first, *moves] if first in moves else moves:
        value = game.terminal(game.play(position, move))
        if value is not None and game.reward(position, move) - value >= lower:
            return True
    return False


def small_search_visits(
    game: Game[Any], position: Any, bound: int, depth: int, nodes: int, *, to_limits: bool = False
) -> int | None:
    """The small search: settles `value(position) <= bound` depth first, by the rules alone.

    Moves in the order of the rules; at most `depth` plies; a side stops at its first success. A position that is not
    over at the deepest ply counts against the claim. With `to_limits` moves that end the game come before the
    others, and a position that is not over is settled by the limit of its value, where that tells, at the deepest ply
    as well. The stack is explicit: a line of play may be long.

    No table decides what is entered. But the answer and the count of a subtree follow from its position, bound and
    depth, so a subtree that comes again is not searched again: it counts as much as the first time.

    Returns:
        The number of positions entered, the given one included, or None when the bound is not settled with at most
        `nodes` of them.
    """
    # Position, bound, moves not yet tried, what was entered before it. "At most" is asked at even depths.
    stack: list[tuple[Any, int, Iterator[int], int]] = []
    seen: dict[tuple[Any, int, int], tuple[bool, int]] = {}  # by position, bound, plies below the given position
    entered = 0

    def pop(answer: bool) -> None:
        position, bound, _, before = stack.pop()
        seen[position, bound, len(stack)] = answer, entered - before

    while True:
        answer, visits = seen.get((position, bound, len(stack)), (None, 1))
        entered += visits
        if entered > nodes:
            return None
        if answer is None:
            value, at_most = game.terminal(position), len(stack) % 2 == 0
            if value is not None:
                answer = value <= bound if at_most else value >= bound
            elif to_limits and (settled := _settled_by_limit(game.limit(position), bound, at_most)) is not None:
                answer = settled
            elif len(stack) == depth:
                answer = False
            else:
                moves_there = _ends_first(game, position) if to_limits else game.moves(position)
                stack.append((position, bound, iter(moves_there), entered - 1))
        while True:
            # A child that fails refutes its parent's "at most" (every move must hold), one that holds proves its
            # parent's "at least" (one move is enough): either way the parent's answer is the child's.
            while stack and answer is not None and answer is not (len(stack) % 2 == 1):
                pop(answer)
            if not stack:
                return entered if answer else None
            parent, limit, moves, _ = stack[-1]
            move = next(moves, None)
            if move is not None:
                break
            answer = len(stack) % 2 == 1  # no counterexample to "at most", or no example of "at least"
            pop(answer)
        position, bound = game.play(parent, move), game.reward(parent, move) - limit


def _ends_first(game: Game[Any], position: Any) -> list[int]:
    ends: list[int] = []
    others: list[int] = []
    for move in game.moves(position):
        (others if game.terminal(game.play(position, move)) is None else ends).append(move)
    return ends + others


def _settled_by_limit(limit: int, bound: int, at_most: bool) -> bool | None:
    """Whether a value between -limit and limit is at most the bound, or at least; None where it may be either."""
    if at_most:
        return True if limit <= bound else False if -limit > bound else None
    return True if -limit >= bound else False if limit < bound else None
