"""null-window in games with cycles: against brute force, with tables far smaller than its search, by threads."""

from __future__ import annotations

import threading
import time
from random import Random

import pytest
from search_combinations import assert_right_on, assert_settled, random_game, solved

from proofbase.engine import PositionStatus, _core, open_rules, solve_positions
from proofbase.engine._core import RecordTable, Search
from proofbase.engine.errors import SearchCancelledError
from proofbase.engine.games import open_game
from proofbase.engine.local_check import LocalCheck
from proofbase.engine.reference.explicit_game import ExplicitGame
from proofbase.engine.reference.graph import Edge, Graph

KINDS = ("cyclic", "cyclic with rewards", "repetition wins", "repetition loses")
HARD = "1,0,0,0,0,0/0,0,1,0,19,0/S"
"""A position of 21 stones that no search here settles in a second."""


def drawn_endgames(stones: int, count: int, seed: int) -> list[str]:
    """Positions of awari with so many stones in which both sides have some."""
    random = Random(seed)
    texts: list[str] = []
    while len(texts) < count:
        pits = [0] * 12
        for _ in range(stones):
            pits[random.randrange(12)] += 1
        if sum(pits[:6]) not in (0, stones):
            texts.append(",".join(map(str, reversed(pits[6:]))) + "/" + ",".join(map(str, pits[:6])) + "/S")
    return texts


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
    for text in drawn_endgames(5, 12, seed=3):
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


def test_a_search_in_turns_is_the_search_in_one_go() -> None:
    game = open_game("awari")
    position = game.parse("0,0,1,1,0,1/1,1,0,1,0,0/S")
    whole = solved(game, position, 1, "null-window+table-kib-256")
    search = Search(game, position, 1, algorithm="null-window+table-kib-256")
    nodes = 0
    while search.status == "unknown":
        nodes += 7_777
        search.run(nodes=nodes)
    assert search.status == whole.status
    assert search.progress().nodes == whole.progress().nodes


def test_budgets_end_a_search_which_then_goes_on() -> None:
    game = open_game("awari")
    search = Search(game, game.parse(HARD), 1, algorithm="null-window")
    search.run(nodes=20_000)
    assert (search.status, search.reason) == ("unknown", "nodes")
    assert 20_000 <= search.progress().nodes < 20_010
    start = time.perf_counter()
    search.run(seconds=0.2)
    assert (search.status, search.reason) == ("unknown", "seconds")
    assert time.perf_counter() - start < 3
    assert len(search.solution()) == 0
    search = Search(game, game.parse(HARD), 1, algorithm="null-window+table-4")
    search.run(memory=4_000_000)
    assert (search.status, search.reason) == ("unknown", "memory")


@pytest.mark.parametrize("algorithm", ["null-window", "null-window+table-16+threads-2"])
def test_a_search_is_cancelled_at_once_and_reports_from_another_thread(algorithm: str) -> None:
    game = open_game("awari")
    search = Search(game, game.parse(HARD), 1, algorithm=algorithm)
    worker = threading.Thread(target=search.run)
    worker.start()
    seen = set()
    deadline = time.perf_counter() + 10
    while len(seen) < 3 and time.perf_counter() < deadline:
        seen.add(search.progress().nodes)
        time.sleep(0.05)
    assert len(seen) >= 3
    position = game.parse(HARD)
    for move in search.progress().best_line:
        assert move in game.moves(position)
        position = game.play(position, move)
    start = time.perf_counter()
    search.cancel()
    worker.join(timeout=10)
    assert not worker.is_alive()
    assert time.perf_counter() - start < 1
    assert (search.status, search.reason) == ("unknown", "cancelled")


def test_a_solution_can_be_cancelled() -> None:
    game = open_game("awari")
    search = solved(game, game.parse("1,0,1,0,2,0/0,2,0,0,1,1/S"), 1, "null-window")
    raised: list[Exception] = []

    def extract() -> None:
        try:
            while not raised:
                search.solution(small_search_nodes=0)
        except SearchCancelledError as error:
            raised.append(error)

    worker = threading.Thread(target=extract)
    worker.start()
    deadline = time.perf_counter() + 20
    while worker.is_alive() and time.perf_counter() < deadline:
        time.sleep(0.005)
        search.cancel()
    worker.join(timeout=20)
    assert not worker.is_alive()
    assert len(raised) == 1
    assert len(search.solution(small_search_nodes=0)) > 1_000


def test_a_restored_search_keeps_most_of_its_gain() -> None:
    game = open_game("awari")
    position = game.parse("0,1,2,1,1,0/1,0,0,1,0,0/S")
    whole = solved(game, position, 1, "null-window").progress().nodes
    stopped = Search(game, position, 1, algorithm="null-window")
    chunks = []
    for share in (0.3, 0.6, 0.9):
        stopped.run(nodes=int(whole * share))
        chunks.append(stopped.checkpoint())
    assert stopped.status == "unknown"
    restored = Search(game, position, 1, algorithm="null-window")
    restored.restore(chunks)
    before = restored.progress().nodes
    assert before == stopped.progress().nodes
    restored.run()
    assert restored.status == "disproved"
    assert restored.progress().nodes - before < whole
    assert_settled(restored.solution(), game.key(position), 1, "disproved")


def test_a_finished_search_is_restored_as_finished() -> None:
    game = open_game("awari")
    position = game.parse("0,0,1,1,0,0/0,2,0,0,0,1/S")
    search = solved(game, position, 1, "null-window")
    restored = Search(game, position, 1, algorithm="null-window")
    restored.restore([search.checkpoint()])
    restored.run()
    assert restored.status == search.status
    assert restored.progress().nodes == search.progress().nodes
    assert_settled(restored.solution(), game.key(position), 1, search.status)


def test_known_records_settle_what_they_can_and_the_union_stands() -> None:
    game = open_game("awari")
    position = game.parse("0,0,1,1,0,1/1,1,0,1,0,0/S")
    known = RecordTable(game)
    for move in game.moves(position)[:2]:
        child = game.play(position, move)
        part = solved(game, child, 0, "null-window").solution()
        known.load([item for chunk in part.chunks(100) for item in chunk])
    search = solved(game, position, 1, "null-window", known)
    for chunk in search.solution().chunks(100):
        known.load(chunk)
    assert_settled(known, game.key(position), 1, search.status)
    again = solved(game, position, 1, "null-window", known)
    assert again.progress().nodes == 0


def test_many_positions_have_the_values_of_single_questions() -> None:
    game = open_game("awari")
    texts = drawn_endgames(5, 20, seed=8)
    values = solve_positions("awari", texts)
    for text, value, upper, status in zip(texts, values.lower, values.upper, values.status, strict=True):
        assert status == PositionStatus.EXACT and value == upper
        position = game.parse(text)
        for at_least, answer in ((int(value), "proved"), (int(value) + 1, "disproved")):
            assert solved(game, position, at_least, "df-pn").status == answer
