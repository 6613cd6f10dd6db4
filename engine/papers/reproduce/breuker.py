"""Breuker, van den Herik, Uiterwijk, Allis, A solution to the GHI problem for best-first search (2001): mates in chess.

Four proof-number searches, in a tree and in three kinds of graph, on the 82 positions of Reinfeld (6.2), each until it
has created 500,000 nodes: can the side to move win? The 35 positions of Krabbe that the paper has as well are not here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from proofbase.engine.papers.reproduce.chess_mates import (
    COUNTING,
    ORDER,
    Answers,
    Asking,
    asked,
    failed_row,
    node_row,
    sampled,
)
from proofbase.engine.papers.reproduce.reinfeld import COLUMNS, NODES_OF_75, PROBLEMS, UNSOLVED, Problem
from proofbase.engine.papers.reproduce.report import Options, Progress, Report, Row

__all__ = ["ALGORITHMS", "NODES", "PLIES", "mates", "percent_of"]

NODES = 500_000
"""After which a search is given up (6.3)."""

PLIES = 25
"""The limit of the game without cycles that pn-dag needs: those of r281, the longest mate asked for."""

ALGORITHMS = {
    "Tree": Asking("chess", "pn-tree+mobility", NODES),
    "DAG": Asking(f"within:{PLIES}:chess", "pn-dag+mobility+no-symmetry", NODES),
    "DCG": Asking("chess", "pn-cyclic+mobility+no-symmetry", NODES),
    "BTA": Asking("chess", "pn-base-twin+mobility+no-symmetry", NODES),
}
"""By the paper's names."""

DAG = (
    f"DAG: pn-dag takes no game with cycles, so it searches within:{PLIES}:chess: the plies of the longest mate. Equal "
    "positions are merged where as many plies lead to them, and a line that comes back to a position goes on until no "
    "plies are left. How the paper's DAG treats repetitions it does not say. With a limit of 30 plies as many problems "
    "are solved (r281, not r218), with 100 plies 75."
)
PERCENT: dict[str, float] = {"Tree": 58, "DAG": 100 - 11.7, "DCG": 100 + 12.7}
"""Nodes of base-twin beside those of the others, as section 7 has them for 96 positions."""
FIFTY_MOVES = "The rule of fifty moves, a draw for the paper, is not part of the game here."
TOTALS = "Printed totals are those of Table 1, less the rows of Krabbe's positions in Table 2."
R201 = (
    "Schijf (1993, Table B.3) prints 418,655 nodes of the DCG algorithm for r201; this paper has it unsolved, with the "
    "results taken from there."
)


def mates(options: Options, progress: Progress) -> Report:
    """Tables 1 and 2, for the problems of Reinfeld or the first few of them."""
    most = options.nodes or NODES
    searches = {column: search._replace(most=most) for column, search in ALGORITHMS.items()}
    answers, problems, stopped = asked(searches, PROBLEMS[: options.positions], progress)
    rows = [
        node_row(f"{problem.name} {column}", problem.printed(column), answers[column][problem])
        for problem in problems
        for column in COLUMNS
    ]
    return Report(
        "Breuker, van den Herik, Uiterwijk, Allis (2001), Tables 1 and 2: the problems of Reinfeld",
        (*rows, *_totals(answers, problems, most)),
        [*stopped, *_notes(answers, problems, most)],
    )


def _totals(answers: Answers, problems: Sequence[Problem], most: int) -> list[Row]:
    rows = []
    for column in COLUMNS:
        solved = sum(answer.proved for answer in answers[column].values())
        printed = sum(problem.number not in UNSOLVED[column] for problem in problems)
        rows.append(Row(f"solved: {column}", printed if most == NODES else None, solved, f"of {len(problems)}"))
    solved_in_paper = [
        problem for problem in problems if not any(problem.number in UNSOLVED[column] for column in COLUMNS)
    ]
    whole = len(problems) == len(PROBLEMS)
    ours = [problem for problem in problems if all(of_column[problem].proved for of_column in answers.values())]
    for chosen, what in ((solved_in_paper, "all of theirs solve"), (ours, "all of ours solve"))[
        : 1 if ours == solved_in_paper else 2
    ]:
        for column in COLUMNS:
            chosen_answers = [answers[column][problem] for problem in chosen]
            if not all(answer.proved for answer in chosen_answers):
                continue
            printed_total = NODES_OF_75[column] if whole and chosen is solved_in_paper else None
            label = f"the {len(chosen)} that {what}: {column}"
            rows.append(Row(label, printed_total, sum(answer.nodes for answer in chosen_answers), "nodes"))
    for column, percent in PERCENT.items():
        rows.append(
            Row(f"base-twin's nodes of those of {column}", percent, percent_of(column, answers), "%", tolerance=None)
        )
    return [*rows, failed_row(answers)]


def percent_of(column: str, answers: Answers) -> float:
    """Nodes of base-twin over those of another algorithm, in per cent, of the problems that all four solve."""
    of_both = zip(answers["BTA"].items(), answers[column].values(), strict=True)
    by_all = [
        (ours.nodes, other.nodes)
        for (problem, ours), other in of_both
        if all(of_column[problem].proved for of_column in answers.values())
    ]
    return 100 * sum(ours for ours, _ in by_all) / max(1, sum(other for _, other in by_all))


def _notes(answers: Answers, problems: Sequence[Problem], most: int) -> list[str]:
    notes = [f"{column}: {algorithm} on {game}." for column, (game, algorithm, _) in ALGORITHMS.items()]
    notes += [f"A search is given up after {most:,} nodes.", COUNTING, ORDER, DAG, FIFTY_MOVES, TOTALS, R201]
    notes += sampled(problems)
    for column, of_column in answers.items():
        ours = _names(problem for problem in problems if not of_column[problem].proved)
        unsolved_in_paper = _names(problem for problem in problems if problem.number in UNSOLVED[column])
        notes.append(f"{column}, not solved: {ours}; in the paper: {unsolved_in_paper}.")
    wrong = [
        f"{column} takes {problem.name} for no win, and {_solvers(answers, problem)} it"
        for problem in problems
        for column in COLUMNS
        if answers[column][problem].denied
    ]
    notes.append(f"Answers that differ: {'; '.join(wrong) or 'none'}. (The paper's DCG takes r281 for no win.)")
    return notes


def _solvers(answers: Answers, problem: Problem) -> str:
    names = [column for column in COLUMNS if answers[column][problem].proved]
    return f"{' and '.join(names)} prove{'s' if len(names) == 1 else ''}" if names else "none proves"


def _names(problems: Iterable[Problem]) -> str:
    return ", ".join(problem.name for problem in problems) or "none"
