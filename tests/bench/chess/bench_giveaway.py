"""Giveaway chess: openings that lose, endings, and the lines of a published solution.

    python tests/bench/chess/bench_giveaway.py openings [--certificates DIRECTORY]
    python tests/bench/chess/bench_giveaway.py replies [--seconds 10]
    python tests/bench/chess/bench_giveaway.py endings
    python tests/bench/chess/bench_giveaway.py lines [--seconds 10] [--within 3600] [--results FILE]

`openings`: 1.d4, 1.d3 and 1.e4 lose; each is proved in under ten seconds, and its certificate passes the checker,
which knows the rules in plain Python alone. `replies`: after 1.e3 c5 2.Bb5 the replies d6, d5, Qb6 and a6 lose.
`endings`: the values and distances of `giveaway_endings_bruteforce.txt`. `lines`: the ends of the lines of
`giveaway_watkins_easy.txt`, which White wins by the solution of M. Watkins, with so many seconds each. Every proof
passes the local check. Exit status 1: something is not as it should be (open lines are only counted).
"""

from __future__ import annotations

import argparse
import io
import sys
import time
from pathlib import Path
from typing import Any

from mate_searches import DATA, Kept, prove

from proofbase.engine import open_rules
from proofbase.engine._core import Search, open_game
from proofbase.engine.checking.certificate import write_certificate
from proofbase.engine.checking.checker import check_certificate

LOST_OPENINGS = ("d4", "d3", "e4")
LOST_REPLIES = {"d6": 31, "d5": 33, "Qb6": 3_078, "a6": 21_336}
"""After 1.e3 c5 2.Bb5, with the nodes of published proofs."""
SECONDS = 10.0
MOST_NODES = 1_000_000_000


def after(game: Any, *moves: str) -> Any:
    """The position after these moves."""
    position = game.initial()
    for move in moves:
        position = game.play(position, game.parse_move(position, move))
    return position


def openings(options: argparse.Namespace) -> bool:
    """Whether all three openings are proved lost in time, and their certificates valid."""
    game, good = open_game("giveaway"), True
    for move in LOST_OPENINGS:
        started = time.monotonic()
        search = Search(game, after(game, move), 1, algorithm="df-pn")
        search.run(seconds=SECONDS)
        seconds = time.monotonic() - started
        if search.status != "proved":
            print(f"1.{move}: {search.status} after {seconds:.2f} s")
            good = False
            continue
        root = search.solution()
        items = [item for chunk in root.trimmed(game.key(after(game, move))).chunks(10_000) for item in chunk]
        file = io.BytesIO()
        write_certificate(file, open_rules("giveaway"), after(open_rules("giveaway"), move), sorted(items))
        if options.certificates is not None:
            (options.certificates / f"giveaway-{move}.proofbase").write_bytes(file.getvalue())
        checked = time.monotonic()
        result = check_certificate(file.getvalue())
        good = good and result.valid and result.header["lower"] == 1 and seconds < SECONDS
        verdict = f"{'valid' if result.valid else 'NOT VALID'} by the Python rules ({time.monotonic() - checked:.1f} s)"
        print(
            f"1.{move} loses: {search.progress().nodes:,} nodes, {seconds:.2f} s; "
            f"certificate of {result.records} records, {verdict}"
        )
    return good


def replies(options: argparse.Namespace) -> bool:
    """Whether all four replies are proved lost."""
    game, good = open_game("giveaway"), True
    for reply, published in LOST_REPLIES.items():
        text = game.text(after(game, "e3", "c5", "Bb5", reply))
        found = prove(
            "giveaway", text, wins=True, nodes=MOST_NODES, seconds=options.seconds, algorithm=options.algorithm
        )
        outcome = f"lost within {found.plies} plies" if found.proved else "open"
        print(
            f"1.e3 c5 2.Bb5 {reply}: {outcome}; {found.nodes:,} nodes, {found.seconds:.2f} s "
            f"of the processor (published: {published:,})"
        )
        good = good and found.proved
    return good


def endings(options: argparse.Namespace) -> bool:
    """Whether all values and distances are those of brute force."""
    lines = [line for line in _lines("giveaway_endings_bruteforce.txt") if " win " in line or " loss " in line]
    wrong = 0
    for line in lines:
        words = line.split()
        fen, wins, plies = " ".join(words[:4]), words[4] == "win", int(words[5])
        exact = prove(f"within:{plies}:giveaway", fen, wins=wins, nodes=MOST_NODES)
        sooner = prove(f"within:{plies - 1}:giveaway", fen, wins=wins, nodes=MOST_NODES) if plies > 1 else None
        if not exact.proved or (sooner is not None and sooner.proved):
            wrong += 1
            print(f"wrong: {line}")
    print(f"endings: {len(lines)} of {len(_lines('giveaway_endings_bruteforce.txt'))} lines asked, {wrong} wrong")
    return wrong == 0


def lines(options: argparse.Namespace) -> bool:
    """Asks for the ends of the lines; True unless one is refuted."""
    game = open_game("giveaway:antichess")
    kept, started = Kept(options.results), time.monotonic()
    texts = _lines("giveaway_watkins_easy.txt")
    for number, line in enumerate(texts, 1):
        if str(number) in kept.results or time.monotonic() - started > options.within:
            continue
        position = after(game, *line.split())
        text = game.text(position)
        wins = game.side(position) == 0
        found = prove(
            game.name, text, wins=wins, nodes=MOST_NODES, seconds=options.seconds, algorithm=options.algorithm
        )
        if found.without_records:
            print(f"line {number}, {text}: an answer without records")
        kept.add(str(number), proved=found.proved, plies=found.plies, nodes=found.nodes, seconds=found.seconds)
    results = list(kept.results.values())
    proved = [result for result in results if result["proved"]]
    refuted = [result for result in results if result["plies"] == 0]
    nodes = sorted(result["nodes"] for result in proved)
    print(f"lines: {len(results)} of {len(texts)} asked with {options.seconds:g} s each; proved: {len(proved)}")
    print(f"nodes of a proof: {nodes[len(nodes) // 2] if nodes else 0:,} in the middle, refuted: {len(refuted)}")
    return not refuted


def _lines(name: str) -> list[str]:
    """The lines of a published file without its head."""
    return [line for line in (DATA / name).read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("openings", "replies", "endings", "lines"))
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--algorithm", default="df-pn")
    parser.add_argument("--within", type=float, default=3600, help="seconds of the run over lines")
    parser.add_argument("--results", type=Path)
    parser.add_argument("--certificates", type=Path)
    options = parser.parse_args()
    measure = {"openings": openings, "replies": replies, "endings": endings, "lines": lines}[options.what]
    return 0 if measure(options) else 1


if __name__ == "__main__":
    sys.exit(main())
