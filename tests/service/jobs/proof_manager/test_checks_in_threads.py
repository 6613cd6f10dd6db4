"""The records that are to be stored are checked by several threads, beside the records that are stored."""

from __future__ import annotations

import pytest

from proofbase.engine import open_game
from proofbase.engine._core import RecordTable, Search, StopFlag
from proofbase.engine.errors import SearchCancelledError

GAME = open_game("connect-four:5x4")


def solution() -> RecordTable:
    search = Search(GAME, GAME.initial(), 1, algorithm="pn-dag")
    assert search.run().status == "disproved"
    return search.solution(small_search_nodes=0)


def test_threads_find_the_faults_that_one_finds() -> None:
    table = solution()
    keys = [key for chunk in table.chunks(9_999) for key, _ in chunk]
    assert len(keys) > 2_000
    assert table.check_with(None, threads=3).findings == []
    table.remove(keys[::50])
    one, three = (table.check_with(None, threads=threads).findings for threads in (1, 3))
    assert len(one) > 50 and three == one == table.check().findings


def test_claims_rest_on_stored_records_which_are_not_checked() -> None:
    table, stored = solution(), RecordTable(GAME)
    items = [item for chunk in table.chunks(9_999) for item in chunk]
    stored.load(items[::2])
    table.remove([key for key, _ in items[::2]])
    assert table.check_with(None, threads=2).findings
    assert table.check_with(stored, threads=2).findings == []
    some = [key for key, _ in items[1:100:2]]
    assert table.check_with(stored, some).checked == len(some)
    broken = {finding.key for finding in stored.check().findings}
    assert broken and not broken & {finding.key for finding in table.check_with(stored).findings}


def test_bad_arguments_and_a_stop() -> None:
    table, stop = solution(), StopFlag()
    with pytest.raises(ValueError, match="another game"):
        table.check_with(RecordTable(open_game("qubic")))
    with pytest.raises(ValueError, match="at least one thread"):
        table.check_with(None, threads=0)
    stop.set()
    with pytest.raises(SearchCancelledError):
        table.check_with(None, threads=2, stop=stop)
