"""Proof-set search: Müller (2001), the worked examples 1 to 11 and the theorems 1 to 7 by number."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random

import pytest
from drawn_graphs import expand_at_random
from values_by_definition import number_of, winners

from proofbase.engine import open_rules
from proofbase.engine.papers.reference.and_or_graph import (
    AndOrGraph,
    SearchGraph,
    graph_of_figure,
    question_graph,
    random_and_or_graph,
)
from proofbase.engine.papers.reference.complete_sets import complete_sets
from proofbase.engine.papers.reference.dag_search import DagSearch, practical_numbers
from proofbase.engine.papers.reference.proof_set_search import PlainSet, PlainSets, ProofSetSearch, proof_sets
from proofbase.engine.papers.reference.second_level_sets import SecondLevelProofSetSearch
from proofbase.engine.papers.reference.truncated_sets import (
    AdaptiveProofSetSearch,
    TruncatedProofSetSearch,
    TruncatedSet,
    TruncatedSets,
)

FIGURE_1 = graph_of_figure("A & B C D E", "B | F", "C | F", "D | F", "E | F G")
FIGURE_3 = graph_of_figure("A & B C", "B | D", "C | D E", "D & F G H", "E & I J")
FIGURE_4 = graph_of_figure(
    "S & T U", "T | A", "U | A V", "V & W X Y Z", "A & B C", "B | D", "C | D E", "D & F G H", "E & I J"
)
FIGURE_6 = graph_of_figure("A & B C", "B | D", "C | D E", "D & F G H")


def plain_sets(graph: SearchGraph) -> dict[int, tuple[PlainSet, PlainSet]]:
    return proof_sets(graph, PlainSets(), PlainSets())


def words(whole: AndOrGraph) -> dict[str, tuple[str, str]]:
    """The proof set and the disproof set of every node of a drawn graph, by names; `-` is the impossible set."""
    graph = SearchGraph(whole, fully_expanded=True)
    return {
        str(whole.names[node]): ("-" if p is None else graph.names(p), "-" if d is None else graph.names(d))
        for node, (p, d) in plain_sets(graph).items()
    }


def letters(sets: TruncatedSets, text: str) -> TruncatedSet:
    """A truncated set that names every node given, A as 0."""
    return TruncatedSets.union(sets, [sets.single(ord(letter) - ord("A")) for letter in text])


def random_search_graph(seed: int) -> SearchGraph:
    random = Random(seed)
    whole = random_and_or_graph(random, random.randint(6, 22), cyclic=False, decided=0.15)
    graph = SearchGraph(whole)
    expand_at_random(graph, random, len(whole))
    return graph


def random_whole_graphs(count: int) -> Iterator[AndOrGraph]:
    for seed in range(count):
        random = Random(seed)
        yield random_and_or_graph(random, random.randint(6, 40), cyclic=False)


def effort_of(node: int) -> float:
    """Some positive weights, so that larger sets can be lighter."""
    return 1 + node * 7 % 5


def test_example_1_proof_numbers_overestimate() -> None:
    assert practical_numbers(SearchGraph(FIGURE_1, fully_expanded=True))[0][0] == 4


def test_example_2_computing_proof_and_disproof_sets() -> None:
    assert words(FIGURE_1) == {
        "F": ("F", "F"),
        "G": ("G", "G"),
        "B": ("F", "F"),
        "C": ("F", "F"),
        "D": ("F", "F"),
        "E": ("F", "FG"),
        "A": ("F", "F"),
    }


def test_example_3_fails_to_find_a_smallest_proof_set() -> None:
    sets = words(FIGURE_3)
    assert sets["D"][0] == "FGH" and sets["E"][0] == "IJ" and sets["C"][0] == "IJ"
    assert sets["A"][0] == "FGHIJ"
    assert number_of(complete_sets(SearchGraph(FIGURE_3, fully_expanded=True))[0][0]) == 3


def test_example_4_all_nine_leaves_instead_of_three() -> None:
    sets = words(FIGURE_4)
    assert sets["A"][0] == "FGHIJ" and sets["U"][0] == "WXYZ" and sets["S"][0] == "FGHIJWXYZ"
    assert number_of(complete_sets(SearchGraph(FIGURE_4, fully_expanded=True))[0][0]) == 3


def test_example_5_queue_computes_a_node_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fig. 5: after D come A, C, B, and A again. (A is a max node here; the figure does not depend on it.)"""
    whole = graph_of_figure("A | D B", "B & C", "C | D", "D & E F G", won="EFG")
    search = ProofSetSearch(whole, PlainSets(), PlainSets())
    for name in "ABC":
        search.expand(whole.names.index(name))
    computed: list[int] = []
    compute = search._compute

    def recorded(node: int) -> bool:
        computed.append(node)
        return compute(node)

    monkeypatch.setattr(search, "_compute", recorded)
    search.expand(whole.names.index("D"))
    order = "".join(str(whole.names[node]) for node in computed)
    assert order == "EFG" + "DACBA"


def test_example_6_union_of_8_truncated_sets() -> None:
    sets = TruncatedSets(8)
    first = TruncatedSet(letters(sets, "ADEHKLMQ").nodes, 16)
    second = TruncatedSet(letters(sets, "CDEFHMPQ").nodes, 13)
    assert sets.union([first, second]) == TruncatedSet(letters(sets, "ACDEFHKL").nodes, 24)


def test_example_7_union_of_0_truncated_sets_adds() -> None:
    sets = TruncatedSets(0)
    assert sets.union([TruncatedSet((), 5), TruncatedSet((), 5)]) == TruncatedSet((), 10)


def test_example_8_equal_truncated_sets_are_not_the_same() -> None:
    sets = TruncatedSets(2)
    one = TruncatedSet(letters(sets, "AB").nodes, 5)
    assert sets.union([one, one]) == TruncatedSet(one.nodes, 8)


def test_example_9_truncated_sets_with_heuristic_leaves() -> None:
    weights = dict(enumerate((10, 15, 7, 16, 18, 39)))  # A to F
    sets = TruncatedSets(4, effort=weights.__getitem__)
    a, b, c, d, e, f = range(6)
    first, second = letters(sets, "ABC"), letters(sets, "ADE")
    assert first == TruncatedSet((c, a, b), 32) and second == TruncatedSet((a, d, e), 44)
    assert sets.union([first, second]) == TruncatedSet((c, a, b, d), 66)
    third = letters(sets, "BDF")
    assert third == TruncatedSet((b, d, f), 70)
    assert sets.union([first, third]) == TruncatedSet((c, a, b, d), 87)


@pytest.mark.parametrize(("discount", "root"), [(None, "EFGH"), (0.25, "FGH"), (0.0, "FGH"), (0.5, "EFGH")])
def test_example_10_discounting_existing_nodes(discount: float | None, root: str) -> None:
    """With a discount of a half, F, G and H together still weigh more than E."""
    search = ProofSetSearch(FIGURE_6, PlainSets(discount=discount), PlainSets(discount=discount))
    number = FIGURE_6.names.index
    for name in "ABD":
        search.expand(number(name))
    assert search.sets[0][0] == frozenset(number(name) for name in "CFGH")
    assert search.most_promising_node() == number("C")
    search.expand(number("C"))
    assert search.sets[0][0] == frozenset(number(name) for name in root)


def test_a_proved_node_goes_before_one_that_is_discounted_to_nothing() -> None:
    """5.2."""
    sets = PlainSets(discount=0)
    sets.favoured = frozenset({1, 2})
    assert sets.least([frozenset({1}), frozenset()]) == frozenset()
    assert sets.least([frozenset({3}), frozenset({1, 2})]) == frozenset({1, 2})
    assert sets.least([frozenset({1, 2}), frozenset({2})]) == frozenset({2})  # the full weight breaks the tie


def test_example_11_a_cycle_treated_as_if_it_were_none() -> None:
    """Fig. 7, in the order of the text: C' stays a leaf until C is proved, and is then proved with it."""
    lines = ("A | B", "B & C D", "C | E C'", "D | F", "F & C'")
    sets = words(graph_of_figure(*lines))
    assert {node: sets[node][0] for node in "ABCDF"} == dict.fromkeys("ABCDF", "C'")
    sets = words(graph_of_figure(*lines, won="E"))
    assert sets["C"][0] == "" and sets["F"][0] == "C'"
    sets = words(graph_of_figure(*lines, won=["E", "C'"]))
    assert {node: sets[node][0] for node in "ABCDF"} == dict.fromkeys("ABCDF", "")


def test_theorem_1_the_sets_of_an_open_node_have_a_common_node() -> None:
    for seed in range(400):
        for proof_set, disproof_set in plain_sets(random_search_graph(seed)).values():
            assert not proof_set or not disproof_set or proof_set & disproof_set, seed


def test_theorem_2_sets_are_no_larger_than_proof_numbers() -> None:
    smaller = larger = 0
    for seed in range(500):
        graph = random_search_graph(seed)
        exact, numbers, rules = complete_sets(graph), practical_numbers(graph), PlainSets()
        for node, sets in plain_sets(graph).items():
            for one, of_node, complete in zip(sets, numbers[node], exact[node], strict=True):
                assert number_of(complete) <= rules.weight(one) <= of_node, (seed, node)
                assert one is None or any(least <= one for least in complete)  # it is a proof set
                smaller += rules.weight(one) < of_node
                larger += rules.weight(one) > number_of(complete)
    assert smaller > 50 and larger > 5


def test_theorems_3_and_4_the_ends_of_the_scale_move_for_move() -> None:
    differ = 0
    for whole in random_whole_graphs(200):
        plain = ProofSetSearch(whole, PlainSets(), PlainSets())
        numbers = DagSearch(whole, order="queue", early_stop=True)
        unlimited = TruncatedProofSetSearch(whole, math.inf, math.inf)
        bare = TruncatedProofSetSearch(whole, 0, 0)
        results = {search.run() for search in (plain, numbers, unlimited, bare)}
        assert results == {0 in winners(whole)}
        assert unlimited.expansions == plain.expansions
        assert bare.expansions == numbers.expansions
        for node, of_node in numbers.numbers.items():
            assert tuple(one.bound for one in bare.sets[node]) == of_node
        differ += plain.expansions != numbers.expansions
    assert differ > 20


def test_theorems_3_and_4_on_tic_tac_toe() -> None:
    game = open_rules("tic-tac-toe")
    whole = question_graph(game, game.initial(), 1)
    plain, unlimited = ProofSetSearch(whole, PlainSets(), PlainSets()), TruncatedProofSetSearch(whole, 99, math.inf)
    numbers, bare = DagSearch(whole), TruncatedProofSetSearch(whole, 0, 0)
    assert not any(search.run() for search in (plain, unlimited, numbers, bare))
    assert plain.expansions == unlimited.expansions
    assert numbers.expansions == bare.expansions
    assert plain.expansions != numbers.expansions


def test_theorem_5_bounds_of_truncated_sets_are_no_larger_than_proof_numbers() -> None:
    for seed in range(300):
        graph = random_search_graph(seed)
        numbers = practical_numbers(graph)
        for size in (0, 1, 2, 4):
            for node, sets in proof_sets(graph, TruncatedSets(size), TruncatedSets(3 * size)).items():
                for one, number, limit in zip(sets, numbers[node], (size, 3 * size), strict=True):
                    assert one.bound <= number, (seed, node)
                    assert one.bound == math.inf or len(one.nodes) == min(limit, one.bound)  # Definition 1


def test_theorems_6_and_7_with_heuristic_leaves() -> None:
    for seed in range(300):
        graph = random_search_graph(seed)
        numbers = practical_numbers(graph, effort_of)
        rules = PlainSets(effort_of)
        plain = proof_sets(graph, rules, rules)
        for node, sets in plain.items():
            assert all(rules.weight(one) <= n for one, n in zip(sets, numbers[node], strict=True)), (seed, node)
        for size in (0, 1, 3):
            truncated = TruncatedSets(size, effort_of)
            for node, of_node in proof_sets(graph, truncated, truncated).items():
                assert all(one.bound <= n for one, n in zip(of_node, numbers[node], strict=True)), (seed, node)


@pytest.mark.parametrize("effort", [lambda _: 1, effort_of], ids=["lemma 2", "lemma 3"])
def test_longer_truncated_sets_have_tighter_unions(effort: Callable[[int], float]) -> None:
    for seed in range(300):
        random = Random(seed)
        drawn = [random.sample(range(20), random.randint(0, 9)) for _ in range(random.randint(1, 6))]
        unions = []
        for size in (0, 1, 3, 6, math.inf):
            sets = TruncatedSets(size, effort)
            unions.append(sets.union([sets.union([sets.single(node) for node in one]) for one in drawn]))
        for shorter, longer in pairwise(unions):
            assert longer.bound <= shorter.bound and set(shorter.nodes) <= set(longer.nodes)


def test_every_kind_of_sets_finds_the_brute_force_value() -> None:
    for whole in random_whole_graphs(120):
        truth = 0 in winners(whole)
        for p, d in ((0, math.inf), (math.inf, 0), (1, 2), (3, 3)):
            assert TruncatedProofSetSearch(whole, p, d, effort_of).run() == truth
        assert ProofSetSearch(whole, PlainSets(effort_of), PlainSets(effort_of)).run() == truth
        assert ProofSetSearch(whole, PlainSets(discount=0.3), PlainSets(discount=0)).run() == truth


def has_rank_function(graph: AndOrGraph) -> bool:
    """Whether all paths from the root to a node are of one length (3.2.1, of Lemma 1)."""
    depths = graph.depths()
    return all(depths[child] == depths[node] + 1 for node in range(len(graph)) for child in graph.children[node])


def test_where_paths_are_of_one_length_a_queue_computes_no_node_twice() -> None:
    """Lemma 1, and Fig. 5, which has no rank function."""
    figure_5 = graph_of_figure("A | B D", "B & C", "C | D", "D & E F")
    assert not has_rank_function(figure_5) and figure_5.depths() == [0, 1, 2, 3, 4, 4]
    game = open_rules("tic-tac-toe")
    board = question_graph(game, game.parse("xo./.x./..o"), 1, symmetric=False)
    assert has_rank_function(board)
    search = ProofSetSearch(board, PlainSets(), PlainSets())
    search.run()
    assert search.repeated == 0 < search.updates


def test_in_topological_order_no_node_is_computed_twice_and_the_sets_are_the_same() -> None:
    repeated = 0
    for seed in range(60):
        whole = random_and_or_graph(Random(seed), 50, cyclic=False)
        queue = ProofSetSearch(whole, PlainSets(), PlainSets())
        order = ProofSetSearch(whole, PlainSets(), PlainSets(), topological=True)
        assert queue.run() == order.run() == (0 in winners(whole))
        assert queue.expansions == order.expansions and queue.sets == order.sets
        assert order.repeated == 0 and order.updates <= queue.updates
        repeated += queue.repeated
    assert repeated > 5


def test_sizes_that_grow_and_a_second_level_give_the_brute_force_value() -> None:
    grown = saved = 0
    for seed in range(80):
        whole = random_and_or_graph(Random(seed), 60, cyclic=False)
        expected = 0 in winners(whole)
        adaptive, second = AdaptiveProofSetSearch(whole), SecondLevelProofSetSearch(whole)
        assert adaptive.run() == second.run() == expected, seed
        grown += adaptive.size > 1
        plain = ProofSetSearch(whole, PlainSets(), PlainSets())
        plain.run()
        saved += len(second.expansions) < len(plain.expansions)
    assert grown > 5 and saved > 10
