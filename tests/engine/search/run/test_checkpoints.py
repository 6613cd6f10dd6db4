"""Checkpoints of searches with a table of fixed size: what a restored search keeps, and what is refused.

Searches that keep all of their nodes are restored node by node: test_search.py.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from search_combinations import assert_solution, solved

from proofbase.engine import _core, read_position
from proofbase.engine._core import Search
from proofbase.engine.errors import EngineError
from proofbase.engine.games import open_game


@pytest.mark.parametrize(
    ("name", "text", "algorithm", "most_of_the_nodes"),
    [
        ("connect-four:5x5", "-", "df-pn", 0.6),
        ("connect-four:5x5", "-", "null-window", 0.6),
    ],
)
def test_a_restored_search_keeps_most_of_its_gain(
    name: str, text: str, algorithm: str, most_of_the_nodes: float
) -> None:
    game = open_game(name)
    position = read_position(game, text)
    whole = solved(game, position, 1, algorithm).progress().nodes
    stopped = Search(game, position, 1, algorithm=algorithm)
    chunks = []
    for share in (0.3, 0.6, 0.9):
        stopped.run(nodes=int(whole * share))
        chunks.append(stopped.checkpoint())
    assert stopped.status == "unknown"
    assert sum(map(len, chunks)) < whole
    restored = Search(game, position, 1, algorithm=algorithm)
    restored.restore(chunks)
    before = restored.progress().nodes
    assert before == stopped.progress().nodes
    restored.run()
    assert restored.status == "disproved"
    assert restored.progress().nodes - before < most_of_the_nodes * whole
    assert_solution(restored, game.key(position), 1, "disproved")


def users_tic_tac_toe() -> tuple[Any, Any]:
    rules = open_game("tic-tac-toe", rules="python")
    return _core.python_game(rules), rules.initial()


@pytest.mark.parametrize(
    ("name", "algorithm"),
    [
        *((name, "df-pn+unit") for name in ("connect-four:5x4", "awari", "a user's game")),
        *((name, "null-window") for name in ("connect-four:5x4", "a user's game")),
    ],
)
def test_a_finished_search_is_restored_as_finished(name: str, algorithm: str) -> None:
    if name == "a user's game":
        game, position = users_tic_tac_toe()
    else:
        game = open_game(name)
        position = read_position(game, "0,0,1,1,0,0/0,2,0,0,0,1/S" if name == "awari" else "-")
    search = solved(game, position, 1, algorithm)
    restored = Search(game, position, 1, algorithm=algorithm)
    restored.restore([search.checkpoint()])
    restored.run()
    assert restored.status == search.status
    if algorithm == "null-window" or search.progress().nodes > 1_000:  # df-pn keeps no entries of so little work
        assert restored.progress().nodes == search.progress().nodes
    assert_solution(restored, game.key(position), 1, search.status)


@pytest.mark.parametrize(
    ("name", "algorithm", "nodes", "others"),
    [
        ("connect-four:4x4", "pn-dag", 500, ("pn-tree",)),
        ("connect-four:5x4", "df-pn", 50_000, ("df-pn+unit", "pn-dag")),
        ("connect-four:6x5", "null-window", 100_000, ("null-window+table-2", "df-pn")),
    ],
)
def test_checkpoints_of_another_search_and_damaged_ones_are_refused(
    name: str, algorithm: str, nodes: int, others: tuple[str, ...]
) -> None:
    game = open_game(name)
    search = Search(game, game.initial(), 1, algorithm=algorithm)
    search.run(nodes=nodes)
    chunks = search.checkpoint()
    assert len(chunks) > 200
    for at_least, other in ((0, algorithm), *((1, other) for other in others)):
        with pytest.raises(EngineError):
            Search(game, game.initial(), at_least, algorithm=other).restore([chunks])
    random = Random(1)
    for _ in range(300):
        place = random.randrange(1, len(chunks))
        damaged = bytearray(chunks)
        damaged[place] ^= 1 << random.randrange(8)
        for wrong in (bytes(damaged), chunks[:place]):
            with pytest.raises(EngineError):
                Search(game, game.initial(), 1, algorithm=algorithm).restore([wrong])
    with pytest.raises(RuntimeError):
        search.restore([chunks])
