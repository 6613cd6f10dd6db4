"""Claimed mates of a published file: the share that is proved, and the claimed lengths that are wrong.

    python tests/bench/chess/bench_mates.py matetrack [--sample 300] [--seed 1] [--nodes 1000000] [--exact 4]
        [--seconds 600] [--results FILE]

Each position is asked "does the side to move win?" (or "lose?") by df-pn with so many nodes. Up to `--exact` moves two
more questions are asked of `within:N:chess`: a mate in as many moves as claimed, and one in fewer; each with as many
nodes. A claimed length is contradicted by a shorter mate, or by a proof that there is none of that length. Every proof
passes the local check. With --results a run goes on where an earlier one ended. Exit status 1: fewer than `--at-least`
percent are proved, or a position is no win.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

from mate_searches import DATA, Claimed, Kept, ask_within, claimed_mates, prove

FILES = {
    "matetrack": "chess_matetrack_pv.epd",
    "classic": "chess_classic280.epd",
    "wac": "chess_wac_analysed.epd",
    "endgames-4": "chess_endgame_dm4_gaviota.epd",
    "endgames-5": "chess_endgame_dm5_gaviota.epd",
}
LONGEST_SEQUENCE = 30


def measure(claimed: Claimed, nodes: int, exact: int) -> dict[str, Any]:
    """All questions about one position."""
    found = prove("chess", claimed.fen, wins=claimed.moves > 0, nodes=nodes)
    result: dict[str, Any] = {"moves": claimed.moves, "proved": found.proved, "plies": found.plies}
    result |= {"nodes": found.nodes, "seconds": round(found.seconds, 3), "without records": found.without_records}
    if abs(claimed.moves) <= exact:
        result["in time"] = ask_within(claimed, claimed.plies, nodes)
        result["sooner"] = ask_within(claimed, claimed.plies - 2, nodes)
    return result


def contradiction(claimed: Claimed, result: dict[str, Any]) -> str | None:
    """What is wrong with a claimed length, in words."""
    if result["plies"] == 0:
        return "the claim itself is refuted"
    if result.get("in time") is False:
        return "no mate of that length"
    if result.get("sooner"):
        return "a shorter mate"
    if result["proved"] and result["plies"] < claimed.plies:
        return f"a mate within {result['plies']} plies"
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", choices=FILES)
    parser.add_argument("--sample", type=int, help="so many positions, drawn at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--exact", type=int, default=0, help="prove the length of claimed mates up to so many moves")
    parser.add_argument("--most-moves", type=int, help="only claims of at most so many moves")
    parser.add_argument("--at-least", type=float, default=0.0, help="percent that have to be proved")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--results", type=Path)
    options = parser.parse_args()
    positions = claimed_mates(DATA / FILES[options.file])
    if options.most_moves is not None:
        positions = [entry for entry in positions if abs(entry.moves) <= options.most_moves]
    if options.sample is not None:
        positions = Random(options.seed).sample(positions, min(options.sample, len(positions)))
    kept, started = Kept(options.results), time.monotonic()
    for claimed in positions:
        if claimed.name not in kept.results and time.monotonic() - started < options.seconds:
            kept.add(claimed.name, **measure(claimed, options.nodes, options.exact))
    return report(
        options,
        [(entry, kept.results[entry.name]) for entry in positions if entry.name in kept.results],
        len(positions),
    )


def report(options: argparse.Namespace, measured: list[tuple[Claimed, dict[str, Any]]], asked: int) -> int:
    """Prints what was found; the exit status."""
    proved = [entry for entry in measured if entry[1]["proved"]]
    share = 100 * len(proved) / max(1, len(measured))
    nodes, seconds = (sum(result[name] for _, result in measured) for name in ("nodes", "seconds"))
    print(f"{options.file}: {len(measured)} of {asked} positions, at most {options.nodes:,} nodes each")
    print(f"proved: {len(proved)}, {share:.1f} %; {nodes:,} nodes in {seconds:.0f} s")
    exact = [result for _, result in measured if "sooner" in result]
    if exact:
        shortest = sum(result["in time"] is True and result["sooner"] is False for result in exact)
        print(f"claimed lengths up to {options.exact} moves: {len(exact)}, proved to be the shortest: {shortest}")
    wrong = [(claimed, text) for claimed, result in measured if (text := contradiction(claimed, result))]
    bare = [claimed.name for claimed, result in measured if result.get("without records")]
    if bare:
        print(f"not counted, an answer whose records the search does not come to: {', '.join(bare)}")
    print(f"claimed lengths contradicted: {len(wrong)}")
    for claimed, text in wrong:
        print(f"  {claimed.name}: {claimed.fen} mate in {claimed.moves} claimed: {text}")
    unproved = [claimed for claimed, result in measured if not result["proved"]]
    for claimed in unproved[:LONGEST_SEQUENCE]:
        print(f"  open: {claimed.name}: {claimed.fen} mate in {claimed.moves}")
    return int(share < options.at_least or any(result["plies"] == 0 for _, result in measured))


if __name__ == "__main__":
    sys.exit(main())
