"""`Search.find_value`: what a search knows of the value, whatever its question is."""

from __future__ import annotations

from random import Random

import pytest
from search_combinations import assert_settled, random_game

from proofbase.engine._core import Search, python_game
from proofbase.engine.games import open_game


@pytest.mark.parametrize("kind", ["acyclic", "acyclic with rewards"])
def test_the_limits_hold_the_value_and_are_it_in_the_end(kind: str) -> None:
    random = Random(kind)
    for _ in range(60):
        rules, exact = random_game(random, kind, most_nodes=40)
        game = python_game(rules)
        highest = game.highest_value
        search = Search(game, game.initial(), random.randint(1 - highest, highest), algorithm="null-window+table-1")
        lower, upper = search.value_bounds or (1, 0)
        assert -highest <= lower <= exact <= upper <= highest
        for nodes in (1, 3, 10, None):
            search.find_value(nodes=nodes)
            before, (lower, upper) = (lower, upper), search.value_bounds or (1, 0)
            assert before[0] <= lower <= exact <= upper <= before[1]
        assert lower == upper == exact


def test_a_later_search_goes_on_with_its_table() -> None:
    game = open_game("connect-four:5x4,score")
    first = Search(game, game.initial(), 1, algorithm="null-window")
    first.find_value(nodes=1_000_000)
    assert first.value_bounds == (0, 0)
    assert first.status == "unknown"  # its own question has not been asked
    nodes = first.progress().nodes
    for at_least, status in ((0, "proved"), (1, "disproved")):
        search = Search(game, game.initial(), at_least, algorithm="null-window")
        assert search.take_table(first)
        search.run()
        assert search.status == status
        assert search.progress().nodes < nodes / 100
        assert_settled(search.solution(), game.key(game.initial()), at_least, status)
        first = search


def test_an_answer_narrows_the_limits() -> None:
    game = open_game("connect-four:5x4,score")
    search = Search(game, game.initial(), 1, algorithm="null-window")
    search.run()
    assert search.status == "disproved"
    lower, upper = search.value_bounds or (1, 0)
    assert lower <= 0 <= upper < 1


def test_it_keeps_to_its_nodes_and_is_cancelled() -> None:
    game = open_game("connect-four:7x6,score")
    search = Search(game, game.initial(), 1, algorithm="null-window")
    search.find_value(nodes=5_000)
    limits, nodes = search.value_bounds, search.progress().nodes
    assert 4_000 < nodes <= 5_000
    search.cancel()
    search.find_value()
    assert (search.value_bounds, search.progress().nodes) == (limits, nodes)
    search.find_value(nodes=nodes + 1_000)
    assert nodes < search.progress().nodes <= nodes + 1_000


@pytest.mark.parametrize("algorithm", ["pn-dag", "df-pn", "pn-tree"])
def test_other_searches_do_nothing(algorithm: str) -> None:
    game = open_game("connect-four:4x4,score")
    search = Search(game, game.initial(), 1, algorithm=algorithm)
    search.find_value(nodes=1_000)
    assert search.value_bounds is None
    assert search.progress().expansions == 0


@pytest.mark.parametrize("limit", ["nodes", "memory"])
def test_a_limit_is_positive(limit: str) -> None:
    game = open_game("connect-four:4x4,score")
    with pytest.raises(ValueError, match=f"{limit} must be positive, not 0"):
        Search(game, game.initial(), 1, algorithm="null-window").find_value(**{limit: 0})
