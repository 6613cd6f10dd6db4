"""Figures 2.1 to 2.6 of Allis (1994), 1 and 2 of Allis et al. (1994), as graphs: their numbers and their choice.

The drawings are lost in the text that we have. The numbers beside the nodes are printed, and with what the text says of
the nodes they leave one graph each.
"""

from __future__ import annotations

import math

from proofbase.engine.papers.reference.and_or_graph import AndOrGraph, SearchGraph, graph_of_figure
from proofbase.engine.papers.reference.complete_sets import complete_sets
from proofbase.engine.papers.reference.cyclic_sets import complete_sets_by_paths

INFINITE = math.inf

FIGURES_2_1_AND_2_2 = graph_of_figure(
    "A | B C D", "B & E F", "C | G H", "D & I J", "G & K L", "H & M N", "J & O P", won="K", lost="O"
)
FIGURE_2_3 = graph_of_figure("A | B C", "B & D E", "C & F G H I", "D | J K L", "E | M N", "M & O P Q", "N & R S")
FIGURE_2_4 = graph_of_figure("A | B C", "B & D E", "C & E F", "E | G", "F | G")
FIGURE_2_5 = graph_of_figure("A & B C", "B | D", "C | D E", "D & C F")


def numbers(whole: AndOrGraph) -> dict[str, tuple[float, float]]:
    """Proof and disproof number of every node, calculated from the children as in a tree."""
    found: dict[int, tuple[float, float]] = {}
    for node in SearchGraph(whole, fully_expanded=True).bottom_up():
        children = [found[child] for child in whole.children[node]]
        if not children:
            won = whole.won[node]
            found[node] = (1, 1) if won is None else (0, INFINITE) if won else (INFINITE, 0)
            continue
        proofs, disproofs = zip(*children, strict=True)
        found[node] = (min(proofs), sum(disproofs)) if whole.is_max[node] else (sum(proofs), min(disproofs))
    return {str(whole.names[node]): pair for node, pair in found.items()}


def most_proving(whole: AndOrGraph) -> str:
    """The leaf to which the first child with the least number leads."""
    known = numbers(whole)
    node = 0
    while whole.children[node]:
        which = 0 if whole.is_max[node] else 1
        node = min(whole.children[node], key=lambda child, which=which: known[str(whole.names[child])][which])  # type: ignore[misc]
    return str(whole.names[node])


def test_figures_2_1_and_2_2() -> None:
    printed = {
        "A": (1, 3), "B": (2, 1), "C": (1, 2), "D": (INFINITE, 0), "G": (1, 1), "H": (2, 1), "J": (INFINITE, 0),
        "K": (0, INFINITE), "O": (INFINITE, 0),
    }  # fmt: skip
    assert numbers(FIGURES_2_1_AND_2_2) == printed | dict.fromkeys("EFILMNP", (1, 1))
    # To disprove: one of E and F, L, and one of M and N. L alone proves.
    assert most_proving(FIGURES_2_1_AND_2_2) == "L"
    proofs, disproofs = complete_sets(SearchGraph(FIGURES_2_1_AND_2_2, fully_expanded=True))[0]
    name = FIGURES_2_1_AND_2_2.names.__getitem__
    assert {"".join(str(name(node)) for node in sorted(one)) for one in proofs} >= {"L"}
    assert {"".join(str(name(node)) for node in sorted(one)) for one in disproofs} == {"ELM", "ELN", "FLM", "FLN"}


def test_figure_2_3() -> None:
    printed = {"A": (3, 3), "B": (3, 2), "C": (4, 1), "D": (1, 3), "E": (2, 2), "M": (3, 1), "N": (2, 1)}
    assert numbers(FIGURE_2_3) == printed | dict.fromkeys("FGHIJKLOPQRS", (1, 1))
    assert most_proving(FIGURE_2_3) == "R"


def test_figure_2_4_numbers_in_a_dag_are_too_high() -> None:
    printed = {"A": (2, 2), "B": (2, 1), "C": (2, 1)}
    assert numbers(FIGURE_2_4) == printed | dict.fromkeys("DEFG", (1, 1))
    assert most_proving(FIGURE_2_4) == "D"
    proofs, disproofs = complete_sets(SearchGraph(FIGURE_2_4, fully_expanded=True))[0]
    g = FIGURE_2_4.names.index("G")
    assert frozenset({g}) in proofs and frozenset({g}) in disproofs  # both numbers of A ought to be 1


def test_figures_2_5_and_2_6_a_cycle_and_its_tree() -> None:
    graph = SearchGraph(FIGURE_2_5, fully_expanded=True)
    proofs, disproofs = complete_sets_by_paths(graph)
    assert {graph.names(one) for one in proofs} == {"EF"}  # so A's proof number is 2, less than 2 + 1
    assert {graph.names(one) for one in disproofs} == {"E", "F"}
    # The tree of Fig. 2.6: x is C and y is D where they repeat a position of the path; a repetition is false.
    tree = graph_of_figure("A & B C", "B | D", "D & C1 F1", "C1 | y E1", "C | D2 E2", "D2 & x F2", lost=("x", "y"))
    known = numbers(tree)
    assert known["B"] == known["D"] == (2, 1) and known["C1"] == known["C"] == (1, 1)
    assert known["D2"] == known["x"] == known["y"] == (INFINITE, 0)


def test_allis_et_al_figures_1_and_2() -> None:
    """Fig. 1: h alone makes c worth 1, and b needs e and f. Fig. 2: two leaves have to conspire for b, three for c."""
    assert most_proving(graph_of_figure("a | b c", "b & e f", "c & g h", won="g")) == "h"
    figure_2 = graph_of_figure("a | b c", "b & d e", "c & f g h", "d | i j k", "e | l m")
    assert numbers(figure_2)["b"] == (2, 2) and numbers(figure_2)["c"] == (3, 1)
    assert most_proving(figure_2) == "l"
