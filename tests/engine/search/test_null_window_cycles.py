"""null-window in games with cycles: against brute force, with tables far smaller than its search, by threads."""

from __future__ import annotations

from random import Random

import pytest
from awari_positions.endgames import drawn_endgames
from search_combinations import assert_right_on, assert_settled, random_game, solved

from proofbase.engine import PositionStatus, _core, open_rules, solve_positions
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.games import open_game
from proofbase.engine.papers.reference.explicit_game import ExplicitGame
from proofbase.engine.papers.reference.graph import Edge, Graph

KINDS = ("cyclic", "cyclic with rewards", "repetition wins", "repetition loses")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("table", ["", "+table-kib-1", "+table-1+order-3"])
def test_random_games_have_their_brute_force_values(kind: str, table: str) -> None:
    random = Random(f"{kind}{table}")
    for _ in range(60):
        game, exact = random_game(random, kind, most_nodes=40)
        for at_least in (exact - 1, exact, exact + 1):
            assert_right_on(game, exact, at_least, "null-window" + table)


@pytest.mark.parametrize("policies", ["", "+table-kib-4", "+order-5", "+table-1+threads-2"])
def test_awari_endgames_have_the_answers_of_df_pn(policies: str) -> None:
    game = open_game("awari")
    for text in drawn_endgames(5, 12, Random(3)):
        position = game.parse(text)
        for at_least in (0, 1, 3):
            search = solved(game, position, at_least, "null-window" + policies)
            assert search.status == solved(game, position, at_least, "df-pn").status
            if search.progress().nodes > 0:
                for most in (0, 10_000):  # the second one goes another way, since the first has changed the table
                    assert_settled(search.solution(most), game.key(position), at_least, search.status)


def test_solutions_pass_the_check_by_the_python_rules() -> None:
    game = open_game("awari")
    rules = open_rules("awari")
    search = solved(game, game.parse("0,0,1,1,0,0/0,2,0,0,0,1/S"), 1, "null-window")
    items = [item for chunk in search.solution(small_search_nodes=0).chunks(1000) for item in chunk]
    assert len(items) > 100
    assert list(LocalCheck(rules).findings(items, lambda keys: [None] * len(keys))) == []


def test_what_only_repetition_decides_is_proved_by_safety_claims() -> None:
    """A circle of four positions; each of them also has a way out that is bad for the side to move."""
    edges = [[Edge(0, (node + 1) % 4, 0), Edge(1, 4, 0)] for node in range(4)] + [[]]
    keys = [node.to_bytes(4, "big") for node in range(5)]
    game = _core.python_game(ExplicitGame(Graph(edges, [None] * 4 + [1], [0] * 5, keys)))
    for at_least, status in ((0, "proved"), (1, "disproved")):
        search = solved(game, 0, at_least, "null-window")
        assert search.status == status
        assert_settled(search.solution(), game.key(0), at_least, status)


def test_a_long_way_out_of_a_cycle_is_found() -> None:
    """A line of 300 positions, from each of which one can go back to the beginning; the end wins."""
    length = 300
    edges = [[Edge(0, 0 if node % 2 else 1, 0), Edge(1, node + 1, 0)] for node in range(length)] + [[]]
    keys = [node.to_bytes(4, "big") for node in range(length + 1)]
    game = _core.python_game(ExplicitGame(Graph(edges, [None] * length + [-1], [0] * (length + 1), keys)))
    for at_least in (0, 1):
        search = solved(game, 0, at_least, "null-window")
        assert search.status == solved(game, 0, at_least, "df-pn").status
        assert_settled(search.solution(), game.key(0), at_least, search.status)


def test_many_positions_have_the_values_of_single_questions() -> None:
    game = open_game("awari")
    texts = drawn_endgames(5, 20, Random(8))
    values = solve_positions("awari", texts)
    for text, value, upper, status in zip(texts, values.lower, values.upper, values.status, strict=True):
        assert status == PositionStatus.EXACT and value == upper
        position = game.parse(text)
        for at_least, answer in ((int(value), "proved"), (int(value) + 1, "disproved")):
            assert solved(game, position, at_least, "df-pn").status == answer
