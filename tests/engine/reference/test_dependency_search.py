"""Dependency-based search on the double-letter puzzle: the instances that chapter 3 of Allis (1994) works out."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import pytest

from proofbase.engine.papers.reference.dependency_search import (
    DependencyGraph,
    Operator,
    all_paths,
    check_conditions,
    dependency_search,
    depth_first_nodes,
    is_monotonous,
    is_nonredundant,
)
from proofbase.engine.papers.reference.double_letter import (
    graph_size,
    initial_state,
    operators,
    solutions,
    solutions_within,
    table_size,
    tree_size,
    triangle,
    triangle_entries,
    word,
)


def words(axiom: str, kind: str, level: int) -> list[str]:
    return [word(state) for state in dependency_search(initial_state(axiom), operators).states(kind, level)]


def test_the_graph_of_aaccadd() -> None:
    """Figures 3.1 to 3.4: three levels, the third without combinations."""
    assert sorted(words("aaccadd", "dependency", 1)) == sorted(
        ["eccadd", "bccadd", "aabadd", "aadadd", "aaccac", "aaccae"]
    )
    assert words("aaccadd", "combination", 1) == ["bbadd"]
    assert sorted(words("aaccadd", "dependency", 2)) == ["aadd", "bdd", "cadd", "edd"]
    assert words("aaccadd", "combination", 2) == ["ee"]
    assert sorted(words("aaccadd", "dependency", 3)) == ["a", "d"]
    assert words("aaccadd", "combination", 3) == []
    assert solutions(dependency_search(initial_state("aaccadd"), operators)) == {"a", "d"}


@pytest.mark.slow
def test_the_most_difficult_problem() -> None:
    """Section 3.6: dbdeabbaacccddaeecda takes 3934 nodes, and has no solution."""
    axiom = "dbdeabbaacccddaeecda"
    graph = dependency_search(initial_state(axiom), operators)
    assert len(graph.nodes) == 3934 == graph_size(axiom)
    assert solutions(graph) == triangle(axiom) == set()


def test_the_solutions_of_aabdcbbdcaa() -> None:
    """Section 3.2 and Figure A.1: a, b, c and e, but not d."""
    axiom = "aabdcbbdcaa"
    assert solutions(dependency_search(initial_state(axiom), operators)) == {"a", "b", "c", "e"}
    assert triangle(axiom) == {"a", "b", "c", "e"}


def test_the_instance_aacc_of_the_definitions() -> None:
    """Section 3.3: 17 paths, all monotonous, none redundant; 7 key classes, the empty one counted."""
    start = initial_state("aacc")
    paths = list(all_paths(start, operators))
    assert len(paths) == 17
    assert len({frozenset(path) for path in paths}) == 11, "paths with the same operators are one class"
    assert all(is_monotonous(path, start) for path in paths)
    goals = [frozenset({(0, 3, letter)}) for letter in "abcde"]
    assert is_nonredundant(paths, start, lambda state: state in goals)
    assert check_conditions(start, operators, goals).hold
    graph = dependency_search(start, operators)
    assert sum(node.kind != "combination" for node in graph.nodes) == 7
    assert depth_first_nodes(start, operators, transpositions=False)[0] == 17


def test_every_search_and_triangle_agree() -> None:
    random = Random("double letter")
    solved = 0
    for _ in range(250):
        axiom = "".join(random.choices("abcde" if random.random() < 0.5 else "abc", k=random.randint(1, 9)))
        start = initial_state(axiom)
        expected = triangle(axiom)
        graph = dependency_search(start, operators)
        assert solutions(graph) == expected
        tree, _ = depth_first_nodes(start, operators, transpositions=False)
        table, ends = depth_first_nodes(start, operators, transpositions=True)
        assert {word(end) for end in ends if len(end) == 1} == expected
        assert table <= tree == tree_size(axiom)
        assert len(graph.nodes) == graph_size(axiom)
        tried = list[Operator]()

        def noted(state: frozenset[Any], tried: list[Operator] = tried) -> list[Operator]:
            found = list(operators(state))
            tried.extend(found)
            return found

        depth_first_nodes(start, noted, transpositions=True)
        assert table_size(axiom) == 1 + len(tried), "the root, and a node for each operator of each state"
        classes = {node.operators for node in graph.nodes if node.kind == "dependency"}
        assert len(classes) == sum(node.kind == "dependency" for node in graph.nodes), "each key class once"
        solved += bool(expected) and len(axiom) > 2
    assert solved > 50


def test_conditions_that_do_not_hold_are_told() -> None:
    a, b = frozenset({"a"}), frozenset({"b"})
    there, back = Operator(a, a, b), Operator(b, b, a)
    assert is_monotonous((there,), a) and not is_monotonous((there, back), a)
    assert not is_nonredundant([(there, back)], a, lambda state: state == b)
    assert check_conditions(a, lambda state: [], [a | b]).not_singular == a | b
    with pytest.raises(ValueError, match="only what it requires"):
        Operator(a, b, a)
    with pytest.raises(ValueError, match="no word"):
        initial_state("abf")


def test_a_search_stops_at_its_limit() -> None:
    start = initial_state("aabbaabbaabbaabb")
    assert depth_first_nodes(start, operators, transpositions=False, limit=1000)[0] == 1001


ENTRIES = """
a be ac bd ce bd abce|a|b|d ce ce ad|c bd ce bd ac|b ac|b|d|c|a be|a
"""


def test_the_entries_of_figure_a_1() -> None:
    """Row by row, those that are not empty."""
    entries = triangle_entries("aabdcbbdcaa")
    for row, printed in enumerate(ENTRIES.strip().split("|")):
        filled = [
            "".join(sorted(letters)) for (start, _), letters in sorted(entries.items()) if start == row and letters
        ]
        assert filled == printed.split(), row


def test_what_a_search_that_is_cut_off_has_met() -> None:
    for axiom in ("aabbaab", "ccaabbc", "aabdcbbdcaa"):
        whole = tree_size(axiom)
        assert solutions_within(axiom, whole) == triangle(axiom)
        nodes: list[str] = []

        def visit(state: Any, nodes: list[str] = nodes) -> None:
            nodes.append(word(state))
            for operator in operators(state):
                visit(operator(state))

        visit(initial_state(axiom))
        assert len(nodes) == whole
        for most in (1, whole // 3, whole // 2, whole - 1):
            assert solutions_within(axiom, most) == {letters for letters in nodes[:most] if len(letters) == 1}


def production_system(goal: bool) -> tuple[frozenset[Any], list[Operator]]:
    """P and P' of section 3.1: ten digits become letters, in P' all of them together `goal`."""
    start = frozenset((place, str(place)) for place in range(10))
    letters = list(enumerate("altogether"))
    rules = [
        Operator(frozenset([(i, str(i))]), frozenset([(i, str(i))]), frozenset([(i, letter)])) for i, letter in letters
    ]
    if goal:
        everything = frozenset(letters)
        rules.append(Operator(everything, everything, frozenset(["goal"])))
    return start, rules


@pytest.mark.parametrize(("goal", "states", "reduced"), [(False, 1024, 11), (True, 1025, 12)])
def test_the_state_spaces_of_the_introduction(goal: bool, states: int, reduced: int) -> None:
    start, rules = production_system(goal)

    def applicable(state: frozenset[Any]) -> list[Operator]:
        return [rule for rule in rules if rule.pre <= state]

    assert depth_first_nodes(start, applicable, transpositions=True)[0] == states
    graph = dependency_search(start, applicable, most_joined=10)
    assert sum(node.kind != "combination" for node in graph.nodes) == reduced
    few = dependency_search(start, applicable, most_joined=9)
    assert sum(node.kind != "combination" for node in few.nodes) == 11, "the last rule depends on ten others"


def assembled(parts: int) -> tuple[frozenset[Any], Any]:
    """Parts are made ready one by one; all of them together are the whole."""
    raw, ready = frozenset(f"raw {n}" for n in range(parts)), frozenset(f"ready {n}" for n in range(parts))
    rules = [
        Operator(frozenset([f"raw {n}"]), frozenset([f"raw {n}"]), frozenset([f"ready {n}"])) for n in range(parts)
    ]
    rules.append(Operator(ready, ready, frozenset(["whole"])))
    return raw, lambda state: [rule for rule in rules if rule.pre <= state]


def whole(graph: DependencyGraph) -> bool:
    return any("whole" in node.state for node in graph.nodes)


def test_combinations_join_as_many_nodes_as_they_may() -> None:
    for parts, joined in combinations(range(2, 6), 2):
        assert whole(dependency_search(*assembled(parts), most_joined=joined))
        assert not whole(dependency_search(*assembled(joined), most_joined=parts))
    assert whole(dependency_search(*assembled(2)))
    with pytest.raises(ValueError, match="at least 2 are joined"):
        dependency_search(*assembled(2), most_joined=1)


def test_joining_more_changes_nothing_where_two_are_enough() -> None:
    random = Random("joined")
    for _ in range(20):
        axiom = "".join(random.choices("abc", k=random.randint(4, 9)))
        start = initial_state(axiom)
        two, four = (dependency_search(start, operators, most_joined=most) for most in (2, 4))
        assert [node.operators for node in two.nodes] == [node.operators for node in four.nodes]


def test_the_conditions_of_a_domain() -> None:
    start, applicable = assembled(4)
    found = check_conditions(start, applicable, [frozenset(["whole"])])
    assert found.hold and found.complete
    assert not check_conditions(start, applicable, [frozenset(["whole"])], most_paths=10).hold
    early = check_conditions(start, applicable, [frozenset(["ready 0"])])
    assert early.redundant is not None and not early.hold
    double = check_conditions(start, applicable, [frozenset(["ready 0", "ready 1"])])
    assert double.not_singular == frozenset(["ready 0", "ready 1"])
    again = Operator(frozenset(["ready 0"]), frozenset(["ready 0"]), frozenset(["raw 1"]))

    def with_another(state: frozenset[Any]) -> list[Operator]:
        return [*applicable(state), *([again] if again.pre <= state else [])]

    assert check_conditions(start, with_another, [frozenset(["whole"])], most_paths=1_000).not_monotonous is not None
