"""Records that are known settle what they can, and what a search adds to them makes a closed set."""

from __future__ import annotations

import pytest
from search_combinations import assert_settled, solved

from proofbase.engine import read_position
from proofbase.engine._core import RecordTable
from proofbase.engine.games import open_game

CONNECT_FOUR = ("connect-four:4x4", "-", 0, [1])
AWARI = ("awari", "0,0,1,1,0,1/1,1,0,1,0,0/S", 1, [0, 1])


@pytest.mark.parametrize(
    ("question", "algorithm"),
    [
        *(
            (CONNECT_FOUR, name)
            for name in ("pn-tree", "pn-tree+delete-solved", "pn-dag", "pn2", "df-pn", "null-window")
        ),
        (AWARI, "df-pn"),
    ],
    ids=str,
)
def test_known_records_settle_what_they_can_and_the_union_stands(
    question: tuple[str, str, int, list[int]], algorithm: str
) -> None:
    name, text, at_least, first_moves = question
    game = open_game(name)
    position = read_position(game, text)
    fresh = solved(game, position, at_least, algorithm)
    known = RecordTable(game)
    for number in first_moves:
        child = game.play(position, game.moves(position)[number])
        for bound in (0, 1):
            for chunk in solved(game, child, bound, algorithm).solution().chunks(100):
                known.load(chunk)
    search = solved(game, position, at_least, algorithm, known)
    assert search.status == fresh.status
    assert search.progress().nodes <= fresh.progress().nodes
    for chunk in search.solution().chunks(100):
        known.load(chunk)
    assert_settled(known, game.key(position), at_least, search.status)
    again = solved(game, position, at_least, algorithm, known)
    assert again.progress().nodes <= 1
    assert len(again.solution()) == 0
