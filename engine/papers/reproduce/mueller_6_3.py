"""Müller, Proof-set search (2001), 6.3: questions that the paper leaves open, answered by experiments."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from proofbase.engine.errors import EngineError
from proofbase.engine.papers.reference.and_or_graph import AndOrGraph, question_graph, random_and_or_graph
from proofbase.engine.papers.reference.proof_set_search import PlainSets, ProofSetSearch
from proofbase.engine.papers.reference.second_level_sets import SecondLevelProofSetSearch
from proofbase.engine.papers.reference.truncated_sets import AdaptiveProofSetSearch, TruncatedProofSetSearch
from proofbase.engine.papers.reproduce.report import MUELLER, Options, Progress, Report, Row
from proofbase.engine.rules import TicTacToe

__all__ = ["open_questions"]

GRAPHS, NODES = 200, 60

WHAT = (
    "The paper has no figures here. Tic-tac-toe: is the empty board a win? Symmetric positions are apart, and equal "
    "ones are one node; it has a rank function (Lemma 1), so that a queue computes no node twice after an expansion."
)
RANDOM = (
    "The {graphs} random graphs of {nodes} nodes have moves between any levels, so that they have no rank function. "
    "'Again' counts computations of a node beyond the first after one expansion; in topological order there are none."
)
TWICE = (
    "Two moves of a position that lead to one child are one edge here, and count once. In the native searches with "
    "symmetries they are edges of their own: in sums of proof numbers the child counts twice, in sets it counts once."
)
ADAPTIVE = (
    "Adaptive: P and D begin with 1, and are doubled when the sets of the root name no common node. 'Names' are the "
    "nodes that all sets name at the end."
)
SECOND = "Second level: expansions of the first level, of both levels, and the most nodes held at a time."


def open_questions(options: Options, progress: Progress) -> Report:
    """Updates, their order, sizes that adapt, and a second level."""
    game = TicTacToe()
    board = question_graph(game, game.initial(), 1, symmetric=False)
    rows = list[Row]()
    progress(0.0, "tic-tac-toe")
    numbers, sets = _searched(TruncatedProofSetSearch(board, 0, 0)), _searched(_whole_sets(board))
    rows += [
        _row("tic-tac-toe, pn-search: expansions", len(numbers.expansions)),
        _row("its updates", numbers.updates),
        _row("tic-tac-toe, proof-set search: expansions", len(sets.expansions)),
        _row("its updates", sets.updates),
        _row("of these again, both searches", numbers.repeated + sets.repeated),
    ]
    progress(0.3, "random graphs")
    counts = _on_random_graphs(options.positions or GRAPHS)
    rows += [_row(f"random graphs, {what}", count) for what, count in counts.items()]
    for number, size in enumerate((1, 5, 20, 100)):
        progress(0.5 + 0.05 * number, f"sets of {size}")
        truncated = _searched(TruncatedProofSetSearch(board, size, size))
        rows.append(_row(f"P = D = {size}: expansions", len(truncated.expansions)))
        rows.append(_row("names", truncated.names_kept))
    progress(0.75, "sizes that adapt")
    adaptive = _searched(AdaptiveProofSetSearch(board))
    rows += [
        _row(f"adaptive, P = D = {adaptive.size} at the end: expansions", len(adaptive.expansions)),
        _row("names", adaptive.names_kept),
    ]
    progress(0.85, "a second level")
    second = _searched(SecondLevelProofSetSearch(board))
    rows += [
        _row("second level: expansions of the first", len(second.expansions)),
        _row("of both", len(second.expansions) + second.second_expansions),
        _row("most nodes held", second.most_nodes),
        _row("nodes of one level", sets.nodes),
    ]
    notes = (WHAT, RANDOM.format(graphs=options.positions or GRAPHS, nodes=NODES), TWICE, ADAPTIVE, SECOND)
    return Report(f"{MUELLER}, 6.3", rows, notes)


def _on_random_graphs(graphs: int) -> dict[str, int]:
    """Counts of both searches and both orders of updates, summed."""
    counts = Counter[str]()
    for seed in range(graphs):
        whole = random_and_or_graph(Random(seed), NODES, cyclic=False)
        for topological, order in ((False, "queue"), (True, "topological order")):
            for search, what in (
                (TruncatedProofSetSearch(whole, 0, 0, topological=topological), "pn-search"),
                (_whole_sets(whole, topological=topological), "proof-set search"),
            ):
                search.run()
                counts[f"{what}, {order}: updates"] += search.updates
                counts[f"{what}, {order}: again"] += search.repeated
    return dict(counts)


def _whole_sets(whole: AndOrGraph, *, topological: bool = False) -> ProofSetSearch[Any]:
    return ProofSetSearch(whole, PlainSets(), PlainSets(), topological=topological)


def _searched(search: Any) -> Any:
    if search.run() is not False:
        raise EngineError("tic-tac-toe is a draw")
    return search


def _row(label: str, count: int) -> Row:
    return Row(label, None, count)
