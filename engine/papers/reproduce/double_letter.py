"""Allis, Searching for solutions in games and artificial intelligence (1994), Figure 3.5: the double-letter puzzle."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2, sqrt
from random import Random
from statistics import fmean, stdev

from proofbase.engine.errors import EngineError
from proofbase.engine.formats.plotting import Curve, Plot
from proofbase.engine.papers.reference.dependency_search import dependency_search, depth_first_nodes
from proofbase.engine.papers.reference.double_letter import (
    initial_state,
    operators,
    solutions,
    solutions_within,
    tree_size,
    triangle,
    word,
)
from proofbase.engine.papers.reproduce.report import Options, Progress, Report, Row

__all__ = ["tree_sizes"]

AXIOMS = 20
"""Axioms of each length, by default; the thesis has 100."""
LENGTHS = range(1, 21)
TABLE_LIMIT, TREE_LIMIT = 100_000, 1_000_000
"""Depth-first search with and without transpositions ends when it has more nodes than this (3.6)."""
HARDEST = "dbdeabbaacccddaeecda"

DEPENDENCY, TRIANGLE, TABLE, TREE = "db-search", "TRIANGLE", "depth-first, transpositions", "depth-first"

INSTANCES = (
    "The letters of an axiom are drawn at random, as in the thesis, whose 2,000 axioms are not printed. A few axioms "
    "hold most of the nodes of their length, so averages, their ratios and what depends on them vary with the axioms "
    "by far more than 5 %; the 1,200, 60 and 20 are printed as `more than` and `a factor`."
)
COUNTING = (
    "Nodes include the root; those of db-search are dependency and combination nodes, as in the 3,934 of the hardest "
    "problem, which is met exactly. TRIANGLE has n(n+1)/2 entries for any axiom of length n."
)
LIMITS = (
    f"As in the thesis, a depth-first search ends beyond {TREE_LIMIT:,} nodes, with transpositions beyond "
    f"{TABLE_LIMIT:,}; the averages hold these cut numbers. Without transpositions the nodes are counted by the words "
    "that are left, which gives the same number as visiting them."
)


def tree_sizes(options: Options, progress: Progress) -> Report:
    """The four curves, the figures that the text gives about them, and the hardest problem."""
    axioms = options.orders_or(AXIOMS)
    sizes: dict[str, list[list[int]]] = {name: [] for name in (DEPENDENCY, TRIANGLE, TABLE, TREE)}
    missed = {TREE: 0, TABLE: 0}
    everything = axioms * sum(_cost(length) for length in LENGTHS)
    done = 0.0
    for length in LENGTHS:
        random = Random(f"double letter {length}")
        of_length = []
        for _ in range(axioms):
            progress(done / everything, f"length {length}")
            axiom = "".join(random.choices("abcde", k=length))
            of_length.append(_sizes(axiom))
            for name in missed:
                missed[name] += _misses_a_solution(axiom, name, of_length[-1][name])
            done += _cost(length)
        for name, by_length in sizes.items():
            by_length.append([entry[name] for entry in of_length])
    progress(1.0, "done")
    average = {name: [fmean(counts) for counts in lists] for name, lists in sizes.items()}
    ahead = [length for length in LENGTHS if average[DEPENDENCY][length - 1] < average[TRIANGLE][length - 1]]
    longest = {name: average[name][-1] for name in average}
    rows = [
        Row(f"db-search, {HARDEST}", 3934, _dependency_nodes(HARDEST), "nodes"),
        Row("longest axioms with fewer nodes of db-search than entries of TRIANGLE", 18, max(ahead, default=0)),
        Row(f"depth-first over db-search, length {LENGTHS[-1]}", 1200, longest[TREE] / longest[DEPENDENCY]),
        Row(
            f"depth-first with transpositions over db-search, length {LENGTHS[-1]}",
            60,
            longest[TABLE] / longest[DEPENDENCY],
        ),
        Row(
            f"depth-first over depth-first with transpositions, length {LENGTHS[-1]}",
            20,
            longest[TREE] / longest[TABLE],
        ),
        Row("depth-first searches cut off", 100 * 129 / 2000, _cut_off(sizes[TREE], TREE_LIMIT), "%"),
        Row("the same with transpositions", 100 * 26 / 2000, _cut_off(sizes[TABLE], TABLE_LIMIT), "%"),
    ]
    all_axioms = axioms * len(LENGTHS)
    for name, printed in ((TREE, 24), (TABLE, 1)):
        share = 100 * missed[name] / all_axioms
        rows.append(Row(f"{name}: cut off, and a solution missed", 100 * printed / 2000, share, "%", tolerance=None))
    most = max(max(counts) for counts in sizes[DEPENDENCY])
    rows.append(Row("db-search, most difficult of our axioms", None, most, "nodes"))
    for name, by_length in sizes.items():
        for length, counts in zip(LENGTHS, by_length, strict=True):
            error = stdev(counts) / sqrt(axioms) if axioms > 1 and name != TRIANGLE else None
            unit = "entries" if name == TRIANGLE else "nodes"
            rows.append(Row(f"{name}, length {length}", None, fmean(counts), unit, error))
    return Report(
        "allis-3.5",
        "Allis, Searching for solutions in games and artificial intelligence (1994), Figure 3.5 and section 3.6",
        tuple(rows),
        (
            f"Averages over {axioms} random axioms of each length, 1 to 20 (the thesis: 100); `--orders N` takes N.",
            INSTANCES,
            COUNTING,
            LIMITS,
        ),
        _plot(average) if options.plot else None,
    )


def _sizes(axiom: str) -> dict[str, int]:
    """The nodes (or entries) of each algorithm for an axiom."""
    start = initial_state(axiom)
    graph = dependency_search(start, operators)
    if solutions(graph) != triangle(axiom):
        raise EngineError(f"db-search and TRIANGLE differ on {axiom}")
    return {
        DEPENDENCY: len(graph.nodes),
        TRIANGLE: len(axiom) * (len(axiom) + 1) // 2,
        TABLE: depth_first_nodes(start, operators, transpositions=True, limit=TABLE_LIMIT)[0],
        TREE: min(tree_size(axiom), TREE_LIMIT + 1),
    }


def _misses_a_solution(axiom: str, name: str, nodes: int) -> bool:
    """Whether a depth-first search that was cut off has not met every solution."""
    if name == TREE:
        return nodes > TREE_LIMIT and solutions_within(axiom, TREE_LIMIT) != triangle(axiom)
    if nodes <= TABLE_LIMIT:
        return False
    _, ends = depth_first_nodes(initial_state(axiom), operators, transpositions=True, limit=TABLE_LIMIT)
    return {word(end) for end in ends if len(end) == 1} != triangle(axiom)


def _dependency_nodes(axiom: str) -> int:
    return len(dependency_search(initial_state(axiom), operators).nodes)


def _cut_off(by_length: Sequence[Sequence[int]], limit: int) -> float:
    """The share of axioms whose search was cut off, in per cent."""
    counts = [count for of_length in by_length for count in of_length]
    return 100 * sum(count > limit for count in counts) / len(counts)


def _cost(length: int) -> float:
    """Roughly in proportion to the time that an axiom of the length takes."""
    return 1.6**length


def _plot(average: dict[str, list[float]]) -> bytes:
    """Figure 3.5, its vertical axis the binary logarithm of the nodes."""
    curves = [Curve(name, tuple(LENGTHS), [log2(nodes) for nodes in points]) for name, points in average.items()]
    title = "Tree size per algorithm applied to the double-letter puzzle (Allis 1994, Figure 3.5)"
    return Plot(title, "axiom length", "log2 of nodes visited", curves).svg()
