"""Schijf, Proof-number search and transpositions (1993): tic-tac-toe over random move orders.

The question is the paper's first phase (4.5): can the first player win from the empty board? Drawn end positions count
as lost, and the answer is no. Initial numbers are 1 and 1; leaves are evaluated when they are created.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from proofbase.engine.errors import EngineError
from proofbase.engine.papers.reproduce.answer import Answer, ask
from proofbase.engine.papers.reproduce.report import SCHIJF, Options, Progress, Report, Row, average_row

__all__ = ["no_win", "reduced_updates", "symmetries", "transpositions", "updates"]

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


class _Column(NamedTuple):
    """A column of a table: its printed average, and the range of the ten orders that are printed."""

    label: str
    algorithm: str
    average: float
    range: str = ""


TREE_NODES = _Column("tree algorithm", TREE, 17_086, "13,376 to 17,747")
DAG_NODES = _Column("practical DAG algorithm", DAG, 3_265, "3,091 to 3,367")


def transpositions(options: Options, progress: Progress) -> Report:
    """Table 4.1: nodes of the tree and of the practical DAG algorithm."""
    report = _averages("4.1", (TREE_NODES, DAG_NODES), "nodes", (NODES,), options, progress)
    tree, dag = report.rows
    return replace(report, rows=(tree, dag, Row("tree over DAG", 5.23, tree.measured / dag.measured)))


def updates(options: Options, progress: Progress) -> Report:
    """Table 4.2: updates up to the root after every expansion."""
    columns = (
        _Column("tree algorithm", f"{TREE}+full-updates", 25_137),
        _Column("practical DAG algorithm", f"{DAG}+full-updates", 32_922),
    )
    return _averages("4.2", columns, "updates", (UPDATES,), options, progress)


def reduced_updates(options: Options, progress: Progress) -> Report:
    """Table 4.3: updates that stop at nodes whose numbers have not changed."""
    columns = _Column("tree algorithm", TREE, 18_894), _Column("practical DAG algorithm", DAG, 9_816)
    return _averages("4.3", columns, "updates", (UPDATES,), options, progress)


def symmetries(options: Options, progress: Progress) -> Report:
    """Table A.1: nodes of the tree, and of the DAG in which symmetric positions are one node."""
    columns = (
        TREE_NODES._replace(label="no transpositions"),
        _Column("symmetrical positions", SYMMETRIC, 617, "561 to 676"),
    )
    return _averages("A.1", columns, "nodes", (NODES, SEPARATE), options, progress)


def _averages(
    table: str, columns: Sequence[_Column], counter: str, notes: Sequence[str], options: Options, progress: Progress
) -> Report:
    """The averages of a counter of the searches, over the orders 1, 2, 3...; the first note comes before the ranges."""
    orders = options.orders_or(ORDERS)
    rows, ranges = list[Row](), list[str]()
    for number, (label, algorithm, average, printed_range) in enumerate(columns):
        counts = list[int]()
        for order in range(1, orders + 1):
            progress((number + (order - 1) / orders) / len(columns), f"{label}, order {order}")
            counts.append(getattr(no_win(f"{algorithm}+order-{order}"), counter))
        rows.append(average_row(label, average, counts, counter))
        of_ten = f"; the ten orders of the paper {printed_range}" if printed_range else ""
        ranges.append(f"{label}: {algorithm}, {min(counts):,} to {max(counts):,}{of_ten}.")
    averaged = (
        f"Averages over {orders} random orders of moves; the paper's over {ORDERS}. ± is the standard error of ours."
    )
    source = f"{SCHIJF}, Table {table}"
    return Report(source, rows, (averaged, notes[0], *ranges, *notes[1:]))


def no_win(algorithm: str) -> Answer:
    """Asks whether the first player wins tic-tac-toe, and gets the answer no."""
    answer = ask("tic-tac-toe", None, algorithm)
    if answer.status != "disproved":
        raise EngineError(f"{algorithm} says {answer.status}: tic-tac-toe is a draw")
    return answer
