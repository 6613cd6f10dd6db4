"""Schijf, Proof-number search and transpositions (1993), appendix B: the 82 mates of Reinfeld.

Can the side to move win? The tree algorithm, which deletes solved subtrees, and the practical algorithm for graphs with
cycles (5.4), with 1 and the number of moves as initial numbers (5.5).
"""

from __future__ import annotations

from proofbase.engine.papers.reproduce.chess_mates import (
    COUNTING,
    ORDER,
    Asking,
    asked,
    failed_row,
    node_row,
    sampled,
)
from proofbase.engine.papers.reproduce.reinfeld import PROBLEMS
from proofbase.engine.papers.reproduce.report import SCHIJF, Options, Progress, Report, Row

__all__ = ["tables_b"]

ALGORITHMS = {
    "tree": Asking("chess", "pn-tree+mobility+delete-solved", 1_750_000),
    "DCG": Asking("chess", "pn-cyclic+mobility+no-symmetry", 800_000),
}
"""By the columns of the tables, with the limits of nodes (5.5)."""

LIMITS = (
    "The paper ends the tree search when it holds 1,750,000 nodes, without those that it has deleted; here all created "
    "ones count. Its DCG search ends at 800,000."
)
R281 = (
    "What the DCG algorithm takes for repetitions depends on the order of moves, and 281 most of all: over ten random "
    "orders it needs 35,711 to 709,049 nodes (pn-base-twin 28,289 to 58,614). Without 281 its total is 0.97 of the "
    "printed one."
)


def tables_b(options: Options, progress: Progress) -> Report:
    """Tables B.1 to B.3, or the first few problems of them."""
    searches = {name: search._replace(most=options.nodes or search.most) for name, search in ALGORITHMS.items()}
    answers, problems, stopped = asked(searches, PROBLEMS[: options.positions], progress)
    rows = [
        node_row(f"{problem.number:03} {column}", problem.schijf[index], answers[column][problem])
        for problem in problems
        for index, column in enumerate(ALGORITHMS)
    ]
    notes = [*stopped, *(f"{column}: {search.algorithm}." for column, search in ALGORITHMS.items())]
    notes += [COUNTING, ORDER, LIMITS, R281]
    if options.nodes:
        notes.append(f"These searches are given up after {options.nodes:,} nodes.")
    notes += sampled(problems)
    for index, (column, of_column) in enumerate(answers.items()):
        solved = [problem for problem in problems if of_column[problem].proved]
        solved_in_paper = [problem for problem in problems if problem.schijf[index] is not None]
        printed = None if options.nodes else len(solved_in_paper)
        rows.append(Row(f"solved: {column}", printed, len(solved), f"of {len(problems)}"))
        both = [problem for problem in solved_in_paper if problem in solved]
        total = sum(problem.schijf[index] or 0 for problem in both)
        nodes = sum(of_column[problem].nodes for problem in both)
        rows.append(Row(f"the {len(both)} that both solve: {column}", total, nodes, "nodes"))
        denied = ", ".join(problem.name for problem in problems if of_column[problem].denied)
        notes.append(f"{column} takes for no win: {denied or 'none'}.")
    rows.append(failed_row(answers))
    source = f"{SCHIJF}, Tables B.1 to B.3"
    return Report(source, rows, notes)
