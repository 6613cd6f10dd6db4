"""Tables 2.9 to 2.14 and Figures 2.9 to 2.13 of Allis (1994): how four algorithms compare on the same awari positions.

Printed counts are of the thesis's 337 positions (169 easy, 168 hard), which are lost: counts are shares, in percent. No
numbers are printed in the figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import ceil, log2, log10
from statistics import fmean

from proofbase.engine.formats.plotting import Curve, Plot
from proofbase.engine.papers.reproduce.awari_comparison import Effort
from proofbase.engine.papers.reproduce.report import Row

__all__ = ["EASY_NODES", "comparison_rows", "figure_rows", "figures"]

Efforts = Sequence[Mapping[str, Effort]]
"""By position, the effort of each algorithm."""

EASY_NODES = 3_200
"""A position is easy if the best algorithm needs fewer nodes (2.4.7)."""
BEST = {
    "easy": {"alpha-beta": 23.0, "with table": 61.0, "pn-search": 41.0, "stones pn": 44.0},
    "hard": {"alpha-beta": 0.0, "with table": 22.0, "pn-search": 31.5, "stones pn": 114.5},
}
"""Table 2.9. Two algorithms that share the first place have half a point each."""
PAIRS = tuple(combinations(BEST["easy"], 2))
BEATEN = {"easy": (35.0, 79.0, 91.5, 89.0, 100.0, 82.0), "hard": (0.0, 6.0, 6.0, 25.0, 24.0, 42.0)}
"""Tables 2.10 and 2.11: by PAIRS how often the first needs fewer nodes than the second; both equal: half a point."""
SIZES = {"easy": 169, "hard": 168}
GROUPS = {
    "alpha-beta": (18, 47, 40, 45, 57, 61, 36, 26, 7),
    "with table": (18, 47, 44, 59, 67, 53, 23, 23, 3),
    "pn-search": (14, 43, 52, 77, 92, 57, 2),
    "stones pn": (14, 37, 57, 77, 101, 51),
    "all four": (15, 43, 46, 65, 75, 57, 35, 1),
}
"""Tables 2.13 and 2.14: positions by the power of ten up to which their nodes go, from 10^1 on."""
POSITIONS = 337
TREE_SIZES = {"pn-search": 42_767, "stones pn": 25_505}
"""Table 2.12: the most nodes in memory, on the average."""


def comparison_rows(efforts: Efforts) -> Iterator[Row]:
    """All rows of the tables, for at least one position; none of a half that has no positions."""
    for name, printed in TREE_SIZES.items():
        held = fmean([effort[name].held for effort in efforts])
        yield Row(f"{name}, most nodes in memory, average", printed, held, "nodes", tolerance=None)
    halves = {
        "easy": [effort for effort in efforts if _least(effort) < EASY_NODES],
        "hard": [effort for effort in efforts if _least(effort) >= EASY_NODES],
    }
    for half, of_half in halves.items():
        if not of_half:
            continue
        for name, points in BEST[half].items():
            ours = sum(_share_of_first_place(effort, name) for effort in of_half)
            yield _share_row(f"{half}: {name} is the best", points, SIZES[half], ours, len(of_half))
        for (first, second), points in zip(PAIRS, BEATEN[half], strict=True):
            ours = sum(_points(effort[first].nodes, effort[second].nodes) for effort in of_half)
            yield _share_row(f"{half}: {first} before {second}", points, SIZES[half], ours, len(of_half))
    for grouping, printed_groups in GROUPS.items():
        groups = [_group(effort, grouping) for effort in efforts]
        for number in range(1, max(len(printed_groups), *groups) + 1):
            points = printed_groups[number - 1] if number <= len(printed_groups) else 0
            label = f"up to 10^{number} nodes by {grouping}"
            yield _share_row(label, points, POSITIONS, groups.count(number), len(groups))


def figure_rows(efforts: Efforts) -> Iterator[Row]:
    """Figures 2.9 to 2.13: by groups of positions, log2 of the average nodes over those of basic pn-search."""
    for number, grouping in enumerate(GROUPS, 9):
        for group, of_group in sorted(_by_group(efforts, grouping).items()):
            for name in BEST["easy"]:
                if name != "pn-search":
                    label = f"Fig. 2.{number}, up to 10^{group} nodes by {grouping}: {name}"
                    yield Row(label, None, _relative(name, of_group))


def _by_group(efforts: Efforts, grouping: str) -> dict[int, list[Mapping[str, Effort]]]:
    groups: dict[int, list[Mapping[str, Effort]]] = {}
    for effort in efforts:
        groups.setdefault(_group(effort, grouping), []).append(effort)
    return groups


def figures(efforts: Efforts) -> dict[str, bytes]:
    """Figures 2.9 to 2.13 as images, by number: what `figure_rows` has, over the sizes of the groups."""
    images = dict[str, bytes]()
    for number, grouping in enumerate(GROUPS, 9):
        groups = sorted(_by_group(efforts, grouping).items())
        curves = [
            Curve(name, [group for group, _ in groups], [_relative(name, of_group) for _, of_group in groups])
            for name in BEST["easy"]
        ]
        title = f"Awari, positions by size (Allis 1994, Figure 2.{number})"
        labels = (f"log10 of the nodes, by {grouping}", "log2 of the average nodes over those of pn-search")
        images[f"2.{number}"] = Plot(title, *labels, curves, whole_x=True).svg()
    return images


def _relative(name: str, efforts: Efforts) -> float:
    return log2(
        fmean([by_algorithm[name].nodes for by_algorithm in efforts])
        / fmean([by_algorithm["pn-search"].nodes for by_algorithm in efforts])
    )


def _share_row(label: str, printed: float, printed_of: int, ours: float, ours_of: int) -> Row:
    measured = 100 * ours / ours_of if ours_of else 0.0
    return Row(label, 100 * printed / printed_of, measured, "%", tolerance=None)


def _least(by_algorithm: Mapping[str, Effort]) -> int:
    return min(effort.nodes for effort in by_algorithm.values())


def _share_of_first_place(by_algorithm: Mapping[str, Effort], name: str) -> float:
    first = [other for other, effort in by_algorithm.items() if effort.nodes == _least(by_algorithm)]
    return 1 / len(first) if name in first else 0.0


def _points(nodes: int, others: int) -> float:
    return 1.0 if nodes < others else 0.5 if nodes == others else 0.0


def _group(by_algorithm: Mapping[str, Effort], grouping: str) -> int:
    """The power of ten up to which the nodes go; of all four algorithms the average of the logarithms counts."""
    names = list(by_algorithm) if grouping == "all four" else [grouping]
    return max(1, ceil(fmean([log10(max(1, by_algorithm[name].nodes)) for name in names])))
