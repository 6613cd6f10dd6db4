"""Allis et al. (1994), 1.2 and 8; Allis (1994), 2.4.8: how far from uniform a tree has to be for pn-search.

"Allis et al. (1991b) have attempted to measure the degree of nonuniformity necessary for pn-search to outperform
alternative algorithms." That paper is not here. These trees have 4 moves on the average, with more and more spread.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import log
from random import Random
from statistics import fmean, geometric_mean, pvariance

from proofbase.engine.formats.plotting import Curve, Plot
from proofbase.engine.papers.reference.explicit_game import ExplicitGame
from proofbase.engine.papers.reference.graph import Edge, Graph
from proofbase.engine.papers.reference.pn_search import PnSearch
from proofbase.engine.papers.reference.valued_tree import TreeNode, alpha_beta
from proofbase.engine.papers.reproduce.report import Options, Progress, Report, Row

__all__ = ["WIDTHS", "nodes_of_both", "random_trees"]

DEPTH, TREES = 7, 60
WIDTHS: tuple[Sequence[int], ...] = ((4,), (3, 4, 5), (2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6, 7), (1, 7))
"""The numbers of moves that are drawn from: 4 on the average."""

TREES_ARE = (
    f"Two-valued trees of depth {DEPTH}, where each position has 4 moves on the average. A leaf is lost as often as "
    "leaves every level the same chance. Geometric means; moves are in no order."
)
SAME = "On two-valued trees pn-search is alpha-beta cn-search, of which the claim is (`allis-2.5`)."


def random_trees(options: Options, progress: Progress) -> Report:
    """Nodes of alpha-beta and of pn-search by the variance of the number of moves."""
    trees, variances = options.orders_or(TREES), [pvariance(widths) for widths in WIDTHS]
    rows, ratios = list[Row](), list[float]()
    for number, (widths, variance) in enumerate(zip(WIDTHS, variances, strict=True)):
        progress(number / len(WIDTHS), f"variance {variance:.3g}")
        by_window, by_numbers = nodes_of_both(widths, trees)
        ratios.append(by_numbers / by_window)
        for name, nodes in (("alpha-beta", by_window), ("pn-search", by_numbers)):
            rows.append(Row(f"variance {variance:.3g}: {name}", None, nodes, "nodes"))
        rows.append(Row(f"variance {variance:.3g}: pn-search over alpha-beta", None, ratios[-1]))
    for (x, above), (to, below) in pairwise(zip(variances, ratios, strict=True)):
        if above > 1 >= below:
            crossing = x + (to - x) * log(above) / log(above / below)
            rows.append(Row("variance where both need as many", None, crossing))
    curve = Curve(f"{trees} trees each", variances, ratios)
    labels = ("variance of the number of moves", "nodes of pn-search over those of alpha-beta")
    plot = Plot("Random trees of depth 7, 4 moves on the average", *labels, [curve], log_y=True)
    return Report(
        "Allis et al., Proof-number search (1994), 1.2 and 8; Allis (1994), 2.4.8",
        rows,
        (f"{trees} trees for each variance.", TREES_ARE, SAME),
        plot.svg() if options.plot else None,
    )


def nodes_of_both(widths: Sequence[int], trees: int) -> tuple[float, float]:
    """Geometric means of the nodes of alpha-beta and of pn-search."""
    random, counts = Random(str(widths)), list[tuple[int, int]]()
    for _ in range(trees):
        game, visited = ExplicitGame(_tree(random, widths)), list[TreeNode]()
        alpha_beta(TreeNode(game, 0), -1, 1, visited)
        search = PnSearch(game, 0, 1)
        search.run()
        counts.append((len(visited), search.nodes))
    first, second = (geometric_mean(sizes) for sizes in zip(*counts, strict=True))
    return first, second


def _tree(random: Random, widths: Sequence[int]) -> Graph:
    edges, level = list[list[Edge]]([[]]), [0]
    for _ in range(DEPTH):
        above, level = level, []
        for node in above:
            children = range(len(edges), len(edges) + random.choice(widths))
            edges[node] = [Edge(move, child, 0) for move, child in enumerate(children)]
            edges += [[] for _ in children]
            level += children
    lost = _share_of_losses(widths)
    terminal = [None if out else -1 if random.random() < lost else 1 for out in edges]
    return Graph(edges, terminal, [None] * len(edges), [node.to_bytes(4, "big") for node in range(len(edges))])


def _share_of_losses(widths: Sequence[int]) -> float:
    """A position is lost where all of its moves lead to won ones: the share that is the same on every level."""
    low, high = 0.0, 1.0
    while high - low > 1e-9:
        share = (low + high) / 2
        low, high = (share, high) if fmean((1 - share) ** width for width in widths) > share else (low, share)
    return low
