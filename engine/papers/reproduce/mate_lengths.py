"""Allis, Searching for solutions in games and artificial intelligence (1994), 2.3.3: lengths of mates that are found.

In problems with few replies "most variations had proof number one", and the search went deep: "on one occasion,
this resulted in a mate in 114 moves being found, while a mate in 4 moves existed". Numbers that grow with the depth
"somewhat discourage" deep variations. The problem is not printed: here both are asked for the mates of Reinfeld.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from proofbase.engine._core import Search, open_game
from proofbase.engine.papers.reproduce.reinfeld import PROBLEMS
from proofbase.engine.papers.reproduce.report import Options, Progress, Report, Row
from proofbase.engine.records import Side, decode_record

__all__ = ["mate_lengths"]

NODES = 100_000
ALGORITHMS = {"unit": "pn-tree+unit", "depth": "pn-tree+depth"}

LENGTHS = (
    "Plies: within so many the mate comes by the proof that was found, whatever the other side plays. Of the 82 "
    "problems those that both searches solve."
)
PRINTED = "The thesis has one figure: 114 moves (227 plies) without depth, where a mate in 4 (7 plies) existed."


class _Mate(NamedTuple):
    plies: int
    nodes: int


def mate_lengths(options: Options, progress: Progress) -> Report:
    """The sum and the largest of the lengths, by initialisation, and the nodes."""
    most = options.nodes or NODES
    problems = PROBLEMS[: options.positions]
    by_algorithm: dict[str, list[_Mate | None]] = {name: [] for name in ALGORITHMS}
    for number, problem in enumerate(problems):
        progress(number / len(problems), problem.name)
        for name, algorithm in ALGORITHMS.items():
            by_algorithm[name].append(_mate(problem.fen, algorithm, most))
    progress(1.0, "done")
    shared = [n for n in range(len(problems)) if all(by_algorithm[name][n] is not None for name in ALGORITHMS)]
    rows = []
    for name, mates in by_algorithm.items():
        both = [mate for n in shared if (mate := mates[n]) is not None]
        rows += [
            Row(f"{name}: solved", None, sum(mate is not None for mate in mates), f"of {len(problems)}"),
            Row(f"{name}: plies of the {len(both)} that both solve", None, sum(mate.plies for mate in both), "plies"),
            Row(f"{name}: longest mate", 227 if name == "unit" else None, max((mate.plies for mate in both), default=0),
                "plies", tolerance=None),
            Row(f"{name}: nodes", None, sum(mate.nodes for mate in both), "nodes"),
        ]  # fmt: skip
    return Report(
        "allis-2.3.3",
        "Allis, Searching for solutions in games and artificial intelligence (1994), 2.3.3",
        tuple(rows),
        (*(f"{name}: {algorithm}." for name, algorithm in ALGORITHMS.items()), LENGTHS, PRINTED,
         f"A search is given up after {most:,} nodes."),
    )  # fmt: skip


def _mate(fen: str, algorithm: str, most: int) -> _Mate | None:
    game: Any = open_game("chess")
    position = game.parse(fen)
    search = Search(game, position, 1, algorithm=algorithm)
    if search.run(nodes=most).status != "proved":
        return None
    record = search.solution(small_search_nodes=0).get(game.key(position))
    assert record is not None
    claims = [claim for claim in decode_record(record).claims if claim.side == Side.LOWER and claim.bound >= 1]
    return _Mate(min(claim.rank for claim in claims), search.progress().nodes)
