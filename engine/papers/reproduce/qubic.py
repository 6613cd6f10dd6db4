"""Allis, Searching for solutions in games and artificial intelligence (1994), Tables 4.1 and 4.2: solutions of qubic.

A solution is a set of positions with White to move, each with a move. Positions where White wins by a sequence of
threats are not counted. The thesis solved 195 positions after four plies one by one and counted the positions of all
these solutions together.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from statistics import fmean, median
from typing import TYPE_CHECKING, Any, NamedTuple

from proofbase.engine._core import Search, open_game
from proofbase.engine.errors import EngineError
from proofbase.engine.papers.reproduce.qubic_openings import Opening, four_ply_positions, two_ply_positions
from proofbase.engine.papers.reproduce.report import THESIS, Options, Progress, Report, Row, until_stopped
from proofbase.engine.records import Evidence, Side, decode_record
from proofbase.engine.rules.qubic import LINES

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable

__all__ = [
    "ALGORITHM",
    "Solved",
    "is_strategic",
    "merged",
    "positions_to_move",
    "solution_positions",
    "solve",
    "strategic_moves",
]

ALGORITHM = "pn-dag+threats"

_BY_PLY = (1, 12, 195, 2000, 1426, 1074, 772, 573, 345, 142, 62, 36, 8, 4, 4)
POSITIONS = {2 * depth: count for depth, count in enumerate(_BY_PLY)}
"""Table 4.1: positions with White to move, by ply."""
STRATEGIC = {0: 1, 2: 12, 4: 195, 6: 1960, 8: 668, 10: 248, 12: 113, 14: 41, 16: 14, 18: 2}
BY_HAND = {0: 1, 2: 12, 4: 195, 6: 1448, 8: 788, 10: 309, 12: 110, 14: 51, 16: 15}
"""Table 4.2: strategic moves of pn-search, and of Patashnik (1980)."""

_MASKS = [sum(1 << cube for cube in line) for line in LINES]

ROOTS = (
    "The 195 positions are derived from the rules: White at cube 0, then at another cube of seven lines in an open row "
    "of cube 0, such that the fewest positions arise. They are the thesis's. (Of its eight sets of three-ply positions "
    "two are listed twice: six are different.)"
)
MERGED = (
    f"Each position is solved on its own by {ALGORITHM}, the solutions are merged, and positions count once under the "
    "192 automorphisms. Plies 0 and 2 are the moves that were chosen beforehand."
)
EVALUATOR = (
    "Rows are off because the tree is another one. The thesis asks db-search whether the side to move wins; we also "
    "ask whether the other side would, if the side to move passed, and answer at once all moves that do not meet that "
    "threat. White's threats are moves here, which the thesis forbids; so it had to play on by hand in two of the 195 "
    "positions. Our positions in all are fewer, but a few lines of threats and replies go deeper. Which of many "
    "winning moves is proved is chance in both: neither search looks for the smallest solution."
)
WHOLE = (
    "`empty board`: one search from the initial position with no move chosen beforehand; so its second and third moves "
    "are other ones, and its plies 2 and 4 are not restricted to 12 and 195 positions."
)


class Solved(NamedTuple):
    """A search that proved White's win.

    Attributes:
        positions: of the solution, as (cubes of White, cubes of Black), each a set of 64 bits.
        nodes: that the search created, the solved ones counted.
        seconds: CPU time of this process.
    """

    positions: frozenset[tuple[int, int]]
    nodes: int
    seconds: float


def solution_positions(options: Options, progress: Progress) -> Report:
    """Table 4.1, with the figures of 4.5.2 on time and nodes."""
    openings = four_ply_positions()
    solved, whole, stopped = _measure(openings, progress)
    nodes = [entry.nodes for entry in solved]
    of_opening = dict(zip(openings, nodes, strict=False))
    rows = _by_ply("positions", POSITIONS, merged(solved), None if whole is None else whole.positions)
    rows += [
        Row("CPU time of the 195 searches", 55_700, sum(entry.seconds for entry in solved), "s"),
        Row("positions evaluated", 4.4e6, sum(nodes), "nodes"),
        Row("nodes, smallest search", 884, min(nodes), "nodes"),
        Row("nodes, median", 4_000, median(nodes), "nodes"),
        Row("nodes, average", 10_000, fmean(nodes), "nodes"),
        *(
            Row(f"nodes, white 0 3 black {one} {other}", printed, of_opening[opening], "nodes")
            for one, other, printed in ((1, 7, 118_845), (21, 22, 310_424))
            if (opening := Opening((0, 3), (one, other))) in of_opening
        ),
    ]
    if whole is not None:
        rows.append(Row("CPU time, empty board", None, whole.seconds, "s"))
        rows.append(Row("nodes, empty board", None, whole.nodes, "nodes"))
    counting = (
        "The thesis does not count solved nodes as nodes; we do, every one that was evaluated. Its time is that of a "
        "SPARCstation 2 (28 MIPS); ours holds the searches and taking their solutions out."
    )
    return Report(f"{THESIS}, Table 4.1 and 4.5.2", rows, (*stopped, ROOTS, MERGED, EVALUATOR, counting, WHOLE))


def strategic_moves(options: Options, progress: Progress) -> Report:
    """Table 4.2."""
    solved, whole, stopped = _measure(four_ply_positions(), progress)
    of_whole = None if whole is None else frozenset(filter(is_strategic, whole.positions))
    rows = _by_ply("strategic moves", STRATEGIC, frozenset(filter(is_strategic, merged(solved))), of_whole)
    total = next(row for row in rows if row.label == "strategic moves in all")
    rows.append(Row("in all, beside Patashnik's by hand", sum(BY_HAND.values()), total.measured))
    meaning = (
        "A move is strategic where White neither wins by threats nor has to stop three of Black in a line. Patashnik's "
        "by ply, for comparison: " + ", ".join(f"{ply}: {count:,}" for ply, count in BY_HAND.items()) + "."
    )
    return Report(f"{THESIS}, Table 4.2", rows, (*stopped, ROOTS, MERGED, meaning, EVALUATOR, WHOLE))


def solve(text: str | None = None) -> Solved:
    """Proves that White, to move, wins.

    Args:
        text: the position; None for the empty board.

    Raises:
        EngineError: White does not win.
    """
    game: Any = open_game("qubic")
    position = game.initial() if text is None else game.parse(text)
    started = time.process_time()
    search = Search(game, position, 1, algorithm=ALGORITHM)
    if search.run().status != "proved":
        raise EngineError(f"{search.algorithm} says {search.status} of {game.text(position)}: White wins there")
    table = search.solution(small_search_nodes=0)
    seconds = time.process_time() - started
    positions = frozenset((white, black) for white, black, _ in positions_to_move(table, game.key(position)))
    return Solved(positions, search.progress().nodes, seconds)


def positions_to_move(table: RecordTable, root: bytes) -> Iterator[tuple[int, int, int]]:
    """White's and Black's cubes where White has a move to make in a solution, and the move: it rests on one child."""
    for key in table.below(root):
        white, black = int.from_bytes(key[:8], "big"), int.from_bytes(key[8:], "big")
        record = table.get(key)
        if record is None or white.bit_count() != black.bit_count():
            continue
        claims = decode_record(record).claims
        lowers = (claim for claim in claims if claim.side == Side.LOWER and claim.evidence == Evidence.CHILDREN)
        if (claim := next(lowers, None)) is not None and claim.witness is not None:
            yield white, black, claim.witness


def is_strategic(position: tuple[int, int]) -> bool:
    """Whether White, to move, is free to choose: Black has no three in a line with the fourth cube empty."""
    white, black = position
    return not any((line & black).bit_count() == 3 and not line & white for line in _MASKS)


def _measure(openings: list[Opening], progress: Progress) -> tuple[list[Solved], Solved | None, list[str]]:
    """The 195 solutions, that of the empty board, and a note where not all of it is there."""
    solved = list[Solved]()
    whole: Solved | None = None
    with until_stopped(solved) as stopped:
        for number, opening in enumerate(openings):
            progress(number / (2 * len(openings)), f"position {number + 1} of {len(openings)}")
            solved.append(solve(opening.text))
        progress(0.5, "the empty board")
        whole = solve()
    return solved, whole, stopped


def merged(solved: Iterable[Solved]) -> frozenset[tuple[int, int]]:
    """The positions of all solutions, with those after no move and after two plies."""
    before = [
        (sum(1 << cube for cube in white), sum(1 << cube for cube in black)) for white, black in two_ply_positions()
    ]
    return frozenset({(0, 0), *before}).union(*(entry.positions for entry in solved))


def _by_ply(
    what: str,
    printed: Mapping[int, int],
    merged: frozenset[tuple[int, int]],
    whole: frozenset[tuple[int, int]] | None,
) -> list[Row]:
    """Rows of the 195 solutions beside the printed figures, then those from the empty board where that was solved."""
    ours = _counted_by_ply(merged)
    rows = [Row(f"{what}, ply {ply}", printed.get(ply), ours.get(ply, 0)) for ply in sorted({*printed, *ours})]
    rows.append(Row(f"{what} in all", sum(printed.values()), ours.total()))
    if whole is not None:
        others = _counted_by_ply(whole)
        rows += [Row(f"{what}, empty board, ply {ply}", None, others[ply]) for ply in sorted(others)]
        rows.append(Row(f"{what}, empty board, in all", None, others.total()))
    return rows


def _counted_by_ply(positions: Iterable[tuple[int, int]]) -> Counter[int]:
    return Counter((white | black).bit_count() for white, black in positions)
