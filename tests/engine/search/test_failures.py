"""Searches whose rules fail for a while, or go to the limits: the answers stay right, and the checkpoints whole."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from random import Random

import pytest
from drawn_graphs import random_graph

from proofbase.engine._core import RecordTable, Search, open_game, python_game
from proofbase.engine.errors import GameFailedError
from proofbase.engine.papers.reference.explicit_game import ExplicitGame
from proofbase.engine.papers.reference.graph import Edge, Graph, values

ALGORITHMS = [
    "pn-tree",
    "pn-tree+unit",
    "pn-tree+delete-solved",
    "pn-dag",
    "pn-dag+unit",
    "pn-dag+unit+drop-solved",
    "pss+unit+drop-solved",
    "df-pn",
    "df-pn+unit+table-kib-1",
    "alpha-beta",
    "null-window",
    "null-window+table-kib-1",
]


class Failing(ExplicitGame):
    """Rules of which some calls raise."""

    def _stumble(self) -> None:
        """Called first by each method; raises where the call is to fail."""
        raise NotImplementedError

    def terminal(self, position: int) -> int | None:
        self._stumble()
        return super().terminal(position)

    def moves(self, position: int) -> Sequence[int]:
        self._stumble()
        return super().moves(position)

    def play(self, position: int, move: int) -> int:
        self._stumble()
        return super().play(position, move)

    def reward(self, position: int, move: int) -> int:
        self._stumble()
        return super().reward(position, move)

    def key(self, position: int) -> bytes:
        self._stumble()
        return super().key(position)


class Flaky(Failing):
    """Rules that raise now and then, as an interrupt or a full disk would."""

    random = Random(0)
    rate = 0.0

    def _stumble(self) -> None:
        if self.random.random() < self.rate:
            raise OSError("try again")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_search_goes_on_after_its_rules_have_failed(algorithm: str) -> None:
    failures = 0
    for seed in range(30):
        random = Random(seed)
        graph = random_graph(random, random.randrange(10, 60), rewards=seed % 2, rho=None)
        worth = values(graph)
        rules = Flaky(graph, max(1, *map(abs, worth)))
        rules.random = random
        game = python_game(rules)
        search = Search(game, 0, 1, algorithm=algorithm)
        expected = "proved" if worth[0] >= 1 else "disproved"
        chunks = []
        rules.rate = 0.05
        while search.status == "unknown":
            try:
                search.run(nodes=20_000)
                assert search.status == expected
            except GameFailedError as error:
                failures += isinstance(error.__cause__, OSError)
                rules.rate, rate = 0.0, rules.rate
                chunks.append(search.checkpoint())
                rules.rate = rate
        rules.rate = 0.0
        assert search.run().status == expected  # the last failure may have been that of the report
        assert search.solution().check().failed == 0
        chunks.append(search.checkpoint())
        restored = Search(game, 0, 1, algorithm=algorithm)
        restored.restore(chunks)
        assert restored.run().status == expected
        if not algorithm.startswith(("df-pn", "null-window")):  # which restore what was proved, and not the steps
            assert restored.progress().nodes == search.progress().nodes
    assert failures > 50


class FailsOnce(Failing):
    """Rules of which one call raises."""

    calls = 0
    failing: int | None = None
    """The number of the call."""

    def _stumble(self) -> None:
        self.calls += 1
        if self.calls == self.failing:
            raise OSError("try again")


@pytest.mark.parametrize("seed", [16, 50])  # a failure on the way down to a leaf: of all seeds up to 60 these
@pytest.mark.parametrize("algorithm", [*ALGORITHMS, "pss+unit"])
def test_after_a_failure_of_any_call_a_search_expands_the_same_nodes(algorithm: str, seed: int) -> None:
    random = Random(seed)
    graph = random_graph(random, random.randrange(10, 80), rewards=seed % 2, rho=None)
    highest_value = max(1, *map(abs, values(graph)))

    def search_failing_at(call: int | None) -> tuple[Search, int, int]:
        rules = FailsOnce(graph, highest_value)
        search = Search(python_game(rules), 0, 1, algorithm=algorithm)
        rules.calls, rules.failing = 0, call
        failures = 0
        while search.status == "unknown" and failures < 10:
            try:
                search.run(nodes=20_000)
            except GameFailedError:
                failures += 1
        search.run()  # the failure may have been that of the report
        return search, rules.calls, failures

    undisturbed, calls, _ = search_failing_at(None)
    assert calls > 20
    for call in range(1, calls + 1):
        search, _, failures = search_failing_at(call)
        assert failures == 1 and search.status == undisturbed.status, call
        if not algorithm.startswith(("alpha-beta", "df-pn", "null-window")):  # which repeat a step
            assert search.progress().expansions == undisturbed.progress().expansions, call


@pytest.mark.slow
@pytest.mark.parametrize(
    ("algorithm", "moves"), [("pn-tree", 65_536), ("pn-tree+unit", 65_537), ("pn-dag", 65_537), ("df-pn", 65_537)]
)
def test_any_number_of_moves(algorithm: str, moves: int) -> None:
    edges = [[Edge(move, move + 1, 0) for move in range(moves)], *([] for _ in range(moves))]
    ends = [1] * (moves - 1) + [-1]  # the last move wins
    keys = [node.to_bytes(4, "big") for node in range(moves + 1)]
    game = python_game(ExplicitGame(Graph(edges, [None, *ends], [None] * (moves + 1), keys)))
    search = Search(game, 0, 1, algorithm=algorithm)
    assert search.run(nodes=1_000_000).status == "proved"
    assert search.solution().check().failed == 0


@pytest.mark.parametrize("algorithm", [name for name in ALGORITHMS if name != "alpha-beta"])
def test_bounds_beyond_the_range_of_values_are_not_searched(algorithm: str) -> None:
    # The first move is worth 2 where no value is above 1: whatever follows, it proves "at least 1".
    deep = [[Edge(0, node + 1, 0), Edge(1, node + 2, 0)] for node in range(2, 40)]
    edges = [[Edge(0, 1, 0), Edge(1, 2, 2)], [], *deep, [], []]
    terminal = [1 if not out else None for out in edges]
    keys = [node.to_bytes(4, "big") for node in range(len(edges))]
    game = python_game(ExplicitGame(Graph(edges, terminal, [None] * len(edges), keys)))
    search = Search(game, 0, 1, algorithm=algorithm)
    assert search.run().status == "proved"
    assert search.progress().nodes == (
        1 if algorithm.startswith(("df-pn", "null-window")) else 3  # expansions, or the nodes created
    )
    solution = search.solution()
    assert len(solution) == 1 and solution.check().failed == 0


def test_searches_are_made_and_restored_while_their_known_records_grow() -> None:
    game = open_game("connect-four:5x4")
    first = Search(game, game.initial(), 0, algorithm="pn-dag+unit")
    first.run(nodes=60_000)
    chunk = first.checkpoint()
    rows: list[tuple[bytes, bytes]] = []
    position = game.initial()
    random = Random(1)
    while len(rows) < 60_000:
        if game.terminal(position) is not None:
            position = game.initial()
        rows.append((game.key(position), bytes.fromhex("1100010000")))  # what they say does not matter here
        position = game.play(position, random.choice(game.moves(position)))
    stop = threading.Event()

    def write(table: RecordTable) -> None:
        while not stop.is_set():
            keys = [key for key, _ in rows[: random.randrange(len(rows))]]
            table.load(rows)
            table.remove(keys)

    known = RecordTable(game)
    writer = threading.Thread(target=write, args=(known,))
    writer.start()
    try:
        for _ in range(20):
            search = Search(game, game.initial(), 0, algorithm="pn-dag+unit", known=known)
            search.restore(chunk)
            assert search.progress().nodes == first.progress().nodes
    finally:
        stop.set()
        writer.join()
