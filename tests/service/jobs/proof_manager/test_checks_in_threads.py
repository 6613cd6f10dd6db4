"""The records of a large result are checked by several threads."""

from __future__ import annotations

from proofbase.engine import open_game
from proofbase.engine._core import Search
from proofbase.service.resources.closed_sets import CHECKED_TOGETHER, check_with_store


def test_threads_find_the_faults_that_one_finds() -> None:
    game = open_game("connect-four:5x4")
    search = Search(game, game.initial(), 1, algorithm="pn-dag")
    assert search.run().status == "disproved"
    table = search.solution(small_search_nodes=0)
    keys = [key for chunk in table.chunks(9_999) for key, _ in chunk]
    assert len(keys) > 2 * CHECKED_TOGETHER
    assert check_with_store(table, keys, lambda asked: [None] * len(asked), 3) == []
    gone = set(keys[::50])
    table.remove(list(gone))
    left = [key for key in keys if key not in gone]
    one, three = (check_with_store(table, left, lambda asked: [None] * len(asked), threads) for threads in (1, 3))
    assert len(one) > 50 and sorted(map(str, three)) == sorted(map(str, one))
