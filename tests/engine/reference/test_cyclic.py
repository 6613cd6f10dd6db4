"""Graphs with cycles: Schijf (1993), chapter 5, and the base-twin algorithm (Breuker et al. 2001), by figure."""

from __future__ import annotations

import math
from random import Random

from drawn_graphs import expand_at_random, random_graph
from values_by_definition import smallest_sets, winners

from proofbase.engine.papers.reference.and_or_graph import (
    AndOrGraph,
    SearchGraph,
    graph_of_figure,
    question_graph,
    random_and_or_graph,
)
from proofbase.engine.papers.reference.base_twin import BaseTwinSearch
from proofbase.engine.papers.reference.base_twin_sets import BaseTwinSetSearch
from proofbase.engine.papers.reference.complete_sets import complete_sets
from proofbase.engine.papers.reference.cyclic_search import LOST, WON, CyclicSearch, updates_until_stable
from proofbase.engine.papers.reference.cyclic_sets import (
    CyclicSetSearch,
    IncrementalSets,
    complete_sets_by_paths,
    without_cycles,
)
from proofbase.engine.papers.reference.explicit_game import ExplicitGame
from proofbase.engine.papers.reference.graph import values
from proofbase.engine.papers.reference.truncated_sets import TruncatedSets

# Schijf's Fig. 5.7 with what he supposes: d will be lost, and g would be won.
FIGURE_5_7 = graph_of_figure(
    "a | b c", "b & d e", "c & f", "d | x", "e | g h", "f | h", "g & y", "h & e", won="y", lost="x"
)
# Breuker et al., Fig. 4: F is a repetition by way of C, and none by way of D.
FIGURE_4 = graph_of_figure("A | B", "B & C D", "C | E F", "D | F G", "F & C", won="EG")
# Breuker et al., Figs. 6 to 10: all that can be played from C leads back to C.
FIGURE_10 = graph_of_figure("A | B", "B & C", "C | D E", "D & C", "E & F", "F | D E")


def driven(whole: AndOrGraph, names: str) -> CyclicSearch:
    """The practical algorithm with its nodes expanded in a given order."""
    search = CyclicSearch(whole)
    for name in names:
        search.expand(search.nodes[whole.names.index(name)])
    return search


def test_schijf_figure_5_7_the_practical_algorithm_misses_a_win_that_base_twin_finds() -> None:
    assert 0 in winners(FIGURE_5_7)
    search = driven(FIGURE_5_7, "abehcf")
    assert search.root.numbers != LOST
    end_node = search.nodes[FIGURE_5_7.names.index("h")].children[0]
    assert end_node.numbers == LOST and end_node is not search.nodes[FIGURE_5_7.names.index("e")]
    search.expand(search.nodes[FIGURE_5_7.names.index("d")])
    assert search.root.numbers == LOST  # the missed win
    assert BaseTwinSearch(FIGURE_5_7).run()
    assert CyclicSetSearch(FIGURE_5_7).run()


def test_schijf_figure_5_7_end_node_is_reset_when_its_twin_is_won() -> None:
    """If g is expanded in the place of d, then e is won; so are e', h, f, c and a."""
    search = driven(FIGURE_5_7, "abehcfg")
    for name in "ghefca":
        assert search.nodes[FIGURE_5_7.names.index(name)].numbers == WON, name
    assert search.nodes[FIGURE_5_7.names.index("h")].children[0].numbers == WON


def test_schijf_section_5_4_a_repetition_of_a_won_node_is_won_at_once() -> None:
    """h is expanded after e was won: the end node e' starts as a win."""
    whole = graph_of_figure("a & e", "e | g h", "g & y", "h & e", won="y")
    search = driven(whole, "aegh")
    assert search.nodes[whole.names.index("h")].numbers == WON


def test_schijf_figure_5_4_sets_depend_on_the_path() -> None:
    """Fig. 5.7 again: below f the node e is no repetition and g proves h; below e the node h proves nothing."""
    lines = ("a | b c", "b & d e", "c & f", "e | g h", "f | h", "h & e")
    graph = SearchGraph(graph_of_figure(*lines), fully_expanded=True)
    number = graph.whole.names.index
    h = number("h")
    below_e, _ = complete_sets_by_paths(graph, h, frozenset({number(name) for name in "abe"}))
    below_f, _ = complete_sets_by_paths(graph, h, frozenset({number(name) for name in "acf"}))
    assert below_e == frozenset()
    assert {graph.names(one) for one in below_f} == {"g"}
    proofs, disproofs = complete_sets_by_paths(graph)
    assert {graph.names(one) for one in proofs} == {"g"}  # by c; {d, g} by b is not minimal
    assert {graph.names(one) for one in disproofs} == {"g"}


def test_breuker_figure_4_is_a_win() -> None:
    assert 0 in winners(FIGURE_4)
    search = BaseTwinSearch(FIGURE_4)
    assert search.run()
    assert CyclicSetSearch(FIGURE_4).run()
    # Fig. 5: F is generated as a child of C and its twin f as a child of D.
    f = FIGURE_4.names.index("F")
    of_c, of_d = (search.bases[FIGURE_4.names.index(name)].children for name in "CD")
    base, twin = of_c[1], of_d[0]
    assert base.position == twin.position == f
    assert base.base is base and twin.base is base and twin is not base


def test_breuker_figures_6_to_10_possible_draws_up_to_a_real_one() -> None:
    search = BaseTwinSearch(FIGURE_10)
    number = FIGURE_10.names.index
    for name in "ABCDEF":
        node = search.select_most_proving_node()
        assert node.position == number(name) and not node.is_possible_draw
        search._expand(node)
        search._update_ancestors(node.parent)
        if name == "E":  # D was marked on the way, so that only E counts at C (Fig. 16)
            of_c = search.bases[number("C")]
            assert (of_c.proof, of_c.disproof) == (1, 1)
    node = search.select_most_proving_node()
    assert node is search.bases[number("C")]
    assert node.is_possible_draw and node.depth == node.possible_draw_depth == 2
    assert not any(base.is_possible_draw for base in search.bases.values() if base is not node)
    search._expand(node)
    assert (node.proof, node.disproof) == LOST
    search._update_ancestors(node.parent)
    assert (search.root.proof, search.root.disproof) == LOST
    assert search.nodes == 6 + 3  # and the twins c, d, e


def test_mueller_example_11_proof_sets_in_a_graph_with_a_cycle() -> None:
    """Müller, Fig. 7: one leaf proves everything, as in the text. There it is C', here what C' needs, which is E.

    Numbers count it twice at B. When E is proved, so are C, F, D, B and A.
    """
    whole = graph_of_figure("A | B", "B & C D", "C | E F", "D | F", "F & C", "E | x", won="x")
    number = whole.names.index
    sets, numbers = (BaseTwinSetSearch(whole, TruncatedSets(size), TruncatedSets(size)) for size in (9, 0))
    for search in (sets, numbers):
        for name in "ABCDF":
            assert search.expand_next().position == number(name)
    e, f = number("E"), number("F")
    found = {name: sets.sets_of(sets.bases[number(name)])[0].nodes for name in "ABCDF"}
    assert found == dict.fromkeys("ABCDF", (e,))
    # F is still a leaf in the sets that C had before F was expanded.
    assert sets.sets_of(sets.root)[1].nodes == (e, f) and sets.bases[f].expanded
    assert (sets.root.proof, numbers.root.proof) == (1, 2)
    assert sets.expand_next().position == e
    assert sets.run()
    assert all(sets.bases[number(name)].proof == 0 for name in "ABCDF")


def test_complete_sets_by_paths_are_the_complete_sets_of_graphs_without_cycles() -> None:
    for seed in range(200):
        random = Random(seed)
        graph = SearchGraph(random_and_or_graph(random, random.randint(5, 14), cyclic=False, decided=0.2))
        expand_at_random(graph, random, 14)
        assert complete_sets_by_paths(graph) == complete_sets(graph)[0], seed


def test_a_most_proving_node_exists_in_graphs_with_cycles() -> None:
    """Theorem 2."""
    open_roots = 0
    for seed in range(300):
        random = Random(seed)
        graph = SearchGraph(
            random_and_or_graph(random, random.randint(5, 9), cyclic=True, decided=0.2), fully_expanded=True
        )
        proofs, disproofs = complete_sets_by_paths(graph)
        assert all(one & other for one in smallest_sets(proofs) for other in smallest_sets(disproofs) if one and other)
        open_roots += frozenset() not in proofs | disproofs
    assert open_roots > 50


def test_on_random_cyclic_graphs_only_the_practical_algorithm_misses_wins() -> None:
    missed = wins = 0
    for seed in range(1500):
        random = Random(seed)
        whole = random_and_or_graph(random, random.randint(5, 30), cyclic=True)
        truth = winners(whole)
        search = BaseTwinSearch(whole)
        assert search.run() == (0 in truth), seed
        for position, node in search.bases.items():  # whatever it settled on the way is true as well
            assert node.proof != 0 or position in truth, seed
            assert node.disproof != 0 or position not in truth, seed
        practical = CyclicSearch(whole).run()
        assert 0 in truth or not practical, seed
        missed += practical != (0 in truth)
        wins += 0 in truth
    assert 200 < wins < 1300
    assert 0 < missed < wins / 10


def test_proof_sets_over_base_twins_answer_as_brute_force() -> None:
    numbers = sets = 0
    for seed in range(500):
        random = Random(seed)
        whole = random_and_or_graph(random, random.randint(5, 30), cyclic=True)
        truth = winners(whole)
        plain = BaseTwinSearch(whole)
        plain.run()
        for size in (0, 2, math.inf):
            search = BaseTwinSetSearch(whole, TruncatedSets(size), TruncatedSets(size))
            assert search.run() == (0 in truth), seed
            assert size or search.expansions == plain.expansions  # without names, sets are numbers
            for position, node in search.bases.items():
                assert node.proof != 0 or position in truth, seed
                assert node.disproof != 0 or position not in truth, seed
        numbers += len(plain.expansions)
        sets += len(search.expansions)
    assert sets < numbers


def test_the_exact_cyclic_algorithm_gives_the_brute_force_value() -> None:
    for seed in range(400):
        random = Random(seed)
        whole = random_and_or_graph(random, random.randint(5, 10), cyclic=True)
        assert CyclicSetSearch(whole).run() == (0 in winners(whole)), seed


def test_base_twin_answers_questions_of_games_with_cycles() -> None:
    for seed in range(500):
        random = Random(seed)
        graph = random_graph(random, random.randint(6, 40))
        whole = question_graph(ExplicitGame(graph), 0, 1)
        assert BaseTwinSearch(whole).run() == (values(graph)[0] >= 1), seed


def test_without_cycles_the_practical_algorithm_misses_nothing() -> None:
    for seed in range(200):
        random = Random(seed)
        whole = random_and_or_graph(random, random.randint(5, 30), cyclic=False)
        assert CyclicSearch(whole).run() == BaseTwinSearch(whole).run() == (0 in winners(whole)), seed


# What Schijf's Fig. 5.2 shows; the drawing itself is lost in the text that we have.
FIGURE_5_2 = graph_of_figure("a | b c", "b | f i", "c | i", "i | b k", "k & l m")
# Fig. 5.5 by its text: b and e are on a cycle, and c leads to it.
FIGURE_5_5 = graph_of_figure("a | b c", "b & d e", "c & e f", "e | b g", "d | p q", "f | r s", "g & t u")


def words(graph: SearchGraph, sets: frozenset[frozenset[int]]) -> set[str]:
    return {graph.names(one) for one in sets}


def test_schijf_figure_5_2_one_node_has_other_most_proving_nodes_on_another_path() -> None:
    graph = SearchGraph(FIGURE_5_2, fully_expanded=True)
    number = {str(name): node for node, name in enumerate(FIGURE_5_2.names)}
    found = {}
    for above in ("ab", "ac"):
        path = frozenset(number[name] for name in above)
        proofs, disproofs = complete_sets_by_paths(graph, number["i"], path)
        found[above] = {
            str(FIGURE_5_2.names[leaf])
            for proof in smallest_sets(proofs)
            for disproof in smallest_sets(disproofs)
            for leaf in proof & disproof
        }
    assert found == {"ab": {"l", "m"}, "ac": {"f"}}


def test_schijf_figure_5_3_a_graph_without_cycles_has_the_same_sets_at_the_root() -> None:
    cycles = 0
    for seed in range(200):
        random = Random(seed)
        graph = SearchGraph(random_and_or_graph(random, random.randint(5, 12), cyclic=True, decided=0.4))
        expand_at_random(graph, random, 5)
        unfolded = without_cycles(graph)
        there = complete_sets(SearchGraph(unfolded, fully_expanded=True))[0]
        named = [frozenset(frozenset(int(str(unfolded.names[leaf])) for leaf in one) for one in sets) for sets in there]
        assert tuple(named) == complete_sets_by_paths(graph), seed
        cycles += len(unfolded) > len(graph.parents)
    assert cycles > 50


def test_sets_that_are_kept_with_the_nodes_are_those_of_all_paths() -> None:
    """5.3, the incremental algorithm: every node has the sets that it has as the root."""
    derived = 0
    for seed in range(150):
        random = Random(seed)
        whole = random_and_or_graph(random, random.randint(5, 13), cyclic=True, decided=0.3)
        kept = IncrementalSets(whole)
        for _ in range(6):
            frontier = [node for node in kept.graph.frontier() if whole.children[node]]
            if not frontier:
                break
            computed = kept.expand(random.choice(frontier))
            derived += len(kept.graph.expanded) - len(computed)
            for node in kept.graph.parents:
                assert kept.sets[node] == complete_sets_by_paths(kept.graph, node), (seed, node)
    assert derived > 100, "most nodes are not computed again"


def test_schijf_figure_5_5_what_has_to_be_computed_again() -> None:
    def computed(last: str) -> str:
        kept = IncrementalSets(FIGURE_5_5)
        for name in f"abce{last}":
            found = kept.expand(FIGURE_5_5.names.index(name))
        return kept.graph.names(found)

    assert computed("f") == "acf"
    assert computed("d") == "abcde" and computed("g") == "abceg"


def test_the_incremental_algorithm_gives_the_brute_force_value() -> None:
    for seed in range(60):
        whole = random_and_or_graph(Random(seed), Random(seed).randint(5, 14), cyclic=True)
        search = CyclicSetSearch(whole, incremental=True)
        assert search.run() == (0 in winners(whole)), seed
        other = CyclicSetSearch(whole)
        other.run()
        assert search.expansions == other.expansions


def test_schijf_figure_5_6_numbers_that_rest_on_each_other() -> None:
    """Three updates of a when c has three children; where d is lost they would not end."""
    figure = graph_of_figure("a & c b", "b | a d", "c | x y z")
    a, b, c = map(figure.names.index, "abc")
    assert updates_until_stable(figure, (a, b, c), 100)[a] == 3
    lost = graph_of_figure("a & c b", "b | a d", "c | x y z", lost="d")
    for most in (100, 1_000):
        assert updates_until_stable(lost, (a, b), most).total() == most
    at_once = graph_of_figure("a & c b", "b | a d", "c | x", lost="x")
    assert updates_until_stable(at_once, (a, b, c), 100)[a] <= 2
