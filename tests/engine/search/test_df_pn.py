"""df-pn: against brute force, with tables far smaller than its search, by several threads, in games with cycles."""

from __future__ import annotations

from random import Random
from types import ModuleType

import pytest
from drawn_graphs import random_graph
from search_combinations import assert_settled, assert_solution, solved
from trials import load_trial

from proofbase.engine import _core
from proofbase.engine._core import RecordTable, Search
from proofbase.engine.errors import EngineError
from proofbase.engine.games import open_game
from proofbase.engine.papers.reference.explicit_game import ExplicitGame
from proofbase.engine.papers.reference.graph import Edge, Graph, values

GRAPHS = 600


@pytest.fixture(scope="module")
def trial() -> ModuleType:
    return load_trial("search/trial_df_pn")


def test_random_graphs_with_and_without_cycles_have_their_brute_force_values(trial: ModuleType) -> None:
    counts = trial.run(GRAPHS, seed=2)
    assert counts["graphs"] == GRAPHS
    assert counts["cyclic"] > GRAPHS / 2
    assert counts["rewards"] > GRAPHS / 3
    assert 0.2 < counts["proved"] / GRAPHS < 0.8
    assert counts["by_repetition"] > GRAPHS / 5


# Moves of the figures as children, by name; who moves alternates, and what comes back is lost for the first side.
FIGURES = {
    "Breuker et al. 2001, Fig. 4": ({"A": "B", "B": "CD", "C": "EF", "D": "FG", "F": "C", "E": "", "G": ""}, "EG", ""),
    "Breuker et al. 2001, Fig. 10": ({"A": "B", "B": "C", "C": "DE", "D": "C", "E": "F", "F": "DE"}, "", ""),
    "Schijf 1993, Fig. 5.7": (
        {"a": "bc", "b": "de", "c": "f", "d": "x", "e": "gh", "f": "h", "g": "y", "h": "e", "x": "", "y": ""},
        "y",
        "x",
    ),
}


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("order", range(12))
def test_wins_that_the_practical_algorithm_misses_are_found(figure: str, order: int) -> None:
    """The figures in which a repetition on one path hides a win on another, with the moves in many orders.

    Each node of a figure is one position for each side to move; in the one that the figure means, the side to move
    is that of the figure. Values are by brute force; what is lost by repetition is asked as "at least 1".
    """
    children, won, lost = FIGURES[figure]
    names = list(children)
    first = {names[0]: 0}
    for name in names:
        for child in children[name]:
            first.setdefault(child, 1 - first[name])
    edges = [[Edge(i, names.index(child), 0) for i, child in enumerate(children[name])] for name in names]
    terminal = []
    for name in names:
        good = 1 if first[name] == 0 else -1
        worth = good if name in won else -good if name in lost else 0
        terminal.append(None if children[name] else worth)
    graph = Graph(edges, terminal, [0] * len(names), [n.to_bytes(4, "big") for n in range(len(names))])
    game = _core.python_game(ExplicitGame(graph))
    worth = values(graph)[0]
    for at_least in (0, 1):
        search = solved(game, 0, at_least, f"df-pn+unit+order-{order}" if order else "df-pn+unit")
        assert search.status == ("proved" if worth >= at_least else "disproved")
        assert_solution(search, game.key(0), at_least, search.status)
    assert figure == "Breuker et al. 2001, Fig. 10" or worth == 1  # the wins of the figures


@pytest.mark.parametrize("at_least", [0, 1])
@pytest.mark.parametrize("policies", ["+unit", "+mobility", "+effort", "+unit+weak", "+effort+weak+order-3"])
def test_connect_four_4x4_is_a_draw(policies: str, at_least: int) -> None:
    game = open_game("connect-four:4x4")
    search = solved(game, game.initial(), at_least, "df-pn" + policies)
    assert search.algorithm == "df-pn" + policies
    assert search.status == ("proved" if at_least == 0 else "disproved")
    assert_solution(search, game.key(game.initial()), at_least, search.status)


@pytest.mark.parametrize("kib", [2, 16])
def test_it_proves_with_a_table_far_smaller_than_its_search(kib: int) -> None:
    """Connect-four 5x4: a solution of some 10,000 records out of a table of 96 entries, or 768."""
    game = open_game("connect-four:5x4")
    search = solved(game, game.initial(), 1, f"df-pn+table-kib-{kib}")
    assert search.status == "disproved"
    assert search.progress().node_memory == kib * 1024
    solution = search.solution(small_search_nodes=0)
    assert len(solution) > 5_000
    assert_settled(solution, game.key(game.initial()), 1, "disproved")


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_share_the_table_and_the_answer_is_the_same(threads: int) -> None:
    game = open_game("connect-four:5x4")
    for at_least, status in ((0, "proved"), (1, "disproved")):
        search = solved(game, game.initial(), at_least, f"df-pn+table-4+threads-{threads}")
        assert search.status == status
        assert_solution(search, game.key(game.initial()), at_least, status)
    small = solved(game, game.initial(), 1, f"df-pn+table-kib-16+threads-{threads}")
    assert_solution(small, game.key(game.initial()), 1, "disproved")


def test_threads_are_refused_where_keys_vary_in_length() -> None:
    game = _core.python_game(ExplicitGame(random_graph(Random(3), 12, rho=0)))
    with pytest.raises(EngineError, match="one thread only"):
        Search(game, 0, 1, algorithm="df-pn+threads-2")


@pytest.mark.parametrize(
    ("policy", "part"),
    [
        ("table-0x", "needs a number"),
        ("table-1+table-kib-3", "exclude each other"),
        ("table-9999999999", "takes a number from 0 to"),
        ("threads-0", "takes a number from 1 to 255, not 0"),
        ("sum+weak", "exclude"),
        ("keep", "no policy of df-pn"),
    ],
)
def test_policies_that_make_no_sense_are_named(policy: str, part: str) -> None:
    game = open_game("connect-four:4x4")
    with pytest.raises(EngineError, match=part):
        Search(game, game.initial(), 1, algorithm=f"df-pn+{policy}")


@pytest.mark.parametrize("policies", ["unit", "mobility", "unit+weak", "unit+table-kib-1"])
@pytest.mark.parametrize(
    ("graph", "other", "at_least"),
    [
        ("nodes=4,ends=25,values=2,rewards=2,group=4,seed=22819762", 0, 1),
        ("nodes=33,ends=25,values=2,rewards=2,group=4,seed=3989190740", 2, 4),
        ("nodes=51,ends=25,values=2,rewards=2,group=4,seed=469460842", 1, 4),
    ],
)
def test_a_known_claim_of_progress_settles_what_repetition_would(
    graph: str, other: int, at_least: int, policies: str
) -> None:
    """Such a claim has a rank; where it says more than is asked, a claim of safety is enough, which has none."""
    game = open_game(f"random-graph:{graph}")
    known = RecordTable(game)
    for chunk in solved(game, game.initial(), other, f"df-pn+{policies}").solution().chunks(100):
        known.load(chunk)
    search = solved(game, game.initial(), at_least, f"df-pn+{policies}", known)
    assert search.status == "disproved"
    for chunk in search.solution().chunks(100):
        known.load(chunk)
    assert_settled(known, game.key(game.initial()), at_least, "disproved")


@pytest.mark.parametrize("policies", ["unit", "mobility", "unit+weak", "unit+table-kib-1"])
def test_a_condition_that_has_come_true_is_a_fact_for_the_solution_too(policies: str) -> None:
    """Else a proof that rests on it is not found again, and another one leads in a circle, however large the table."""
    game = open_game("random-graph:nodes=40,ends=20,values=3,rewards=1,group=8,repetition=1,seed=4063169742")
    search = solved(game, game.initial(), 2, f"df-pn+{policies}+order-3")
    assert_solution(search, game.key(game.initial()), 2, "disproved")


@pytest.mark.parametrize(
    ("algorithm", "nodes"), [("df-pn+unit", 10_152), ("df-pn+mobility", 7_937), ("df-pn+effort", 5_319)]
)
def test_node_counts_are_those_of_the_documents(algorithm: str, nodes: int) -> None:
    """A search that is changed states its new counts, here and in docs/search.md."""
    game = open_game("connect-four:4x4")
    assert solved(game, game.initial(), 1, algorithm).progress().nodes == nodes


LOST = "1nbqkb2/2pppp2/8/1Q6/4P3/1P6/R2P1PP1/1NB1K1N1 b - - 0 1"
"""Of antichess, 650,000 nodes: the end of a line of M. Watkins. Many entries are lost while the table grows."""


@pytest.mark.slow
def test_a_solution_with_a_cycle_is_collected_again_from_a_table_that_does_not_grow() -> None:
    game = open_game("giveaway:antichess")
    search = Search(game, game.parse(LOST), 0, algorithm="df-pn")
    assert search.run(nodes=2_000_000).status == "disproved"
    solution = search.solution()
    assert len(solution) > 10 and solution.check().failed == 0
    assert solution.missing() == []
