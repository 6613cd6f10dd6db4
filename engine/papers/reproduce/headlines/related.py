"""Claims about the searches that pn-search comes from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from proofbase.engine.papers.reproduce.endings import endings
from proofbase.engine.papers.reproduce.headlines.claim import Claim
from proofbase.engine.papers.reproduce.random_trees import WIDTHS, nodes_of_both
from proofbase.engine.papers.reproduce.related_searches import related_searches
from proofbase.engine.papers.reproduce.report import Options, quiet

__all__ = ["CLAIMS"]

THESIS = "Allis 1994"
BOARDS = ("connect-four:3x3", "connect-four:3x4")


@cache
def _sum(figure: str) -> float:
    """A figure of two questions, summed."""
    rows = related_searches(Options(positions=len(BOARDS)), quiet).rows
    return sum(row.measured for row in rows if row.label.endswith(f"? {figure}"))


@cache
def _ratio(widths: Sequence[int]) -> float:
    by_window, by_numbers = nodes_of_both(widths, TREES)
    return by_numbers / by_window


@cache
def _endings(search: str) -> float:
    """How many endings of Othello and checkers a search solves."""
    rows = endings(Options(positions=POSITIONS), quiet).rows
    games = ("othello", "checkers")
    return sum(row.measured for row in rows if row.label.startswith(games) and f"{search}: solved" in row.label)


TREES, POSITIONS = 20, 10
SAMPLE = f"{' and '.join(BOARDS)}, `at least 1?`"
CLAIMS = (
    Claim(
        "Allis et al. 1994, 1.2",
        "Alpha-beta cn-search does worse than unordered alpha-beta on uniform trees, and better on non-uniform ones.",
        "{} times the nodes, and {} times",
        f"{TREES} random trees with 4 moves, and with 1 or 7; these are two-valued, where it is pn-search",
        lambda: (_ratio(WIDTHS[0]), _ratio(WIDTHS[-1])),
        lambda ours: ours[0] > 1 > ours[1],
    ),
    Claim(
        "Allis et al. 1994, 2",
        "In two-valued trees SSS* and alpha-beta visit the same nodes.",
        "{} nodes, alpha-beta {}, leaves of one of the two only {}",
        SAMPLE,
        lambda: (_sum("SSS*"), _sum("alpha-beta"), _sum("leaves of one of the two only")),
        lambda ours: ours[0] == ours[1] and ours[2] == 0,
    ),
    Claim(
        "Allis et al. 1994, 8",
        "In endings of Othello and checkers pn-search does better than alpha-beta with a table.",
        "{} solved, alpha-beta {}",
        f"{POSITIONS} positions of each after random moves, at most 50,000 nodes",
        lambda: (_endings("unit"), _endings("table-64")),
        lambda ours: ours[0] > ours[1],
    ),
    Claim(
        f"{THESIS}, 2.5.1",
        "On connect-four pn-search selects better than conspiracy-number search.",
        "{} nodes, cn-search {}",
        SAMPLE,
        lambda: (_sum("pn-search"), _sum("cn-search")),
        lambda ours: ours[0] < ours[1],
        "these boards are small, and their trees close to uniform: on them alpha-beta needs fewer nodes than both",
    ),
    Claim(
        f"{THESIS}, 2.5.4",
        "MST* finds a solution tree of the smallest size.",
        "{} nodes more than the smallest, that of pn-search {}",
        SAMPLE,
        lambda: (
            _sum("MST*, nodes more than in the smallest solution tree"),
            _sum("pn-search, nodes more than in the smallest solution tree"),
        ),
        lambda ours: ours[0] == 0 <= ours[1],
    ),
)
