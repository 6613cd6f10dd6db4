"""null-window: against brute force, with tables far smaller than its search, by several threads, at great depth."""

from __future__ import annotations

import re
from random import Random

import pytest
from drawn_graphs import random_graph
from search_combinations import assert_right_on, assert_settled, random_game, solved

from proofbase.engine import _core
from proofbase.engine._core import Search
from proofbase.engine.errors import EngineError, UnknownAlgorithmError
from proofbase.engine.games import open_game
from proofbase.engine.papers.reference.explicit_game import ExplicitGame
from proofbase.engine.papers.reference.graph import Edge, Graph

TABLES = ("", "+table-kib-1", "+table-1", "+table-kib-4+order-3")


@pytest.mark.parametrize("kind", ["acyclic", "acyclic with rewards"])
@pytest.mark.parametrize("table", TABLES)
def test_random_games_have_their_brute_force_values(kind: str, table: str) -> None:
    random = Random(f"{kind}{table}")
    for _ in range(60):
        game, exact = random_game(random, kind, most_nodes=40)
        for at_least in (exact - 1, exact, exact + 1):
            assert_right_on(game, exact, at_least, "null-window" + table)


@pytest.mark.parametrize("at_least", [0, 1])
@pytest.mark.parametrize("policies", ["", "+table-kib-1", "+order-3", "+table-1+threads-2"])
def test_connect_four_4x4_is_a_draw(policies: str, at_least: int) -> None:
    game = open_game("connect-four:4x4")
    search = solved(game, game.initial(), at_least, "null-window" + policies)
    assert search.status == ("proved" if at_least == 0 else "disproved")
    assert_settled(search.solution(), game.key(game.initial()), at_least, search.status)


@pytest.mark.parametrize("kib", [1, 16])
def test_it_proves_with_a_table_far_smaller_than_its_search(kib: int) -> None:
    game = open_game("connect-four:5x4")
    search = solved(game, game.initial(), 1, f"null-window+table-kib-{kib}")
    assert search.status == "disproved"
    assert search.progress().node_memory == kib * 1024
    assert_settled(search.solution(), game.key(game.initial()), 1, "disproved")


@pytest.mark.parametrize("table", ["table-kib-1", "table-kib-1+threads-2", "table-1"])
def test_entries_are_wider_where_the_rest_of_the_key_does_not_fit(table: str) -> None:
    """A board of 64 bits: a table of 16 buckets gives too few bits of the key, one of 16,384 gives enough."""
    game = open_game("connect-four:8x7")
    random = Random(5)
    asked = 0
    while asked < 6:
        position = game.initial()
        for _ in range(42):
            if game.terminal(position) is None:
                position = game.play(position, random.choice(game.moves(position)))
        if game.terminal(position) is not None:
            continue
        asked += 1
        for at_least in (0, 1):
            search = solved(game, position, at_least, f"null-window+{table}")
            assert search.status == solved(game, position, at_least, "df-pn").status
            solution = search.solution()
            assert solution.check().failed == 0
            assert len(solution) > 0


def test_a_search_goes_on_with_the_table_of_an_earlier_one() -> None:
    game = open_game("connect-four:5x4")
    cold = solved(game, game.initial(), 0, "null-window")
    first = solved(game, game.initial(), 1, "null-window")
    warm = Search(game, game.initial(), 0, algorithm="null-window")
    assert first.has_table and not warm.has_table
    assert warm.take_table(first)
    assert warm.has_table and not first.has_table
    assert warm.run().status == cold.status == "proved"
    assert 0 < warm.progress().nodes < cold.progress().nodes
    solution = warm.solution()
    assert_settled(solution, game.key(game.initial()), 0, "proved")
    assert solution.check().failed == 0
    again = Search(game, game.initial(), 0, algorithm="null-window")
    assert again.take_table(warm) and again.run().status == "proved"
    assert again.progress().nodes == 0, "the table has the answer"
    assert again.solution().check().failed == 0
    assert first.solution().check().failed == 0, "it has lost its table, and makes another one"


def test_a_table_helps_with_other_positions_and_keys_of_any_length() -> None:
    random = Random(11)
    for _ in range(30):
        game, exact = random_game(random, "acyclic with rewards", most_nodes=40)
        wrapped = _core.python_game(game)
        last: Search | None = None
        for at_least in (exact + 1, exact, exact - 1):
            if not -game.highest_value < at_least <= game.highest_value:
                continue
            search = Search(wrapped, game.initial(), at_least, algorithm="null-window+table-kib-4")
            if last is not None and last.has_table:  # not where the question needed no search
                assert search.take_table(last)
            assert search.run().status == ("proved" if exact >= at_least else "disproved")
            assert search.solution().check().failed == 0
            last = search


def test_a_table_is_not_taken_where_it_is_of_no_use() -> None:
    game = open_game("connect-four:5x4")
    done = solved(game, game.initial(), 1, "null-window")

    def new(algorithm: str = "null-window", name: str = game.name) -> Search:
        other = open_game(name)
        return Search(other, other.initial(), 0, algorithm=algorithm)

    begun = new()
    begun.run(nodes=100)
    for search in (done, begun, new("pn-dag"), new("null-window+table-1"), new(name="connect-four:4x4")):
        assert not search.take_table(done)
    assert not new().take_table(solved(game, game.initial(), 1, "pn-dag"))
    assert not new().take_table(new()), "it has none yet"
    assert done.has_table


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_share_the_table_and_the_answer_is_the_same(threads: int) -> None:
    game = open_game("connect-four:5x4")
    for at_least, status in ((0, "proved"), (1, "disproved")):
        for table in ("table-4", "table-kib-16"):
            search = solved(game, game.initial(), at_least, f"null-window+{table}+threads-{threads}")
            assert search.status == status
            assert_settled(search.solution(), game.key(game.initial()), at_least, status)


def test_threads_are_refused_where_keys_vary_in_length() -> None:
    game = _core.python_game(ExplicitGame(random_graph(Random(3), 12, rho=None)))
    with pytest.raises(EngineError, match="one thread only"):
        Search(game, 0, 1, algorithm="null-window+threads-2")


@pytest.mark.parametrize("name", ["awari", "chess", "random-graph:nodes=60,degree=3,span=12,group=6"])
def test_games_with_cycles_are_refused_but_within_a_number_of_plies(name: str) -> None:
    game = open_game(name)
    refusal = re.escape(f"{game.name} has cycles, which null-window cannot treat; pn-base-twin and pn-cyclic can")
    with pytest.raises(UnknownAlgorithmError, match=refusal):
        Search(game, game.initial(), 1, algorithm="null-window+table-1")
    limited = open_game(f"within:2:{name}")
    search = solved(limited, limited.initial(), 1, "null-window")
    assert search.status == solved(limited, limited.initial(), 1, "df-pn").status != "unknown"


def test_a_line_of_many_thousand_plies_is_searched_and_proved() -> None:
    """A chain in which every position has a losing way out as well: only its far end says who wins."""
    length = 20_000
    edges = [[Edge(0, node + 1, 0), Edge(1, length + 1, 0)] for node in range(length)] + [[], []]
    terminal: list[int | None] = [None] * length + [-1, 1]  # who comes to the end loses; the way out gives a win away
    keys = [node.to_bytes(4, "big") for node in range(length + 2)]
    game = _core.python_game(ExplicitGame(Graph(edges, terminal, [None] * (length + 2), keys)))
    for at_least in (0, 1):
        search = solved(game, 0, at_least, "null-window")
        assert search.status == "disproved"  # the end is an even number of plies away
        solution = search.solution(small_search_nodes=0)
        assert len(solution) == length
        assert_settled(search.solution(), game.key(0), at_least, "disproved")
        assert_settled(solution, game.key(0), at_least, "disproved")


@pytest.mark.slow
def test_any_number_of_moves() -> None:
    moves = 65_537
    edges = [[Edge(move, move + 1, 0) for move in range(moves)], *([] for _ in range(moves))]
    ends = [1] * (moves - 1) + [-1]  # the last move wins
    keys = [node.to_bytes(4, "big") for node in range(moves + 1)]
    game = _core.python_game(ExplicitGame(Graph(edges, [None, *ends], [None] * (moves + 1), keys)))
    search = solved(game, 0, 1, "null-window")
    assert search.status == "proved" and search.progress().nodes == 1
    assert_settled(search.solution(), game.key(0), 1, "proved")
