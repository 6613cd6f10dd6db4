"""Claims of Müller, Proof-set search (2001)."""

from __future__ import annotations

from functools import cache
from itertools import combinations

from proofbase.engine.papers.reproduce.headlines.claim import Claim
from proofbase.engine.papers.reproduce.mueller_6_1 import example_11
from proofbase.engine.papers.reproduce.mueller_6_2 import BOARDS, nodes_of, tic_tac_toe
from proofbase.engine.papers.reproduce.report import Options, quiet

__all__ = ["CLAIMS"]

PAPER = "Müller 2001"
ORDERS, SMALL = 30, 9
TREE, NUMBERS, SETS = "pn-tree+unit", "pn-dag+unit", "pss+unit"


@cache
def _tic_tac_toe() -> dict[str, float]:
    rows = tic_tac_toe(Options(orders=ORDERS), quiet).rows
    return {f"{row.label}: {row.unit}": row.measured for row in rows}


def _fewer_on_average() -> float:
    """By how many per cent proof-set search needs fewer expansions, over random orders of moves."""
    numbers, sets = (
        _tic_tac_toe()[f"{name}, random orders: expansions"] for name in ("pn-search", "proof-set search, newest")
    )
    return 100 * (1 - sets / numbers)


def _agreement() -> float:
    """Kendall's rank correlation, over BOARDS, of the share of transpositions and the gain of proof-set search.

    The share is measured by how many times more nodes the tree has than the graph.
    """
    pairs = []
    for board in BOARDS[:SMALL]:
        tree, numbers, sets = (nodes_of(*board, algorithm) for algorithm in (TREE, NUMBERS, SETS))
        pairs.append((tree / numbers, numbers / sets))
    signs = [1 if (a[0] - b[0]) * (a[1] - b[1]) > 0 else -1 for a, b in combinations(pairs, 2)]
    return sum(signs) / len(signs)


CLAIMS = (
    Claim(
        f"{PAPER}, 6.2",
        "Tic-tac-toe is no win: nodes of proof-set search and of pn-search.",
        "{1,114} nodes, pn-search {1,237}",
        "moves row by row, ties to new nodes",
        lambda: (
            _tic_tac_toe()["proof-set search, moves row by row: expansions"],
            _tic_tac_toe()["pn-search, moves row by row: expansions"],
        ),
        lambda ours: ours[0] == 1_114 and ours[1] == 1_237,
    ),
    Claim(
        f"{PAPER}, 6.2",
        "Proof-set search needs 10 % fewer nodes there.",
        "{10} % fewer",
        f"averages over {ORDERS} random orders of moves",
        lambda: (_fewer_on_average(),),
        lambda ours: ours[0] >= 5,
        "the 10 % are those of one order of moves",
    ),
    Claim(
        f"{PAPER}, 1",
        "Proof-set search needs fewer nodes where there are many transpositions.",
        "{} nodes, pn-search {}",
        "connect-four:4x4, `at least 1?`, where the tree has 20 times the nodes of the graph",
        lambda: (nodes_of("connect-four:4x4", 1, SETS), nodes_of("connect-four:4x4", 1, NUMBERS)),
        lambda ours: ours[0] < ours[1],
        "each node keeps one set only, and of several smallest ones chance chooses",
    ),
    Claim(
        f"{PAPER}, 6.2",
        "The more transpositions, the better proof-set search does beside pn-search.",
        "rank correlation {}",
        f"{SMALL} small boards of four games",
        lambda: (_agreement(),),
        lambda ours: ours[0] >= 0.5,
        "on these boards the gain does not follow the transpositions",
    ),
    Claim(
        f"{PAPER}, 4",
        "With sets of no nodes proof-set search is pn-search.",
        "{} nodes, pn-search {}",
        "connect-four:4x4, `at least 1?`",
        lambda: (nodes_of("connect-four:4x4", 1, f"{SETS}+p-0+d-0"), nodes_of("connect-four:4x4", 1, NUMBERS)),
        lambda ours: ours[0] == ours[1],
    ),
    Claim(
        f"{PAPER}, 6.1, Example 11",
        "In a graph with a cycle proof-set search finds that one leaf is enough.",
        "{1} leaf",
        "the example, by base-twin with sets",
        lambda: (example_11()[0].measured,),
        lambda ours: ours[0] == 1,
    ),
    Claim(
        f"{PAPER}, 6.2",
        "With P = D = 20 proof-set search is viable on mating problems of shogi.",
        "P = D = {20}",
        because="neither the problems nor the game are here",
    ),
)
