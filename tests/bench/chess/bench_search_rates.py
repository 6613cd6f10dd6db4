"""How many nodes df-pn and pn-tree make a second in chess mates and in giveaway, on one core.

    python tests/bench/chess/bench_search_rates.py [--rounds 2] [--against TREE]

Chess: the 82 mates of Reinfeld, and 12 claimed mates of the matetrack file (../shared/data) drawn at random. Giveaway:
two replies to 1.e3 c5 2.Bb5. Seconds are those of the processor, the fastest of all rounds. With --against the same
searches of another source tree are timed in turn. Exit status 1: the searches of this tree do not make the nodes that
they are known to make. Needs the compiler `c++`, and the source tree.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import NamedTuple

from mate_searches import DATA, claimed_mates

from proofbase.engine.papers.reproduce.reinfeld import PROBLEMS

ROOT = Path(__file__).resolve().parents[3]
REPLIES = {
    "a6": "rnbqkbnr/1p1ppppp/p7/1Bp5/8/4P3/PPPP1PPP/RNBQK1NR w - -",
    "Qb6": "rnb1kbnr/pp1ppppp/1q6/1Bp5/8/4P3/PPPP1PPP/RNBQK1NR w - -",
}


class Question(NamedTuple):
    """Searches that are timed together."""

    name: str
    algorithm: str
    nodes: int
    """At most, of each search."""
    lines: list[str]
    made: int
    """The nodes that they make."""


def questions() -> list[Question]:
    """All that is timed; without the file, not the mates of matetrack."""
    reinfeld = [f"chess;{problem.fen};1" for problem in PROBLEMS]
    giveaway = [f"giveaway;{fen};1" for fen in REPLIES.values()]
    asked = [
        Question("Reinfeld", "df-pn+mobility+table-64", 30_000, reinfeld, 302_869),
        Question("giveaway", "df-pn+mobility+table-64", 300_000, giveaway, 359_679),
        Question("giveaway", "pn-tree+mobility", 2_000_000, giveaway, 2_150_456),
    ]
    file = DATA / "chess_matetrack_pv.epd"
    if file.exists():
        drawn = Random(1).sample(claimed_mates(file), 12)
        lines = [f"chess;{claimed.fen};{int(claimed.moves > 0)}" for claimed in drawn]
        asked.append(Question("matetrack", "pn-tree+mobility", 1_000_000, lines, 8_862_753))
    return asked


def compiled(tree: Path, program: Path) -> Path:
    """The program of a source tree."""
    native = tree / "engine" / "native"
    parts = ("games/chessboard/**", "search/algorithms", "search/policy", "search/run", "records", ".")
    sources = [path for part in parts for path in sorted(native.glob(f"{part}/*.cpp"))]
    sources.append(Path(__file__).with_name("search_rates.cpp"))
    flags = ["-std=c++20", "-O3", "-march=native", "-w", f"-I{native}"]
    subprocess.run(["c++", *flags, *map(str, sources), "-o", str(program)], check=True)
    return program


def searched(program: Path, question: Question) -> tuple[int, float]:
    """Nodes and processor seconds."""
    command = [program, question.algorithm, str(question.nodes)]
    done = subprocess.run(command, input="\n".join(question.lines), capture_output=True, text=True, check=True)
    nodes, _, seconds, _ = done.stdout.split(", ")
    return int(nodes.split()[0]), float(seconds.split()[0])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--against", type=Path, help="another source tree")
    options = parser.parse_args()
    trees = {"this tree": ROOT} | ({"the other": options.against.resolve()} if options.against else {})
    wrong = False
    with tempfile.TemporaryDirectory() as folder:
        programs = {name: compiled(tree, Path(folder) / str(i)) for i, (name, tree) in enumerate(trees.items())}
        for question in questions():
            rounds = [{name: searched(programs[name], question) for name in programs} for _ in range(options.rounds)]
            for name in programs:
                nodes, seconds = min((done[name] for done in rounds), key=lambda done: done[1])
                wrong |= name == "this tree" and nodes != question.made
                what = f"{question.name:10} {question.algorithm:24}"
                print(f"{what} {nodes:11,} {seconds:6.2f} s {nodes / seconds:11,.0f}/s  {name}")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
