"""Searches for winning threats in go-moku: continuous fours, threes by df-pn, and db-search of Allis 1994, ch. 5.

    python tests/bench/gomoku/bench_gomoku_threats.py [--positions N] [--seed S] [--nodes N] [--sequence-nodes N]
        [--replay N] [--json]

Runs them on N positions (100,000 by default; half of them random, half from games) by both rules of go-moku and prints
what each wins and refutes, its nodes, and the user time of one core. One in `--replay` of the trees that they find is
replayed on a plain board, against every legal reply. With the published problems of continuous fours at hand
(../shared/data), each of them is timed as well. Exit status 1 if a tree fails, or a problem is answered wrongly.
Needs the compiler `c++`, and the source tree.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from native_programs import build_program

ROOT = Path(__file__).resolve().parents[3]
SHARED = Path(os.environ.get("PROOFBASE_SHARED", ROOT.parent / "shared"))
COLUMNS = ("won", "refuted", "nodes", "seconds", "tree_nodes", "replayed", "failed", "no_tree")
NAMES = {
    "fours": "continuous fours",
    "threes": "threes and fours, df-pn",
    "sequences": "db-search, tested by replay",
    "thesis": "db-search, tested as in the thesis",
}


def compiled(source: Path, folder: str) -> Path:
    program = Path(folder) / source.stem
    if not build_program(source, program, "-O3", "-march=native"):
        raise SystemExit("no C++ compiler")
    return program


def compare(program: Path, options: argparse.Namespace, exact: bool) -> tuple[dict[str, Any], bool]:
    """The figures by the name of the search, and whether every tree held."""
    numbers = [options.positions, options.seed, int(exact), options.nodes, options.sequence_nodes, options.replay]
    done = subprocess.run([program, *map(str, numbers)], capture_output=True, text=True, check=False)
    figures: dict[str, Any] = {}
    for line in done.stdout.splitlines():
        name, *values = line.split()
        if name in NAMES:
            figures[name] = {
                column: float(v) if "." in v else int(v) for column, v in zip(COLUMNS, values, strict=True)
            }
        else:
            figures[name] = float(values[0])
    return figures, done.returncode == 0


def problems(program: Path) -> tuple[list[dict[str, Any]], bool]:
    """Each published problem by both searches: outcome, nodes, milliseconds; and whether all answers are right."""
    path = SHARED / "data" / "gomoku_vcf.json"
    if not path.exists():
        return [], True

    def squares(names: list[str]) -> str:
        return ",".join(str(ord(name[0]) - ord("a") + 15 * (int(name[1:]) - 1)) for name in names)

    found, right = [], True
    for problem in json.loads(path.read_text(encoding="utf-8"))["problems"]:
        sides = [squares(problem["black"]), squares(problem["white"])]
        attacker, defender = sides if problem["to_move"] == "black" else sides[::-1]
        for exact in (0, 1):
            asked = f"bench 15 15 5 {exact} narrow {attacker} {defender} 1000000\n"
            answer = subprocess.run([program], input=asked, capture_output=True, text=True, check=True).stdout.split()
            wins = bool(problem["freestyle_vcf_found"])
            right &= exact == 1 or answer[1] == ("won" if wins else "none")
            found.append(
                {
                    "exact": bool(exact),
                    "fours": (answer[1], int(answer[2]), int(answer[3]) / 1e6),
                    "threes": (answer[5], int(answer[6]), int(answer[7]) / 1e6),
                }
            )
    return found, right


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=2_000, help="of one search of threes")
    parser.add_argument("--sequence-nodes", type=int, default=300, help="of one db-search")
    parser.add_argument("--replay", type=int, default=10, help="one tree in so many is replayed; 0: none")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(ROOT / "tests" / "bench" / "gomoku" / "threat_searches.cpp", folder)
        by_rule = {rule: compare(program, options, exact) for rule, exact in (("free", False), ("standard", True))}
        asked = compiled(ROOT / "tests" / "engine" / "threats" / "threats_of_gomoku.cpp", folder)
        published, right = problems(asked)
    good = right and all(held for _, held in by_rule.values())
    if options.json:
        print(json.dumps({"rules": {rule: f for rule, (f, _) in by_rule.items()}, "problems": published, "good": good}))
        return 0 if good else 1
    for rule, (figures, held) in by_rule.items():
        print(f"{rule}: {options.positions:,} positions" + ("" if held else ", A TREE FAILED"))
        for name, text in NAMES.items():
            row = figures[name]
            print(
                f"  {text}: {row['won']:,} won, {row['refuted']:,} refuted, {row['nodes']:,} nodes, "
                f"{row['seconds']:.2f} s ({row['nodes'] / row['seconds'] / 1e6:.2f} million nodes/s), "
                f"{row['replayed']:,} trees replayed, {row['failed']} failed"
            )
        for name in ("sequences", "thesis"):
            print(f"  won by {NAMES[name]} and not by threes: {figures['only_' + name]:,.0f}")
    for problem in published:
        rule = "standard" if problem["exact"] else "free"
        parts = [f"{kind} {p[0]}, {p[1]} nodes, {p[2]:.3f} ms" for kind, p in list(problem.items())[1:]]
        print(f"published problem, {rule}: " + "; ".join(parts))
    if not right:
        print("A PUBLISHED PROBLEM IS ANSWERED WRONGLY")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
