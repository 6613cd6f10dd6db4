"""20 pawn endings in which locked pawns leave the kings alone with each other, and their values."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["ENDINGS", "PawnEnding"]


class PawnEnding(NamedTuple):
    """A pawn ending.

    Attributes:
        fen: the position.
        value: for the side to move: 1, 0 or -1.
        about: where it is from, if it is known.
    """

    fen: str
    value: int
    about: str = ""


ENDINGS = (
    PawnEnding("8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1", 1, "Lasker and Reichhelm 1901"),
    PawnEnding("8/k7/3p4/p2P1p2/P2P1P2/8/8/1K6 b - - 0 1", -1, "after 1. Kb1"),
    PawnEnding("8/1k6/3p4/p2P1p2/P2P1P2/8/8/2K5 w - - 0 1", 0, "the same pawns"),
    PawnEnding("2k5/8/3p4/p2P1p2/P2P1P2/8/8/3K4 b - - 0 1", 0, "the same pawns"),
    PawnEnding("2k5/8/p1P5/P2K4/8/8/8/8 w - - 0 1", 1, "Fahrni and Alapin 1912"),
    PawnEnding("2k5/8/p1P5/P1K5/8/8/8/8 w - - 0 1", 1, "the same pawns"),
    PawnEnding("3k4/8/1p1P4/1P2K3/8/8/8/8 w - - 0 1", 1, "a file and a rank further"),
    PawnEnding("4k3/8/2p1P3/2P2K2/8/8/8/8 w - - 0 1", 1, "two files further"),
    PawnEnding("7k/8/3p2p1/3P2P1/8/8/8/K7 w - - 0 1", 1),
    PawnEnding("8/8/8/p7/P2p4/3P4/7k/4K3 w - - 0 1", 1),
    PawnEnding("8/k7/8/p2p4/P2P4/8/8/4K3 w - - 0 1", 1),
    PawnEnding("8/8/3k4/p1p5/P1P1p3/4P3/8/4K3 w - - 0 1", 1),
    PawnEnding("8/8/2k5/p7/P2p4/3P4/8/2K5 w - - 0 1", -1),
    PawnEnding("8/8/8/p6k/P3p3/4P3/8/2K5 w - - 0 1", -1),
    PawnEnding("8/6k1/3p4/3P1p2/5P2/8/8/1K6 w - - 0 1", -1),
    PawnEnding("8/8/k7/p4p2/P4P2/8/8/K7 w - - 0 1", 0),
    PawnEnding("k7/8/p4p2/P4P2/8/8/8/K7 w - - 0 1", 0),
    PawnEnding("8/8/1k6/p1p5/P1P5/8/8/K7 w - - 0 1", 0),
    PawnEnding("8/8/2k5/5p2/p4P2/P7/8/2K5 w - - 0 1", 0),
    PawnEnding("8/8/3k4/8/1p1p4/1P1P4/3K4/8 w - - 0 1", 0),
)
