"""Alpha-beta as printed finds the values that minimax finds, and its table saves nodes."""

from __future__ import annotations

from random import Random
from typing import Any

from proofbase.engine.papers.reference.alpha_beta import AlphaBetaSearch
from proofbase.engine.papers.reference.minimax import minimax
from proofbase.engine.rules import ConnectFour, Game, TicTacToe


def test_values_are_those_of_minimax() -> None:
    games: tuple[tuple[Game[Any], int], ...] = ((TicTacToe(), 2), (ConnectFour(4, 3), 4))
    for game, least in games:
        for seed in range(12):
            random, position = Random(seed), game.initial()
            for _ in range(random.randint(least, least + 3)):
                if game.terminal(position) is None:
                    position = game.play(position, random.choice(game.moves(position)))
            searches = [AlphaBetaSearch(game, with_table=table) for table in (False, True)]
            assert {search.value(position) for search in searches} == {minimax(game, position)}
            assert searches[1].nodes <= searches[0].nodes
            if searches[0].nodes > 2:
                assert AlphaBetaSearch(game).value(position, 0) is None
