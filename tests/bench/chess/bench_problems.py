"""Direct mates of published files through `proofbase problem`: keys and lengths as others find them.

    python tests/bench/chess/bench_problems.py [--problems 1000] [--most-moves 4] [--seed 1] [--popeye PROGRAM]

The problems are positions of the matetrack, WAC and Reinfeld files, and positions before the last moves of the
mating lines of matetrack: a seeded sample, as many of each length. Up to mates in 3 the second opinion is brute force
by python-chess; with `--popeye`, Popeye is one of all lengths where it ends within `--seconds`. It is asked for a mate
in a move fewer as well, which there must not be. Exit status 1: a key or a length differs. Problems that are open after
`--seconds` are counted.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import chess
from mate_searches import DATA, claimed_mates
from popeye import keys_by_popeye

sys.path.append(str(Path(__file__).parents[2]))
from direct_mates import keys_of_mate, shortest_mate

MOST_BY_FORCE = 3
FILES = ("chess_wac_analysed.epd", "chess_reinfeld82.json", "chess_classic280.epd", "chess_matetrack_pv.epd")
_LINE = re.compile(r"(\S+ [wb] \S+ \S+) bm #(\d+); PV: ([^;]*);")


def published(most_moves: int) -> dict[str, int]:
    """Positions of the files with the moves of the claimed mate, at most so many."""
    claims = dict[str, int]()
    for name in FILES:
        if name.endswith(".json"):
            entries = json.loads((DATA / name).read_text(encoding="utf-8"))["positions"]
            found = [(entry["fen"], entry["dm_engine"] or 0) for entry in entries]
        else:
            found = [(claim.fen, claim.moves) for claim in claimed_mates(DATA / name)]
        claims.update((fen_of(chess.Board(f"{fen} 0 1")), moves) for fen, moves in found if 0 < moves <= most_moves)
    for line in (DATA / "chess_matetrack_pv.epd").read_text(encoding="utf-8").splitlines():
        if (claim := _LINE.match(line)) is None or len(moves := claim[3].split()) != 2 * int(claim[2]) - 1:
            continue
        board = chess.Board(f"{claim[1]} 0 1")
        for place, move in enumerate(moves):
            left = (len(moves) + 1 - place) // 2
            if place % 2 == 0 and 1 < left <= most_moves:
                claims.setdefault(fen_of(board), left)
            board.push_uci(move)
    return claims


def fen_of(board: chess.Board) -> str:
    """The position without its counters."""
    return board.epd(en_passant="legal")


def sample_of(claims: dict[str, int], count: int, seed: int) -> list[tuple[str, int]]:
    """So many problems, as far as there are as many of each length."""
    draw, drawn = Random(seed), list[tuple[str, int]]()
    lengths = sorted(set(claims.values()))
    for place, length in enumerate(lengths):
        entries = sorted(entry for entry in claims.items() if entry[1] == length)
        wanted = (count - len(drawn)) // (len(lengths) - place)
        drawn += draw.sample(entries, min(wanted, len(entries)))
    return drawn


def reports_on(fens: list[str], seconds: float) -> list[dict[str, Any]]:
    """What the command says of each."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "problems.epd"
        file.write_text("".join(f"{fen}\n" for fen in fens), encoding="ascii")
        command = [sys.executable, "-m", "proofbase", "problem", str(file), "--json", "--seconds", str(seconds)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()]


def differences(
    report: dict[str, Any], fen: str, claimed: int, popeye: str | None, seconds: int, ended: Counter[str]
) -> list[str]:
    """What others say otherwise; counts in `ended` which of them have an answer."""
    if report.get("verdict") not in ("sound", "cooked"):
        return [] if report.get("verdict") == "open" else [f"{report.get('verdict')} {report.get('error')}"]
    board, moves, keys = chess.Board(f"{fen} 0 1"), report["moves"], set(report["keys"])
    wrong = list[str]()
    if moves > claimed:
        wrong.append(f"mate in {moves}, the file has {claimed}")
    ended["claims"] += 1
    if moves <= MOST_BY_FORCE:
        ended["brute force"] += 1
        right = shortest_mate(board, moves), keys_of_mate(board, moves)
        if right != (moves, keys):
            wrong.append(f"mate in {moves} by {sorted(keys)}, brute force: {right[0]} by {sorted(right[1])}")
    if popeye is not None:
        by_popeye = keys_by_popeye(popeye, board, moves, seconds)
        sooner = set[str]() if moves == 1 else keys_by_popeye(popeye, board, moves - 1, seconds)
        if by_popeye is not None and sooner is not None:
            ended["Popeye"] += 1
            if by_popeye != keys or sooner:
                wrong.append(f"mate in {moves} by {sorted(keys)}, Popeye: {sorted(by_popeye)}, sooner {sorted(sooner)}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--problems", type=int, default=1000)
    parser.add_argument("--most-moves", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=60, help="a problem and program")
    parser.add_argument("--popeye", default=shutil.which("popeye"), help="the program; without it that on the path")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    problems = sample_of(published(options.most_moves), options.problems, options.seed)
    begun = time.monotonic()
    reports = reports_on([fen for fen, _ in problems], options.seconds)
    took = time.monotonic() - begun
    assert len(reports) == len(problems)
    wrong, ended = dict[str, list[str]](), Counter[str]()
    for (fen, claimed), report in zip(problems, reports, strict=True):
        if found := differences(report, fen, claimed, options.popeye, options.seconds, ended):
            wrong[fen] = found
            print(fen, *found, sep="\n  ", file=sys.stderr)
    verdicts = Counter(str(report.get("verdict", "not read")) for report in reports)
    lengths = Counter(report.get("moves") for report in reports)
    if options.json:
        document = {"problems": len(problems), "seconds": took, "wrong": wrong, "compared": ended, "verdicts": verdicts}
        print(json.dumps({**document, "lengths": {str(key): count for key, count in sorted(lengths.items(), key=str)}}))
    else:
        print(f"{len(problems):,} problems in {took:.0f} s: {dict(verdicts)}, moves {dict(lengths)}")
        print(f"compared with {dict(ended)}; {len(wrong)} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
