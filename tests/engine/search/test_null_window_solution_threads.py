"""Solutions of null-window that several threads take out: closed, right, and not much larger than those of one thread.

How large they are depends on the table, which differs from run to run where several threads search.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from search_combinations import assert_settled, solved

from proofbase.engine.errors import SearchCancelledError
from proofbase.engine.games import open_game

QUESTIONS = [
    ("connect-four:5x4", 0),
    ("connect-four:5x5", 1),
    ("connect-four:4x4,score", 1),
    ("othello:4x4", -10),
    ("othello:4x4", -9),
    ("tic-tac-toe", 1),  # behind virtual functions
    ("random-graph:ends=20,nodes=400,degree=6", 1),
]


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize(("name", "at_least"), QUESTIONS)
def test_several_threads_take_a_closed_set_out_that_is_about_as_small(name: str, at_least: int, threads: int) -> None:
    game = open_game(name)
    key = game.key(game.initial())
    one = solved(game, game.initial(), at_least, "null-window+table-4")
    several = solved(game, game.initial(), at_least, f"null-window+table-4+threads-{threads}")
    assert several.status == one.status
    solution = several.solution()
    assert_settled(solution, key, at_least, one.status)
    assert len(solution) <= 1.6 * len(one.solution()) + 20


@pytest.mark.parametrize(
    ("name", "rounds"), [("connect-four:4x4", 20), ("connect-four:5x4", 5), ("connect-four:5x5", 1)]
)
def test_threads_that_meet_each_other_all_the_time_leave_no_claim_out(name: str, rounds: int) -> None:
    game = open_game(name)
    key = game.key(game.initial())
    one = solved(game, game.initial(), 1, "null-window+table-4").solution(small_search_nodes=0)
    for _ in range(rounds):
        search = solved(game, game.initial(), 1, "null-window+table-4+threads-4")
        solution = search.solution(small_search_nodes=0)
        assert_settled(solution, key, 1, "disproved")
        assert len(solution) < 1.5 * len(one)


def test_they_rest_on_stored_records_as_one_thread_does() -> None:
    game = open_game("connect-four:5x4")
    after = game.play(game.initial(), 2)
    known = solved(game, after, 0, "null-window+table-4").solution(small_search_nodes=0)
    search = solved(game, game.initial(), 1, "null-window+table-4+threads-3", known=known)
    solution = search.solution(small_search_nodes=0)
    together = [item for table in (known, solution) for chunk in table.chunks(10_000) for item in chunk]
    solution.load(together)
    assert_settled(solution, game.key(game.initial()), 1, "disproved")


def test_a_cancel_ends_all_threads_and_the_next_solution_is_whole() -> None:
    game = open_game("connect-four:6x5")
    search = solved(game, game.initial(), 1, "null-window+table-16+threads-4")
    threads = Path("/proc/self/task")
    before = len(list(threads.iterdir())) if threads.is_dir() else 0
    ended = threading.Event()

    def cancel() -> None:
        while not ended.wait(0.02):  # a cancel that comes before the solution is begun is forgotten
            search.cancel()

    cancelling = threading.Thread(target=cancel)
    cancelling.start()
    try:
        with pytest.raises(SearchCancelledError):
            search.solution(small_search_nodes=0)  # nearly a million records
    finally:
        ended.set()
        cancelling.join()
    until = time.monotonic() + 10  # the system lists a thread of Python for a moment after it was joined
    while threads.is_dir() and len(list(threads.iterdir())) > before and time.monotonic() < until:
        time.sleep(0.01)
    assert not threads.is_dir() or len(list(threads.iterdir())) <= before
    assert_settled(search.solution(), game.key(game.initial()), 1, "disproved")
