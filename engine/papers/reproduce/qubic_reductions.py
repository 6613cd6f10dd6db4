"""Allis, Searching for solutions in games and artificial intelligence (1994), 4.5: what of qubic is left to search.

4.5.1: sets of positions after White's second move, by rows and by planes, and how many positions after Black's second
move they leave. 4.5.2: the sizes of db-searches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from proofbase.engine._core import Search, open_game
from proofbase.engine.papers.reference.forced_sequences import wins_by_force
from proofbase.engine.papers.reproduce.qubic import ALGORITHM, positions_to_move
from proofbase.engine.papers.reproduce.qubic_openings import (
    DIAGONALS,
    ROWS,
    four_plies_after,
    four_ply_positions,
    three_ply_sets,
)
from proofbase.engine.papers.reproduce.report import THESIS, Options, Progress, Report, Row
from proofbase.engine.rules.qubic import layers

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable

__all__ = ["MISSED", "forced_sequences", "reductions"]

POSITIONS = 195
"""Positions whose solutions are walked through for the sizes of db-searches."""
SAMPLE, PLAIN_NODES = 1_000, 3_000
"""Positions in which db-search is compared with forced sequences, and the nodes of a conventional search."""
MOST_NODES = 100_000
MISSED = "found by plain search and missed by db-search"
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
    "Sizes: White's db-search in the positions of our solutions with White to move, and after each reply to his move "
    "and to another one that is drawn; Black's after each move of White. The thesis counts those of its pn-searches, "
    "3.5 million for White and 0.9 million for Black; 55 in a million have 500 nodes. Ours are smaller also on as many "
    "positions. One reason: a sequence that leaves Black a winning cube goes on only with its block, where the thesis "
    "keeps it for the combination stage."
)
FORCED = (
    "The thesis compares its times with Patashnik's: 8 to 16 times for all searches, 20 to 40 for the slowest. Plain "
    "search: every set of stones once, natively. Conventional search: every order of moves, in Python, counted to "
    f"{PLAIN_NODES:,} nodes. Positions with White to move, half of them not won by db-search as far as there are any."
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
        Row(
            f"of a million, those of {LARGE} nodes or more",
            241 / 4.4,
            1e6 * searches.large / searches.evaluations,
            tolerance=None,
        ),
        Row("share of successful ones among these", 0.31, searches.large_won / max(searches.large, 1), tolerance=None),
        Row("largest successful one", 2_008, searches.largest_won, "nodes", tolerance=None),
        Row("largest failed one", 3_153, searches.largest_lost, "nodes", tolerance=None),
    ]
    return Report(
        f"{THESIS}, 4.5.1 and 4.5.2",
        rows,
        (TWICE, f"Solutions of {options.positions or POSITIONS} of the 195 positions, by {ALGORITHM}.", SIZES),
    )


def forced_sequences(options: Options, progress: Progress) -> Report:
    """4.5.3 and 4.3.3: db-search beside searches of forced sequences, on positions of real searches."""
    random, won, open_ = Random(1), list[Any](), list[Any]()
    game: Any = open_game("qubic")
    for position, opponent in _searched(options.positions or 12, progress):
        if not opponent:
            (line,), *_ = game.winning_lines([position], most_nodes=MOST_NODES)
            (won if line else open_).append(position)
    chosen = random.sample(open_, min(len(open_), SAMPLE // 2))
    chosen += random.sample(won, min(len(won), SAMPLE - len(chosen)))
    lines, nodes, largest, _, seconds = game.winning_lines(chosen, most_nodes=MOST_NODES)
    plain, plain_nodes, plain_largest, _, plain_seconds = game.winning_lines(
        chosen, finder="sequences", most_nodes=MOST_NODES
    )
    orders = [wins_by_force(*_cubes(game, position), PLAIN_NODES) for position in chosen]
    solved_plainly = sum(line is not None for line in plain)
    missed = sum(ours is None and other is not None for ours, other in zip(lines, plain, strict=True))
    every = [count for _, count in orders]
    return Report(
        f"{THESIS}, 4.3.3 and 4.5.3",
        (
            Row("positions", None, len(chosen)),
            Row("found by db-search", None, sum(line is not None for line in lines)),
            Row("found by plain search", None, solved_plainly),
            Row("found by conventional search", None, sum(answer is True for answer, _ in orders)),
            Row("conventional searches given up", None, sum(answer is None for answer, _ in orders)),
            Row(MISSED, 1, 100 * missed / max(solved_plainly, 1), "%", tolerance=None),
            Row("nodes of db-search", None, nodes),
            Row("plain search over db-search: time", 8, plain_seconds / seconds, tolerance=None),
            Row("plain search over db-search: nodes", 8, plain_nodes / nodes, tolerance=None),
            Row("plain search over db-search: largest search", 20, plain_largest / largest, tolerance=None),
            Row("conventional search over db-search: nodes, or more", 8, sum(every) / nodes, tolerance=None),
            Row("conventional search over db-search: largest, or more", 20, max(every) / largest, tolerance=None),
        ),
        (FORCED,),
    )


def _cubes(game: Any, position: Any) -> tuple[int, int]:
    """The stones of the side to move and of the other side."""
    cubes = re.sub("[^.xo]", "", game.text(position))
    white, black = (sum(1 << cube for cube in range(64) if cubes[cube] == stone) for stone in "xo")
    return (white, black) if white.bit_count() == black.bit_count() else (black, white)


def _sizes(positions: int, progress: Progress) -> _Sizes:
    game: Any = open_game("qubic")
    evaluations = large = large_won = 0
    largest = {True: 0, False: 0}
    for position, _ in _searched(positions, progress):
        (line,), nodes, *_ = game.winning_lines([position], most_nodes=MOST_NODES)
        evaluations += 1
        largest[line is not None] = max(largest[line is not None], nodes)
        large += nodes >= LARGE
        large_won += nodes >= LARGE and line is not None
    return _Sizes(evaluations, large, large_won, largest[True], largest[False])


def _searched(positions: int, progress: Progress) -> Iterator[tuple[Any, bool]]:
    """Positions that are evaluated on the way to solutions, and whether Black is to move."""
    game: Any = open_game("qubic")
    openings = four_ply_positions()[:: max(1, 195 // positions)][:positions]
    for number, opening in enumerate(openings):
        progress(number / len(openings), f"position {number + 1} of {len(openings)}")
        root = game.parse(opening.text)
        search = Search(game, root, 1, algorithm=ALGORITHM)
        search.run()
        yield from _evaluated(game, search.solution(small_search_nodes=0), game.key(root))


def _evaluated(game: Any, table: RecordTable, root: bytes) -> Iterator[tuple[Any, bool]]:
    """Where White has a move to make; after each of his moves; after all replies to it, and to another one."""
    random = Random(1)
    for white, black, witness in positions_to_move(table, root):
        cubes = "".join(".xo"[(white >> cube & 1) + 2 * (black >> cube & 1)] for cube in range(64))
        position = game.parse(layers(cubes))
        yield position, False
        moves = game.moves(position)
        tried = (witness, random.choice(moves))
        for move in moves:
            after = game.play(position, move)
            if game.terminal(after) is not None:
                continue
            yield after, True
            for reply in game.moves(after) if move in tried else ():
                if game.terminal(game.play(after, reply)) is None:
                    yield game.play(after, reply), False
