"""Claims of Schijf, Proof-number search and transpositions (1993)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import prod
from statistics import fmean

from proofbase.engine.papers.reproduce.giveaway_openings import lost_openings
from proofbase.engine.papers.reproduce.headlines.breuker import answers
from proofbase.engine.papers.reproduce.headlines.claim import Claim
from proofbase.engine.papers.reproduce.report import Options, Progress, Report, quiet
from proofbase.engine.papers.reproduce.schijf import no_win, reduced_updates, symmetries, transpositions, updates
from proofbase.engine.papers.reproduce.schijf_exact import LEVELS, minimal_disproof_sets, nodes_by_level

__all__ = ["CLAIMS"]

PAPER = "Schijf 1993"
ORDERS = 30
SAMPLE = f"tic-tac-toe, {ORDERS} random orders of moves"


def _averages(table: Callable[[Options, Progress], Report]) -> tuple[float, ...]:
    return tuple(row.measured for row in table(Options(orders=ORDERS), quiet).rows)


def _by_alpha_beta() -> float:
    """Average nodes of alpha-beta for the question of the other rows."""
    return fmean(no_win(f"alpha-beta+order-{order}").nodes for order in range(1, ORDERS + 1))


@cache
def _giveaway() -> tuple[int, float]:
    """How many of the three first moves are proved to lose, and the longest time."""
    rows = lost_openings(Options(), quiet).rows
    proved = sum(int(row.measured) for row in rows if row.label.endswith("proved"))
    return proved, max(row.measured for row in rows if row.label.endswith("time"))


def _fewer_nodes() -> tuple[int, int]:
    """In how many mates that both solve the search of a graph needs no more nodes than that of a tree."""
    tree, graph = answers()["Tree"], answers()["DCG"]
    both = [problem for problem in tree if tree[problem].proved and graph[problem].proved]
    return sum(graph[problem].nodes <= tree[problem].nodes for problem in both), len(both)


def _close(*printed: float) -> Callable[[Sequence[float]], bool]:
    """Whether each figure differs from the printed one by a tenth at the most."""
    return lambda ours: all(abs(our / theirs - 1) <= 0.1 for our, theirs in zip(ours, printed, strict=True))


CLAIMS = (
    Claim(
        f"{PAPER}, 4.5, Table 4.1",
        "With transpositions pn-search needs a fifth of the nodes.",
        "{17,086} nodes, with transpositions {3,265}, {5.23} times fewer",
        SAMPLE,
        lambda: _averages(transpositions),
        _close(17_086, 3_265, 5.23),
    ),
    Claim(
        f"{PAPER}, 4.5, Table 4.2",
        "With transpositions it needs more updates, if each expansion updates up to the root.",
        "{25,137} updates, with transpositions {32,922}",
        SAMPLE,
        lambda: _averages(updates),
        lambda ours: ours[1] > ours[0] and _close(25_137, 32_922)(ours),
    ),
    Claim(
        f"{PAPER}, 4.6, Table 4.3",
        "With updates that stop early it needs fewer.",
        "{18,894} updates, with transpositions {9,816}",
        SAMPLE,
        lambda: _averages(reduced_updates),
        lambda ours: ours[1] < ours[0] and _close(18_894, 9_816)(ours),
    ),
    Claim(
        f"{PAPER}, A, Table A.1",
        "With symmetric positions as transpositions it needs fewer nodes still.",
        "{17,086} nodes, with symmetries {617}",
        SAMPLE,
        lambda: _averages(symmetries),
        _close(17_086, 617),
    ),
    Claim(
        f"{PAPER}, 3.4",
        "On a uniform tree such as tic-tac-toe's, pn-search does worse than alpha-beta.",
        "{} nodes, alpha-beta {}",
        SAMPLE,
        lambda: (_averages(transpositions)[0], _by_alpha_beta()),
        lambda ours: ours[0] > ours[1],
    ),
    Claim(
        f"{PAPER}, 3.4",
        "The first five levels of its tree are those of minimax.",
        "{} nodes, minimax {}",
        "tic-tac-toe",
        lambda: (sum(nodes_by_level()[:LEVELS]), sum(prod(range(9, 9 - level, -1)) for level in range(LEVELS))),
        lambda ours: ours[0] == ours[1],
    ),
    Claim(
        f"{PAPER}, 3.4",
        "In giveaway chess 1.d2-d4, 1.d2-d3 and 1.e2-e4 lose, which pn-search shows in less than 10 seconds.",
        "{3} of the moves lose, {10} s",
        "these positions",
        _giveaway,
        lambda ours: ours[0] == 3 and ours[1] <= 10,
    ),
    Claim(
        f"{PAPER}, 5.3",
        "A uniform tree of depth 4 and width 3 has 3^12 minimal disproof sets.",
        "{531,441} sets",
        "this tree",
        lambda: (minimal_disproof_sets(4, 3),),
        lambda ours: ours[0] == 3**12,
    ),
    Claim(
        f"{PAPER}, 5.5",
        "The algorithm for graphs with cycles performs in most positions better than that for trees.",
        "in {} of {} no more nodes",
        "the 82 mates of Reinfeld",
        _fewer_nodes,
        lambda ours: ours[0] > ours[1] / 2,
    ),
    Claim(
        f"{PAPER}, 5.5, Table 5.1",
        "In three positions it surely misses a win.",
        "{3} of {82} positions",
        because="the positions 206, 208 and 219 of Krabbé are diagrams of a book that we do not have",
    ),
    Claim(
        f"{PAPER}, 3.4",
        "Estimates in place of 1 and 1 save a factor of about 20 in Othello (Gnodde).",
        "{20} times fewer nodes",
        because="the positions stand in a thesis that we do not have",
    ),
)
