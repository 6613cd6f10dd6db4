"""Searches stop at limits and when they are cancelled, say why, and go on as if they had not stopped."""

from __future__ import annotations

import threading
import time

import pytest
from search_combinations import solved

from proofbase.engine import read_position
from proofbase.engine._core import Search
from proofbase.engine.errors import SearchCancelledError
from proofbase.engine.games import open_game

HARD = "1,0,0,0,0,0/0,0,1,0,19,0/S"
"""A position of 21 stones that no search here settles in a second."""


@pytest.mark.parametrize(
    ("name", "text", "algorithm", "bucket"),
    [("connect-four", "-", "df-pn", 64), ("connect-four", "-", "null-window", 64), ("awari", HARD, "df-pn", 128)],
)
def test_budgets_end_a_search_which_then_goes_on(name: str, text: str, algorithm: str, bucket: int) -> None:
    game = open_game(name)
    position = read_position(game, text)
    search = Search(game, position, 1, algorithm=algorithm)
    search.run(nodes=20_000)
    assert (search.status, search.reason) == ("unknown", "nodes")
    assert search.progress().nodes == search.progress().expansions
    assert search.progress().nodes == 20_000
    start = time.perf_counter()
    search.run(seconds=0.3)
    assert (search.status, search.reason) == ("unknown", "seconds")
    assert 0.25 < time.perf_counter() - start < 3
    assert search.progress().nodes > 20_000
    assert len(search.solution()) == 0
    search = Search(game, position, 1, algorithm=f"{algorithm}+table-4")
    search.run(memory=4_000_000)
    assert (search.status, search.reason) == ("unknown", "memory")
    search = Search(game, position, 1, algorithm=algorithm)
    search.run(nodes=500_000, memory=4_000_000)  # a quarter is the table, which keeps to it
    assert (search.status, search.reason) == ("unknown", "nodes")
    assert search.progress().node_memory == 1_000_000 // bucket * bucket


def test_a_search_that_keeps_its_nodes_ends_at_its_limits_too() -> None:
    game = open_game("connect-four")
    search = Search(game, game.initial(), 1, algorithm="pn-dag")
    search.run(nodes=20_000)
    assert (search.status, search.reason) == ("unknown", "nodes")
    assert 20_000 <= search.progress().nodes < 20_007
    search.run(memory=8_000_000)
    assert (search.status, search.reason) == ("unknown", "memory")
    assert 8_000_000 <= search.progress().memory < 30_000_000
    start = time.perf_counter()
    search.run(seconds=0.3)
    assert (search.status, search.reason) == ("unknown", "seconds")
    assert 0.25 < time.perf_counter() - start < 3
    assert search.progress().nodes_per_second > 0
    assert len(search.solution()) == 0


def test_a_search_for_threats_ends_at_its_limit_of_nodes() -> None:
    game = open_game("gomoku")
    search = Search(game, game.initial(), 1, algorithm="threats")
    search.run(nodes=5_000)
    assert (search.status, search.reason) == ("unknown", "nodes")
    assert 5_000 <= search.progress().nodes < 6_500, "a search by threes that is begun is ended"


@pytest.mark.parametrize(
    ("name", "text", "algorithm", "step"),
    [
        ("connect-four:5x4", "-", "df-pn+table-kib-64", 7_777),
        ("connect-four:5x4", "-", "null-window+table-kib-64", 777),
    ],
)
def test_a_search_in_turns_is_the_search_in_one_go(name: str, text: str, algorithm: str, step: int) -> None:
    game = open_game(name)
    position = read_position(game, text)
    whole = solved(game, position, 1, algorithm)
    search = Search(game, position, 1, algorithm=algorithm)
    nodes = 0
    while search.status == "unknown":
        nodes += step
        search.run(nodes=nodes)
    assert search.status == whole.status
    assert search.progress().nodes == whole.progress().nodes


@pytest.mark.parametrize(
    ("name", "text", "algorithm"),
    [
        ("connect-four", "-", "pn-dag"),
        ("connect-four", "-", "df-pn"),
        ("connect-four", "-", "df-pn+table-16+threads-2"),
        ("connect-four", "-", "null-window"),
        ("connect-four", "-", "null-window+table-16+threads-2"),
        ("awari", HARD, "df-pn"),
        ("awari", HARD, "df-pn+table-16+threads-2"),
    ],
)
def test_a_search_is_cancelled_at_once_and_reports_from_another_thread(name: str, text: str, algorithm: str) -> None:
    game = open_game(name)
    position = read_position(game, text)
    search = Search(game, position, 1, algorithm=algorithm)
    worker = threading.Thread(target=search.run)
    worker.start()
    seen = set()
    deadline = time.perf_counter() + 60
    while len(seen) < 3 and time.perf_counter() < deadline:
        seen.add(search.progress().nodes)
        time.sleep(0.05)
    assert len(seen) >= 3
    line = search.progress().best_line
    assert line or name == "awari"  # whose search is now and then at its root
    for move in line:
        assert move in game.moves(position)
        position = game.play(position, move)
    start = time.perf_counter()
    search.cancel()
    worker.join(timeout=10)
    assert not worker.is_alive()
    assert time.perf_counter() - start < 1  # 50 ms on a free machine (tests/bench/bench_search.py)
    assert (search.status, search.reason) == ("unknown", "cancelled")


@pytest.mark.parametrize(
    ("name", "text", "algorithm", "records"),
    [
        ("connect-four:5x4", "-", "df-pn+table-kib-2", 5_000),
        ("connect-four:5x4", "-", "null-window+table-kib-2", 3_000),
        ("awari", "1,0,1,0,2,0/0,2,0,0,1,1/S", "df-pn", 1_000),
    ],
)
def test_a_solution_can_be_cancelled(name: str, text: str, algorithm: str, records: int) -> None:
    game = open_game(name)
    search = solved(game, read_position(game, text), 1, algorithm)
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
    assert len(search.solution(small_search_nodes=0)) > records
