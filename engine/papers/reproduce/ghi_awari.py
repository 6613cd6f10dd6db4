"""Breuker, van den Herik, Uiterwijk, Allis (2001), 2 and 7: the GHI problem in play, on awari with few stones.

In the paper's pawn ending (Fig. 1, whose diagram we do not have) a search of the tree is slow, a search that ignores
the path denies the win, and base-twin proves it. In awari positions come back as often, and tables know the truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from tempfile import TemporaryDirectory
from typing import Any

from proofbase.engine._core import Tables, TableWork, open_game
from proofbase.engine.papers.reproduce.answer import ask
from proofbase.engine.papers.reproduce.awari_comparison import awari_endgames
from proofbase.engine.papers.reproduce.report import Options, Progress, Report, Row

__all__ = ["ALGORITHMS", "ENDING", "NODES", "endings"]

ALGORITHMS = {
    "tree": "pn-tree+unit",
    "path ignored": "pn-cyclic+unit",
    "base-twin": "pn-base-twin+unit",
}
ENDING = "2,0,0,0,0,1/0,1,0,0,1,0/S"
"""South, to move, wins a stone at least: five stones."""
PRINTED = {"tree": 482_306, "path ignored": None, "base-twin": 10_694}
"""Nodes for Fig. 1; the search that ignores the path denies the win."""
STONES = (4, 5, 6)
POSITIONS = 40
"""Random endings of each number of stones."""
NODES = 1_000_000

QUESTION = "Question: at least 1? Play that comes back to a position is worth 0."
DENIED = (
    "Wins denied: the search has no leaf left, and its answer is no, where the value is 1 or more. `pn-cyclic` then "
    "ends unknown: it knows that its answer rests on a repetition that may be none on another path."
)
"""For all but `tree`, whose repetitions are those of one path."""


def endings(options: Options, progress: Progress) -> Report:
    """One ending beside Fig. 1, and random ones: answers beside the truth, and nodes."""
    most = options.nodes or NODES
    rows = list[Row]()
    for name, algorithm in ALGORITHMS.items():
        answer = ask("awari", ENDING, algorithm, most)
        verdict = "a win" if answer.proved else "no win" if answer.denied else "given up"
        rows.append(Row(f"{ENDING}, {name}: {verdict}", PRINTED[name], answer.nodes, "nodes", tolerance=None))
    for number, stones in enumerate(STONES):
        progress(number / len(STONES), f"{stones} stones")
        rows += _compared(stones, awari_endgames(stones, options.positions or POSITIONS), most)
    notes = (*(f"{name}: {algorithm}." for name, algorithm in ALGORITHMS.items()), QUESTION, DENIED,
             f"A search is given up after {most:,} nodes. Printed: the pawn ending of Fig. 1.")  # fmt: skip
    source = "Breuker, van den Herik, Uiterwijk, Allis (2001), 2 and 7: the GHI problem in play"
    return Report(source, rows, notes)


def _compared(stones: int, texts: Sequence[str], most: int) -> list[Row]:
    """Wins, wins denied and answers that are right, by algorithm; nodes of the endings that all answer rightly."""
    won = _won(stones, texts)
    answers = {name: [ask("awari", text, algorithm, most) for text in texts] for name, algorithm in ALGORITHMS.items()}
    right = [
        n
        for n in range(len(texts))
        if all(given[n].proved if won[n] else given[n].denied for given in answers.values())
    ]
    rows = [Row(f"{stones} stones: wins", None, sum(won), f"of {len(texts)}")]
    for name, given in answers.items():
        denied = sum(answer.denied and truth for answer, truth in zip(given, won, strict=True))
        given_up = sum(not answer.proved and not answer.denied for answer in given)
        label = f"{stones} stones, {name}"
        rows += [
            Row(f"{label}: wins denied", None if name == "path ignored" else 0, denied),
            Row(f"{label}: given up", None, given_up),
            Row(f"{label}: nodes of {len(right)}", None, sum(given[n].nodes for n in right), "nodes"),
        ]
    return rows


def _won(stones: int, texts: Sequence[str]) -> list[bool]:
    """The truth, from a table that retrograde analysis has made."""
    game: Any = open_game("awari")
    with TemporaryDirectory() as folder:
        TableWork(game, folder, stones).build()
        tables = Tables(game, folder)
        return [(tables.value(game.parse(text)) or 0) >= 1 for text in texts]
