"""Schijf, Proof-number search and transpositions (1993): tic-tac-toe over random move orders.

The question is the paper's first phase (4.5): can the first player win from the empty board? Drawn end positions count
as lost, and the answer is no. Initial numbers are 1 and 1; leaves are evaluated when they are created.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import fmean, stdev

from proofbase.engine._core import Search, open_game
from proofbase.engine.errors import EngineError
from proofbase.engine.papers.reproduce.report import Options, Progress, Report, Row

__all__ = ["reduced_updates", "symmetries", "transpositions", "updates"]

PAPER = "Schijf, Proof-number search and transpositions (1993)"
ORDERS = 100

TREE = "pn-tree+unit"
DAG = "pn-dag+unit+no-symmetry+stack"
SYMMETRIC = "pn-dag+unit"

NODES = (
    "A node counts when it is created, the root included. The moves of every position are shuffled, in one order for "
    "all nodes of the position."
)
SEPARATE = "Moves to symmetric positions are edges of their own to the one node."
UPDATES = (
    "An update is a computation of the numbers of a node after an expansion below it, or its own. The DAG updates by "
    "recursion (stack): a node again for every path that leads to it."
)


def transpositions(options: Options, progress: Progress) -> Report:
    """Table 4.1: nodes of the tree and of the practical DAG algorithm."""
    orders = options.orders_or(ORDERS)
    nodes = _count({TREE: "tree", DAG: "DAG"}, "nodes", orders, progress)
    tree, dag = fmean(nodes[TREE]), fmean(nodes[DAG])
    return Report(
        "schijf-4.1",
        f"{PAPER}, Table 4.1",
        (
            _average("tree algorithm", 17_086, nodes[TREE], "nodes"),
            _average("practical DAG algorithm", 3_265, nodes[DAG], "nodes"),
            Row("tree over DAG", 5.23, tree / dag),
        ),
        (
            _averaged_over(orders),
            NODES,
            f"tree algorithm: {TREE}, {_range(nodes[TREE])}; the ten orders of the paper 13,376 to 17,747.",
            f"practical DAG algorithm: {DAG}, {_range(nodes[DAG])}; the ten orders of the paper 3,091 to 3,367.",
        ),
    )


def updates(options: Options, progress: Progress) -> Report:
    """Table 4.2: updates up to the root after every expansion."""
    return _updates("4.2", {f"{TREE}+full-updates": 25_137, f"{DAG}+full-updates": 32_922}, options, progress)


def reduced_updates(options: Options, progress: Progress) -> Report:
    """Table 4.3: updates that stop at nodes whose numbers have not changed."""
    return _updates("4.3", {TREE: 18_894, DAG: 9_816}, options, progress)


def symmetries(options: Options, progress: Progress) -> Report:
    """Table A.1: nodes of the tree, and of the DAG in which symmetric positions are one node."""
    orders = options.orders_or(ORDERS)
    nodes = _count({TREE: "no transpositions", SYMMETRIC: "symmetrical positions"}, "nodes", orders, progress)
    return Report(
        "schijf-a.1",
        f"{PAPER}, Table A.1",
        (
            _average("no transpositions", 17_086, nodes[TREE], "nodes"),
            _average("symmetrical positions", 617, nodes[SYMMETRIC], "nodes"),
        ),
        (
            _averaged_over(orders),
            NODES,
            f"no transpositions: {TREE}, {_range(nodes[TREE])}; the ten orders of the paper 13,376 to 17,747.",
            f"symmetrical positions: {SYMMETRIC}, {_range(nodes[SYMMETRIC])}; the ten orders of the paper 561 to 676.",
            SEPARATE,
        ),
    )


def _updates(table: str, printed: Mapping[str, float], options: Options, progress: Progress) -> Report:
    """Updates of the tree and of the DAG, with the printed averages by algorithm."""
    orders = options.orders_or(ORDERS)
    labels = dict(zip(printed, ("tree algorithm", "practical DAG algorithm"), strict=True))
    counts = _count(labels, "updates", orders, progress)
    return Report(
        f"schijf-{table}",
        f"{PAPER}, Table {table}",
        tuple(_average(labels[name], printed[name], counts[name], "updates") for name in printed),
        (
            _averaged_over(orders),
            UPDATES,
            *(f"{labels[name]}: {name}, {_range(counts[name])}." for name in printed),
        ),
    )


def _count(algorithms: Mapping[str, str], counter: str, orders: int, progress: Progress) -> dict[str, list[int]]:
    """A counter of the finished search, for every algorithm and for each of the orders 1, 2, 3..."""
    game = open_game("tic-tac-toe")
    counts: dict[str, list[int]] = {algorithm: [] for algorithm in algorithms}
    for number, (algorithm, what) in enumerate(algorithms.items()):
        for order in range(1, orders + 1):
            progress((number + (order - 1) / orders) / len(algorithms), f"{what}, order {order}")
            search = Search(game, game.initial(), 1, algorithm=f"{algorithm}+order-{order}")
            if search.run().status != "disproved":
                raise EngineError(f"{search.algorithm} says {search.status}: tic-tac-toe is a draw")
            counts[algorithm].append(getattr(search.progress(), counter))
    progress(1.0, "done")
    return counts


def _average(label: str, printed: float, counts: Sequence[int], unit: str) -> Row:
    error = stdev(counts) / sqrt(len(counts)) if len(counts) > 1 else None
    return Row(label, printed, fmean(counts), unit, error)


def _averaged_over(orders: int) -> str:
    return f"Averages over {orders} random orders of moves; the paper's over {ORDERS}. ± is the standard error of ours."


def _range(counts: Sequence[int]) -> str:
    return f"{min(counts):,} to {max(counts):,}"
