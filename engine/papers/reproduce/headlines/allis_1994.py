"""Claims of Allis, Searching for solutions in games and artificial intelligence (1994)."""

from __future__ import annotations

from functools import cache
from math import log10
from random import Random
from typing import Any

from proofbase.engine._core import Search
from proofbase.engine.complexity import estimate_states, supersets_of
from proofbase.engine.errors import EngineError
from proofbase.engine.games import open_game
from proofbase.engine.papers.reference.double_letter import graph_size, tree_size
from proofbase.engine.papers.reproduce.answer import ask
from proofbase.engine.papers.reproduce.complexity import tic_tac_toe
from proofbase.engine.papers.reproduce.giveaway import random_games
from proofbase.engine.papers.reproduce.gomoku import reply_by_reply
from proofbase.engine.papers.reproduce.headlines.claim import Claim
from proofbase.engine.papers.reproduce.headlines.pn_search import SAMPLE as GAME_5
from proofbase.engine.papers.reproduce.headlines.pn_search import game_5
from proofbase.engine.papers.reproduce.mate_lengths import mate_lengths
from proofbase.engine.papers.reproduce.pn2_awari import pn2_on_awari
from proofbase.engine.papers.reproduce.qubic import is_strategic, merged, solve
from proofbase.engine.papers.reproduce.qubic_openings import four_ply_positions
from proofbase.engine.papers.reproduce.qubic_reductions import MISSED, forced_sequences
from proofbase.engine.papers.reproduce.report import Options, quiet
from proofbase.engine.papers.reproduce.threat_operators import counts
from proofbase.engine.players import good_games

__all__ = ["CLAIMS"]

PAPER = "Allis 1994"
AXIOMS, LETTERS = 100, 20
REPLIES, REPLY_SECONDS, FAR_REPLIES = 3, 30.0, ("a1", "b1", "c1")
DRAWN, GAMES = 3_000, 2
OPENINGS = 4
"""Of the 195, on whose searches winning threats are sought."""


def _mate_moves() -> tuple[float, float]:
    """The longest mates that are found without and with depth, in moves."""
    report = mate_lengths(Options(positions=30, nodes=20_000), quiet)
    plies = [report.figure(f"{name}: longest mate") for name in ("unit", "depth")]
    return (plies[0] + 1) // 2, (plies[1] + 1) // 2


def _stones() -> float:
    unit, stones = (sum(efforts[name].nodes for efforts in game_5()) for name in ("pn-search", "stones pn"))
    return unit / stones


def _double_letter() -> float:
    """Nodes of a depth-first search, cut off at a million, over those of db-search."""
    random = Random(f"double letter {LETTERS}")
    axioms = ["".join(random.choices("abcde", k=LETTERS)) for _ in range(AXIOMS)]
    return sum(min(tree_size(axiom), 1_000_000) for axiom in axioms) / sum(map(graph_size, axioms))


@cache
def _qubic() -> tuple[int, frozenset[tuple[int, int]]]:
    """How many of the 195 positions White is proved to win, and the positions of all proofs."""
    solved = []
    for opening in four_ply_positions():
        try:
            solved.append(solve(opening.text))
        except EngineError:  # White's win is not proved
            continue
    return len(solved), merged(solved)


@cache
def _threats() -> tuple[float, float, float]:
    """What a conventional search of forced sequences needs more than db-search, and which wins that misses.

    Returns:
        The ratio of all nodes, that of the largest search of each, and the missed wins in per cent.
    """
    report = forced_sequences(Options(positions=OPENINGS), quiet)
    conventional = "conventional search over db-search: "
    labels = (f"{conventional}nodes, or more", f"{conventional}largest, or more", MISSED)
    nodes, largest, missed = (report.figure(label) for label in labels)
    return nodes, largest, missed


def _go_moku() -> tuple[float, float]:
    """Replies that are proved to lose of those that are asked, the farthest from the centre."""
    rows, _ = reply_by_reply("gomoku", REPLY_SECONDS, Options(positions=REPLIES), quiet)
    return next(row.measured for row in rows if row.label.endswith("replies proved")), REPLIES


def _two_stones() -> tuple[int, int]:
    """Nodes that `threats` opens for far replies, each asked alone, and how many of them it proves to lose."""
    game: Any = open_game("gomoku")
    first = game.play(game.initial(), game.parse_move(game.initial(), "h8"))
    replies = [game.play(first, game.parse_move(first, reply)) for reply in FAR_REPLIES]
    answers = [ask(game, position, "threats") for position in replies]
    return sum(answer.expansions for answer in answers), sum(answer.proved for answer in answers)


def _connect_four() -> float:
    """The value of the empty board."""
    game: Any = open_game("connect-four")
    search = Search(game, game.initial(), 1, algorithm="null-window+table-256")
    status = search.run().status
    if status == "unknown":
        raise RuntimeError("the value of connect-four's empty board was not found in the memory of the search")
    return 1 if status == "proved" else 0


@cache
def _states(game: str) -> float:
    """log10 of the number of positions, by a sample of a superset."""
    rules = open_game(game, "python")
    return log10(estimate_states(rules, supersets_of(rules)[-1], DRAWN).positions)


@cache
def _tic_tac_toe() -> tuple[float, float]:
    rows = {row.label: row.measured for row in tic_tac_toe()}
    return rows["tic-tac-toe: positions"], rows["tic-tac-toe: leaves of the tree"]


def _operators() -> tuple[float, ...]:
    report = counts(Options(), quiet)
    return tuple(report.figure(f"qubic, {what}") for what in ("operators", "different operators", "goals"))


CLAIMS = (
    Claim(
        f"{PAPER}, 2.3.1",
        "pn²-search visits three times the nodes of pn-search on awari.",
        "{3} times",
        "30 random endgames of 8 to 12 stones",
        lambda: (pn2_on_awari(Options(positions=10), quiet).figure("factor"),),
        lambda ours: 2 <= ours[0] <= 4,
    ),
    Claim(
        f"{PAPER}, 2.3.3, Table 2.8",
        "Initial numbers by the number of moves save a factor of 8 of the nodes in giveaway chess.",
        "{8} times",
        "10 ends of random games",
        lambda: (random_games(Options(positions=10), quiet).figure("nodes, improvement"),),
        lambda ours: 6 <= ours[0] <= 10,
    ),
    Claim(
        f"{PAPER}, 2.3.3",
        "Without regard to depth pn-search found a mate in 114 where there was one in 4.",
        "{114} moves, {4} with depth",
        "30 mates of Reinfeld, the longest",
        _mate_moves,
        lambda ours: ours[0] >= 2 * ours[1],
        "the problem is not printed, and none of these leaves the weaker side one piece that goes to and fro",
    ),
    Claim(
        f"{PAPER}, 2.4.8",
        "Initial numbers by the stones to capture save about a factor of 2 of the nodes on awari.",
        "{2} times",
        GAME_5,
        lambda: (_stones(),),
        lambda ours: ours[0] >= 1.5,
        "19 stones and fewer are left there; the thesis has positions with more (`allis-2.12`)",
    ),
    Claim(
        f"{PAPER}, 2.4.7, Table 2.12",
        "Alpha-beta, without and with a table, needs many times the nodes of the best pn-search.",
        "{128.8} and {68.0} times",
        because="its 337 positions are lost; 50 others give 10.9 and 8, with 3 million nodes at most (`allis-2.12`)",
    ),
    Claim(
        f"{PAPER}, 3.6",
        "In the double-letter puzzle a depth-first search needs 1,200 times the nodes of db-search.",
        "{1,200} times",
        f"{AXIOMS} random axioms of {LETTERS} letters, counted",
        lambda: (_double_letter(),),
        lambda ours: 600 <= ours[0] <= 2_400,
        "a few axioms hold most of the nodes of db-search, and the hardest of ours are harder (`allis-3.5`)",
    ),
    Claim(
        f"{PAPER}, 4.3.2",
        "Qubic as a problem for db-search: operators, different ones, goals.",
        "{1,824} operators, {912} different, {304} goals",
        "counted",
        _operators,
        lambda ours: tuple(ours) == (1_824, 912, 304),
    ),
    Claim(
        f"{PAPER}, 4.5",
        "Qubic is won by who moves first: his choice of two moves leaves 195 positions, all of them won.",
        "{195} positions won",
        "each solved by `pn-dag+threats`",
        lambda: (_qubic()[0],),
        lambda ours: ours[0] == 195,
    ),
    Claim(
        f"{PAPER}, 4.5.2, Table 4.1",
        "The solution has 6,654 positions.",
        "{6,654} positions",
        "the same",
        lambda: (len(_qubic()[1]),),
        lambda ours: abs(ours[0] / 6_654 - 1) <= 0.2,
    ),
    Claim(
        f"{PAPER}, 4.5.3, Table 4.2",
        "pn-search needs a few strategic moves more than Patashnik, who made them by hand.",
        "{3,254} moves, by hand {2,929}",
        "the same",
        lambda: (sum(map(is_strategic, _qubic()[1])), 2_929),
        lambda ours: 1 < ours[0] / ours[1] < 1.25,
        "ours needs fewer: it also asks what the other side threatens, and tries only moves that meet it",
    ),
    Claim(
        f"{PAPER}, 4.5.3",
        "db-search does 5 to 40 times better than a conventional search of forced sequences.",
        "{5} to {40} times",
        "1,000 positions of real searches, half of them not won by db-search; of all nodes, and of the largest search",
        lambda: _threats()[:2],
        lambda ours: ours[0] >= 5,
    ),
    Claim(
        f"{PAPER}, 4.3.3",
        "db-search misses a winning line in less than 1 % of the positions by its treatment of closed threes.",
        "{1} %",
        "the same, of the positions that are won by threats",
        lambda: _threats()[2:],
        lambda ours: ours[0] <= 1,
    ),
    Claim(
        f"{PAPER}, 5.5",
        "Go-moku is won by who moves first; that took 11.9 days.",
        "{} of {} replies",
        "free style, the replies in the corner a1",
        _go_moku,
        because="all replies take 17 minutes of the processor (`allis-5`); those of the sample lose",
    ),
    Claim(
        f"{PAPER}, 5.5.3",
        "All pn-searches of Victoria for free-style go-moku have 5.3 million nodes together.",
        "{5,300,000} nodes for {35} replies",
        "nodes opened by `threats` for h8 a1, h8 b1 and h8 c1, each alone",
        _two_stones,
        because="Victoria, in Python, proves h8 o15 with 62,322 nodes and not h8 n15 with 95,157 (`allis-5.4`); by "
        "`threats` 33 of the 35 replies, each alone, take 767,739; several hundred moves were chosen by hand",
    ),
    Claim(
        f"{PAPER}, 6.2.4",
        "Tic-tac-toe: positions of the state space, leaves of the game tree.",
        "{5,478} positions, {362,880} leaves",
        "counted",
        _tic_tac_toe,
        lambda ours: tuple(ours) == (5_478, 362_880),
    ),
    Claim(
        f"{PAPER}, 6.3.1",
        "Qubic has at most 10^30 positions.",
        "10^{30}",
        f"{DRAWN:,} of a superset",
        lambda: (_states("qubic"),),
        lambda ours: 29 <= ours[0] <= 30,
    ),
    Claim(
        f"{PAPER}, 6.3.2",
        "Connect-four is a win for who moves first.",
        "value {1}",
        "solved by `null-window`",
        lambda: (_connect_four(),),
        lambda ours: ours[0] == 1,
    ),
    Claim(
        f"{PAPER}, 6.3.2",
        "Connect-four has 10^14 positions.",
        "10^{14}",
        f"{DRAWN:,} of a superset",
        lambda: (_states("connect-four"),),
        lambda ours: abs(ours[0] - 14) <= 0.5,
        "the thesis estimates; most boards in its count break the rules",
    ),
    Claim(
        f"{PAPER}, 6.3.5",
        "Awari has 10^12 positions.",
        "10^{12}",
        f"{DRAWN:,} of a superset",
        lambda: (_states("awari"),),
        lambda ours: abs(ours[0] - 12) <= 0.5,
    ),
    Claim(
        f"{PAPER}, 6.3.2, 6.3.3, 6.3.5",
        "The game trees of connect-four, go-moku and awari have 10^21, 10^70 and 10^32 leaves.",
        "10^{21}, 10^{70} and 10^{32}",
        f"{GAMES} games of a player against itself in each",
        lambda: [good_games(game, GAMES).log10_leaves for game in ("connect-four", "gomoku", "awari")],
        lambda ours: all(abs(mine - his) <= 0.1 * his for mine, his in zip(ours, (21, 70, 32), strict=True)),
        "the thesis takes 4 moves a position of connect-four, where there are 6, and shorter games of the other two",
    ),
)
