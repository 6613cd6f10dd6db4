"""The theorem of docs/zones.md on random positions of go-moku: every square outside the zone of a tree is tried.

    python tests/engine/threats/trial_zones.py [--positions 10000] [--seed 1] [--plain 200]

Builds a small program around the native check (zones_of_gomoku.cpp). Of every `--plain`-th square the tree is played
out on a plain array as well.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from native_programs import build_program

VARIANTS = ("five or more", "exactly five")


class ZoneTrial(NamedTuple):
    """What was tried; see zones_of_gomoku.cpp."""

    positions: int
    trees: int
    squares: int
    failures: int
    plain_replays: int
    plain_failures: int
    nodes: int
    squares_in_zones: int
    replay_nanoseconds: int
    zone_nanoseconds: int


def build(folder: Path, *flags: str) -> Path | None:
    """The program; None without a compiler."""
    program, source = folder / "zones_of_gomoku", Path(__file__).with_name("zones_of_gomoku.cpp")
    return program if build_program(source, program, *flags) else None


def run(program: Path, seed: int, positions: int, exact: bool, plain: int) -> ZoneTrial:
    """Tries random positions of one variant."""
    command = [str(program), str(seed), str(positions), str(int(exact)), str(plain)]
    return ZoneTrial(*map(int, subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plain", type=int, default=200)
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        program = build(Path(folder), "-O3", "-march=native")
        if program is None:
            print("no C++ compiler")
            return 2
        for exact, name in enumerate(VARIANTS):
            found = run(program, options.seed, options.positions, bool(exact), options.plain)
            failed += found.failures + found.plain_failures
            in_zone = found.squares_in_zones / found.trees
            print(
                f"{name}: {found.positions:,} positions, {found.trees:,} trees of {found.nodes / found.trees:.1f} "
                f"nodes, {in_zone:.1f} squares in a zone, {found.squares:,} squares outside, "
                f"{found.failures} failures; {found.plain_replays:,} played out on a plain board, "
                f"{found.plain_failures} failures; {found.zone_nanoseconds / found.nodes:,.0f} ns a node for zones",
                flush=True,
            )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
