"""The practical algorithm on graphs without cycles: Schijf (1993), sections 4.4 to 4.6."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from statistics import mean
from typing import Literal

import pytest
from values_by_definition import winners

from proofbase.engine import open_rules
from proofbase.engine.papers.reference.and_or_graph import (
    AndOrGraph,
    graph_of_figure,
    question_graph,
    random_and_or_graph,
)
from proofbase.engine.papers.reference.dag_search import DagSearch, leftmost_most_proving_node, practical_numbers

Order = Literal["stack", "queue"]
ORDERS: tuple[tuple[Order, bool], ...] = (("stack", False), ("stack", True), ("queue", False), ("queue", True))


def test_every_update_order_keeps_the_same_numbers_and_finds_the_value() -> None:
    updates = dict.fromkeys(ORDERS, 0)
    for seed in range(150):
        random = Random(seed)
        whole = random_and_or_graph(random, random.randint(5, 30), cyclic=False)
        paths = []
        for order, early_stop in ORDERS:
            search = DagSearch(whole, order=order, early_stop=early_stop)
            while 0 not in search.numbers[0]:
                search.expand(leftmost_most_proving_node(search.graph, search.numbers))
                fresh = practical_numbers(search.graph)
                assert all(search.numbers[node] == fresh[node] for node in fresh), (seed, order, early_stop)
            assert (search.numbers[0][0] == 0) == (0 in winners(whole))
            paths.append(search.expansions)
            updates[order, early_stop] += search.updates
        assert all(path == paths[0] for path in paths), seed
    assert updates["stack", False] > updates["queue", False] > updates["queue", True]
    assert updates["stack", False] > updates["stack", True] > updates["queue", True]


@pytest.mark.parametrize(("order", "updates"), [("stack", 5), ("queue", 5)])
def test_mueller_example_5_updates_the_root_twice(order: Order, updates: int) -> None:
    """Fig. 5: A has D as a child, and as a child's child's child. The queue takes D, A, C, B, and A again."""
    whole = graph_of_figure("A | D B", "B & C", "C | D", "D & E F", won="EF")
    search = DagSearch(whole, order=order)
    for name in "ABC":
        search.expand(whole.names.index(name))
    before = search.updates
    search.expand(whole.names.index("D"))
    assert search.updates - before == updates
    assert search.numbers[0][0] == 0


def test_the_queue_updates_once_what_the_stack_updates_twice() -> None:
    """4.6: where all paths to a node are equally long, every node above the expanded one is updated once."""
    whole = graph_of_figure("a | b c", "b & d", "c & d", "d | e f", won="e", lost="f")
    expected: tuple[tuple[Order, int], ...] = (("stack", 5), ("queue", 4))
    for order, updates in expected:
        search = DagSearch(whole, order=order)
        for name in "abc":
            search.expand(whole.names.index(name))
        before = search.updates
        search.expand(whole.names.index("d"))
        assert search.updates - before == updates


@pytest.mark.parametrize(
    ("order", "early_stop", "updates"),
    [("stack", False, 32_922), ("stack", True, 9_816)],
    ids=["table 4.2", "table 4.3"],
)
def test_schijf_tic_tac_toe_averages(order: Order, early_stop: bool, updates: int) -> None:
    """Tables 4.1 to 4.3: averages over random move orders; 100 in the paper, here 25."""

    def shuffled(graph: AndOrGraph, random: Random) -> AndOrGraph:
        return replace(graph, children=[random.sample(list(of_node), len(of_node)) for of_node in graph.children])

    game = open_rules("tic-tac-toe")
    whole = question_graph(game, game.initial(), 1, symmetric=False)
    searches = [DagSearch(shuffled(whole, Random(seed)), order=order, early_stop=early_stop) for seed in range(25)]
    assert not any(search.run() for search in searches)
    assert mean(search.nodes for search in searches) == pytest.approx(3265, rel=0.05)
    assert mean(search.updates for search in searches) == pytest.approx(updates, rel=0.05)
