"""The values of many positions of a game with cycles, by one search for each question.

What null-window search keeps in its table would depend on the way to a position, where lines come back to one. So each
question has the search that `auto` takes (docs/search.md), and nothing is shared.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib import import_module
from math import inf
from typing import Any, NamedTuple

from proofbase.engine.position_status import PositionStatus

__all__ = ["Columns", "ValuesByQuestions"]

Columns = tuple[bytearray, ...]
"""The columns lower, upper, best_move, nodes and status of `SolvedPositions`, as bytes."""

_SLICE_SECONDS = 0.05
"""A search runs for so long before the limits that all positions share are looked at."""


class _Answer(NamedTuple):
    lower: int
    upper: int
    best_move: int
    nodes: int
    status: PositionStatus


@dataclass(kw_only=True)
class ValuesByQuestions:
    """One call of `solve_positions`, which has these arguments.

    Attributes:
        memory: bytes of one search.
        tables: of values of the game; None: there are none.
        known: what every search takes as known: the tables.
        spent_nodes: of all positions so far.
        end: when all searches have to end, by the clock `time.monotonic`.
    """

    game: Any
    at_least: int | None
    nodes: float
    seconds: float
    total_nodes: float
    total_seconds: float
    memory: int
    threads: int
    tables: Any = None
    known: Any = field(default=None, init=False)
    spent_nodes: int = field(default=0, init=False)
    end: float = field(default=inf, init=False)

    def __post_init__(self) -> None:
        if self.tables is not None:
            self.known = _core().RecordTable(self.game)
            self.known.attach(self.tables)

    def columns(self, positions: Sequence[Any]) -> Columns:
        """The answers about the positions, in their order."""
        self.end = time.monotonic() + self.total_seconds
        if self.threads == 1:
            answers = list(map(self._solve, positions))
        else:
            with ThreadPoolExecutor(self.threads) as pool:
                try:
                    answers = list(pool.map(self._solve, positions))
                except BaseException:
                    self.end = -inf  # the other threads end at their next slice
                    raise
        columns = zip(*answers, strict=True) if answers else [()] * len(_Answer._fields)
        return tuple(bytearray(array(kind, column)) for kind, column in zip("iiiQB", columns, strict=True))

    def _solve(self, position: Any) -> _Answer:
        return _Position(self, position).solve()


class _Position:
    """The search for one position's value."""

    def __init__(self, call: ValuesByQuestions, position: Any) -> None:
        self._call, self._game, self._position = call, call.game, position
        self._end = min(call.end, time.monotonic() + call.seconds)
        limit: int = self._game.limit(position)
        self._lower, self._upper = -limit, limit
        self._nodes = 0
        self._proof: Any = None
        """The search that proved the lower bound."""

    def solve(self) -> _Answer:
        value = self._game.terminal(self._position)
        if value is not None:
            self._lower = self._upper = value
        status = self._ask_what_is_open()
        best_move = -1 if value is not None else self._best_move()
        return _Answer(self._lower, self._upper, best_move, self._nodes, status)

    def _ask_what_is_open(self) -> PositionStatus:
        at_least = self._call.at_least
        while True:
            if at_least is not None and not self._lower < at_least <= self._upper:
                return PositionStatus.PROVED if at_least <= self._lower else PositionStatus.DISPROVED
            if self._lower == self._upper:
                return PositionStatus.EXACT
            limit = self._ask(self._next_threshold() if at_least is None else at_least)
            if limit is not None:
                return limit

    def _next_threshold(self) -> int:
        """The sign of the value comes first, then the interval is halved."""
        for threshold in (1, 0):
            if self._lower < threshold <= self._upper:
                return threshold
        return (self._lower + self._upper + 1) // 2

    def _ask(self, threshold: int) -> PositionStatus | None:
        """Narrows the bounds by the answer to a question. Returns the limit that left it open."""
        core = _core()
        for memory_used_up in (False, True):
            algorithm, _, _ = core.choose_algorithm(self._game, self._position, memory_used_up=memory_used_up)
            search = core.Search(self._game, self._position, threshold, algorithm=algorithm, known=self._call.known)
            limit = self._run(search)
            if search.status == "proved":
                self._lower, self._proof = threshold, search
            elif search.status == "disproved":
                self._upper = threshold - 1
            elif limit is None:
                continue  # its memory is used up: the second one's table fits into any
            return limit
        raise MemoryError(f"{algorithm} ends without an answer ({search.reason}) in {self._game.text(self._position)}")

    def _run(self, search: Any) -> PositionStatus | None:
        """Runs a search to its end. Returns the limit that ended it before."""
        call = self._call
        while True:
            nodes = min(call.nodes - self._nodes, call.total_nodes - call.spent_nodes)
            seconds = min(self._end, call.end) - time.monotonic()
            if nodes <= 0 or seconds <= 0:
                return PositionStatus.NODES if nodes <= 0 else PositionStatus.SECONDS
            before = search.progress().nodes
            outcome = search.run(
                nodes=None if nodes == inf else before + int(nodes),
                seconds=min(seconds, _SLICE_SECONDS),
                memory=call.memory,
            )
            spent = search.progress().nodes - before
            self._nodes += spent
            call.spent_nodes += spent
            if outcome.reason not in ("nodes", "seconds"):
                return None

    def _best_move(self) -> int:
        """A move that reaches the lower bound; -1: none is known."""
        game, position = self._game, self._position
        moves: list[int] = game.moves(position)
        if self._proof is None:
            return moves[0] if self._lower == self._upper else -1  # the least value there: every move reaches it
        keys = [game.key(game.play(position, move)) for move in moves]
        solution = self._proof.solution(0)
        if self._call.tables is not None:
            solution.attach(self._call.tables)
        uppers = memoryview(solution.answers(keys)[2]).cast("i")
        reached = (game.reward(position, move) - upper for move, upper in zip(moves, uppers, strict=True))
        return next((move for move, bound in zip(moves, reached, strict=True) if bound >= self._lower), -1)


def _core() -> Any:
    return import_module("proofbase.engine._core")
