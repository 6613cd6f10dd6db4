"""Allis, Searching for solutions in games and artificial intelligence (1994), Figure 3.5: the double-letter puzzle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log2, sqrt
from random import Random
from statistics import fmean, stdev

from proofbase.engine.formats.plotting import Curve, Plot
from proofbase.engine.papers.reference.dependency_search import Operator, State, depth_first_nodes
from proofbase.engine.papers.reference.double_letter import (
    graph_size,
    initial_state,
    operators,
    solutions_within,
    table_size,
    tree_size,
    triangle,
    word,
)
from proofbase.engine.papers.reproduce.report import THESIS, Options, Progress, Report, Row

__all__ = ["tree_sizes"]

AXIOMS = 100
"""Axioms of each length."""
LENGTHS = range(1, 21)
RESAMPLED, SHARE = 1_000, 0.95
"""How often the longest axioms are drawn again from themselves, and the share of the ratios that is their spread."""
TABLE_LIMIT, TREE_LIMIT = 100_000, 1_000_000
"""Depth-first search with and without transpositions ends when it has more nodes than this (3.6)."""
HARDEST = "dbdeabbaacccddaeecda"

DEPENDENCY, TRIANGLE, TABLE, TREE = "db-search", "TRIANGLE", "depth-first, transpositions", "depth-first"

INSTANCES = (
    "The letters of an axiom are drawn at random, as in the thesis, whose 2,000 axioms are not printed. A few axioms "
    "hold most of the nodes of their length, so averages, their ratios and what depends on them vary with the axioms "
    "by far more than 5 %: a ratio agrees with the printed one where that lies in the spread, which holds "
    f"{SHARE:.0%} of the ratios of {RESAMPLED:,} sets drawn again from the axioms."
)
COUNTING = (
    "Nodes include the root; those of db-search are dependency and combination nodes, as in the 3,934 of the hardest "
    "problem, which is met exactly. They are counted by the parts of the axiom, which gives the same number as the "
    "search. TRIANGLE has n(n+1)/2 entries for any axiom of length n."
)
HARDER = (
    "The thesis's most difficult axiom has no solution. The most difficult ones of ours have one, and many times the "
    "nodes: its axioms, or what its db-search does where there is a solution, are others. That makes its ratios larger."
)
LIMITS = (
    f"As in the thesis, a depth-first search ends beyond {TREE_LIMIT:,} nodes, with transpositions beyond "
    f"{TABLE_LIMIT:,}; the averages hold these cut numbers. Their nodes are counted too, by the words that are left "
    "and by the parts of the axiom."
)


def tree_sizes(options: Options, progress: Progress) -> Report:
    """The four curves, the figures that the text gives about them, and the hardest problem."""
    axioms = options.orders_or(AXIOMS)
    sizes: dict[str, list[list[int]]] = {name: [] for name in (DEPENDENCY, TRIANGLE, TABLE, TREE)}
    missed = {TREE: 0, TABLE: 0}
    everything = axioms * sum(map(_cost, LENGTHS))
    hardest = list[tuple[int, bool]]()
    done = 0.0
    for length in LENGTHS:
        random = Random(f"double letter {length}")
        of_length = []
        for _ in range(axioms):
            progress(done / everything, f"length {length}")
            axiom = "".join(random.choices("abcde", k=length))
            of_length.append(_sizes(axiom))
            hardest.append((of_length[-1][DEPENDENCY], bool(triangle(axiom))))
            for name in missed:
                missed[name] += _misses_a_solution(axiom, name, of_length[-1][name])
            done += _cost(length)
        for name, by_length in sizes.items():
            by_length.append([entry[name] for entry in of_length])
    average = {name: [fmean(counts) for counts in lists] for name, lists in sizes.items()}
    ahead = [length for length in LENGTHS if average[DEPENDENCY][length - 1] < average[TRIANGLE][length - 1]]
    rows = [
        Row(f"db-search, {HARDEST}", 3934, graph_size(HARDEST), "nodes"),
        Row("longest axioms with fewer nodes of db-search than entries of TRIANGLE", 18, max(ahead, default=0)),
        *_ratios({name: lists[-1] for name, lists in sizes.items()}),
        Row("depth-first searches cut off", 100 * 129 / 2000, _cut_off(sizes[TREE], TREE_LIMIT), "%", tolerance=None),
        Row("the same with transpositions", 100 * 26 / 2000, _cut_off(sizes[TABLE], TABLE_LIMIT), "%", tolerance=None),
    ]
    all_axioms = sum(map(len, sizes[TREE]))
    for name, printed in ((TREE, 24), (TABLE, 1)):
        share = 100 * missed[name] / all_axioms
        rows.append(Row(f"{name}: cut off, and a solution missed", 100 * printed / 2000, share, "%", tolerance=None))
    for what in (False, True):
        most = max((nodes for nodes, solved in hardest if solved is what), default=0)
        label = f"db-search, most difficult axiom with{'' if what else 'out'} a solution"
        rows.append(Row(label, None if what else 3934, most, "nodes", tolerance=None))
    for name, by_length in sizes.items():
        for length, counts in zip(LENGTHS, by_length, strict=True):
            error = stdev(counts) / sqrt(len(counts)) if axioms > 1 and name != TRIANGLE else None
            unit = "entries" if name == TRIANGLE else "nodes"
            rows.append(Row(f"{name}, length {length}", None, fmean(counts), unit, error))
    return Report(
        f"{THESIS}, Figure 3.5 and section 3.6",
        rows,
        (
            f"Averages over {axioms} random axioms of each length, 1 to 20, as in the thesis; `--orders N` takes N.",
            INSTANCES,
            COUNTING,
            HARDER,
            LIMITS,
        ),
        _plot(average) if options.plot else None,
    )


def _sizes(axiom: str) -> dict[str, int]:
    """The nodes (or entries) of each algorithm for an axiom."""
    return {
        DEPENDENCY: graph_size(axiom),
        TRIANGLE: len(axiom) * (len(axiom) + 1) // 2,
        TABLE: min(table_size(axiom), TABLE_LIMIT + 1),
        TREE: min(tree_size(axiom), TREE_LIMIT + 1),
    }


def _ratios(longest: dict[str, list[int]]) -> Iterator[Row]:
    """The ratios of 3.6 for the longest axioms, with their spread over sets that are drawn again from these axioms."""
    random, numbers = Random(1), range(len(longest[TREE]))
    sets = [random.choices(numbers, k=len(numbers)) for _ in range(RESAMPLED)]
    for more, less, printed in ((TREE, DEPENDENCY, 1200), (TABLE, DEPENDENCY, 60), (TREE, TABLE, 20)):
        pairs = list(zip(longest[more], longest[less], strict=True))
        ratios = sorted(_ratio([pairs[number] for number in chosen]) for chosen in sets)
        outside = round(RESAMPLED * (1 - SHARE) / 2)
        low, high = ratios[outside], ratios[-1 - outside]
        label = f"{more} over {less}, length {LENGTHS[-1]}"
        yield Row(label, printed, _ratio(pairs), tolerance=None)
        yield Row(f"{label}: least of the spread", None, low)
        yield Row(f"{label}: most of the spread", None, high)
        yield Row(f"{label}: printed one in the spread", 1, int(low <= printed <= high))


def _ratio(pairs: Sequence[tuple[int, int]]) -> float:
    return sum(more for more, _ in pairs) / sum(less for _, less in pairs)


def _misses_a_solution(axiom: str, name: str, nodes: int) -> bool:
    """Whether a depth-first search that was cut off has not met every solution."""
    if nodes <= (TREE_LIMIT if name == TREE else TABLE_LIMIT) or not triangle(axiom):
        return False
    if name == TREE:
        return solutions_within(axiom, TREE_LIMIT) != triangle(axiom)
    made = 0

    def until_cut_off(state: State) -> Iterator[Operator]:
        nonlocal made
        for operator in operators(state) if made < TABLE_LIMIT else ():
            made += 1
            yield operator

    _, ends = depth_first_nodes(initial_state(axiom), until_cut_off, transpositions=True)
    return {word(end) for end in ends if len(end) == 1} != triangle(axiom)


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
