"""Games with cycles: three ways to merge positions (Schijf 1993, 5.4; Allis 1994, 2.3.4), on awari and chess.

`pn-cyclic` merges all of them, and may take a line for a repetition that is none on another path. With `conversions` it
merges only positions that a move leads to which cannot be taken back. `pn-base-twin` (Breuker et al. 2001) merges all,
and is never wrong. The papers describe the second way, and have no figures for it.
"""

from __future__ import annotations

from collections.abc import Sequence

from proofbase.engine.papers.reproduce.answer import Answer, ask
from proofbase.engine.papers.reproduce.awari_comparison import awari_endgames
from proofbase.engine.papers.reproduce.reinfeld import PROBLEMS
from proofbase.engine.papers.reproduce.report import Options, Progress, Report, Row

__all__ = ["ALGORITHMS", "compared"]

NODES = 100_000
"""After which a search is given up."""
AWARI = 20
"""Endgames of awari of each number of stones."""
STONES = (5, 7, 9)
MATES = 40
"""The first mates of Reinfeld."""

ALGORITHMS = {
    "all merged": "pn-cyclic+mobility",
    "conversions merged": "pn-cyclic+mobility+conversions",
    "base-twin": "pn-base-twin+mobility",
}

COUNTING = "A node counts when it is created, end nodes and twin nodes as well. Checks of claims do not count in times."
POSITIONS = (
    'Awari: random positions of so many stones, "at least 1?"; captures are the conversions. Chess: the first mates of '
    'Reinfeld, "at least 1?"; captures, moves of pawns and castlings.'
)
UNKNOWN = "Ends unknown: the answer that was found rests on a repetition that is none on another path."


def compared(options: Options, progress: Progress) -> Report:
    """How many are solved, the nodes and the time of those that all three solve."""
    most = options.nodes or NODES
    endgames = options.positions or AWARI
    sets: list[tuple[str, str, list[str]]] = [
        (f"awari, {stones} stones", "awari", awari_endgames(stones, endgames)) for stones in STONES
    ]
    sets.append(("chess", "chess", [problem.fen for problem in PROBLEMS[: options.positions or MATES]]))
    rows = list[Row]()
    for number, (label, game, texts) in enumerate(sets):
        searches: dict[str, list[Answer]] = {name: [] for name in ALGORITHMS}
        for index, text in enumerate(texts):
            progress((number + index / len(texts)) / len(sets), f"{label}, {index + 1} of {len(texts)}")
            for name, algorithm in ALGORITHMS.items():
                searches[name].append(ask(game, text, algorithm, most, check=True))
        rows += _rows(label, searches)
    notes = [f"{name}: {algorithm}." for name, algorithm in ALGORITHMS.items()]
    return Report(
        "Schijf (1993), 5.4, and Allis (1994), 2.3.4: merging after converting moves only",
        rows,
        (*notes, f"A search is given up after {most:,} nodes.", POSITIONS, COUNTING, UNKNOWN),
    )


def _rows(label: str, found: dict[str, list[Answer]]) -> list[Row]:
    count = len(next(iter(found.values())))
    by_all = [n for n in range(count) if all(one[n].settled for one in found.values())]
    rows = []
    for name, searches in found.items():
        solved = sum(one.settled for one in searches)
        unknown = sum(one.reason == "repetition" for one in searches)
        rows += [
            Row(f"{label}, {name}: solved", None, solved, f"of {count}"),
            Row(f"{label}, {name}: ends unknown", 0 if name != "all merged" else None, unknown),
            Row(
                f"{label}, {name}: nodes of the {len(by_all)} that all solve",
                None,
                _sum(searches, by_all, "nodes"),
                "nodes",
            ),
            Row(f"{label}, {name}: time of these", None, _sum(searches, by_all, "seconds"), "s"),
        ]
    differ = sum(len({one[n].status for one in found.values()}) > 1 for n in by_all)
    failed = sum(one.failed for searches in found.values() for one in searches)
    return [
        *rows,
        Row(f"{label}: answers that differ", 0, differ),
        Row(f"{label}: records that fail the local check", 0, failed),
    ]


def _sum(found: Sequence[Answer], chosen: Sequence[int], field: str) -> float:
    return sum(float(getattr(found[n], field)) for n in chosen)
