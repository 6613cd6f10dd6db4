"""Allis (1994), 2.5, and Allis et al. (1994), 1 and 2: the searches that pn-search comes from, beside it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import inf
from typing import Any

from proofbase.engine import open_rules
from proofbase.engine._core import RecordTable, Search, open_game
from proofbase.engine.papers.reference.conspiracy_search import AlphaBetaConspiracySearch, ConspiracySearch
from proofbase.engine.papers.reference.pn_search import PnSearch
from proofbase.engine.papers.reference.sss_star import sss_star
from proofbase.engine.papers.reference.valued_tree import TreeNode, alpha_beta
from proofbase.engine.papers.reproduce.report import THESIS, Options, Progress, Report, Row
from proofbase.engine.records import Side, decode_record

__all__ = ["related_searches"]

QUESTIONS = (
    ("connect-four:3x3", 1),
    ("connect-four:3x4", 1),
    ("connect-four:4x3", 1),
    ("tic-tac-toe", 1),
    ("tic-tac-toe", 0),
    ("gomoku:3x4-3", 1),
)
VALUES = ("connect-four:3x3", "tic-tac-toe", "gomoku:3x4-3", "othello:4x4")

COUNTING = (
    "Python references on trees (equal positions are different nodes), moves in the order of the rules. Nodes: those "
    "that alpha-beta and SSS* visit, and those that the others create."
)
CONSPIRACY = (
    "cn-search: McAllester 1988, until one value is left. Of a question its numbers are pn-search's (2.5.1). Of a "
    "conspiracy any leaf will do for it, and it takes the leftmost; an open position counts as 0, which is a draw."
)
ALPHA_BETA = (
    "Alpha-beta cn-search: the paper of 1991 is not here. A min node turns to where the upper bound may fall by most, "
    "then to the least number (Allis et al. 2.2). On questions that is pn-search, node by node."
)
MST = "MST* is `pn-tree+unit+mst`; the thesis has no figures. A solution tree is what the stored claims unfold to."


def related_searches(options: Options, progress: Progress) -> Report:
    """One table of all of them on small boards."""
    rows = list[Row]()
    cases = [*QUESTIONS, *((name, None) for name in VALUES)][: options.positions]
    for number, (name, at_least) in enumerate(cases):
        progress(number / len(cases), f"{name}, at least {at_least}" if at_least is not None else f"{name}, value")
        game = open_rules(name)
        rows += _of_value(game) if at_least is None else _of_question(game, at_least)
    return Report(f"{THESIS}, 2.5; Allis et al. (1994), 1 and 2", rows, (COUNTING, CONSPIRACY, ALPHA_BETA, MST))


def _of_question(game: Any, at_least: int) -> Iterator[Row]:
    what = f"{game.name}, at least {at_least}?"
    yield from _alpha_beta_and_sss(what, game, at_least, "leaves of one of the two only")
    conspiracy = ConspiracySearch(TreeNode(game, game.initial(), at_least), 1)
    conspiracy.run()
    yield Row(f"{what} cn-search", None, conspiracy.nodes, "nodes")
    least = least_solution(game, at_least)
    for name, algorithm in (("pn-search", "pn-tree+unit"), ("MST*", "pn-tree+unit+mst")):
        search = Search(open_game(game.name), open_game(game.name).initial(), at_least, algorithm=algorithm)
        search.run()
        yield Row(f"{what} {name}", None, search.progress().nodes, "nodes")
        more = solution_size(game, search.solution(small_search_nodes=0), at_least) - least
        printed = 0 if name == "MST*" else None
        yield Row(f"{what} {name}, nodes more than in the smallest solution tree", printed, more, "nodes")
    yield Row(f"{what} smallest solution tree", None, least, "nodes")


def least_solution(game: Any, at_least: int) -> int:
    """Nodes of the smallest solution tree, by a search of everything."""

    @cache
    def least(position: Any, bound: int) -> tuple[float, float]:
        """Of a tree that shows `value >= bound`, and of one that shows the opposite; infinite where there is none."""
        end = game.terminal(position)
        if end is not None:
            return (1, inf) if end >= bound else (inf, 1)
        below = [least(game.play(position, m), game.reward(position, m) - bound + 1) for m in game.moves(position)]
        return 1 + min(no for _, no in below), 1 + sum(yes for yes, _ in below)

    return int(min(least(game.initial(), at_least)))


def solution_size(game: Any, records: RecordTable, at_least: int) -> int:
    """Nodes of the tree that the claims of a solution unfold to."""

    def size(position: Any, bound: int) -> int:
        record = records.get(game.key(position))
        if game.terminal(position) is not None or record is None:
            return 1
        position = game.position(game.key(position))
        lower = [c for c in decode_record(record).claims if c.side == Side.LOWER and c.bound >= bound]
        moves = [lower[0].witness] if lower else game.moves(position)
        return 1 + sum(size(game.play(position, m), game.reward(position, m) - bound + 1) for m in moves)

    return size(game.initial(), at_least)


def _of_value(game: Any) -> Iterator[Row]:
    what = f"{game.name}, value:"
    yield from _alpha_beta_and_sss(what, game, None, "leaves of SSS* that alpha-beta passes over")
    for name, kind in (("cn-search", ConspiracySearch), ("alpha-beta cn-search", AlphaBetaConspiracySearch)):
        search = kind(TreeNode(game, game.initial()), game.highest_value)
        search.run()
        yield Row(f"{what} {name}", None, search.nodes, "nodes")
    lower, upper, nodes = -game.highest_value, game.highest_value, 0
    while lower < upper:
        middle = (lower + upper + 1) // 2
        question = PnSearch(game, game.initial(), middle)
        lower, upper = (middle, upper) if question.run() else (lower, middle - 1)
        nodes += question.nodes
    yield Row(f"{what} pn-search, by bisection", None, nodes, "nodes")


def _alpha_beta_and_sss(what: str, game: Any, at_least: int | None, difference: str) -> Iterator[Row]:
    highest = game.highest_value if at_least is None else 1
    root = TreeNode(game, game.initial(), at_least)
    by_window, by_bound = list[TreeNode](), list[TreeNode]()
    alpha_beta(root, -highest, highest, by_window)
    sss_star(root, -highest, highest, by_bound)
    leaves_of_alpha_beta, leaves_of_sss = (
        {node for node in nodes if node.value is not None} for nodes in (by_window, by_bound)
    )
    yield Row(f"{what} alpha-beta", None, len(by_window), "nodes")
    yield Row(f"{what} SSS*", None, len(by_bound), "nodes")
    yield Row(
        f"{what} {difference}",
        0,
        len(leaves_of_sss - leaves_of_alpha_beta if at_least is None else leaves_of_sss ^ leaves_of_alpha_beta),
        "leaves",
    )
