"""Searches of a game's own type and searches behind virtual functions: the same nodes, claims and checkpoints.

The families that a game's folder of engine/native/compiled/games names are compiled for its own type. The same game
`behind_virtual_functions()` has all its searches run there, but for those that use what only the own type tells.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from proofbase.engine._core import Game, RecordTable, Search, algorithms, open_game

POSITIONS = {
    "awari": ("initial", "0,0,0,0,1,1/1,0,0,1,0,0/S"),
    "checkers": ("initial", "B:W30:BK22,K23"),
    "chess": ("initial", "kbK5/pp6/1P6/8/8/8/8/R7 w - -"),
    "connect-four:5x4": ("initial", "...../...../x..../oxox."),
}
"""A large position, of which the search makes some nodes only, and one that most families solve."""

NODES = 3000

WITH_TABLE = ("df-pn", "null-window")
"""Behind virtual functions their tables hold fewer of the larger keys, and so lose other entries."""


def position_of(game: Game, text: str) -> object:
    return game.initial() if text == "initial" else game.parse(text)


def variants(game: Game) -> Iterator[str]:
    """Every family by itself, and with an order of moves drawn at random."""
    for family, _ in algorithms(game):
        yield family
        yield f"{family}+order-3"


def records(table: RecordTable) -> list[tuple[bytes, bytes]]:
    return [item for chunk in table.chunks(1000) for item in chunk]


@pytest.mark.parametrize("name", POSITIONS)
@pytest.mark.parametrize("which", [0, 1])
def test_both_ways_make_the_same_nodes_claims_and_checkpoints(name: str, which: int) -> None:
    own = open_game(name)
    virtual = own.behind_virtual_functions()
    position = position_of(own, POSITIONS[name][which])
    compared = 0
    for algorithm in variants(own):
        for at_least in (0, 1):
            first, second = (Search(game, position, at_least, algorithm=algorithm) for game in (own, virtual))
            statuses = {first.run(nodes=NODES).status, second.run(nodes=NODES).status}
            assert statuses != {"proved", "disproved"}, algorithm
            if algorithm.startswith(WITH_TABLE):
                compared += "unknown" not in statuses
            else:
                assert len(statuses) == 1
                assert counters(first) == counters(second), algorithm
                if first.status != "unknown":
                    found = records(first.solution())
                    assert found and found == records(second.solution()), algorithm
                    compared += 1
            for game, checkpoint in ((virtual, first.checkpoint()), (own, second.checkpoint())):
                restored = Search(game, position, at_least, algorithm=algorithm)
                restored.restore(checkpoint)
                restored.run(nodes=NODES + 1)
                assert {restored.status, first.status} != {"proved", "disproved"}, algorithm
                if not algorithm.startswith(WITH_TABLE) and first.status != "unknown":
                    assert restored.status == first.status, algorithm
    assert which == 0 or compared > 5


def counters(search: Search) -> tuple[int, int, int, int]:
    progress = search.progress()
    return progress.nodes, progress.expansions, progress.proof, progress.disproof
