"""The memory policy `drop-solved` of pn-dag: the same expansions as with `keep`, in less memory."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from proofbase.engine import _core
from proofbase.engine._core import Search
from proofbase.engine.errors import UnknownAlgorithmError
from proofbase.engine.games import open_game
from proofbase.engine.papers.reference.explicit_game import ExplicitGame, random_graph

QUBIC = "x..x/..../..../x...//..../.oo./..o./....//..../..../..../....//..../..../..../...."
QUESTIONS = [
    ("tic-tac-toe", "-", 1, "unit"),
    ("connect-four:4x4", "-", 1, "unit"),
    ("connect-four:4x4", "-", 1, "mobility"),
    ("connect-four:4x4", "-", 0, "effort"),
    ("connect-four:5x4", "moves:2,2,2", 1, "effort"),
    ("within:5:qubic", QUBIC + " plies=5", 1, "threats"),
    ("random-graph:nodes=3000,degree=4,span=40,ends=20,seed=5", "-", 1, "unit"),
    ("random-graph:nodes=3000,degree=4,span=40,ends=20,seed=6", "-", 1, "mobility"),
]


def position_of(game: Any, text: str) -> Any:
    if text == "-":
        return game.initial()
    if not text.startswith("moves:"):
        return game.parse(text)
    position = game.initial()
    for move in text.removeprefix("moves:").split(","):
        position = game.play(position, game.parse_move(position, move))
    return position


def finished(game: Any, position: Any, at_least: int, algorithm: str, nodes: int | None = None) -> Search:
    search = Search(game, position, at_least, algorithm=algorithm)
    search.run(nodes=nodes)
    return search


def compare(game: Any, position: Any, at_least: int, initialisation: str) -> tuple[Search, Search]:
    """Both searches, to the end: as many expansions and updates, the same answer, solutions that pass the check."""
    keep = finished(game, position, at_least, f"pn-dag+{initialisation}")
    drop = finished(game, position, at_least, f"pn-dag+{initialisation}+drop-solved")
    assert drop.algorithm == f"pn-dag+{initialisation}+drop-solved"
    assert drop.status == keep.status != "unknown"
    assert drop.progress().expansions == keep.progress().expansions
    assert drop.progress().nodes >= keep.progress().nodes  # leaves that are evaluated again count again
    solution = drop.solution(small_search_nodes=0)
    assert not solution.check().findings
    key = game.key(position)
    assert game.terminal(position) is not None or key in {key for chunk in solution.chunks(9_999) for key, _ in chunk}
    return keep, drop


@pytest.mark.parametrize(("name", "text", "at_least", "initialisation"), QUESTIONS)
def test_expansions_are_those_of_keep(name: str, text: str, at_least: int, initialisation: str) -> None:
    game = open_game(name)
    compare(game, position_of(game, text), at_least, initialisation)


def test_expansions_are_those_of_keep_on_random_graphs_of_users() -> None:
    """Small graphs with many transpositions, where lines to a position have different lengths."""
    for seed in range(150):
        chance = Random(seed)
        game = _core.python_game(ExplicitGame(random_graph(chance, chance.randint(5, 40), rho=None)))
        compare(game, 0, chance.choice((0, 1)), chance.choice(("unit", "mobility")))


def test_it_takes_less_memory() -> None:
    game = open_game("connect-four:6x5")
    keep, drop = (
        finished(game, game.initial(), 1, f"pn-dag+effort{policy}", nodes=400_000).progress()
        for policy in ("", "+drop-solved")
    )
    assert drop.memory / drop.expansions < 0.75 * keep.memory / keep.expansions


@pytest.mark.parametrize(("name", "initialisation"), [("connect-four:4x4", "unit"), ("connect-four:4x4", "effort")])
def test_a_restored_search_expands_the_same_nodes(name: str, initialisation: str) -> None:
    game = open_game(name)
    algorithm = f"pn-dag+{initialisation}+drop-solved"
    whole = finished(game, game.initial(), 1, algorithm)
    search = Search(game, game.initial(), 1, algorithm=algorithm)
    chunks = list[bytes]()
    for nodes in (500, 1_500, 4_000):
        search.run(nodes=nodes)
        chunks.append(search.checkpoint())
        restored = Search(game, game.initial(), 1, algorithm=algorithm)
        restored.restore(chunks)
        stopped, again = search.progress(), restored.progress()
        assert (again.nodes, again.expansions, again.proof, again.disproof) == (
            stopped.nodes,
            stopped.expansions,
            stopped.proof,
            stopped.disproof,
        )
        restored.run()
        assert restored.status == whole.status
        assert restored.progress().expansions == whole.progress().expansions
        assert not restored.solution().check().findings


@pytest.mark.parametrize("other", ["stack", "queue", "depth"])
def test_what_needs_every_node_is_refused_with_it(other: str) -> None:
    game = open_game("tic-tac-toe")
    with pytest.raises(UnknownAlgorithmError, match="drop-solved"):
        Search(game, game.initial(), 1, algorithm=f"pn-dag+{other}+drop-solved")
