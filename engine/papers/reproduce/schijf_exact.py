"""Schijf, Proof-number search and transpositions (1993): the theoretically correct algorithms, on tic-tac-toe.

The exact numbers of a graph without cycles (4.3) take time and memory that grow exponentially. The thesis reports that
they solve positions with seven empty squares, and not the empty board in forty hours (4.5). Hitting sets give the same
numbers of the root, and no node below it keeps any.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from math import prod

from proofbase.engine.papers.reference.and_or_graph import SearchGraph, graph_of_figure, question_graph
from proofbase.engine.papers.reference.complete_sets import complete_sets
from proofbase.engine.papers.reference.cyclic_search import updates_until_stable
from proofbase.engine.papers.reference.dag_search import DagSearch
from proofbase.engine.papers.reference.dnf_search import DnfSearch
from proofbase.engine.papers.reference.hitting_sets import HittingSetSearch
from proofbase.engine.papers.reference.pn_search import PnSearch
from proofbase.engine.papers.reference.proof_set_search import PlainSet, PlainSets, ProofSetSearch
from proofbase.engine.papers.reproduce.report import SCHIJF, Options, Progress, Report, Row
from proofbase.engine.rules import TicTacToe

__all__ = ["LEVELS", "exact", "minimal_disproof_sets", "nodes_by_level"]

SECONDS = 10.0
"""Of the processor, for each question by normal forms, and three times as long by hitting sets."""
QUESTIONS = ((1, "a win?"), (0, "at least a draw?"))
FIGURE_5_6 = graph_of_figure("a & c b", "b | a d", "c | x y z")
LEVELS = 5

COUNTING = (
    "Normal forms: Figs. 4.6 to 4.9 with the corrections of docs/papers.md. Hitting sets: the same numbers of the "
    "root, by Theorem 1. Practical: 4.4, updates by a queue. Proof-set search: Müller 2001, whole sets. All four in "
    "plain Python, equal positions as one node, moves row by row."
)
SUMS = (
    "Expansions are summed over the questions that hitting sets answer in their time. Where normal forms do not answer "
    "they grow beyond 10,000 clauses below the root, and Fig. 4.6 replaces the transpositions of each of them."
)
UNIFORM = (
    "Uniform tree (5.3): the minimal disproof sets of the root are the product of those of its children, whose leaves "
    "are different."
)
FIVE_LEVELS = (
    "Five levels (3.4): pn-search as printed, moves row by row; minimax creates 1, 9, 72, 504 and 3,024 nodes there."
)
ENDLESS = (
    "Fig. 5.6: c gets three children, and each node is computed again as long as a child of it changes. Where d is "
    "lost this never ends. The text says so of c; with c lost, a is lost at once."
)


def exact(options: Options, progress: Progress) -> Report:
    """Expansions of the exact algorithm beside others, and what the thesis says of its growth."""
    seconds = SECONDS if options.seconds is None else options.seconds
    boards = list(_seven_empty_squares())
    totals = Counter[str]()
    for number, text in enumerate(boards):
        for v, question in QUESTIONS:
            progress(0.8 * (number + (v == 0) / 2) / len(boards), f"{text}: {question}")
            game = TicTacToe()
            whole = question_graph(game, game.parse(text), v, symmetric=False)
            totals["questions"] += 1
            totals["normal forms"] += DnfSearch(whole).run(_until(seconds)) is not None
            exact = HittingSetSearch(whole)
            if exact.run(_until(3 * seconds)) is None:
                continue
            totals["hitting sets"] += 1
            totals["exact"] += len(exact.expansions)
            totals["practical"] += _expansions(DagSearch(whole, order="queue"))
            totals["sets"] += _expansions(ProofSetSearch(whole, PlainSets(), PlainSets()))
    progress(0.8, "the empty board, symmetric positions as one node")
    game = TicTacToe()
    whole = question_graph(game, game.initial(), 1)
    empty = HittingSetSearch(whole)
    outcome = "not solved" if empty.run(_until(3 * seconds)) is None else "solved"
    practical = _expansions(DagSearch(whole, order="queue"))
    progress(0.95, "figures")
    rows = (
        Row("positions with seven empty squares, by symmetry: questions asked", None, totals["questions"]),
        *(
            Row(f"answered by {name} in {most:g} s each", None, totals[name])
            for name, most in (("normal forms", seconds), ("hitting sets", 3 * seconds))
        ),
        Row("exact numbers, these", None, totals["exact"], "expansions"),
        Row("practical DAG algorithm, these", None, totals["practical"], "expansions"),
        Row("proof-set search, these", None, totals["sets"], "expansions"),
        Row(f"empty board, {3 * seconds:g} s: hitting sets, {outcome}", None, len(empty.expansions), "expansions"),
        Row("the same board, practical DAG algorithm, solved", None, practical, "expansions"),
        Row("minimal disproof sets, uniform tree of depth 4 and width 3", 3**12, minimal_disproof_sets(4, 3), "sets"),
        Row("nodes of the first five levels of the pn-search tree", 3610, sum(nodes_by_level()[:LEVELS]), "nodes"),
        Row("Fig. 5.6: updates of a when c gets three children", 3, _updates_of_a(), "updates"),
    )
    return Report(f"{SCHIJF}, 3.4, 4.5, 5.3, 5.4", rows, (COUNTING, SUMS, UNIFORM, FIVE_LEVELS, ENDLESS))


def minimal_disproof_sets(depth: int, width: int) -> int:
    """How many minimal disproof sets the root of a uniform tree has, a max node.

    Args:
        depth: even, 2 at least.
        width: children of a node.
    """
    if depth == 2:
        lines = ["r | " + " ".join(f"m{i}" for i in range(width))]
        lines += [f"m{i} & " + " ".join(f"l{i}{j}" for j in range(width)) for i in range(width)]
        return len(complete_sets(SearchGraph(graph_of_figure(*lines), fully_expanded=True))[0][1])
    # A min node has the sets of all its children; at a max node one set of each child is united.
    return prod([width * minimal_disproof_sets(depth - 2, width)] * width)


def _seven_empty_squares() -> Iterator[str]:
    """One position for each class of symmetric ones, as text."""
    game, seen = TicTacToe(), set[bytes]()
    for first in range(9):
        for second in range(9):
            if second != first:
                position = game.play(game.play(game.initial(), first), second)
                if game.key(position) not in seen:
                    seen.add(game.key(position))
                    yield game.text(position)


def _until(seconds: float) -> Callable[[], bool]:
    end = time.process_time() + seconds
    return lambda: time.process_time() < end


def _expansions(search: DagSearch | ProofSetSearch[PlainSet]) -> int:
    search.run()
    return len(search.expansions)


def nodes_by_level() -> list[int]:
    """Nodes of the tree that pn-search makes of tic-tac-toe, by their distance from the root."""
    game = TicTacToe()
    search = PnSearch(game, game.initial(), 1)
    search.run()
    levels, level = list[int](), [search.root]
    while level:
        levels.append(len(level))
        level = [child for node in level for child in node.children]
    return levels


def _updates_of_a() -> int:
    """How often a is computed until nothing changes (5.4)."""
    a, b, c = map(FIGURE_5_6.names.index, "abc")
    return updates_until_stable(FIGURE_5_6, (a, b, c), 100)[a]
