"""Claims of Breuker, van den Herik, Uiterwijk, Allis, A solution to the GHI problem for best-first search (2001)."""

from __future__ import annotations

from functools import cache

from proofbase.engine.papers.reproduce.answer import ask
from proofbase.engine.papers.reproduce.breuker import ALGORITHMS, NODES, percent_of
from proofbase.engine.papers.reproduce.chess_mates import Answers, asked
from proofbase.engine.papers.reproduce.ghi_awari import ALGORITHMS as ENDINGS_BY
from proofbase.engine.papers.reproduce.ghi_awari import ENDING
from proofbase.engine.papers.reproduce.ghi_awari import NODES as ENDING_NODES
from proofbase.engine.papers.reproduce.headlines.claim import Claim
from proofbase.engine.papers.reproduce.reinfeld import PROBLEMS
from proofbase.engine.papers.reproduce.report import quiet

__all__ = ["CLAIMS", "answers"]

PAPER = "Breuker et al. 2001"
SAMPLE = f"the 82 mates of Reinfeld, at most {NODES:,} nodes"
KRABBE = "the printed nodes of these mates alone give {}; the 35 positions of Krabbé are not here"


@cache
def answers() -> Answers:
    """Of the four algorithms, by their names in the paper."""
    return asked(ALGORITHMS, PROBLEMS, quiet)[0]


def _solved() -> tuple[int, int, int]:
    """Mates solved by base-twin and by the search that ignores the path, and those that only another one solves."""
    solved = {
        column: {p for p, answer in by_problem.items() if answer.proved} for column, by_problem in answers().items()
    }
    return len(solved["BTA"]), len(solved["DCG"]), len(set().union(*solved.values()) - solved["BTA"])


def _share_of(column: str) -> float:
    return percent_of(column, answers())


def _in_play() -> tuple[int, int, int]:
    """Nodes of the tree and of base-twin for a win, and whether the search that ignores the path denies it."""
    tree, ignored, twin = (ask("awari", ENDING, algorithm, ENDING_NODES) for algorithm in ENDINGS_BY.values())
    assert tree.proved and twin.proved
    return tree.nodes, twin.nodes, int(ignored.denied)


CLAIMS = (
    Claim(
        f"{PAPER}, 7, Table 1",
        "Base-twin solves each position that one of the others solves.",
        "{107} solved, by the search that ignores the path {103}, by others only {0}",
        SAMPLE,
        _solved,
        lambda ours: ours[2] == 0,
        "the search that ignores the path needs fewer nodes, so that one mate more is solved before the limit",
    ),
    Claim(
        f"{PAPER}, 7",
        "It uses 58 % of the nodes of the search of a tree.",
        "{58} %",
        SAMPLE,
        lambda: (_share_of("Tree"),),
        lambda ours: abs(ours[0] - 58) <= 5,
        KRABBE.format("67.0 %"),
    ),
    Claim(
        f"{PAPER}, 7",
        "It uses 11.7 % fewer nodes than the search of a graph without cycles.",
        "{11.7} % fewer",
        SAMPLE,
        lambda: (100 - _share_of("DAG"),),
        lambda ours: abs(ours[0] - 11.7) <= 5,
        KRABBE.format("7.3 %"),
    ),
    Claim(
        f"{PAPER}, 7",
        "It uses 12.7 % more nodes than the search that ignores the path.",
        "{12.7} % more",
        SAMPLE,
        lambda: (_share_of("DCG") - 100,),
        lambda ours: abs(ours[0] - 12.7) <= 5,
        KRABBE.format("13.9 %") + ", and what counts as a repetition depends on the order of moves",
    ),
    Claim(
        f"{PAPER}, 7, Fig. 1",
        "Where the path counts, the search of a tree is slow, and base-twin proves a win that the search that ignores "
        "the path denies.",
        "tree {482,306} nodes, base-twin {10,694}, {1} win denied",
        "awari with five stones; the diagram of the paper's pawn ending is lost",
        _in_play,
        lambda ours: ours[0] >= 10 * ours[1] and ours[2] == 1,
    ),
)
