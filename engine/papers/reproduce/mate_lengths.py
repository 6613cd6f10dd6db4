"""Allis, Searching for solutions in games and artificial intelligence (1994), 2.3.3: lengths of mates that are found.

In problems with few replies "most variations had proof number one", and the search went deep: "on one occasion,
this resulted in a mate in 114 moves being found, while a mate in 4 moves existed". Numbers that grow with the depth
"somewhat discourage" deep variations. The problem is not printed: here both are asked for the mates of Reinfeld.
"""

from __future__ import annotations

from proofbase.engine.papers.reproduce.answer import Answer, ask
from proofbase.engine.papers.reproduce.reinfeld import PROBLEMS
from proofbase.engine.papers.reproduce.report import THESIS, Options, Progress, Report, Row

__all__ = ["mate_lengths"]

NODES = 100_000
ALGORITHMS = {"unit": "pn-tree+unit", "depth": "pn-tree+depth"}

LENGTHS = (
    "Plies: within so many the mate comes by the proof that was found, whatever the other side plays. Of the 82 "
    "problems those that both searches solve."
)
PRINTED = "The thesis has one figure: 114 moves (227 plies) without depth, where a mate in 4 (7 plies) existed."


def mate_lengths(options: Options, progress: Progress) -> Report:
    """The sum and the largest of the lengths, by initialisation, and the nodes."""
    most = options.nodes or NODES
    problems = PROBLEMS[: options.positions]
    by_algorithm: dict[str, list[Answer]] = {name: [] for name in ALGORITHMS}
    for number, problem in enumerate(problems):
        progress(number / len(problems), problem.name)
        for name, algorithm in ALGORITHMS.items():
            by_algorithm[name].append(ask("chess", problem.fen, algorithm, most, length=True))
    shared = [n for n in range(len(problems)) if all(mates[n].proved for mates in by_algorithm.values())]
    rows = []
    for name, mates in by_algorithm.items():
        both = [mates[n] for n in shared]
        rows += [
            Row(f"{name}: solved", None, sum(mate.proved for mate in mates), f"of {len(problems)}"),
            Row(f"{name}: plies of the {len(both)} that both solve", None, sum(mate.plies for mate in both), "plies"),
            Row(f"{name}: longest mate", 227 if name == "unit" else None, max((mate.plies for mate in both), default=0),
                "plies", tolerance=None),
            Row(f"{name}: nodes", None, sum(mate.nodes for mate in both), "nodes"),
        ]  # fmt: skip
    return Report(f"{THESIS}, 2.3.3",
        rows,
        (*(f"{name}: {algorithm}." for name, algorithm in ALGORITHMS.items()), LENGTHS, PRINTED,
         f"A search is given up after {most:,} nodes."))  # fmt: skip
