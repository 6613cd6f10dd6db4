"""Alpha-beta search to a limit of time, positions or plies, over the rules of any game and the game's own evaluation.

Iterative deepening, with a table of positions: the best move of the iteration before is tried first. What it says is no
proof, and nothing of it is stored.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import inf
from random import Random
from typing import Any, NamedTuple

from proofbase.engine.rules.game import Game

__all__ = ["AlphaBeta", "Ranking"]

DEEPEST = 60
"""Plies."""
SOON = 1e-4
"""By this share an end of the game counts less for every ply until it comes."""
EQUAL = 1e-9
TABLE_ENTRIES = 1_000_000
UNSEEN = -1, -inf, inf, -1
CLOCK_INTERVAL = 64
"""Positions between two looks at the clock."""


class Ranking(NamedTuple):
    """Moves with what they are thought to be worth to the side that makes them.

    Attributes:
        scores: by move; of those that the last iteration has refuted, an upper limit.
        best: the moves with the highest score, at least one.
        plies: depth of the last iteration that was finished; 0: only the evaluation.
        nodes: positions that were visited.
    """

    scores: dict[int, float]
    best: list[int]
    plies: int
    nodes: int


class _LimitIsReachedError(Exception):
    """Ends an iteration."""


class AlphaBeta:
    """Ranks moves.

    Args:
        game: its `evaluate` and `promising_moves` are used where it has them.
        seconds: for one ranking; None for no limit.
        plies: of the deepest iteration.
        positions: visited by one ranking at the most; None for no limit.
    """

    def __init__(
        self, game: Game[Any], seconds: float | None = None, plies: int = DEEPEST, positions: int | None = None
    ) -> None:
        self._game = game
        self._seconds = seconds
        self._plies = plies
        self._most_nodes = inf if positions is None else positions
        self._evaluate = getattr(game, "evaluate", None)
        self._promising = getattr(game, "promising_moves", None)
        self._cyclic = not game.acyclic
        has_rewards = getattr(game, "has_rewards", None)
        self._rewards = has_rewards is None or has_rewards()
        self._table: dict[Any, tuple[int, float, float, int]] = {}
        self._line = set[Any]()
        self._iteration_plies = 0
        self._deadline = inf
        self._nodes = 0

    def rank(self, position: Any, moves: Sequence[int] | None = None, *, seed: int | None = None) -> Ranking:
        """Ranks moves of a position in which the game goes on.

        Args:
            position: of the game.
            moves: those that may be chosen, at least one; None for all.
            seed: of a random order in which the moves are tried, so that games differ; None: the game's own order.
        """
        game = self._game
        self._deadline = inf if self._seconds is None else time.monotonic() + self._seconds
        self._table.clear()
        self._nodes = 0
        order = self._ordered(position) if moves is None else [m for m in self._ordered(position) if m in set(moves)]
        if moves is not None:
            order = order or list(moves)
        if seed is not None:
            Random(seed).shuffle(order)
        scores = dict.fromkeys(order, 0.0)
        best, done = list(order), 0
        children = {move: (self._reward(position, move), game.play(position, move)) for move in order}
        for depth in range(1, self._plies + 1):
            try:
                scores, best = self._iteration(position, children, order, depth)
            except _LimitIsReachedError:
                break
            done = depth
            order.sort(key=lambda move: -scores[move])  # stable
            if all(game.terminal(child) is not None for _, child in children.values()):
                break
            if abs(max(scores.values())) > game.highest_value * (1 - SOON * (depth + 1)) and game.highest_value == 1:
                break  # the end of the game is seen
        return Ranking(scores, best, done, self._nodes)

    def _iteration(
        self, position: Any, children: dict[int, tuple[int, Any]], order: Sequence[int], depth: int
    ) -> tuple[dict[int, float], list[int]]:
        """Scores and best moves. A move whose score would be equal to the best one is told apart from worse ones."""
        scores, highest, best = dict[int, float](), -inf, list[int]()
        self._line = {position}
        self._iteration_plies = depth
        for move in order:
            reward, child = children[move]
            # An open window just below the highest score: equal moves have their own score, worse ones a limit.
            score = reward - self._search(child, depth - 1, -inf, reward - highest + 2 * EQUAL, 1)
            scores[move] = score
            if score > highest + EQUAL:
                highest, best = score, [move]
            elif score > highest - EQUAL:
                best.append(move)
        return scores, best

    def _search(self, position: Any, depth: int, alpha: float, beta: float, ply: int) -> float:
        self._nodes += 1
        self._check_limits()
        game = self._game
        end = game.terminal(position)
        if end is not None:
            return end * (1 - SOON * ply)
        if self._cyclic and position in self._line:
            return game.repetition(position) or 0
        if depth == 0:
            return 0.0 if self._evaluate is None else self._evaluate(position)
        known, low, high, first = self._table.get(position, UNSEEN)
        if known >= depth:
            if low >= beta or low == high:
                return low
            if high <= alpha:
                return high
        moves = self._ordered(position)
        below = depth if len(moves) == 1 and ply < 2 * self._iteration_plies else depth - 1  # a forced move is free
        if first in moves:
            moves.remove(first)
            moves.insert(0, first)
        if self._cyclic:
            self._line.add(position)
        best, chosen, floor = -inf, moves[0], alpha
        for move in moves:
            reward = self._reward(position, move)
            child = game.play(position, move)
            score = reward - self._search(child, below, reward - beta, reward - floor, ply + 1)
            if score > best:
                best, chosen = score, move
                if score >= beta:
                    break
                floor = max(floor, score)
        if self._cyclic:
            self._line.discard(position)
        if len(self._table) < TABLE_ENTRIES:
            low, high = (best if best > alpha else -inf), (best if best < beta else inf)
            self._table[position] = (depth, low, high, chosen)
        return best

    def _check_limits(self) -> None:
        clock = self._nodes % CLOCK_INTERVAL == 0 and time.monotonic() > self._deadline
        if clock or self._nodes > self._most_nodes:
            raise _LimitIsReachedError

    def _ordered(self, position: Any) -> list[int]:
        return list(self._game.moves(position) if self._promising is None else self._promising(position))

    def _reward(self, position: Any, move: int) -> int:
        return self._game.reward(position, move) if self._rewards else 0
