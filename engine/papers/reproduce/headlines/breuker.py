"""Claims of Breuker, van den Herik, Uiterwijk, Allis, A solution to the GHI problem for best-first search (2001)."""

from __future__ import annotations

from functools import cache

from proofbase.engine.papers.reproduce.breuker import ALGORITHMS, NODES, Answers
from proofbase.engine.papers.reproduce.chess_mates import search_mate
from proofbase.engine.papers.reproduce.headlines.claim import Claim
from proofbase.engine.papers.reproduce.reinfeld import PROBLEMS

__all__ = ["CLAIMS", "answers"]

PAPER = "Breuker et al. 2001"
SAMPLE = f"the 82 mates of Reinfeld, at most {NODES:,} nodes"
KRABBE = "the printed nodes of these mates alone give {}; the 35 positions of Krabbé are not here"


@cache
def answers() -> Answers:
    """Of the four algorithms, by their names in the paper."""
    return {
        column: {problem: search_mate(*of_column, problem.fen, NODES) for problem in PROBLEMS}
        for column, of_column in ALGORITHMS.items()
    }


def _solved() -> tuple[int, int, int]:
    """Mates solved by base-twin and by the search that ignores the path, and those that only another one solves."""
    solved = {column: {p for p, answer in of.items() if answer.solved} for column, of in answers().items()}
    return len(solved["BTA"]), len(solved["DCG"]), len(set().union(*solved.values()) - solved["BTA"])


def _share_of(column: str) -> float:
    """Nodes of base-twin in per cent of those of another algorithm, where all four solve the problem."""
    by_all = [p for p in PROBLEMS if all(of_column[p].solved for of_column in answers().values())]
    ours, theirs = (sum(answers()[name][p].nodes for p in by_all) for name in ("BTA", column))
    return 100 * ours / theirs


CLAIMS = (
    Claim(
        f"{PAPER}, 7, Table 1",
        "Base-twin solves each position that one of the others solves.",
        "{} solved, by the search that ignores the path {}, by others only {}",
        (107, 103, 0),
        SAMPLE,
        _solved,
        lambda ours: ours[2] == 0,
        "the search that ignores the path needs fewer nodes, so that one mate more is solved before the limit",
    ),
    Claim(
        f"{PAPER}, 7",
        "It uses 58 % of the nodes of the search of a tree.",
        "{} %",
        (58,),
        SAMPLE,
        lambda: (_share_of("Tree"),),
        lambda ours: abs(ours[0] - 58) <= 5,
        KRABBE.format("67.0 %"),
    ),
    Claim(
        f"{PAPER}, 7",
        "It uses 11.7 % fewer nodes than the search of a graph without cycles.",
        "{} % fewer",
        (11.7,),
        SAMPLE,
        lambda: (100 - _share_of("DAG"),),
        lambda ours: abs(ours[0] - 11.7) <= 5,
        KRABBE.format("7.3 %"),
    ),
    Claim(
        f"{PAPER}, 7",
        "It uses 12.7 % more nodes than the search that ignores the path.",
        "{} % more",
        (12.7,),
        SAMPLE,
        lambda: (_share_of("DCG") - 100,),
        lambda ours: abs(ours[0] - 12.7) <= 5,
        KRABBE.format("13.9 %") + ", and what counts as a repetition depends on the order of moves",
    ),
    Claim(
        f"{PAPER}, 7, Fig. 1",
        "In Campbell's pawn ending the search of a tree is slow, and base-twin proves the win that the search that "
        "ignores the path denies.",
        "{} nodes, base-twin {}",
        (482_306, 10_694),
        because="the diagram is lost in the text that we have",
    ),
)
