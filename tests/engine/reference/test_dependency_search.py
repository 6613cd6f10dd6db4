"""Dependency-based search on the double-letter puzzle: the instances that chapter 3 of Allis (1994) works out."""

from __future__ import annotations

from random import Random

import pytest

from proofbase.engine.papers.reference.dependency_search import (
    Operator,
    all_paths,
    dependency_search,
    depth_first_nodes,
    is_monotonous,
    is_nonredundant,
    is_singular,
)
from proofbase.engine.papers.reference.double_letter import (
    goals,
    initial_state,
    operators,
    solutions,
    tree_size,
    triangle,
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
    assert len(graph.nodes) == 3934
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
    assert all(is_monotonous(path, start) for path in paths)
    assert is_nonredundant(paths, start, lambda state: state in goals("aacc"))
    assert is_singular(goals("aacc"))
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
        classes = {node.operators for node in graph.nodes if node.kind == "dependency"}
        assert len(classes) == sum(node.kind == "dependency" for node in graph.nodes), "each key class once"
        solved += bool(expected) and len(axiom) > 2
    assert solved > 50


def test_conditions_that_do_not_hold_are_told() -> None:
    a, b = frozenset({"a"}), frozenset({"b"})
    there, back = Operator(a, a, b), Operator(b, b, a)
    assert is_monotonous((there,), a) and not is_monotonous((there, back), a)
    assert not is_nonredundant([(there, back)], a, lambda state: state == b)
    assert not is_singular([a | b])
    with pytest.raises(ValueError, match="only what it requires"):
        Operator(a, b, a)
    with pytest.raises(ValueError, match="no word"):
        initial_state("abf")


def test_a_search_stops_at_its_limit() -> None:
    start = initial_state("aabbaabbaabbaabb")
    assert depth_first_nodes(start, operators, transpositions=False, limit=1000)[0] == 1001
