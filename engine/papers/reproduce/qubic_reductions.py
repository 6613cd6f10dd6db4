"""Allis, Searching for solutions in games and artificial intelligence (1994), 4.5: what of qubic is left to search.

4.5.1: sets of positions after White's second move, by rows and by planes, and how many positions after Black's second
move they leave. 4.5.2: the sizes of db-searches.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from proofbase.engine._core import Search, open_game
from proofbase.engine.papers.reproduce.qubic import ALGORITHM
from proofbase.engine.papers.reproduce.qubic_openings import (
    DIAGONALS,
    ROWS,
    four_plies_after,
    four_ply_positions,
    three_ply_sets,
)
from proofbase.engine.papers.reproduce.report import Options, Progress, Report, Row
from proofbase.engine.records import Evidence, Side, decode_record
from proofbase.engine.rules.qubic import layers

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable

__all__ = ["reductions"]

POSITIONS = 12
"""Positions of the 195, whose solutions are walked through for the sizes of db-searches."""
LARGE = 500
"""Nodes from which on the thesis reports a db-search."""

SETS = {
    "rows": (ROWS, (195, 195, 217, 226, 226, 241)),
    "planes": (DIAGONALS, (219, 229, 229, 240)),
}
"""By the lines in which White's second cube is sought: the printed sizes, each different set once."""

TWICE = (
    "The thesis lists eight sets by rows (195, 195, 217, 217, 226, 226, 241, 241) and seven by planes (219, 229, 229, "
    "229, 229, 240, 240). Its formulas name some sets twice: six and four of them differ."
)
SIZES = (
    "Sizes: White's db-search in the positions of our solutions with White to move, and after each of Black's replies "
    "there. The thesis counts those of its pn-searches, 3.5 million for White and 0.9 million for Black; its db-search "
    "is another program, so shares and sizes are compared and never off."
)


class _Sizes(NamedTuple):
    evaluations: int
    large: int
    large_won: int
    largest_won: int
    largest_lost: int


def reductions(options: Options, progress: Progress) -> Report:
    """The sets of 4.5.1, and the sizes of 4.5.2 on a few of the 195 positions."""
    rows = list[Row]()
    for label, (steps, printed) in SETS.items():
        sizes = sorted(len(four_plies_after(chosen)) for chosen in three_ply_sets(open_row=False, steps=steps))
        rows.append(Row(f"{label}: different sets after three plies", len(printed), len(sizes)))
        rows += [
            Row(f"{label}: positions after four plies, set {number}", theirs, ours, tolerance=0)
            for number, (theirs, ours) in enumerate(zip(printed, sizes, strict=True), 1)
        ]
    searches = _sizes(options.positions or POSITIONS, progress)
    rows += [
        Row("db-searches", 4.4e6, searches.evaluations, tolerance=None),
        Row(f"of these, of {LARGE} nodes or more", 241, searches.large, tolerance=None),
        Row("share of successful ones among these", 0.31, searches.large_won / max(searches.large, 1), tolerance=None),
        Row("largest successful one", 2_008, searches.largest_won, "nodes", tolerance=None),
        Row("largest failed one", 3_153, searches.largest_lost, "nodes", tolerance=None),
    ]
    progress(1.0, "done")
    return Report(
        "allis-4.5",
        "Allis, Searching for solutions in games and artificial intelligence (1994), 4.5.1 and 4.5.2",
        tuple(rows),
        (TWICE, f"Solutions of {options.positions or POSITIONS} of the 195 positions, by {ALGORITHM}.", SIZES),
    )


def _sizes(positions: int, progress: Progress) -> _Sizes:
    game: Any = open_game("qubic")
    evaluations = large = large_won = 0
    largest = {True: 0, False: 0}
    openings = four_ply_positions()[:: max(1, 195 // positions)][:positions]
    for number, opening in enumerate(openings):
        progress(number / len(openings), f"position {number + 1} of {len(openings)}")
        root = game.parse(opening.text)
        search = Search(game, root, 1, algorithm=ALGORITHM)
        search.run()
        table = search.solution(small_search_nodes=0)
        for position in _evaluated(game, table, game.key(root)):
            (line,), nodes, *_ = game.winning_lines([position], most_nodes=100_000)
            evaluations += 1
            largest[line is not None] = max(largest[line is not None], nodes)
            large += nodes >= LARGE
            large_won += nodes >= LARGE and line is not None
    return _Sizes(evaluations, large, large_won, largest[True], largest[False])


def _evaluated(game: Any, table: RecordTable, root: bytes) -> Iterator[Any]:
    """The positions with White to move in which he has a move to make, and those after this move and a reply."""
    for key in table.below(root):
        record = table.get(key)
        white, black = int.from_bytes(key[:8], "big"), int.from_bytes(key[8:], "big")
        if record is None or white.bit_count() != black.bit_count():
            continue
        cubes = "".join(".xo"[(white >> cube & 1) + 2 * (black >> cube & 1)] for cube in range(64))
        position = game.parse(layers(cubes))
        yield position
        claim = next((c for c in decode_record(record).claims if c.evidence == Evidence.CHILDREN), None)
        if claim is None or claim.side != Side.LOWER or claim.witness is None:
            continue
        after = game.play(position, claim.witness)
        for reply in game.moves(after):
            yield game.play(after, reply)
