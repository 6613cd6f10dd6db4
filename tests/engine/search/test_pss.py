"""Native proof-set search: the reference search move for move, Müller's theorems, brute force, going on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from checkpoint_words import of_another_algorithm, words_of
from search_combinations import (
    assert_settled,
    assert_solution,
    brute_force_on_random_graphs,
    solved,
    stopped_and_restored,
)

from proofbase.engine import _core
from proofbase.engine._core import RecordTable, Search
from proofbase.engine.errors import EngineError
from proofbase.engine.games import open_game
from proofbase.engine.papers.reference.and_or_graph import AndOrGraph, question_graph
from proofbase.engine.papers.reference.explicit_game import ExplicitGame
from proofbase.engine.papers.reference.graph import Edge, Graph, explore
from proofbase.engine.papers.reference.proof_set_search import PlainSets, ProofSetSearch
from proofbase.engine.papers.reference.truncated_sets import TruncatedProofSetSearch, TruncatedSet, TruncatedSets

SIZES = (
    "p-1+d-1",
    "p-3+d-0",
    "p-0+d-2",
    "p-2+d-5",
    "p-16+d-16",
    "p-all+d-all",
    "p-all+d-all+favour-50",
    "p-4+d-4+oldest",
    "p-all+d-0+favour-50",
)


def two_coloured_graph(random: Random, nodes: int) -> Graph:
    """A graph without cycles whose sides alternate, as the reference has it: a node belongs to one side."""
    colour = [0] + [random.randrange(2) for _ in range(nodes - 1)]
    edges: list[list[Edge]] = []
    for node in range(nodes):
        others = [n for n in range(node + 1, min(node + 16, nodes)) if colour[n] != colour[node]]
        wanted = random.choice((1, 2, 2, 3, 3)) if node < nodes * 5 // 6 else 0
        edges.append(
            [Edge(move, child, 0) for move, child in enumerate(random.sample(others, min(wanted, len(others))))]
        )
    terminal = [None if out else random.choice((-1, 1)) for out in edges]
    return Graph(edges, terminal, [None] * nodes, [node.to_bytes(4, "big") for node in range(nodes)])


def expansions(search: Search) -> list[int]:
    """The nodes that a search has expanded so far, by the order of creation."""
    return words_of(search.checkpoint())


def numbered(search: ProofSetSearch[Any]) -> list[int]:
    """The expansions of a reference search by the order of creation."""
    place = {node: number for number, node in enumerate(search.graph.parents)}
    return [place[node] for node in search.expansions]


def in_order_of_creation(search: ProofSetSearch[Any]) -> None:
    """Has ties broken as the native search breaks them."""
    created: dict[int, int] = {}

    def place(node: int) -> int:
        if node not in created:
            created.update({known: number for number, known in enumerate(search.graph.parents)})
        return created[node]

    search.proofs.order = search.disproofs.order = place


def newest_first(search: TruncatedProofSetSearch) -> None:
    """Has sets list their newest leaves first, and of two sets prefers the one that has the older leaf there."""

    class Newest(TruncatedSets):
        def least(self, sets: Sequence[TruncatedSet]) -> TruncatedSet:
            return min(sets, key=lambda one: (one.bound, [-self.order(node) for node in one.nodes]))

    search.proofs.__class__ = search.disproofs.__class__ = Newest
    in_order_of_creation(search)
    place = search.proofs.order
    search.proofs.order = search.disproofs.order = lambda node: -place(node)


def policy(size: float) -> str:
    return "all" if size == math.inf else f"{size:.0f}"


def two_coloured_games(count: int, nodes: int) -> list[tuple[Any, AndOrGraph]]:
    """Native games with their questions "at least 1?" as AND/OR graphs, where the search has something to do."""
    found: list[tuple[Any, AndOrGraph]] = []
    random = Random(5)
    while len(found) < count:
        game = ExplicitGame(two_coloured_graph(random, random.randint(nodes // 2, nodes)))
        whole = question_graph(game, 0, 1)
        if len(whole) > nodes // 4:
            found.append((_core.python_game(game), whole))
    return found


GAMES = two_coloured_games(60, 120)


@pytest.mark.parametrize(("p", "d"), [(1, 1), (2, 5), (4, 0), (0, 3), (16, 16), (math.inf, 2), (math.inf, math.inf)])
@pytest.mark.parametrize("initialisation", ["unit", "mobility"])
def test_the_expansions_of_the_reference_search(p: float, d: float, initialisation: str) -> None:
    total = 0
    for game, whole in GAMES:
        reference = TruncatedProofSetSearch(whole, p, d)
        assert isinstance(reference.proofs, TruncatedSets) and isinstance(reference.disproofs, TruncatedSets)
        if initialisation == "mobility":  # who answers must answer every move
            reference.proofs.effort = lambda n, graph=whole: 1 if graph.is_max[n] else len(graph.children[n])
            reference.disproofs.effort = lambda n, graph=whole: len(graph.children[n]) if graph.is_max[n] else 1
        in_order_of_creation(reference)
        won = reference.run()
        search = solved(game, 0, 1, f"pss+{initialisation}+p-{policy(p)}+d-{policy(d)}+oldest")
        assert search.status == ("proved" if won else "disproved")
        assert expansions(search) == numbered(reference)
        assert search.progress().nodes == reference.nodes
        total += len(reference.expansions)
    assert total > 600


@pytest.mark.parametrize("size", [1, 6, math.inf])
def test_the_expansions_of_the_reference_search_on_tic_tac_toe(size: float) -> None:
    """Here two moves can lead to the same position: its sets count once."""
    game = ExplicitGame(explore(open_game("tic-tac-toe", rules="python")))
    reference = TruncatedProofSetSearch(question_graph(game, 0, 1), size, size)
    in_order_of_creation(reference)
    assert not reference.run()
    search = solved(_core.python_game(game), 0, 1, f"pss+unit+p-{policy(size)}+d-{policy(size)}+oldest")
    assert expansions(search) == numbered(reference)


def test_the_newest_leaves_first() -> None:
    """The same order put into the reference search: sets by their newest leaves, the newest common leaf."""
    differ = 0
    for game, whole in GAMES:
        for size in (2, 5, math.inf):
            reference = TruncatedProofSetSearch(whole, size, size)
            newest_first(reference)
            reference.run()
            name = f"pss+unit+p-{policy(size)}+d-{policy(size)}"
            found = expansions(solved(game, 0, 1, f"{name}+newest"))
            assert found == numbered(reference)
            differ += found != expansions(solved(game, 0, 1, f"{name}+oldest"))
    assert differ > 20


@pytest.mark.parametrize("favour", [0, 25, 75])
def test_the_expansions_of_the_reference_search_with_favouring(favour: int) -> None:
    differ = 0
    for game, whole in GAMES:
        rules = [PlainSets(discount=favour / 100) for _ in range(2)]
        reference = ProofSetSearch(whole, *rules)
        in_order_of_creation(reference)
        reference.run()
        found = expansions(solved(game, 0, 1, f"pss+unit+p-all+d-all+favour-{favour}+oldest"))
        assert found == numbered(reference)
        differ += found != expansions(solved(game, 0, 1, "pss+unit+p-all+d-all+oldest"))
    assert differ > 5


@pytest.mark.parametrize("initialisation", ["unit", "mobility", "effort"])
@pytest.mark.parametrize("at_least", [0, 1])
def test_theorems_3_and_4_the_ends_of_the_scale_move_for_move(initialisation: str, at_least: int) -> None:
    game = open_game("connect-four:4x4")
    numbers, empty, large, whole = (
        expansions(solved(game, game.initial(), at_least, name))
        for name in (
            f"pn-dag+{initialisation}",
            f"pss+{initialisation}+p-0+d-0",
            f"pss+{initialisation}+p-100000+d-100000",
            f"pss+{initialisation}+p-all+d-all",
        )
    )
    assert empty == numbers
    assert large == whole != numbers


def test_mueller_6_2_tic_tac_toe() -> None:
    """1114 nodes against 1237, as expansions with symmetric positions apart (papers/reproduce/mueller_6_2.py)."""
    game = open_game("tic-tac-toe")
    for algorithm, expanded, created in (("pn-dag+unit", 1237, 3202), ("pss+unit+p-all+d-all+newest", 1114, 2956)):
        progress = solved(game, game.initial(), 1, f"{algorithm}+no-symmetry").progress()
        assert (progress.expansions, progress.nodes) == (expanded, created)


@pytest.mark.parametrize("p", ["0", "2", "16", "all"])
def test_theorem_5_bounds_are_no_larger_than_proof_numbers_in_the_same_graph(p: str) -> None:
    """The numbers of the root after the expansions of a pn-search, which both take up as their own."""
    game = open_game("connect-four:4x4")
    smaller = 0
    for nodes in (60, 200, 600, 2_000, 6_000):
        numbers = Search(game, game.initial(), 1, algorithm="pss+unit+p-0+d-0")
        numbers.run(nodes=nodes)
        chunk = numbers.checkpoint()
        name = f"pss+unit+p-{p}+d-{p}"
        sets = Search(game, game.initial(), 1, algorithm=name)
        sets.restore([of_another_algorithm(chunk, "pss+unit+p-0+d-0", name)])
        upper, found = numbers.progress(), sets.progress()
        assert found.nodes == upper.nodes
        assert 0 < found.proof <= upper.proof and 0 < found.disproof <= upper.disproof
        smaller += (found.proof, found.disproof) != (upper.proof, upper.disproof)
    assert smaller == 0 if p == "0" else smaller > 2


@pytest.mark.parametrize("algorithm", [f"pss+{kind}+{sizes}" for kind in ("unit", "mobility") for sizes in SIZES])
def test_brute_force_values_on_random_graphs_with_rewards(algorithm: str) -> None:
    """Here a position can be asked about for both sides, so that one node has two members."""
    assert 10 < brute_force_on_random_graphs(algorithm, 60, most_nodes=40) < 50


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("at_least", [0, 1])
def test_connect_four_4x4_is_a_draw(sizes: str, at_least: int) -> None:
    game = open_game("connect-four:4x4")
    for initialisation in ("unit", "effort"):
        name = f"pss+{initialisation}+{sizes}"
        search = solved(game, game.initial(), at_least, name)
        assert search.algorithm == (name if name.endswith("+oldest") else f"{name}+newest")
        assert search.status == ("proved" if at_least == 0 else "disproved")
        assert_solution(search, game.key(game.initial()), at_least, search.status)


@pytest.mark.parametrize("sizes", SIZES)
def test_a_restored_search_goes_on_as_if_never_stopped(sizes: str) -> None:
    game = open_game("connect-four:4x4")
    stopped_and_restored(game, f"pss+mobility+{sizes}")


def test_known_records_settle_what_they_can() -> None:
    game = open_game("connect-four:4x4")
    fresh = solved(game, game.initial(), 0, "pss")
    known = RecordTable(game)
    for at_least in (0, 1):
        part = solved(game, game.play(game.initial(), 1), at_least, "pss").solution()
        known.load([item for chunk in part.chunks(100) for item in chunk])
    search = solved(game, game.initial(), 0, "pss", known)
    assert search.progress().nodes < fresh.progress().nodes
    known.load([item for chunk in search.solution().chunks(100) for item in chunk])
    assert_settled(known, game.key(game.initial()), 0, "proved")


def test_budgets_and_cancel_end_a_search_with_large_sets() -> None:
    game = open_game("connect-four")
    search = Search(game, game.initial(), 1, algorithm="pss+unit+p-all+d-all")
    search.run(nodes=3_000)
    assert (search.status, search.reason) == ("unknown", "nodes")
    assert 3_000 <= search.progress().nodes < 3_007
    line = search.progress().best_line
    position = game.initial()
    for move in line:
        assert move in game.moves(position)
        position = game.play(position, move)
    assert len(line) > 2
    before = search.progress().expansions
    search.cancel()
    search.run()
    assert search.reason == "cancelled" and search.progress().expansions == before
    search.run(memory=search.progress().memory + 2_000_000)
    assert search.reason == "memory"


@pytest.mark.parametrize(
    ("algorithm", "message"),
    [
        ("pss+p-x", "needs a number"),
        ("pss+p-all+p-3", "'p-all' and 'p-3' exclude each other"),
        ("pss+favour-101", "takes a number from 0 to 100, not 101"),
        ("pss+delete-solved", "no policy of pss"),
    ],
)
def test_policies_that_do_not_exist_are_named(algorithm: str, message: str) -> None:
    game = open_game("connect-four:4x4")
    with pytest.raises(EngineError, match=message):
        Search(game, game.initial(), 1, algorithm=algorithm)


@pytest.mark.parametrize(
    ("graph", "at_least", "algorithm"),
    [
        ("nodes=60,ends=25,values=3,rewards=2,seed=1859548361", 0, "pss+unit+p-all+d-0+favour-50+order-3"),
        ("nodes=30,ends=25,values=3,rewards=2,seed=1089586609", 1, "pss+mobility+p-4+d-0+newest"),
    ],
)
def test_sets_of_one_side_where_a_position_is_asked_about_for_both(graph: str, at_least: int, algorithm: str) -> None:
    """A parent may name a leaf, or a child leaves, that the other of the two does not name: these ran out of edges."""
    game = open_game(f"random-graph:{graph}")
    search = solved(game, game.initial(), at_least, algorithm)
    plain = solved(game, game.initial(), at_least, "pn-dag+unit")
    assert search.status == plain.status
    assert_solution(search, game.key(game.initial()), at_least, search.status)


@pytest.mark.parametrize("sizes", ["p-4+d-4+order-3", "p-3+d-2+no-symmetry", "p-3+d-4", "p-4+d-2", "p-all+d-4"])
def test_the_bound_of_a_set_is_that_of_the_leaves_it_names(sizes: str) -> None:
    """Children of new sets with bounds from before made a union count nothing: open nodes were taken for refuted."""
    game = open_game("random-graph:nodes=64,ends=25,values=3,rewards=2,seed=1900986898")
    search = solved(game, game.initial(), 1, f"pss+mobility+{sizes}")
    assert search.status == "proved"
    assert_solution(search, game.key(game.initial()), 1, "proved")
