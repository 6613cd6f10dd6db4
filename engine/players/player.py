"""A player after Lithidion, Proveaway and Victoria (Allis 1994, 2.3, 2.4 and 5.5): alpha-beta, checked by pn-search.

A search looks for a win. If it finds none, alpha-beta to a limit of time ranks the moves, and a search looks behind
the best one: if the other side is proved to win there, the next one is taken, and if all lose, the one behind which the
search was largest. Where the other side threatens to win (an implicit threat), only moves are ranked that meet it. Of
moves that look nearly equal, those come first that threaten to win (where the game has threats); of moves that look
equal, the one whose search has the smallest ratio of the number for not losing to that for losing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cache
from math import inf
from random import Random
from typing import Any, NamedTuple

from proofbase.engine.players.alpha_beta import AlphaBeta, Ranking
from proofbase.engine.players.win_search import WinSearch
from proofbase.engine.rules.game import Game

__all__ = ["Known", "Player", "PlayerMove"]

NODES = 50_000
"""Nodes of one search for a win; `threats`, whose nodes are cheap, may take 20 times as many (win_search.py)."""
EARLY_CHOICES, EARLY_NODES = 4, 10
"""For its first moves a player checks with so many times the nodes: games are lost there, and seen to be lost later."""
COMPARED = 8
"""At most so many moves that alpha-beta holds to be equal are compared by proof-number search."""
WIN_SHARE, ALPHA_BETA_SHARE, COMPARED_SHARE = 0.25, 0.4, 0.15
"""Shares of the time of a move, for its parts; what is left is for the checks."""
CHECKED, LEAST_SECONDS = 12, 0.001
"""Moves of the ranking that are still checked when the time is over, and seconds for it. If all lose, one is played:
a move that was not checked may lose at once."""
NEARLY = 0.2
"""A share of the highest value: by so much less a move that threatens to win may be thought to be worth."""
SLICE_NODES = 2_000
"""Nodes of each search in turn, while the other side thinks."""

Known = Callable[[int], tuple[float, float]]
"""By move: limits of the result of the game as a whole for the side that makes it, as far as they are proved."""


class PlayerMove(NamedTuple):
    """What a player chooses, and why.

    Attributes:
        move: number of the move.
        reason: in words.
        result: what is proved of it: `win`, `loss`, or None.
    """

    move: int
    reason: str
    result: str | None = None


class Player:
    """Chooses moves of a game.

    Args:
        game: whose moves and positions these are. Proof-number search needs native rules, or those that the native
            core wraps: of rules in plain Python there is alpha-beta only.
        rules: the same game in Python, where its evaluation is; None: there is none.
        seconds: for one move.
        nodes: of one search for a win; 0: there is none.
        seed: of the choice among equals; None: always the first one.
        positions: visited by alpha-beta for one move at the most. With such a limit nothing depends on the clock as
            long as `seconds` are many: the same seed gives the same move on a busy machine.
    """

    def __init__(
        self,
        game: Game[Any],
        rules: Game[Any] | None = None,
        *,
        seconds: float = 2.0,
        nodes: int = NODES,
        seed: int | None = None,
        positions: int | None = None,
    ) -> None:
        self._game = game
        # The rules in Python are slower: they are searched only where they say more than the native ones.
        self._rules = rules if rules is not None and rules is not game and rules.evaluates() else None
        self._positions = positions
        self.set_seconds(seconds)
        self._nodes = nodes if getattr(game, "key_size", None) is not None else 0
        self._seed = seed
        self._choices = 0
        self._searches: dict[Any, WinSearch] = {}

    def set_seconds(self, seconds: float) -> None:
        """The time for one move from now on."""
        self._seconds = seconds
        self._alpha_beta = AlphaBeta(self._rules or self._game, ALPHA_BETA_SHARE * seconds, positions=self._positions)

    def choose(
        self, position: Any, lead: int = 0, known: Known | None = None, moves: Sequence[int] | None = None
    ) -> PlayerMove:
        """A move of a position in which the game goes on.

        It is one that is known to win, if there is one; else one that is known not to lose, if there is one; and never
        one that is known to lose, if there is another.

        Args:
            position: of the game.
            lead: what the side to move is ahead so far, in rewards.
            known: what is proved of the moves; None: nothing.
            moves: those that may be chosen, at least one; None: all.
        """
        deadline = time.monotonic() + self._seconds
        self._choices += 1
        own_search = self._searches.get(position)
        self._searches.clear()
        moves = list(self._game.moves(position) if moves is None else moves)
        limits = {move: (-inf, inf) if known is None else known(move) for move in moves}
        won = [move for move in moves if limits[move][0] > 0]
        if won:
            return PlayerMove(max(won, key=lambda move: limits[move][0]), "it is known to win", "win")
        safe = [move for move in moves if limits[move][0] >= 0]
        open_moves = safe or [move for move in moves if limits[move][1] >= 0]
        if not open_moves:
            return self._longest_defence(position, lead, moves, "every move is known to lose")
        if len(open_moves) == 1:
            return PlayerMove(
                open_moves[0], f"it is the only move that is {'known not' if safe else 'not known'} to lose"
            )
        if self._nodes:
            own_search = own_search or WinSearch(self._game, position, lead)
            if own_search.run(self._nodes, WIN_SHARE * self._seconds):
                move = own_search.winning_move()
                if move in moves:
                    return PlayerMove(move, f"a search of {own_search.nodes:,} nodes has proved that it wins", "win")
            if own_search.is_threatened():
                lost = own_search.lost_to_threats(open_moves, WIN_SHARE * self._seconds)
                if len(lost) == len(open_moves):
                    return PlayerMove(max(lost, key=lost.__getitem__), "every move loses to threats", "loss")
                open_moves = [move for move in open_moves if move not in lost]
        chosen = self._checked(position, lead, open_moves, self._rank(position, open_moves), deadline)
        return chosen or self._longest_defence(position, lead, open_moves, "every other move is known to lose as well")

    def ponder(self, position: Any, lead: int, goes_on: Callable[[], bool]) -> None:
        """Looks for wins behind the replies of the other side while it thinks; `choose` goes on with these searches.

        Args:
            position: in which the other side is to move.
            lead: what it is ahead, in rewards.
            goes_on: whether there is still time; asked some hundred times a second.
        """
        game = self._game
        if not self._nodes or game.terminal(position) is not None:
            return
        self._searches.clear()
        for move in game.moves(position):
            self._searches[game.play(position, move)] = self._behind(position, move, lead)
        waiting = [search for search in self._searches.values() if search.won is None]
        while waiting and goes_on():
            search = waiting.pop(0)
            if search.run(SLICE_NODES, 0.01) is None and search.nodes < 10 * self._nodes * search.nodes_for_one:
                waiting.append(search)

    def _behind(self, position: Any, move: int, lead: int) -> WinSearch:
        """Whether the other side wins after a move."""
        return WinSearch(self._game, self._game.play(position, move), -(lead + self._game.reward(position, move)))

    def _rank(self, position: Any, moves: Sequence[int]) -> Ranking:
        seed = None if self._seed is None else self._seed * 1_000 + self._choices
        if self._rules is None:
            return self._alpha_beta.rank(position, moves, seed=seed)
        return self._alpha_beta.rank(self._rules.parse(self._game.text(position)), moves, seed=seed)

    def _checked(
        self, position: Any, lead: int, moves: Sequence[int], ranking: Ranking, deadline: float
    ) -> PlayerMove | None:
        """The first move of the ranking that no search refutes; None if all are refuted."""
        why = f"a guess, by alpha-beta {ranking.plies} plies deep" if ranking.plies else "a guess"
        order = sorted(ranking.scores, key=lambda move: (move not in ranking.best, -ranking.scores[move]))
        order += [move for move in moves if move not in ranking.scores]
        if not self._nodes:
            return PlayerMove(order[0], why)

        @cache
        def behind(move: int) -> WinSearch:
            return self._behind(position, move, lead)

        eager = [move for move in order if self._is_near(move, ranking) and behind(move).is_threatened()]
        order = [*eager, *(move for move in order if move not in eager)]
        equal = [move for move in eager or order if move in ranking.best][:COMPARED]
        if len(equal) > 1:
            for move in equal:
                behind(move).run(self._nodes // len(equal), COMPARED_SHARE * self._seconds / len(equal))
            if self._seed is not None:
                Random(self._seed * 1_000 + self._choices).shuffle(equal)
            equal.sort(key=lambda move: -behind(move).ratio)
            order = [*equal, *(move for move in order if move not in equal)]
        most = self._nodes * (EARLY_NODES if self._choices <= EARLY_CHOICES else 1)
        for refuted, move in enumerate(order):
            unchecked = move not in ranking.scores or refuted >= CHECKED
            over = time.monotonic() >= deadline if self._positions is None else refuted >= 2 * CHECKED
            if refuted and unchecked and over:
                largest = max(order[:refuted], key=lambda move: behind(move).nodes)
                return PlayerMove(
                    largest, f"a guess: {refuted} moves are known to lose, this one to the largest search"
                )
            lost = behind(move).run(most, max(LEAST_SECONDS, (deadline - time.monotonic()) / 2))
            if not lost:
                better = f"; {refuted} that looked better are known to lose" if refuted else ""
                return PlayerMove(move, f"{why}{better}{'; it is known not to lose' if lost is False else ''}")
        return None

    def _is_near(self, move: int, ranking: Ranking) -> bool:
        """Whether a move is taken before better ones if it threatens to win: it looks nearly as good as the best."""
        near = ranking.scores.get(move, -inf) >= max(ranking.scores.values()) - NEARLY * self._game.highest_value
        return near and self._rules is not None

    def _longest_defence(self, position: Any, lead: int, moves: Sequence[int], reason: str) -> PlayerMove:
        """The move behind which the search is largest: there the other side has most to find."""
        if not self._nodes:
            return PlayerMove(moves[0], reason, "loss")
        searches = {move: self._behind(position, move, lead) for move in moves}
        for search in searches.values():
            search.run(self._nodes // len(moves) + 1, self._seconds / len(moves))
        return PlayerMove(max(moves, key=lambda move: searches[move].nodes), f"{reason}; it takes longest", "loss")
