"""What is known of the positions of a game that is played, and which move is the best one as far as that goes.

Three sources, in this order: what is stored (records and tables), a search within a budget, alpha-beta with searches
behind its moves. The first two prove what they say; the last one is a guess, and the choice says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from typing import Any, NamedTuple

from proofbase.engine.games import open_game
from proofbase.engine.players import Player
from proofbase.engine.rules import Game, is_built_in
from proofbase.engine.rules.guarded import GuardedGame
from proofbase.service.answers import MoveAnswer, PositionAnswer
from proofbase.service.client.contract import Service
from proofbase.service.positions.move_values import with_value_after
from proofbase.service.positions.probe import best_first

__all__ = ["Adviser", "Choice", "SearchBudget"]

GUESS_SECONDS = 0.5
"""For a guess where nothing is searched."""
LEAST_NODES = 200
"""For the search behind one move, when all moves of a position are searched."""
SEARCHED_MOVES = 64
"""Moves that are searched one by one, at most, in the order of the rules. The budget is for all of them."""
LEAST_SECONDS = 0.005
"""Of the search behind one move: where there is less time, fewer moves are searched."""


class SearchBudget(NamedTuple):
    """What the search of one position may take; 0 nodes for no search."""

    nodes: int
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Choice:
    """A move, with its value as far as it is known, and why it was chosen."""

    move: MoveAnswer
    reason: str


class Adviser:
    """Asks a service about positions of one game.

    Args:
        client: the service.
        rules: of the game.
        budget: of the search of one position.
        seed: of the choice among moves that seem to be equal; None: always the first one.
    """

    def __init__(self, client: Service, rules: Game[Any], budget: SearchBudget, seed: int | None = None) -> None:
        python = open_game(rules.name, "python")
        self._player = Player(
            rules,
            python if is_built_in(rules.name) else GuardedGame(python),
            seconds=budget.seconds or GUESS_SECONDS,
            nodes=budget.nodes // 4,
            seed=seed,
        )
        self.client = client
        self.budget = budget
        self._rules = rules
        self._last: PositionAnswer | None = None

    def set_seconds(self, seconds: float) -> None:
        """Shares the time for one move among the three sources."""
        self.budget = SearchBudget(self.budget.nodes, seconds / 4)
        self._player.set_seconds(seconds / 2)

    def look(self, position: Any) -> PositionAnswer:
        """What is known of a position, by what is stored or else by a search."""
        text = self._rules.text(position)
        if self._last is None or self._last.position != text:
            self._last = self.client.lookup(
                self._rules.name,
                text,
                board=True,
                search=self.budget.nodes or None,
                search_seconds=self.budget.seconds if self.budget.nodes else None,
            )
        return self._last

    def with_all_moves(self, position: Any) -> PositionAnswer:
        """What is known of a position, where moves of unknown value are searched one by one, within one budget."""
        answer = self.look(position)
        return replace(answer, moves=self._searched_moves(position, answer.moves, also_known=False))

    def choose(self, position: Any, lead: int | None = None) -> Choice:
        """The best move that is known.

        It is the move of the line of best play, where that is stored; else, where a search knows the value, the
        quickest gain or the slowest loss that it has shown; else a guess (engine/players/player.py).

        Args:
            position: one where the game goes on.
            lead: what its side to move is ahead in the game that is played; None: what the position tells.
        """
        answer = self.look(position)
        if answer.known:
            stored = self._move_of_line(answer) if answer.searched is None else None
            best = stored or _best_of_known(answer, answer.moves)
            if stored is None and (best is None or best.value.lower < 0):
                best = _best_of_known(answer, self._searched_moves(position, answer.moves, also_known=True)) or best
            if best is not None:
                slowest = best.value.lower < 0 and best.rank is not None
                return Choice(best, "holds out longest, as far as is known" if slowest else "no move is better")
        return self._guess(position, answer, self._rules.score(position) if lead is None else lead)

    def _guess(self, position: Any, answer: PositionAnswer, lead: int) -> Choice:
        """A move by alpha-beta and proof-number search, kept from what is known to lose."""
        moves = {move.number: move for move in self._searched_moves(position, answer.moves, also_known=False)}

        def known(number: int) -> tuple[float, float]:
            value = moves[number].value
            return value.lower + lead if value.lower_known else -inf, value.upper + lead if value.upper_known else inf

        order = [number for number in self._rules.moves(position) if number in moves]
        chosen = self._player.choose(position, lead, known, order)
        return Choice(moves[chosen.move], chosen.reason)

    def ponder(self, position: Any, lead: int, goes_on: Callable[[], bool]) -> None:
        """Searches while the other side thinks about its move in a position; `goes_on` says whether it still does."""
        self._player.ponder(position, lead, goes_on)

    def _move_of_line(self, answer: PositionAnswer) -> MoveAnswer | None:
        """The first move of the line of best play; it makes progress in tables, and follows forcing lines."""
        line = self.client.line(answer.game, answer.position, max_plies=1)
        if not line.steps:
            return None
        first = line.steps[0]
        chosen = next((move for move in answer.moves if move.number == first.number), None)
        if chosen is None or chosen.known:
            return chosen
        rank = None if first.rank is None else first.rank + 1
        return replace(chosen, value=answer.value, rank=rank, known=True)

    def _searched_moves(
        self, position: Any, moves: tuple[MoveAnswer, ...], *, also_known: bool
    ) -> tuple[MoveAnswer, ...]:
        """The moves with what searches of the positions after them prove, best first.

        Args:
            position: whose moves they are.
            moves: all of them.
            also_known: search behind moves of known value, too: it shows how long they hold out.
        """
        seconds, most = self.budget.seconds, SEARCHED_MOVES
        if seconds is not None:
            most = max(1, min(most, int(seconds / LEAST_SECONDS)))
        wanted = [move for move in moves if not move.terminal and (also_known or not move.known)][:most]
        if not self.budget.nodes or not wanted:
            return moves
        items = self.client.batch_lookup(
            self._rules.name,
            [move.position for move in wanted],
            search=max(LEAST_NODES, self.budget.nodes // len(wanted)),
            search_seconds=None if seconds is None else seconds / len(wanted),
        )
        by_number = {
            move.number: with_value_after(move, item.value, item.rank, self._rules.reward(position, move.number))
            for move, item in zip(wanted, items, strict=True)
        }
        return tuple(best_first([by_number.get(move.number, move) for move in moves]))


def _best_of_known(answer: PositionAnswer, moves: tuple[MoveAnswer, ...]) -> MoveAnswer | None:
    """The first move that is worth what the position is; None if none is known to be."""
    return next((move for move in moves if move.known and move.value.lower == answer.value.lower), None)
