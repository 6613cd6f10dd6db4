"""Claims of Allis, van der Meulen, van den Herik, Proof-number search (1994)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from proofbase.engine.papers.reproduce.allis_awari import AS_PRINTED, game_5_efforts, tournament
from proofbase.engine.papers.reproduce.answer import ask
from proofbase.engine.papers.reproduce.awari_comparison import Effort
from proofbase.engine.papers.reproduce.headlines.claim import Claim
from proofbase.engine.papers.reproduce.reinfeld import PROBLEMS
from proofbase.engine.papers.reproduce.report import Options, quiet

__all__ = ["CLAIMS", "SAMPLE", "game_5"]

PAPER = "Allis et al. 1994"
POSITIONS = 9
"""Of Table 1 from its top on: 55(N) to 51(N)."""
MOST_NODES = 2_000_000
SAMPLE = f"game 5, 55(N) to 51(N), at most {MOST_NODES:,} nodes"
MATES, MATE_NODES = 40, 100_000


@cache
def game_5() -> Sequence[dict[str, Effort]]:
    """The efforts of all algorithms, by position."""
    return list(game_5_efforts(POSITIONS, MOST_NODES))


def _gains(name: str) -> tuple[float, float]:
    """How many times fewer nodes pn-search needs, where it needs more than 1,000: the smallest gain and the largest.

    A search that was given up counts with the nodes until then.
    """
    large = [efforts for efforts in game_5() if name in efforts and efforts["pn-search"].nodes > 1_000]
    gains = [efforts[name].nodes / efforts["pn-search"].nodes for efforts in large]
    return min(gains), max(gains)


def _held() -> tuple[float, float]:
    shares = [effort.largest / effort.held for efforts in game_5() if (effort := efforts["pn-search"]).nodes > 1_000]
    return min(shares), max(shares)


@cache
def _win_of_move_15() -> tuple[float, float]:
    nodes, held = tournament(Options(), quiet).rows
    return nodes.measured, held.measured


def _mates() -> tuple[float, float]:
    """How many mates pn-search and alpha-beta with a table find."""
    by_numbers, by_window = (
        sum(ask("chess", problem.fen, algorithm, MATE_NODES).proved for problem in PROBLEMS[:MATES])
        for algorithm in ("pn-tree+mobility", "alpha-beta+table-10")
    )
    return by_numbers, by_window


CLAIMS = (
    Claim(
        f"{PAPER}, 7.1",
        "Alpha-beta without a table needs many times the nodes of pn-search, where that needs more than 1,000.",
        "{8} to {560} times",
        SAMPLE,
        lambda: _gains("alpha-beta"),
        lambda ours: ours[0] >= 8,
    ),
    Claim(
        f"{PAPER}, 7.1",
        "Alpha-beta with a table needs more nodes than pn-search as well.",
        "{2} to {75} times",
        SAMPLE,
        lambda: _gains("with table"),
        lambda ours: ours[0] > 1,
        "today's alpha-beta asks for both bounds in one search, and its table keeps what is proved at any depth",
    ),
    Claim(
        f"{PAPER}, 7.1",
        "The same of alpha-beta with a table as the paper describes it.",
        "{2} to {75} times",
        "game 5, 54(S) to 52(N), in Python",
        lambda: _gains(AS_PRINTED[1]),
        lambda ours: ours[0] > 1,
    ),
    Claim(
        f"{PAPER}, Table 1",
        "Nodes of pn-search for the values of the first positions.",
        "{202,463} nodes",
        SAMPLE,
        lambda: (sum(efforts["pn-search"].nodes for efforts in game_5()),),
        lambda ours: abs(ours[0] / 202_463 - 1) < 0.1,
    ),
    Claim(
        f"{PAPER}, 7.2",
        "In searches of a few hundred nodes pn-search does not do as well as alpha-beta: position 55(S).",
        "{419} nodes, alpha-beta {212}",
        SAMPLE,
        lambda: (game_5()[1]["pn-search"].nodes, game_5()[1]["alpha-beta"].nodes),
        lambda ours: ours[0] > ours[1],
    ),
    Claim(
        f"{PAPER}, 4.1",
        "Deleting solved subtrees leaves a half to a quarter of the tree in memory.",
        "{2} to {4} times fewer nodes",
        SAMPLE,
        _held,
        lambda ours: ours[0] >= 2 and ours[1] <= 5,
        "the paper's own Table 1 has less than 2 as well: 47,162 nodes and 26,180 held for 52(S)",
    ),
    Claim(
        f"{PAPER}, 7.3",
        "pn-search finds the win that was missed after move 15 of game 5.",
        "{283,000} nodes",
        "game 5, tables to 17 stones",
        lambda: _win_of_move_15()[:1],
        lambda ours: abs(ours[0] / 283_000 - 1) < 0.1,
    ),
    Claim(
        f"{PAPER}, 7.3",
        "That search stays within the nodes that a tournament leaves in memory.",
        "{150,000} nodes held",
        "game 5, tables to 17 stones",
        lambda: _win_of_move_15()[1:],
        lambda ours: ours[0] <= 150_000,
        "moves are tried in the order of the rules here, and with captures first in the paper",
    ),
    Claim(
        f"{PAPER}, 8",
        "In chess pn-search is not likely to be a good alternative to alpha-beta.",
        "{} mates found, alpha-beta {}",
        f"{MATES} mates of Reinfeld, at most {MATE_NODES:,} nodes",
        _mates,
        lambda ours: ours[0] <= ours[1],
        "mates are forced, so that their trees are far from uniform; of other positions of chess it says nothing",
    ),
)
