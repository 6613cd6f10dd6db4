"""Alpha-beta as printed finds the values that minimax finds, and its table saves nodes."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from drawn_graphs import random_graph
from values_by_definition import minimax

from proofbase.engine.papers.reference.alpha_beta import AlphaBetaSearch, Entry
from proofbase.engine.papers.reference.explicit_game import ExplicitGame
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


class WatchedTable(dict[int, Entry]):
    """Refuses an entry whose bounds are wrong, and one of a shallower search than the one that it replaces."""

    def __init__(self, game: Game[Any]) -> None:
        super().__init__()
        self.game = game
        self.replaced = self.other_positions = self.bounds = 0

    def __setitem__(self, slot: int, entry: Entry) -> None:
        old = self.get(slot)
        if old is not None:
            assert old.depth <= entry.depth
            self.replaced += 1
            self.other_positions += old.key != entry.key
        position, optimistic = self.game.position(entry.key), slot % 2 == 1
        value, limited = minimax(self.game, position), self.to_depth(position, entry.depth, optimistic)
        low, high = (limited, value) if optimistic else (value, limited)
        assert entry.low <= low and high <= entry.high
        self.bounds += entry.low < entry.high
        super().__setitem__(slot, entry)

    def to_depth(self, position: Any, depth: int, optimistic: bool) -> int:
        """Minimax where positions at the depth count as the best, or the worst, for the side to move here."""
        game = self.game
        if (end := game.terminal(position)) is not None:
            return end
        if depth == 0:
            return game.limit(position) if optimistic else -game.limit(position)
        return max(
            game.reward(position, move) - self.to_depth(game.play(position, move), depth - 1, not optimistic)
            for move in game.moves(position)
        )


@pytest.mark.parametrize(("entries", "saves"), [(2, 30), (6, 200), (250_000, 600)])
def test_the_table_holds_true_bounds_of_the_deepest_searches(entries: int, saves: int) -> None:
    replaced = other_positions = bounds = saved = 0
    for seed in range(150):
        random = Random(seed)
        graph = random_graph(random, random.randint(8, 30), rewards=4, rho=None, highest_terminal=6)
        game = ExplicitGame(graph, 200)
        search, without = AlphaBetaSearch(game, with_table=True, entries=entries), AlphaBetaSearch(game)
        search.table = table = WatchedTable(game)
        assert search.value(0) == without.value(0) == minimax(game, 0)
        assert len(table) <= entries
        replaced += table.replaced
        other_positions += table.other_positions
        bounds += table.bounds
        saved += without.nodes - search.nodes
    assert replaced > 500 and bounds > 500 and saved > saves
    assert (other_positions > 500) == (entries < 10)
