"""Müller, Proof-set search (2001), 6.1: proof-set search in games with cycles.

The paper asks "whether PSS is well-defined and how it works on general DCG's", with one example. Here: that example,
and proof-set search beside proof-number search on the 82 mates of Reinfeld, with cycles and without.
"""

from __future__ import annotations

from collections.abc import Sequence

from proofbase.engine.papers.reference.and_or_graph import graph_of_figure
from proofbase.engine.papers.reference.base_twin_sets import BaseTwinSetSearch
from proofbase.engine.papers.reference.truncated_sets import TruncatedSets
from proofbase.engine.papers.reproduce.answer import Answer, ask
from proofbase.engine.papers.reproduce.breuker import PLIES
from proofbase.engine.papers.reproduce.chess_mates import COUNTING
from proofbase.engine.papers.reproduce.reinfeld import PROBLEMS, Problem
from proofbase.engine.papers.reproduce.report import MUELLER, Options, Progress, Report, Row, until_stopped

__all__ = ["PAIRS", "example_11", "mates"]

NODES = 100_000
"""After which a search is given up."""

PAIRS: dict[str, tuple[str, str, str]] = {
    "cycles": ("chess", "pn-base-twin+mobility+no-symmetry", "pss+mobility+p-4+d-4+oldest+no-symmetry"),
    "no cycles": (f"within:{PLIES}:chess", "pn-dag+mobility+no-symmetry", "pss+mobility+p-4+d-4+oldest+no-symmetry"),
}
"""The game, proof-number search, and proof-set search in the same kind of graph."""

EXAMPLE = (
    "Example 11: A asks B, B needs C and D, C needs E or F, D needs F, F needs C (as node C'). The paper keeps C' a "
    "leaf, and finds that one leaf is enough for A. Here C' is a twin of C, and the one leaf is E, which C needs."
)
WELL_DEFINED = (
    "With base nodes and twin nodes the search is well-defined: sets choose the leaf, and repetitions and answers are "
    "those of the base-twin algorithm. A node that is a leaf in one set and expanded elsewhere counts as one leaf "
    "until the search passes that set again."
)
TIMES = "Updates count nodes that were computed again after expansions. Times are of this machine, checks not counted."


def mates(options: Options, progress: Progress) -> Report:
    """Example 11, and nodes, updates and times of the mates that both searches of a pair solve."""
    most = options.nodes or NODES
    problems = PROBLEMS[: options.positions]
    answers: dict[str, dict[Problem, tuple[Answer, Answer]]] = {kind: {} for kind in PAIRS}
    with until_stopped(answers["cycles"]) as stopped:
        for number, (kind, (game, numbers, sets)) in enumerate(PAIRS.items()):
            for index, problem in enumerate(problems):
                progress((number + index / len(problems)) / len(PAIRS), f"{problem.name}, {kind}")
                by_numbers, by_sets = (
                    ask(game, problem.fen, algorithm, most, check=True) for algorithm in (numbers, sets)
                )
                answers[kind][problem] = by_numbers, by_sets
    rows = [*example_11(), *(row for kind, pairs in answers.items() for row in _compared(kind, list(pairs.values())))]
    notes = [*stopped, *(f"{kind}: {numbers} and {sets} on {game}." for kind, (game, numbers, sets) in PAIRS.items())]
    notes += [f"A search is given up after {most:,} nodes.", COUNTING, EXAMPLE, WELL_DEFINED, TIMES]
    return Report(f"{MUELLER}, 6.1", rows, notes)


def _compared(kind: str, pairs: Sequence[tuple[Answer, Answer]]) -> list[Row]:
    """The rows of one kind of graph, from the answers of proof-number search and proof-set search to each mate."""
    both = [(numbers, sets) for numbers, sets in pairs if numbers.proved and sets.proved]
    rows = []
    for side, name in enumerate(("proof numbers", "proof sets")):
        of_both = [pair[side] for pair in both]
        label = f"{kind}, {name}"
        rows += [
            Row(f"{label}: solved", None, sum(pair[side].proved for pair in pairs), f"of {len(pairs)}"),
            Row(f"{label}: nodes of the {len(both)} that both solve", None, sum(a.nodes for a in of_both), "nodes"),
            Row(f"{label}: updates", None, sum(a.updates for a in of_both), "updates"),
            Row(f"{label}: time", None, sum(a.seconds for a in of_both), "s"),
        ]
    fewer = sum(sets.nodes < numbers.nodes for numbers, sets in both)
    more = sum(sets.nodes > numbers.nodes for numbers, sets in both)
    failed = sum(answer.failed for pair in pairs for answer in pair)
    return [
        *rows,
        Row(f"{kind}: mates for which sets need fewer nodes", None, fewer),
        Row(f"{kind}: more nodes", None, more),
        Row(f"{kind}: records of proofs that fail the local check", 0, failed),
    ]


def example_11() -> list[Row]:
    """The proof number of the root of Fig. 7 when only E is left to expand."""
    whole = graph_of_figure("A | B", "B & C D", "C | E F", "D | F", "F & C", "E | x", won="x")
    weights = []
    for size in (9, 0):
        search = BaseTwinSetSearch(whole, TruncatedSets(size), TruncatedSets(size))
        for _ in "ABCDF":
            search.expand_next()
        weights.append(search.root.proof)
    return [
        Row("Example 11: leaves in the proof set of A", 1, weights[0]),
        Row("Example 11: the proof number of A", None, weights[1]),
    ]
