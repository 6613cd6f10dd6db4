"""The speed of the native move generators of chess and giveaway: lines of play counted a second, on one core.

    python tests/bench/chess/bench_chess_perft.py [--json]

Counts of positions that others publish; the last ply is counted by the number of legal moves. Exit status 1 if one is
wrong. With the published files at hand (../shared/data) their positions are counted as well. Needs the compiler `c++`,
and the source tree.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[3]
SHARED = Path(os.environ.get("PROOFBASE_SHARED", ROOT.parent / "shared"))
NATIVE = ROOT / "engine" / "native"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"


class Count(NamedTuple):
    """A published count."""

    game: str
    fen: str
    depth: int
    lines: int


PUBLISHED = [
    # https://www.chessprogramming.org/Perft_Results, positions 1 to 6
    Count("chess", START, 6, 119_060_324),
    Count("chess", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", 5, 193_690_690),
    Count("chess", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", 6, 11_030_083),
    Count("chess", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -", 5, 15_833_292),
    Count("chess", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -", 5, 89_941_194),
    Count("chess", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -", 5, 164_075_551),
    # python-chess and Watkins 2016
    Count("giveaway:antichess", START, 5, 2_732_672),
    Count("giveaway", START, 5, 2_736_526),
]


def counts_of(file: Path, game: str) -> list[Count]:
    """The deepest count of each position of a file, but those of chess 960."""
    found = []
    for block in file.read_text(encoding="utf-8").split("\nid ")[1:]:
        fen = re.search(r"^epd (.*)$", block, re.MULTILINE)
        depths = re.findall(r"^perft (\d+) (\d+)$", block, re.MULTILINE)
        if fen and depths and not block.startswith(("xfen", "asymmetrical")):
            found.append(Count(game, fen[1], int(depths[-1][0]), int(depths[-1][1])))
    return found


def measured(counts: list[Count]) -> list[tuple[int, float]]:
    """Lines and processor seconds of each."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "perft_of_chess"
        sources = [
            Path(__file__).with_name("perft_of_chess.cpp"),
            NATIVE / "errors.cpp",
            *sorted((NATIVE / "games" / "chessboard").glob("*.cpp")),
        ]
        flags = ["-std=c++20", "-O3", "-march=native", "-w", f"-I{NATIVE}"]
        subprocess.run(["c++", *flags, *map(str, sources), "-o", str(program)], check=True)
        asked = "".join(f"{count.game};{count.fen};{count.depth}\n" for count in counts)
        done = subprocess.run([program], input=asked, capture_output=True, text=True, check=True)
    return [(int(lines), float(seconds)) for lines, seconds in map(str.split, done.stdout.splitlines())]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    counts = list(PUBLISHED)
    if (SHARED / "data").is_dir():
        counts += counts_of(SHARED / "data" / "chess_tricky.perft", "chess")
        counts += counts_of(SHARED / "data" / "giveaway.perft", "giveaway:antichess")
    results = measured(counts)
    wrong = [count for count, (lines, _) in zip(counts, results, strict=True) if lines != count.lines]
    speeds = {}
    for game in ("chess", "giveaway:antichess", "giveaway"):
        ours = [result for count, result in zip(counts, results, strict=True) if count.game == game]
        speeds[game] = sum(lines for lines, _ in ours) / sum(seconds for _, seconds in ours)
    if options.json:
        print(json.dumps({"counts": len(counts), "wrong": wrong, "lines_per_second": speeds}))
    else:
        for count, (lines, seconds) in zip(counts, results, strict=True):
            said = "" if lines == count.lines else f", but {count.lines:,} published"
            print(f"{count.game:18} {count.fen:75} {count.depth:2} {lines:12,} {seconds:7.3f} s{said}")
        for game, speed in speeds.items():
            print(f"{game}: {speed / 1e6:.0f} million lines/s on one core")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
