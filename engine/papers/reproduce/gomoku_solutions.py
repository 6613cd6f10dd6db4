"""Allis, Searching for solutions in games and artificial intelligence (1994), Table 5.1: nodes of solutions by depth.

The thesis's solution has the positions with a move of Black, and those with White to move that no sequence of threats
answers. Ours are certificates: `proofbase export gomoku - -o gomoku.proof` after `proofbase solve gomoku --at-least 1`.
"""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path
from typing import Any

from proofbase.engine.checking.by_ply import count_by_ply
from proofbase.engine.checking.certificate import CertificateReader
from proofbase.engine.errors import EngineError
from proofbase.engine.papers.reproduce.report import THESIS, Options, Progress, Report, Row
from proofbase.engine.rules import open_rules

__all__ = ["PRINTED", "RECORDS", "nodes_by_depth"]

# fmt: off
PRINTED: dict[str, tuple[int, ...]] = {
    "gomoku": (
        1, 1, 35, 35, 7227, 6824, 20859, 20239, 20686, 20550, 8959, 8637, 5246, 4778, 2999, 2647, 2173, 1811,
        1351, 1094, 710, 594, 408, 327, 193, 154, 85, 74, 40, 35, 7, 7, 1, 1, 1, 1,
    ),
    "gomoku:standard": (
        1, 1, 35, 35, 7242, 7251, 22749, 21078, 22056, 21898, 10015, 9570, 6015, 5492, 3663, 3282, 2810, 2392,
        1885, 1590, 1125, 954, 641, 506, 296, 241, 159, 128, 67, 54, 19, 18, 8, 6, 1, 1,
    ),
}
"""By depth, from 0 on."""
# fmt: on
RECORDS = {"gomoku": 138_790, "gomoku:standard": 153_284}
"""Database records of the solutions (5.5.3)."""

FILES = "gomoku*.proof"

OTHERS = (
    "Rows are off by nature: here trees of threats answer whole sets of replies, and each record with one is a leaf. "
    "So a solution has a fourth of the records, and is less deep. Rows are compared and never off."
)


def nodes_by_depth(options: Options, progress: Progress) -> Report:
    """Positions by depth of the certificates in `options.data`, beside the printed ones.

    Raises:
        EngineError: there is no directory, or no certificate of the whole game in it.
    """
    if options.data is None:
        raise EngineError(f"allis-5.1 counts certificates: give their directory with --data ({FILES})")
    rows = list[Row]()
    files = sorted([*options.data.glob(FILES), *options.data.glob(f"{FILES}.xz")])
    for number, file in enumerate(files):
        progress(number / len(files), file.name)
        rows += _counted(file)
    if not rows:
        raise EngineError(f"{options.data}: there is no certificate of go-moku ({FILES})")
    return Report(
        f"{THESIS}, Table 5.1",
        rows,
        (OTHERS, *(f"{name}: {total:,} records in the thesis." for name, total in RECORDS.items())),
    )


def _counted(file: Path) -> list[Row]:
    with file.open("rb") as source:
        reader = CertificateReader(source)
        game: Any = open_rules(reader.header.game)
        root = game.parse(reader.header.root)
        counted = count_by_ply(game, root, dict(reader))
    name = game.name
    if root != game.initial() or not counted:
        raise EngineError(f"{file.name} is no solution of the empty board of {name}")
    plies = counted[0].plies
    printed = PRINTED.get(name, ())
    rows = [
        Row(f"{name}, depth {ply}", theirs, ours.positions if ours else 0, "positions", tolerance=None)
        for ply, (theirs, ours) in enumerate(zip_longest(printed, plies))
    ]
    total = Row(f"{name}, records", RECORDS.get(name), counted[0].total.positions, "positions", tolerance=None)
    return [*rows, total, Row(f"{name}, deepest", len(printed) - 1 if printed else None, plies[-1].ply, "plies",
                              tolerance=None)]  # fmt: skip
