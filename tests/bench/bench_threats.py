"""Searches for winning threats in qubic: dependency-based search against the plain search of forced sequences.

    python tests/bench/bench_threats.py [--positions N] [--seed S] [--empty-board] [--json]

Runs both on N positions of random play and on as many positions that real searches of four-ply positions look at (their
best lines, with one move more), 100,000 in all by default, and prints found lines, nodes and time of each. What
dependency-based search finds and the complete plain search does not is an error. With --empty-board the game is then
solved from the empty board, and its solution checked. Exit status 1 if anything disagrees.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from typing import Any

from proofbase.engine._core import Search
from proofbase.engine.games import open_game

Game: Any = open_game("qubic")


def random_positions(count: int, chance: random.Random) -> list[bytes]:
    """After 6 to 40 random plies, the game not over."""
    found: list[bytes] = []
    while len(found) < count:
        position = Game.initial()
        for _ in range(chance.randint(6, 40)):
            position = Game.play(position, chance.choice(Game.moves(position)))
            if Game.terminal(position) is not None:
                break
        else:
            found.append(position)
    return found


def searched_positions(count: int, chance: random.Random) -> list[bytes]:
    """Positions near the most-proving nodes of searches from four plies, all moves there played once more."""
    found: dict[bytes, None] = {}
    while len(found) < count:
        start = Game.initial()
        for _ in range(4):
            start = Game.play(start, chance.choice(Game.moves(start)))
        search = Search(Game, start, 1, algorithm="pn-dag+threats")
        for limit in range(100, 4_000, 100):
            search.run(nodes=limit)
            position = start
            for move in search.progress().best_line:
                position = Game.play(position, move)
                for further in Game.moves(position):
                    child = Game.play(position, further)
                    if Game.terminal(child) is None:
                        found[child] = None
            if search.status != "unknown":
                break
    return list(found)[:count]


def compare(name: str, positions: list[bytes]) -> dict[str, Any]:
    """Both finders on the same positions; the plain one with room enough to be complete."""
    dependency, nodes, largest, cut, seconds = Game.winning_lines(positions)
    plain, plain_nodes, plain_largest, plain_cut, plain_seconds = Game.winning_lines(
        positions, finder="sequences", most_nodes=200_000
    )
    count = len(positions)
    only_plain = sum(a is None and b is not None for a, b in zip(dependency, plain, strict=True))
    only_dependency = sum(b is None and a is not None for a, b in zip(dependency, plain, strict=True))

    def row(lines: list[Any], nodes: int, largest: int, cut: int, seconds: float) -> dict[str, Any]:
        found = [len(line) for line in lines if line is not None]
        return {
            "found": len(found),
            "nodes_per_position": round(nodes / count, 2),
            "largest": largest,
            "cut": cut,
            "microseconds": round(1e6 * seconds / count, 2),
            "mean_length": round(sum(found) / max(1, len(found)), 2),
        }

    return {
        "positions": name,
        "count": count,
        "dependency": row(dependency, nodes, largest, cut, seconds),
        "sequences": row(plain, plain_nodes, plain_largest, plain_cut, plain_seconds),
        "missed_by_dependency": only_plain,
        "missed_by_sequences": only_dependency - plain_cut if only_dependency > plain_cut else 0,
    }


def empty_board() -> dict[str, Any]:
    start = time.process_time()
    search = Search(Game, Game.initial(), 1, algorithm="pn-dag+threats")
    status = search.run().status
    searched = time.process_time()
    table = search.solution()
    extracted = time.process_time()
    failed = table.check().failed
    progress = search.progress()
    return {
        "status": status,
        "nodes": progress.nodes,
        "expansions": progress.expansions,
        "megabytes": round(progress.memory / 1e6, 1),
        "records": len(table),
        "failed": failed,
        "search_seconds": round(searched - start, 2),
        "extraction_seconds": round(extracted - searched, 2),
        "check_seconds": round(time.process_time() - extracted, 2),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description="Searches for winning threats in qubic.")
    parser.add_argument("--positions", type=int, default=50_000, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--empty-board", action="store_true", help="solve the whole game as well")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    results = [
        compare("random play", random_positions(options.positions, chance)),
        compare("searches", searched_positions(options.positions, chance)),
    ]
    whole = empty_board() if options.empty_board else None
    if options.json:
        print(json.dumps({"finders": results, "empty_board": whole}))
    else:
        for result in results:
            print(f"{result['count']} positions of {result['positions']}:")
            for finder in ("dependency", "sequences"):
                print(f"  {finder:<12}", *(f"{key} {value}" for key, value in result[finder].items()), sep="  ")
            print(f"  missed by dependency-based search: {result['missed_by_dependency']}")
        if whole:
            print("empty board:", *(f"{key} {value}" for key, value in whole.items()), sep="  ")
    wrong = sum(result["missed_by_sequences"] for result in results)
    good = whole is None or (whole["status"] == "proved" and whole["failed"] == 0)
    return 0 if wrong == 0 and good else 1


if __name__ == "__main__":
    sys.exit(main())
