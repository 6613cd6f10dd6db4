"""Schijf, Proof-number search and transpositions (1993), 3.4: three first moves that lose in giveaway chess.

"After white has played 1.d2-d4, 1.d2-d3 or 1.e2-e4 in the initial position, pn-search showed that the position was a
loss for white in less than 10 seconds. So a winning variant for black with at least 32 plies had been found."
"""

from __future__ import annotations

from typing import Any

from proofbase.engine._core import Search, open_game
from proofbase.engine.papers.reproduce.answer import plies_to_the_win
from proofbase.engine.papers.reproduce.report import SCHIJF, Options, Progress, Report, Row

__all__ = ["lost_openings"]

OPENINGS = ("d2d4", "d2d3", "e2e4")
ALGORITHM = "pn-tree+mobility"
NODES = 1_000_000
PRINTED_SECONDS = 10
PRINTED_PLIES = 32

PLIES = (
    "Plies: within so many moves Black's win is realised, whatever White plays, by the proof that was found: an upper "
    "bound of the longest line. A game in which one side loses all of its 16 men by forced captures has 32 plies."
)
TIMES = "Times are of this machine, with the printed limit beside them; they are never off."


def lost_openings(options: Options, progress: Progress) -> Report:
    """For each first move: whether Black is proved to win, nodes, time, and the plies of the proof."""
    rows = list[Row]()
    for number, move in enumerate(OPENINGS[: options.positions]):
        progress(number / len(OPENINGS), f"1. {move}")
        rows += _rows(move, options.nodes or NODES)
    return Report(
        f"{SCHIJF}, 3.4",
        rows,
        (f"{ALGORITHM}: does Black, to move, win? Given up after {options.nodes or NODES:,} nodes.", PLIES, TIMES),
    )


def _rows(move: str, most: int) -> list[Row]:
    game: Any = open_game("giveaway")
    position = game.play(game.initial(), game.parse_move(game.initial(), move))
    search = Search(game, position, 1, algorithm=ALGORITHM)
    search.run(nodes=most)
    totals = search.progress()
    rows = [
        Row(f"1. {move}: proved", 1, int(search.status == "proved"), tolerance=0),
        Row(f"1. {move}: nodes", None, totals.nodes, "nodes"),
        Row(f"1. {move}: time", PRINTED_SECONDS, totals.seconds, "s", tolerance=None),
    ]
    if search.status != "proved":
        return rows
    table = search.solution(small_search_nodes=0)
    return [
        *rows,
        Row(f"1. {move}: plies", PRINTED_PLIES, plies_to_the_win(table, game.key(position)), "plies"),
        Row(f"1. {move}: records of the proof", None, len(table)),
        Row(f"1. {move}: records that fail the local check", 0, table.check().failed),
    ]
