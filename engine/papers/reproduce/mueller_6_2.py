"""Müller, Proof-set search (2001), 6.2: tic-tac-toe.

"A first test on Tic-Tac-Toe resulted in PSS growing a 10% smaller DAG than PNS, with 1114 nodes against PNS' 1237 to
disprove that Tic-Tac-Toe is a win for the first player." The paper does not say how nodes are counted, in which order
moves are listed, nor how ties are broken.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

from proofbase.engine.papers.reproduce.answer import ask
from proofbase.engine.papers.reproduce.report import MUELLER, Options, Progress, Report, Row, average_row
from proofbase.engine.papers.reproduce.schijf import no_win

__all__ = ["BOARDS", "boards", "nodes_of", "tic_tac_toe"]

ORDERS = 100

NUMBERS = "pn-dag+unit"
NEWEST = "pss+unit+p-all+d-all+newest"
OLDEST = "pss+unit+p-all+d-all+oldest"

BOARDS = (
    ("tic-tac-toe", 1),
    ("gomoku:3x4-3", 1),
    ("gomoku:4x4-3", 1),
    ("othello:4x4", 1),
    ("connect-four:3x6", 1),
    ("connect-four:4x4", 0),
    ("connect-four:4x4", 1),
    ("connect-four:4x5", 0),
    ("connect-four:4x5", 1),
    ("connect-four:5x4", 1),
)
"""Games, and the value that is asked for."""
SIZES = ("p-1+d-1", "p-4+d-4", "p-20+d-20", "p-all+d-all")

COUNTING = (
    "The paper's figures come out as expanded nodes, with symmetric positions apart, the moves listed row by row, "
    "leaves evaluated when they are created, and the first of several equally good moves. Created are 3,202 and 2,956."
)
TIES = (
    "For proof-set search ties must go to new nodes (policy newest): of the leaves that both sets of the root hold "
    "the newest is expanded, and of two sets of equal size, read from the newest leaf on, the one with the older leaf "
    "where they begin to differ is the smaller. The paper leaves the order open (2.1, 3.1). Of 840 ways to break ties "
    "only this one gives 1,114, so it may be chance; the 1,237 of pn-search rest on nothing but the counting."
)
ONE_ORDER = (
    "The 10 % are those of one order of moves. Over random orders the two differ little; "
    "the paper has no figures there."
)


def tic_tac_toe(options: Options, progress: Progress) -> Report:
    """The two figures of 6.2, and averages over random orders of moves."""
    orders = options.orders_or(ORDERS)
    rows = [
        Row("pn-search, moves row by row", 1237, _counts(f"{NUMBERS}+no-symmetry", 0)[1], "expansions"),
        Row("proof-set search, moves row by row", 1114, _counts(f"{NEWEST}+no-symmetry", 0)[1], "expansions"),
    ]
    measured = [
        (f"{what}, {which}", f"{algorithm}{policy}")
        for policy, which in (("+no-symmetry", "random orders"), ("", "symmetric positions as one"))
        for algorithm, what in (
            (NUMBERS, "pn-search"),
            (NEWEST, "proof-set search, newest"),
            (OLDEST, "proof-set search, oldest"),
        )
    ]
    for number, (label, algorithm) in enumerate(measured):
        counts = []
        for order in range(1, orders + 1):
            progress((number + (order - 1) / orders) / len(measured), f"{label}, order {order}")
            counts.append(_counts(algorithm, order))
        for unit, of_unit in zip(("nodes", "expansions"), zip(*counts, strict=True), strict=True):
            rows.append(average_row(label, None, of_unit, unit))
    return Report(
        f"{MUELLER}, 6.2",
        rows,
        (f"Averages over {orders} random orders of moves; ± is their standard error.", COUNTING, TIES, ONE_ORDER),
    )


def _counts(algorithm: str, order: int) -> tuple[int, int]:
    """Nodes created and nodes expanded by a search of "can the first player win?"; order 0 is that of the rules."""
    answer = no_win(algorithm + (f"+order-{order}" if order else ""))
    return answer.nodes, answer.expansions


def boards(options: Options, progress: Progress) -> Report:
    """Proof-set search by the size of its sets and the order of ties, beside pn-search and the transpositions."""
    chosen, rows, sums = BOARDS[: options.positions], list[Row](), Counter[str]()
    for number, board in enumerate(chosen):
        question = f"{board[0]}, at least {board[1]}?"
        progress(number / len(chosen), question)
        tree, graph = nodes_of(*board, "pn-tree+unit"), nodes_of(*board, NUMBERS)
        rows.append(Row(f"{question} nodes of the tree that the graph saves", None, 100 * (1 - graph / tree), "%"))
        rows.append(Row(f"{question} pn-search", None, graph, "nodes"))
        sums["pn-search"] += graph
        for name in [f"{sizes}+{order}" for sizes in SIZES for order in ("oldest", "newest")]:
            nodes = nodes_of(*board, f"pss+unit+{name}")
            rows.append(Row(f"{question} {name}", None, nodes, "nodes"))
            sums[name] += nodes
    rows += [Row(f"all of them, {name}", None, nodes, "nodes") for name, nodes in sums.items()]
    return Report(
        f"{MUELLER}, 4 and 6.2",
        rows,
        [f"pn-search: {NUMBERS}. Of the sets each names so many leaves at most. The paper has no figures."],
    )


@cache
def nodes_of(game: str, at_least: int, algorithm: str) -> int:
    """Nodes created by a search from the first position."""
    return ask(game, None, algorithm, at_least=at_least).nodes
