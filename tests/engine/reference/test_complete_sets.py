"""Complete sets, and the exact algorithm by normal forms: Schijf (1993), chapters 3 and 4, by figure."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from drawn_graphs import expand_at_random, random_graph
from values_by_definition import number_of, smallest_sets, winners

from proofbase.engine import open_rules
from proofbase.engine.papers.reference.and_or_graph import (
    SearchGraph,
    graph_of_figure,
    question_graph,
    random_and_or_graph,
)
from proofbase.engine.papers.reference.complete_sets import (
    SetOfSets,
    complete_sets,
    minimal_sets,
    tensor_union,
)
from proofbase.engine.papers.reference.dag_search import leftmost_most_proving_node, practical_numbers
from proofbase.engine.papers.reference.dnf_search import DnfNumbers, DnfSearch
from proofbase.engine.papers.reference.explicit_game import ExplicitGame
from proofbase.engine.papers.reference.graph import values
from proofbase.engine.papers.reference.hitting_sets import HittingSetSearch, smallest_hitting_set, smallest_set

FIGURE_3_1 = graph_of_figure("a | b c", "b & d e f", "c & g h")
FIGURE_4_2 = graph_of_figure("a | b c", "b & d e f", "c & f g")
FIGURE_4_3 = graph_of_figure("a | b c", "b & d e", "c & e f", "d | g h", "e | i j k", "f | l m")
FIGURE_4_4 = graph_of_figure("a | b c", "b & d e", "c & e f", "d | g h i", "e | j k l m", "f | n o")
FIGURE_4_5 = graph_of_figure("a | b c d", "b & e", "c & f", "d & f", "e | g", "f | g h i")


def words(graph: SearchGraph, sets: SetOfSets) -> set[str]:
    return {graph.names(one) for one in sets}


def random_search_graph(seed: int) -> SearchGraph:
    """A part of a graph without cycles, as a search could have left it, with open leaves and many transpositions."""
    random = Random(seed)
    whole = random_and_or_graph(random, random.randint(6, 18), cyclic=False, decided=0.15)
    graph = SearchGraph(whole)
    expand_at_random(graph, random, len(whole))
    return graph


def test_the_tensor_union_of_section_3_2() -> None:
    a = frozenset({frozenset({1, 2}), frozenset({3})})
    b = frozenset({frozenset({2, 3}), frozenset({4})})
    assert tensor_union(a, b) == {frozenset(x) for x in ((1, 2, 3), (1, 2, 4), (2, 3), (3, 4))}
    assert minimal_sets(tensor_union(a, b)) == {frozenset(x) for x in ((1, 2, 4), (2, 3), (3, 4))}
    assert tensor_union(a, frozenset()) == frozenset()


def test_schijf_figure_3_1_has_two_proof_sets_and_six_disproof_sets() -> None:
    graph = SearchGraph(FIGURE_3_1, fully_expanded=True)
    proofs, disproofs = complete_sets(graph)[0]
    assert words(graph, proofs) == {"def", "gh"}
    assert words(graph, disproofs) == {"dg", "dh", "eg", "eh", "fg", "fh"}


def test_schijf_figure_3_4_numbers_and_most_proving_node() -> None:
    graph = SearchGraph(FIGURE_3_1, fully_expanded=True)
    numbers = practical_numbers(graph)
    assert [numbers[node] for node in range(3)] == [(2, 2), (3, 1), (2, 1)]
    assert graph.names([leftmost_most_proving_node(graph, numbers)]) == "g"
    exact = DnfNumbers(graph)
    assert [(exact.proof(node), exact.disproof(node)) for node in range(3)] == [(2, 2), (3, 1), (2, 1)]
    assert graph.names([exact.most_proving_node()]) == "g"


def test_schijf_figure_4_2_counts_a_transposition_twice() -> None:
    graph = SearchGraph(FIGURE_4_2, fully_expanded=True)
    assert practical_numbers(graph)[0] == (2, 2)
    exact = DnfNumbers(graph)
    assert (exact.proof(0), exact.disproof(0)) == (2, 1)
    assert graph.names([exact.most_proving_node()]) == "f"
    # The tensor union of the text: "{f, f} = {f}" is the only set of size one.
    printed = complete_sets(graph, as_printed=True)[0][1]
    assert words(graph, printed) == {"df", "dg", "ef", "eg", "fg", "f"}
    assert words(graph, complete_sets(graph)[0][1]) == {"dg", "eg", "f"}


def test_schijf_figure_4_3_ignores_a_transposition() -> None:
    graph = SearchGraph(FIGURE_4_3, fully_expanded=True)
    numbers = practical_numbers(graph)
    assert list(numbers[0]) == [2, 4]
    assert graph.names([leftmost_most_proving_node(graph, numbers)]) == "g"  # not in the smallest disproof set
    assert words(graph, smallest_sets(complete_sets(graph)[0][1])) == {"ijk"}
    exact = DnfNumbers(graph)
    assert (exact.proof(0), exact.disproof(0)) == (2, 3)
    assert graph.names([exact.most_proving_node()]) == "i"


def test_schijf_figure_4_4_disproof_of_the_root_goes_through_e() -> None:
    graph = SearchGraph(FIGURE_4_4, fully_expanded=True)
    exact = DnfNumbers(graph)
    e = graph.whole.names.index("e")
    assert exact.disproof_dnf[0] == {frozenset(): 4, frozenset({e}): 0}  # ([4] or [e])
    assert exact.disproof_dnf[1] == {frozenset(): 3, frozenset({e}): 0}  # b: 3 or value-of(e)
    assert exact.disproof_dnf[2] == {frozenset(): 2, frozenset({e}): 0}  # c: 2 or value-of(e)
    assert exact.used[0] == {e}
    assert graph.names([exact.most_proving_node()]) == "j"  # the leftmost child of e


def test_schijf_figure_4_5_two_transpositions_on_one_path() -> None:
    graph = SearchGraph(FIGURE_4_5, fully_expanded=True)
    exact = DnfNumbers(graph)
    a, b, c, d, e, f, g = range(7)
    only = frozenset({f}), frozenset({g}), frozenset({f, g})
    assert exact.disproof_dnf[e] == exact.disproof_dnf[b] == {frozenset(): 1, only[1]: 0}  # ([1] or [g])
    assert exact.disproof_dnf[f] == {frozenset(): 3, only[1]: 2}  # ([3] or [g 2])
    assert exact.disproof_dnf[c] == exact.disproof_dnf[d] == {frozenset(): 3, only[0]: 0}  # ([3] or [f])
    # ([7] or [f 1] or [g 6] or [gf]), and 7 becomes the exact number
    assert exact.disproof_dnf[a] == {frozenset(): 3, only[0]: 1, only[1]: 6, only[2]: 0}
    assert exact.dependency[f] > exact.dependency[g]
    assert exact.minimum({only[2]: 0}, exact.disproof_dnf) == (3, only[2])
    assert practical_numbers(graph)[0] == (1, 7)


def test_substituting_in_the_wrong_order_overestimates_figure_4_5() -> None:
    """The text: with g replaced before f the clause [gf] would come to 4."""
    exact = DnfNumbers(SearchGraph(FIGURE_4_5, fully_expanded=True))
    exact.dependency[6] = 9  # of g
    assert exact.minimum({frozenset({5, 6}): 0}, exact.disproof_dnf)[0] == 4


def test_exact_numbers_are_what_complete_sets_give() -> None:
    for seed in range(600):
        graph = random_search_graph(seed)
        exact = DnfNumbers(graph)
        for node, (proofs, disproofs) in complete_sets(graph).items():
            assert (exact.proof(node), exact.disproof(node)) == (number_of(proofs), number_of(disproofs)), (seed, node)


def test_hitting_sets_give_smallest_sets_of_the_root() -> None:
    for seed in range(300):
        graph = random_search_graph(seed)
        proofs, disproofs = complete_sets(graph)[0]
        for proof, sets in ((True, proofs), (False, disproofs)):
            known: list[frozenset[int]] = []
            smallest = smallest_set(graph, proof, known)
            assert (smallest in smallest_sets(sets)) if smallest is not None else not sets, seed
            assert smallest_set(graph, proof, known, guess=smallest or frozenset()) == smallest, seed


def test_a_smallest_hitting_set_is_what_brute_force_finds() -> None:
    for seed in range(200):
        random = Random(seed)
        sets = [frozenset(random.sample(range(9), random.randint(1, 4))) for _ in range(random.randint(0, 9))]
        sizes = (size for size in range(10) for one in combinations(range(9), size) if all(set(one) & s for s in sets))
        leaves = smallest_hitting_set(sets)
        assert all(leaves & one for one in sets) and len(leaves) == next(sizes), seed


def test_sets_that_are_not_minimal_change_no_number() -> None:
    larger = 0
    for seed in range(200):
        graph = random_search_graph(seed)
        if len(graph.expanded) > 8:
            continue
        minimal, printed = complete_sets(graph), complete_sets(graph, as_printed=True)
        for node, pair in minimal.items():
            for sets, with_more in zip(pair, printed[node], strict=True):
                assert sets <= with_more and minimal_sets(with_more) == sets
                assert smallest_sets(sets) == smallest_sets(with_more)
                larger += sets != with_more
    assert larger > 10


def test_practical_numbers_are_upper_bounds_of_exact_ones() -> None:
    above = 0
    for seed in range(600):
        graph = random_search_graph(seed)
        exact = DnfNumbers(graph)
        for node, (proof, disproof) in practical_numbers(graph).items():
            assert proof >= exact.proof(node) and disproof >= exact.disproof(node), (seed, node)
            above += (proof, disproof) != (exact.proof(node), exact.disproof(node))
    assert above > 100


def test_every_minimal_proof_set_meets_every_minimal_disproof_set() -> None:
    """Theorem 1: a most-proving node exists; and Fig. 4.9 nearly always finds one."""
    found = missed = 0
    for seed in range(1000):
        graph = random_search_graph(seed)
        proofs, disproofs = complete_sets(graph)[0]
        if not number_of(proofs) or not number_of(disproofs):
            continue
        assert all(one & other for one in proofs for other in disproofs)
        node = DnfNumbers(graph).most_proving_node()
        assert node in graph.frontier(), seed
        in_both = all(any(node in one for one in smallest_sets(sets)) for sets in (proofs, disproofs))
        found += in_both
        missed += not in_both
    assert found > 300 and missed < found / 300


def test_schijf_figure_4_9_can_miss_the_most_proving_node() -> None:
    """Below c both d and h lead to h, which the proof of b goes through; it does so by h itself, and d is first."""
    graph = SearchGraph(graph_of_figure("a | b c", "b & c h", "c | d h", "d & f g h"), fully_expanded=True)
    proofs, disproofs = complete_sets(graph)[0]
    assert words(graph, smallest_sets(proofs)) == words(graph, smallest_sets(disproofs)) == {"h"}
    exact = DnfNumbers(graph)
    assert (exact.proof(0), exact.disproof(0)) == (1, 1)
    assert graph.names([exact.most_proving_node()]) == "f"


def test_the_most_proving_node_is_not_a_transposition_that_is_settled() -> None:
    """With i and e kept in the normal forms, Fig. 4.9 walks from a by c and f to i, which is won already."""
    lines = ("a | b c d", "b & e", "c & e f", "d & g h", "f | b i", "h | i b")
    graph = SearchGraph(graph_of_figure(*lines, won="i", lost="e"), fully_expanded=True)
    exact = DnfNumbers(graph)
    assert (exact.proof(0), exact.disproof(0)) == (1, 1)
    assert graph.names([exact.most_proving_node()]) == "g"


def test_the_most_proving_path_does_not_turn_to_a_settled_transposition() -> None:
    """With t kept in the normal forms the path turns to c; but to disprove b it is enough to disprove g."""
    graph = SearchGraph(graph_of_figure("a | t b", "b & g c", "c | h t i", lost="t"), fully_expanded=True)
    proofs, disproofs = complete_sets(graph)[0]
    assert words(graph, proofs) == {"gh", "gi"} and words(graph, disproofs) == {"g", "hi"}
    assert graph.names([DnfNumbers(graph).most_proving_node()]) == "g"


@pytest.mark.parametrize("search", [DnfSearch, HittingSetSearch])
def test_exact_searches_give_the_brute_force_value(search: type[DnfSearch | HittingSetSearch]) -> None:
    won = 0
    for seed in range(150):
        random = Random(seed)
        whole = random_and_or_graph(random, random.randint(5, 25), cyclic=False)
        result = search(whole).run()
        assert result == (0 in winners(whole)), seed
        won += result
    assert 20 < won < 130


def test_figure_4_7_keeps_the_normal_forms_that_are_computed_anew() -> None:
    kept = whole_again = 0
    for seed in range(120):
        random = Random(seed)
        search = DnfSearch(random_and_or_graph(random, random.randint(5, 22), cyclic=False, decided=0.5))
        for _ in range(8):
            if not (frontier := search.graph.frontier()):
                break
            search.expand(random.choice(frontier))
            anew = DnfNumbers(search.graph)
            for name in ("proof_dnf", "disproof_dnf", "used", "dependency"):
                assert getattr(search.numbers, name) == getattr(anew, name), (seed, name)
            whole_again += anew.updates
        kept += search.numbers.updates
    assert kept < 0.7 * whole_again


def test_the_search_by_normal_forms_stops_when_it_is_told_to() -> None:
    whole = question_graph(open_rules("tic-tac-toe"), "xo." + 6 * ".", 1)
    answers = iter([True, True, False])
    search = DnfSearch(whole)
    assert search.run(lambda: next(answers)) is None and len(search.expansions) == 2
    assert search.run() is True


def test_questions_of_games_are_answered_by_brute_force_values() -> None:
    for seed in range(300):
        random = Random(seed)
        cyclic = seed % 3 == 0
        graph = random_graph(random, random.randint(2, 14), rewards=0 if cyclic else 2, rho=0 if cyclic else None)
        v = 1 if cyclic else random.randint(-2, 2)
        whole = question_graph(ExplicitGame(graph, 20), 0, v)
        assert (0 in winners(whole)) == (values(graph)[0] >= v), seed


def test_tic_tac_toe_written_out() -> None:
    game = open_rules("tic-tac-toe")
    whole = question_graph(game, game.initial(), 1, symmetric=False)
    assert len(whole) == 5478 and 0 not in winners(whole)
    assert len(question_graph(game, game.initial(), 1)) == 765
    assert 0 in winners(question_graph(game, game.initial(), 0))
    with pytest.raises(ValueError, match="more than 100 nodes"):
        question_graph(game, game.initial(), 1, limit=100)


def test_what_the_papers_do_not_cover_is_refused() -> None:
    graph = random_graph(Random(1), 8, rho=0)
    with pytest.raises(ValueError, match="endless line"):
        question_graph(ExplicitGame(graph), 0, 0)
    with pytest.raises(ValueError, match="cycle"):
        SearchGraph(graph_of_figure("a | b", "b & a c"), fully_expanded=True).bottom_up()


def test_hitting_sets_expand_a_leaf_of_a_smallest_proof_set_and_of_a_smallest_disproof_set() -> None:
    checked = 0
    for seed in range(60):
        random = Random(seed)
        whole = random_and_or_graph(random, random.randint(5, 18), cyclic=False)
        search = HittingSetSearch(whole)
        search.run()
        graph = SearchGraph(whole)
        for node in search.expansions:
            for sets in complete_sets(graph)[0]:
                assert any(node in one for one in smallest_sets(sets)), (seed, node)
            graph.expand(node)
            checked += 1
    assert checked > 100
