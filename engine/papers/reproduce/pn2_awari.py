"""Allis, Searching for solutions in games and artificial intelligence (1994), 2.3.1: what pn^2-search costs on awari.

"Comparisons on awari and draughts have shown experimentally that pn2-search investigates on the average three times as
many nodes as standard pn-search to solve the same problem. This factor of three is independent of problem size."
"""

from __future__ import annotations

from math import exp, log
from statistics import fmean

from proofbase.engine.errors import EngineError
from proofbase.engine.papers.reproduce.awari_comparison import Comparison, Effort, awari_endgames, with_tables
from proofbase.engine.papers.reproduce.report import THESIS, Options, Progress, Report, Row

__all__ = ["pn2_on_awari"]

TABLES = 6
STONES = (8, 10, 12)
POSITIONS = 40
"""Endgames of each number of stones."""
NODES = 100_000
"""A search of pn-search is given up after so many nodes; pn^2-search after twenty times as many."""
SMALL, LARGE = 100, 3_000
"""Nodes of pn-search: smaller problems do not count, and larger ones are counted by themselves."""
ALGORITHMS = ("pn-tree+unit", "pn2+unit")

POSITIONS_NOTE = (
    "The positions of the thesis are not printed: these are random endgames of {first} to {last} stones, with tables "
    "of {tables} stones as leaves. At least 1?"
)
AVERAGE = "Factor: nodes of all problems together. Mean: the geometric mean of the factors of single problems."


def pn2_on_awari(options: Options, progress: Progress) -> Report:
    """Nodes of pn^2-search over nodes of pn-search, on problems that both solve."""
    wanted = options.positions or POSITIONS
    most = options.nodes or NODES
    pairs = list[tuple[Effort, Effort]]()
    texts = [text for stones in STONES for text in awari_endgames(stones, wanted)]
    with with_tables(TABLES) as tables:
        comparison = Comparison(tables)
        for number, text in enumerate(texts):
            progress(number / len(texts), f"position {number + 1} of {len(texts)}")
            position = comparison.game.parse(text)
            one = comparison.question(position, 1, ALGORITHMS[0], most)
            if not one.solved or one.nodes < SMALL:
                continue
            two = comparison.question(position, 1, ALGORITHMS[1], 20 * most)
            if two.solved:
                pairs.append((one, two))
    if not pairs:
        raise EngineError(f"none of {len(texts)} positions is solved within {most:,} nodes: allow more")
    rows = [Row("factor", 3, _factor(pairs), "", tolerance=None), Row("mean of factors", None, _mean(pairs))]
    for label, chosen in (
        (f"problems of {SMALL:,} to {LARGE:,} nodes", [pair for pair in pairs if pair[0].nodes < LARGE]),
        (f"problems of {LARGE:,} nodes or more", [pair for pair in pairs if pair[0].nodes >= LARGE]),
    ):
        if chosen:
            rows += [Row(label, None, len(chosen)), Row("mean of their factors", 3, _mean(chosen), "", tolerance=None)]
    rows += [
        Row(f"{name}, nodes in all", None, sum(effort.nodes for effort in efforts), "nodes")
        for name, efforts in zip(ALGORITHMS, zip(*pairs, strict=True), strict=True)
    ]
    return Report(
        f"{THESIS}, 2.3.1",
        rows,
        (
            f"{len(pairs)} problems of {len(texts)} positions: {ALGORITHMS[0]} needs {SMALL:,} to {most:,} nodes.",
            POSITIONS_NOTE.format(first=STONES[0], last=STONES[-1], tables=TABLES),
            AVERAGE,
        ),
    )


def _factor(pairs: list[tuple[Effort, Effort]]) -> float:
    return sum(two.nodes for _, two in pairs) / sum(one.nodes for one, _ in pairs)


def _mean(pairs: list[tuple[Effort, Effort]]) -> float:
    return exp(fmean(log(two.nodes / one.nodes) for one, two in pairs))
