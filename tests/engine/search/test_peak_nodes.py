"""`Progress.peak_nodes`: how many nodes a search has held at one time at most."""

from __future__ import annotations

import pytest

from proofbase.engine._core import Progress, Search
from proofbase.engine.games import open_game


def finished(name: str, algorithm: str, nodes: int | None = None) -> Progress:
    game = open_game(name)
    search = Search(game, game.initial(), 1, algorithm=algorithm)
    search.run(nodes=nodes)
    return search.progress()


@pytest.mark.parametrize("algorithm", ["pn-tree", "pn-dag", "pn-base-twin", "pn-cyclic", "pss"])
def test_a_search_that_keeps_its_graph_holds_all_nodes(algorithm: str) -> None:
    progress = finished("tic-tac-toe", algorithm)
    assert progress.peak_nodes == progress.nodes


def test_deleted_nodes_are_held_no_more() -> None:
    keep = finished("connect-four:4x4", "pn-tree+unit", 100_000)
    bytes_of_a_node = keep.node_memory // keep.nodes
    for policy in ("delete-solved", "delete-least"):
        progress = finished("connect-four:4x4", f"pn-tree+unit+{policy}", 100_000)
        room = progress.node_memory // bytes_of_a_node
        assert progress.peak_nodes is not None
        # Free rows of other lengths are left over.
        assert room // 2 < progress.peak_nodes <= room < progress.nodes


def test_the_peak_of_two_levels_has_both_trees() -> None:
    progress = finished("connect-four:4x4", "pn2+unit")
    first_and_second = progress.peak_nodes
    assert first_and_second is not None and 0 < first_and_second < progress.nodes // 10


def test_nodes_that_are_forgotten_are_used_again() -> None:
    progress = finished("connect-four:5x4", "pn-dag+effort+drop-solved", 200_000)
    assert progress.peak_nodes is not None and progress.peak_nodes < progress.nodes


@pytest.mark.parametrize("algorithm", ["df-pn", "null-window", "alpha-beta"])
def test_a_search_with_a_table_holds_no_nodes(algorithm: str) -> None:
    assert finished("tic-tac-toe", algorithm).peak_nodes is None
