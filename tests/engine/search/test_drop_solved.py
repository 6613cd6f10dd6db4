"""The memory policy `drop-solved` of pn-dag and pss: the same expansions as with `keep`, in less memory."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from checkpoint_words import with_words, words_of
from drawn_graphs import random_graph

from proofbase.engine import _core
from proofbase.engine._core import Search
from proofbase.engine.errors import InvalidCheckpointError, UnknownAlgorithmError
from proofbase.engine.games import open_game
from proofbase.engine.papers.reference.explicit_game import ExplicitGame
from proofbase.engine.papers.reference.graph import Edge, Graph, values

QUBIC = "x..x/..../..../x...//..../.oo./..o./....//..../..../..../....//..../..../..../...."
QUESTIONS = [
    ("tic-tac-toe", "-", 1, "pn-dag+unit"),
    ("connect-four:4x4", "-", 1, "pn-dag+unit"),
    ("connect-four:4x4", "-", 1, "pn-dag+mobility"),
    ("connect-four:4x4", "-", 0, "pn-dag+effort"),
    ("connect-four:5x4", "moves:2,2,2", 1, "pn-dag+effort"),
    ("within:5:qubic", QUBIC + " plies=5", 1, "pn-dag+threats"),
    ("random-graph:nodes=3000,degree=4,span=40,ends=20,seed=5", "-", 1, "pn-dag+unit"),
    ("random-graph:nodes=3000,degree=4,span=40,ends=20,seed=6", "-", 1, "pn-dag+mobility"),
    ("connect-four:4x4", "-", 1, "pss+effort"),
    ("connect-four:4x4", "-", 1, "pss+unit+p-all+d-all"),
    ("connect-four:4x4", "-", 1, "pss+mobility+p-0+d-0"),
    ("random-graph:nodes=3000,degree=4,span=40,ends=20,seed=5", "-", 1, "pss+unit+p-2+d-8+newest"),
]
ALGORITHMS = ("pn-dag+unit", "pn-dag+mobility", "pss+unit", "pss+mobility+newest", "pss+unit+favour-50", "pss+unit+p-0")


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


def compare(game: Any, position: Any, at_least: int, algorithm: str) -> tuple[Search, Search]:
    """Both searches, to the end: as many expansions and updates, the same answer, solutions that pass the check."""
    keep = finished(game, position, at_least, algorithm)
    drop = finished(game, position, at_least, f"{algorithm}+drop-solved")
    assert drop.algorithm.endswith("+drop-solved")
    assert drop.status == keep.status != "unknown"
    assert drop.progress().expansions == keep.progress().expansions
    assert drop.progress().nodes >= keep.progress().nodes  # leaves that are evaluated again count again
    solution = drop.solution(small_search_nodes=0)
    assert not solution.check().findings
    key = game.key(position)
    assert game.terminal(position) is not None or key in {key for chunk in solution.chunks(9_999) for key, _ in chunk}
    return keep, drop


@pytest.mark.parametrize(("name", "text", "at_least", "algorithm"), QUESTIONS)
def test_expansions_are_those_of_keep(name: str, text: str, at_least: int, algorithm: str) -> None:
    game = open_game(name)
    compare(game, position_of(game, text), at_least, algorithm)


def test_expansions_are_those_of_keep_on_random_graphs_of_users() -> None:
    """Small graphs with many transpositions, where lines to a position have different lengths."""
    for seed in range(300):
        chance = Random(seed)
        game = _core.python_game(ExplicitGame(random_graph(chance, chance.randint(5, 40), rho=None)))
        compare(game, 0, chance.choice((0, 1)), chance.choice(ALGORITHMS))


@pytest.mark.parametrize("algorithm", ["pn-dag+unit", "pss+unit"])
def test_values_of_any_size(algorithm: str) -> None:
    """A node holds small bounds in a few bits, and others elsewhere: here are both, around the border."""
    for seed in range(60):
        chance = Random(seed)
        graph = random_graph(chance, chance.randint(5, 40), rewards=chance.choice((120, 300, 2**20)), rho=None)
        worth = values(graph)
        game = _core.python_game(ExplicitGame(graph, max(1, *map(abs, worth))))
        for at_least in {worth[0], min(worth[0] + 1, max(1, *map(abs, worth)))}:
            keep, _ = compare(game, 0, at_least, algorithm)
            assert (keep.status == "proved") == (worth[0] >= at_least)


def graph_of(children: list[list[int]], terminal: dict[int, int]) -> Graph:
    nodes = range(len(children))
    edges = [[Edge(move, child) for move, child in enumerate(row)] for row in children]
    keys = [n.to_bytes(4, "big") for n in nodes]
    return Graph(edges, [terminal.get(n) for n in nodes], [None] * len(children), keys)


class LargeEfforts(ExplicitGame):
    """Estimates of 30,000 to 60,000 leaves: an edge has room for some of them."""

    def effort(self, position: int, bound: int) -> tuple[int, int]:
        return 1 + position * 7_919 % 30_000, 30_000 + position * 6_101 % 30_000


@pytest.mark.parametrize("algorithm", ["pn-dag+effort", "pss+effort", "pss+effort+favour-50"])
def test_numbers_and_ranks_of_any_size(algorithm: str) -> None:
    """A ladder whose numbers double at every rung, and random graphs with large estimates."""
    for seed in range(60):
        chance = Random(seed)
        graph = random_graph(chance, chance.randint(5, 40), rho=None)
        worth = values(graph)[0]
        game = _core.python_game(LargeEfforts(graph))
        for at_least in (0, 1):
            keep, _ = compare(game, 0, at_least, algorithm)
            assert (keep.status == "proved") == (worth >= at_least)
    rungs = 150  # so lines are longer than the ranks that a block has room for
    children = list[list[int]]()
    for n in range(0, 3 * rungs, 3):
        children += [[n + 1, n + 2], [n + 3], [n + 3]]
    ladder = graph_of([*children, []], {3 * rungs: 1})
    keep, _ = compare(_core.python_game(LargeEfforts(ladder)), 0, 1, algorithm)
    assert keep.status == "proved"


@pytest.mark.parametrize("algorithm", ["pn-dag+unit", "pss+unit"])
def test_a_node_with_many_parents(algorithm: str) -> None:
    """Every second node of a star's rim wins, and all lead to one hub; two edges of some lead to it."""
    rim = 60
    hub = rim + 1
    children = [list(range(1, hub))]
    children += [[hub, *([hub] if n % 3 == 0 else []), hub + 1 + n % 2] for n in range(1, hub)]
    children += [[hub + 1, hub + 3], [], [], [hub + 1, hub + 2]]
    graph = graph_of(children, {hub + 1: 1, hub + 2: -1})
    worth = values(graph)[0]
    for at_least in (0, 1):
        keep, _ = compare(_core.python_game(ExplicitGame(graph)), 0, at_least, algorithm)
        assert (keep.status == "proved") == (worth >= at_least)


def test_it_takes_less_memory() -> None:
    """Bytes of all memory for each node that was held, and for each expansion."""
    game = open_game("connect-four:6x5")
    keep, drop = (
        finished(game, game.initial(), 1, f"pn-dag+effort{policy}", nodes=400_000).progress()
        for policy in ("", "+drop-solved")
    )
    assert keep.peak_nodes is not None and drop.peak_nodes is not None
    assert drop.memory / drop.expansions < 0.75 * keep.memory / keep.expansions
    assert keep.memory / keep.peak_nodes < 45
    assert drop.memory / drop.peak_nodes < 42


@pytest.mark.parametrize(
    ("name", "algorithm"),
    [
        ("connect-four:4x4", "pn-dag+unit"),
        ("connect-four:4x4", "pn-dag+effort"),
        ("connect-four:4x4", "pss+effort"),
        ("connect-four:4x4", "pss+unit+favour-50"),
    ],
)
def test_a_restored_search_expands_the_same_nodes(name: str, algorithm: str) -> None:
    game = open_game(name)
    algorithm = f"{algorithm}+drop-solved"
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


@pytest.mark.parametrize(
    ("name", "stops"),
    [("tic-tac-toe", (125, 175, 325)), ("random-graph:nodes=3000,degree=4,span=40,ends=20,seed=5", (20, 40, 60))],
)
def test_a_checkpoint_that_expands_what_is_no_open_leaf_is_refused(name: str, stops: tuple[int, ...]) -> None:
    """Of all nodes that there are at some moments: those that were expanded, and leaves that were deleted."""
    game, deleted = open_game(name), 0

    def new() -> Search:
        return Search(game, game.initial(), 1, algorithm="pn-dag+unit+drop-solved")

    answer = new().run().status
    for nodes in stops:
        search = new()
        search.run(nodes=nodes)
        held, chunk = search.progress().peak_nodes or 0, search.checkpoint()
        expanded, refused = words_of(chunk), dict[int, str]()
        for node in range(held + 1):
            again = new()
            try:
                again.restore([chunk, with_words(chunk, [node])])
            except InvalidCheckpointError as error:
                refused[node] = str(error)
                continue
            if node % 5 == 0:
                assert again.run().status == answer
                assert not again.solution().check().findings
        assert refused.pop(expanded[-1]) == "the checkpoint settles what this search expands"  # its number twice
        assert all(said == f"the checkpoint expands node {node} out of turn" for node, said in refused.items())
        assert refused.keys() >= {*expanded[:-1], held}
        deleted += len(refused.keys() - {*expanded, held})
    assert deleted >= 10


@pytest.mark.parametrize("other", ["stack", "queue", "depth"])
def test_what_needs_every_node_is_refused_with_it(other: str) -> None:
    game = open_game("tic-tac-toe")
    with pytest.raises(UnknownAlgorithmError, match="drop-solved"):
        Search(game, game.initial(), 1, algorithm=f"pn-dag+{other}+drop-solved")


def test_games_with_cycles_are_refused() -> None:
    game = open_game("awari")
    with pytest.raises(UnknownAlgorithmError, match="has cycles: an answer may rest on edges that drop-solved would"):
        Search(game, game.initial(), 1, algorithm="pss+drop-solved")
    for family in ("pn-cyclic", "pn-base-twin"):
        with pytest.raises(UnknownAlgorithmError, match="drop-solved"):
            Search(game, game.initial(), 1, algorithm=f"{family}+drop-solved")
