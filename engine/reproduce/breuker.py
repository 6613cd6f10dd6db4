"""Breuker, van den Herik, Uiterwijk, Allis, A solution to the GHI problem for best-first search (2001): mates in chess.

Four proof-number searches, in a tree and in three kinds of graph, on the 82 positions of Reinfeld (6.2), each until it
has created 500,000 nodes: can the side to move win? The 35 positions of Krabbe that the paper has as well are not here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from proofbase.engine.reproduce.reinfeld import COLUMNS, NODES_OF_75, PROBLEMS, UNSOLVED, Problem
from proofbase.engine.reproduce.report import Options, Progress, Report, Row

__all__ = ["ALGORITHMS", "Answer", "mates"]

NODES = 500_000
"""After which a search is given up (6.3)."""

PLIES = 100
"""The limit of the game without cycles that pn-dag needs. The longest mate asked for takes 25 plies."""

ALGORITHMS: dict[str, tuple[str, str]] = {
    "Tree": ("chess", "pn-tree+mobility"),
    "DAG": (f"within:{PLIES}:chess", "pn-dag+mobility+no-symmetry"),
    "DCG": ("chess", "pn-cyclic+mobility+no-symmetry"),
    "BTA": ("chess", "pn-base-twin+mobility+no-symmetry"),
}
"""Game and algorithm, by the paper's names."""

COUNTING = (
    "A node counts when it is created, the root included. Mirrored positions are not merged. A new node begins with "
    "the numbers 1 and the number of its moves (Schijf 1993, 5.5); the paper does not say."
)
ORDER = (
    "Nodes depend on the order of moves, which the paper does not give: ours are in the order of the rules. So nodes "
    "are compared and never off."
)
DAG = (
    f"DAG: pn-dag takes no game with cycles, so it searches within:{PLIES}:chess. There equal positions are merged "
    f"where as many plies lead to them. A repetition is none there: such a line goes on to its {PLIES} plies, which "
    "costs r9 most of its nodes. How the paper's DAG kept cycles out it does not say."
)
FIFTY_MOVES = "The rule of fifty moves, a draw for the paper, is not part of the game here."
TOTALS = "Printed totals are those of Table 1, less the rows of Krabbe's positions in Table 2."


@dataclass(frozen=True, slots=True)
class Answer:
    """What one search says of one problem.

    Attributes:
        nodes: that it has created.
        status: `proved`, `disproved` or `unknown`.
        reason: why it is unknown: `nodes`, or `repetition` where the search takes the win for none by a repetition.
        failed: records of its proof that the local check refuses.
    """

    nodes: int
    status: str
    reason: str | None
    failed: int

    @property
    def solved(self) -> bool:
        return self.status == "proved"

    @property
    def denied(self) -> bool:
        """Whether it takes the position for no win."""
        return self.status == "disproved" or self.reason == "repetition"


Answers = dict[str, dict[Problem, Answer]]
"""By the paper's names of the algorithms."""


def mates(options: Options, progress: Progress) -> Report:
    """Tables 1 and 2, for the problems of Reinfeld or the first few of them."""
    most = options.nodes or NODES
    problems = PROBLEMS[: options.positions]
    answers: Answers = {column: {} for column in COLUMNS}
    for number, problem in enumerate(problems):
        for index, column in enumerate(COLUMNS):
            progress((number + index / len(COLUMNS)) / len(problems), f"{problem.name}, {column}")
            answers[column][problem] = _search(column, problem, most)
    progress(1.0, "done")
    rows = [_row(column, problem, answers[column][problem]) for problem in problems for column in COLUMNS]
    return Report(
        "breuker-1",
        "Breuker, van den Herik, Uiterwijk, Allis (2001), Tables 1 and 2: the problems of Reinfeld",
        (*rows, *_totals(answers, problems, most)),
        _notes(answers, problems, most),
    )


def _search(column: str, problem: Problem, most: int) -> Answer:
    from proofbase.engine._core import Search, open_game

    name, algorithm = ALGORITHMS[column]
    game = open_game(name)
    search = Search(game, game.parse(problem.fen), 1, algorithm=algorithm)
    search.run(nodes=most)
    failed = search.solution().check().failed if search.status == "proved" else 0
    return Answer(search.progress().nodes, search.status, search.reason, failed)


def _row(column: str, problem: Problem, answer: Answer) -> Row:
    remark = "" if answer.solved else ", no win, it says" if answer.denied else ", not solved"
    return Row(f"{problem.name} {column}{remark}", problem.printed(column), answer.nodes, "nodes", tolerance=None)


def _totals(answers: Answers, problems: Sequence[Problem], most: int) -> list[Row]:
    rows = []
    for column in COLUMNS:
        solved = sum(answer.solved for answer in answers[column].values())
        printed = sum(problem.number not in UNSOLVED[column] for problem in problems)
        rows.append(Row(f"solved: {column}", printed if most == NODES else None, solved, f"of {len(problems)}"))
    theirs = [problem for problem in problems if not any(problem.number in UNSOLVED[column] for column in COLUMNS)]
    whole = len(problems) == len(PROBLEMS)
    ours = [problem for problem in problems if all(found[problem].solved for found in answers.values())]
    for chosen, what in ((theirs, "all of theirs solve"), (ours, "all of ours solve"))[: 1 if ours == theirs else 2]:
        for column in COLUMNS:
            here = [answers[column][problem] for problem in chosen]
            if not all(answer.solved for answer in here):
                continue
            printed_total = NODES_OF_75[column] if whole and chosen is theirs else None
            label = f"the {len(chosen)} that {what}: {column}"
            rows.append(Row(label, printed_total, sum(answer.nodes for answer in here), "nodes", tolerance=None))
    failed = sum(answer.failed for found in answers.values() for answer in found.values())
    rows.append(Row("records of proofs that fail the local check", 0, failed))
    return rows


def _notes(answers: Answers, problems: Sequence[Problem], most: int) -> list[str]:
    notes = [f"{column}: {algorithm} on {game}." for column, (game, algorithm) in ALGORITHMS.items()]
    notes += [f"A search is given up after {most:,} nodes.", COUNTING, ORDER, DAG, FIFTY_MOVES, TOTALS]
    if len(problems) < len(PROBLEMS):
        notes.append(f"{len(problems)} of the {len(PROBLEMS)} problems were asked.")
    for column, found in answers.items():
        ours = _names(problem for problem in problems if not found[problem].solved)
        theirs = _names(problem for problem in problems if problem.number in UNSOLVED[column])
        notes.append(f"{column}, not solved: {ours}; in the paper: {theirs}.")
    wrong = [
        f"{column} takes {problem.name} for no win, and {_solvers(answers, problem)} it"
        for problem in problems
        for column in COLUMNS
        if answers[column][problem].denied
    ]
    notes.append(f"Answers that differ: {'; '.join(wrong) or 'none'}. (The paper's DCG takes r281 for no win.)")
    return notes


def _solvers(answers: Answers, problem: Problem) -> str:
    names = [column for column in COLUMNS if answers[column][problem].solved]
    return f"{' and '.join(names)} prove{'s' if len(names) == 1 else ''}" if names else "none proves"


def _names(problems: Iterable[Problem]) -> str:
    return ", ".join(problem.name for problem in problems) or "none"
